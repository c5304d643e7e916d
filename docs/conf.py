"""The documentation's site: `.ci/docs VENV` builds it, with every warning an error and nothing fetched."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

# Imports, not paths: the rooms are mapped folders, so the package must be installed (`pip install -e '.[docs]'`).
sys.path.insert(0, str(Path(__file__).parent / "_site"))

project = "lengthwise"
author = "The lengthwise authors"
copyright = author
version = release = installed("lengthwise")

extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_parser", "code_names", "commands", "mathml"]
exclude_patterns = ["_site", "_build"]
nitpicky = True

# What other packages define is not looked up: that would need their sites at every build.
nitpick_ignore_regex = [(r"py:\w+", r"(?!lengthwise\.).*")]

# Single backticks in a docstring are code, and a link where they name something that the reference holds.
default_role = "quiet"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
# What a module hands on from another one is described there.
autodoc_default_options = {"ignore-module-all": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
add_module_names = False
maximum_signature_line_length = 110

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = f"lengthwise {release}"
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = html_show_sourcelink = html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}


def setup(app: object) -> None:
    """Leave out what Python itself says of the fields of a NamedTuple."""
    app.connect("autodoc-skip-member", _skip)  # type: ignore[attr-defined]


def _skip(app: object, what: str, name: str, thing: object, skip: bool, options: object) -> bool | None:
    return True if (getattr(thing, "__doc__", None) or "").startswith("Alias for field number") else None
