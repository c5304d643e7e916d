"""`lengthwise list`: a thin shell over the tables of benchmarks, methods, models and metrics."""

from typing import Annotated

import typer

from lengthwise.errors import unknown_name

METRICS = {
    "accuracy": "share of rows that are answered exactly, of all rows, with an exact (Clopper-Pearson) interval",
    "first-word accuracy": "share of the wrong answers whose first word is right",
    "decoy hits": "share of the wrong answers that give a planted decoy",
    "length error": "words answered minus words of the gold answer",
    "outcomes": "how each row ended: right, wrong, unparsed, refused, empty, cut, overlong, error",
    "causes": "why replies were not right: budget spent, looped, list copied, target met with and lost (section 4.9)",
    "success and invalid rate": "share of prompts over many instances that are right in every key; without an answer",
    "failures": "how such prompts failed: not parsed, too long, keys, instances, aggregate, both (section 5.2)",
    "accuracy under a budget": "the same with replies over N output tokens counted as wrong (--budget-tokens)",
}
LISTS = ("benchmarks", "configs", "methods", "models", "metrics")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("list")(list_)


def list_(
    what: Annotated[str | None, typer.Argument(help=", ".join(LISTS) + "; all by default.")] = None,
) -> None:
    """Show benchmarks, configs, methods, kinds of models and metrics, a line each."""
    if what is not None and what not in LISTS:
        raise unknown_name("list", what, LISTS)
    for name in LISTS if what is None else (what,):
        entries = listing(name)
        width = max(len(entry) for entry in entries)
        if what is None:
            typer.echo(f"{name}:")
        indent = "" if what else "  "
        for entry, about in entries.items():
            typer.echo(f"{indent}{entry:{width}}  {about}")


def listing(what: str) -> dict[str, str]:
    """Return the entries of one list, each with its line; `what` is one of `LISTS`."""
    from lengthwise.evaluators.benchmarks import BENCHMARKS
    from lengthwise.evaluators.methods import METHODS
    from lengthwise.evaluators.providers import EMBEDDER_KINDS, MODEL_KINDS
    from lengthwise.metrics.modules import MODULES

    if what == "benchmarks":
        return {name: one.description for name, one in BENCHMARKS.items()}
    if what == "configs":
        return {config: about for one in BENCHMARKS.values() for config, about in one.layout.captions.items()}
    if what == "methods":
        return {name: one.about for name, one in METHODS.items()}
    if what == "models":
        embedders = {f"{name} (--embed)": one.about for name, one in EMBEDDER_KINDS.items()}
        return {name: one.about for name, one in MODEL_KINDS.items()} | embedders
    return METRICS | {f"{name} (evaluate)": about for name, about in MODULES.items()}
