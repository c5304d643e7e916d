"""Names in code become links to the reference: in docstrings where they are found, on pages they must be found.

A page says `lengthwise.metrics.intervals.wilson` in plain backticks, so that it reads well without Sphinx too. Such a
full name that is neither in the reference nor importable is a fault of the page. So it is with types in signatures,
which other modules may define than those that the reference shows.
"""

import re
from importlib import import_module
from importlib.util import find_spec

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PyXRefRole
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_FULL = re.compile(r"(lengthwise(?:\.\w+)+)(?:\(\))?")
log = logging.getLogger(__name__)


class QuietRole(SphinxRole):
    """Code, and a link where it is the name of something in the reference."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the node for what stands between the backticks."""
        if _NAME.fullmatch(self.text) is None:
            return [nodes.literal(self.rawtext, self.text)], []
        made, messages = PyXRefRole()("py:obj", self.rawtext, self.text, self.lineno, self.inliner)
        for node in made:
            if isinstance(node, pending_xref):
                node["quiet"] = True
        return made, messages


def _leave(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, inner: nodes.TextElement
) -> nodes.TextElement | None:
    """Leave code without a target as it is, and types of ours in signatures that are no part of the reference."""
    return inner if node.get("quiet") or _exists(node["reftarget"]) else None


class LinkNames(SphinxPostTransform):
    """Links full names of this package in the inline code of pages; one that does not exist is a warning."""

    default_priority = 20

    def run(self, **kwargs: object) -> None:
        """Go through the literals of one page."""
        python = self.env.domains["py"]
        for literal in list(self.document.findall(nodes.literal)):
            found = _FULL.fullmatch(literal.astext())
            if found is None or isinstance(literal.parent, nodes.reference | pending_xref):
                continue
            # The last two parts tell what it is; all of it is in the tooltip, and in the text of the page.
            short = nodes.literal("", ".".join(found[1].split(".")[-2:]), classes=literal["classes"])
            if (target := python.objects.get(found[1])) is not None:
                place = target.docname, target.node_id
                link = make_refnode(self.app.builder, self.env.docname, *place, short, found[1])
                literal.replace_self(link)
            elif not _exists(found[1]):
                log.warning("nothing is called %s", found[1], location=literal, type="lengthwise")


def _exists(name: str) -> bool:
    """Say whether a full name can be imported: a module, or something in one."""
    if not name.startswith("lengthwise."):
        return False
    module, found, rest = name, False, []
    while module and not found:
        try:
            found = find_spec(module) is not None
        except ModuleNotFoundError:
            found = False
        if not found:
            module, _, last = module.rpartition(".")
            rest.insert(0, last)
    thing: object = import_module(module)
    for part in rest:
        if not hasattr(thing, part):
            return False
        thing = getattr(thing, part)
    return True


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the role `quiet` and the transform."""
    app.add_role("quiet", QuietRole())
    app.connect("missing-reference", _leave)
    app.add_post_transform(LinkNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
