"""The card of a recipe: what the build's own says, but nothing that makes a reader or the viewer look for its rows."""

from string import Template

import yaml

# Where the build's card lies in the recipe; whoever builds the rows gets it back.
CARD_FILE = "card.md"
RECIPE_FILE = "recipe.json"
_GONE = ("configs", "dataset_info")
# What `load_dataset` gives: the digest and the command. Without it, it would take the lines of the rows for data.
_CONFIGS = [{"config_name": "recipe", "data_files": RECIPE_FILE}]
_NOTE = Template("""
> **This repository holds a recipe, not the rows**: the text may not be passed on. $what stand for it, and
> whoever has the source builds the very rows, each proven by its digest:
>
> ```
> hf download ORG/NAME --repo-type dataset --local-dir RECIPE
> $command
> ```
>
> What follows describes the rows once they are built.
""")


def recipe_card(card: str, what: str, command: str) -> str:
    r"""Return the card of a recipe.

    Args:
        card: of the build.
        what: stands for the text.
        command: that builds the rows from RECIPE, the downloaded repository.

    >>> text = recipe_card("---\nlicense: other\nconfigs: []\n---\n# Novels\n\nRows.\n", "Offsets", "make")
    >>> text.split("# Novels")[0]
    '---\nlicense: other\nviewer: false\nconfigs:\n- config_name: recipe\n  data_files: recipe.json\n---\n'
    >>> text.index("# Novels") < text.index("> **This repository") < text.index("Rows.")
    True
    """
    _, front, body = card.split("---\n", 2)
    body = body.lstrip("\n")
    kept = {name: value for name, value in yaml.safe_load(front).items() if name not in _GONE}
    head, title, rest = body.partition("\n") if body.startswith("# ") else ("", "", body)
    block = yaml.safe_dump(
        {**kept, "viewer": False, "configs": _CONFIGS}, sort_keys=False, allow_unicode=True, width=110
    )
    note = _NOTE.substitute(what=what, command=command)
    return f"---\n{block}---\n{head}{title}{note}{rest}"
