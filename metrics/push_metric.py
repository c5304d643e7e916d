"""A metric onto the Hub: `evaluate.load("ORG/NAME")` then works where this package is not installed."""

import re

from lengthwise import __version__
from lengthwise.hub_upload import Pushed, Target, push_files

from .space_bundle import bundle

_SCRIPT = re.compile(r"\w+\.py\Z")


def push_metric(
    name: str, repo: str, *, revision: str | None = None, pull_request: bool = False, private: bool = False
) -> Pushed:
    """Push a metric to a Space, with all that it needs of this package, and its page.

    Args:
        name: of the metric, one of `lengthwise.metrics.modules.MODULES`.
        repo: `ORG/NAME`, NAME being the metric's; made if there is none.
        revision: a branch, made if it is missing; main by default.
        pull_request: open a pull request instead.
        private: make the Space private, if it is made.

    Raises:
        InputError: an unknown metric, a Space of another name, or see `push_files`.
    """
    target = Target(repo, "space", revision, pull_request, private)
    files = bundle(name, repo)
    return push_files(
        files,
        target,
        message=f"{name} of lengthwise {__version__}",
        # Scripts at the root of a metric's Space are all of an earlier push.
        stale=lambda path: _SCRIPT.match(path) is not None,
        tag=None,
    )
