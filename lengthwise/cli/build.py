"""`lengthwise build` and `lengthwise validate`: thin shells over the builders and `validate`."""

import os
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lengthwise.cli.build_instances import multi_instance
from lengthwise.cli.build_longnovel import longnovel
from lengthwise.cli.options import parse_names, parse_shard
from lengthwise.errors import InputError, unknown_name

if TYPE_CHECKING:
    from lengthwise.builders.predicate.document_filter import FilterBounds
    from lengthwise.builders.predicate.variants import Value

LITE_EXAMPLES = 25
_SEVERAL = "; several (2,4,8): a config for each."

builds = typer.Typer(
    no_args_is_help=True, help="Build a benchmark's data set into a folder that is ready for the Hub."
)


def register(app: typer.Typer) -> None:
    """Add the commands `build` and `validate` to the command line."""
    builds.command("multi-instance")(multi_instance)
    builds.command("longnovel")(longnovel)
    app.add_typer(builds, name="build")
    app.command("validate")(validate)


def _values(**options: list[str] | None) -> "dict[str, list[Value]]":
    """Return the values of each option that was given any, as numbers."""
    from lengthwise.builders.predicate.variants import SWEEPS

    found: dict[str, list[Value]] = {}
    for name, texts in options.items():
        kind = SWEEPS[name].kind
        if texts and not parse_names(texts):
            raise InputError(f"--{SWEEPS[name].option} {texts[-1]!r}: names no value")
        for text in parse_names(texts):
            try:
                found.setdefault(name, []).append(kind(text))
            except ValueError:
                wanted = "whole number" if kind is int else "number"
                raise InputError(f"--{SWEEPS[name].option}: {text!r} is no {wanted}") from None
    return found


def _bounds(given: tuple[str, ...]) -> "FilterBounds | None":
    from lengthwise.builders.predicate.document_filter import FilterBounds

    kinds: dict[str, Any] = {field.name: type(field.default) for field in fields(FilterBounds)}
    bounds: dict[str, Any] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in kinds:
            raise unknown_name("bound", name, kinds)
        try:
            bounds[name] = kinds[name](value)
        except ValueError:
            raise InputError(f"bound {text!r} cannot be read: give NAME=VALUE, as in min_tokens=8000") from None
    return FilterBounds(**bounds) if bounds else None


@builds.command("predicate")
def predicate(
    configs: Annotated[list[str] | None, typer.Argument(help="Configs; without any, all of the paper's.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder; the same command goes on with a stopped build.")] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(help="Lengths 4k, 8k, 16k, 32k, 64k, 112k, 128k (the default is all), or any Nk."),
    ] = None,
    tokens: Annotated[list[int] | None, typer.Option(help="A length in tokens of the whole prompt.")] = None,
    words: Annotated[list[int] | None, typer.Option(help="A length in words.")] = None,
    window: Annotated[int | None, typer.Option(help="A model's window; the length is window less reserve.")] = None,
    reserve: Annotated[int, typer.Option(help="Tokens of the window kept for output and chat template.")] = 16_384,
    examples: Annotated[int | None, typer.Option(help="Rows a config and split. \\[default: 100]")] = None,
    lite: Annotated[
        bool,
        typer.Option(
            "--lite", help="25 rows a cell: at 50 % right, the 95 % interval is 30 to 70 (40 to 60 with 100)."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="Any whole number; another seed gives other lists.")] = 42,
    tokenizer: Annotated[str, typer.Option(help="qwen3, qwen3.6, tiktoken:NAME, or a tokenizer.json.")] = "qwen3",
    k: Annotated[int, typer.Option(help="Words of the answer (synthetic lists).")] = 5,
    word_length: Annotated[int | None, typer.Option(help="Letters of a word; by default each variant's own.")] = None,
    alphabet: Annotated[str, typer.Option(help="Letters of synthetic words.")] = "abcdefghijklmnopqrstuvwxyz",
    kinds: Annotated[
        list[str] | None, typer.Option(help="Unary predicates: prefix, suffix, contains, length, vowels.")
    ] = None,
    string_length: Annotated[int, typer.Option(help="Letters of a predicate's string.")] = 2,
    near_miss: Annotated[
        list[str] | None,
        typer.Option(help=f"Share of near-miss words, a predicate{_SEVERAL} \\[default: 0.05]"),
    ] = None,
    targets: Annotated[
        list[str] | None, typer.Option(help=f"Valid sequences in each list of unary-all{_SEVERAL} \\[default: 1]")
    ] = None,
    decoys: Annotated[
        list[str] | None, typer.Option(help=f"Near-sorted decoys in a list{_SEVERAL} \\[default: 8]")
    ] = None,
    radius: Annotated[
        list[str] | None,
        typer.Option(help=f"Words beside the target in which clustered decoys lie{_SEVERAL} \\[default: 100]"),
    ] = None,
    lists: Annotated[
        list[str] | None, typer.Option(help=f"Number of lists in lex-lists{_SEVERAL} \\[default: 20]")
    ] = None,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            help="Folder, file or Hub id (zai-org/LongBench-v2) of documents; storyworld for generated novels."
        ),
    ] = None,
    break_ties: Annotated[
        bool, typer.Option("--break-ties", help="Use documents whose longest run is not unique, too.")
    ] = False,
    bound: Annotated[list[str] | None, typer.Option(help="A bound of the document filter: NAME=VALUE.")] = None,
    recipe: Annotated[
        Path | None,
        typer.Option(help="What `export --recipe` wrote: build its rows from --documents, nothing else."),
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes. \\[default: one a core]")] = None,
    shard: Annotated[str | None, typer.Option(help="Build part I of N only, as in 1/4.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Build PredicateLongBench: word lists with one run that satisfies a predicate, among decoys."""
    from lengthwise.builders.predicate.build import build_predicate
    from lengthwise.builders.predicate.settings import Settings

    if out is None:
        raise InputError("--out: name the folder that the data set goes into")
    processes = (os.cpu_count() or 1) if workers is None else workers
    if recipe is not None:
        from lengthwise.builders.predicate.recipe import rebuild_predicate

        digest = rebuild_predicate(recipe, tuple(documents or ()), out, workers=processes, progress=not quiet)
        typer.echo(f"digest {digest}, as the recipe says: {out}")
        return
    if lite and examples is not None:
        raise InputError("--lite and --examples both set the number of rows: give one of them")
    sweep = _values(near_miss=near_miss, targets=targets, decoys=decoys, radius=radius, lists=lists)
    single: dict[str, Any] = {name: values[0] for name, values in sweep.items() if len(values) == 1}
    settings = Settings(
        examples=LITE_EXAMPLES if lite else 100 if examples is None else examples,
        seed=seed,
        tokenizer=tokenizer,
        k=k,
        word_length=word_length,
        alphabet=alphabet,
        kinds=parse_names(kinds),
        string_length=string_length,
        **single,
    )
    try:
        result = build_predicate(
            out,
            parse_names(configs),
            splits=parse_names(split),
            tokens=tuple(tokens or ()),
            words=tuple(words or ()),
            window=window,
            reserve=reserve,
            settings=settings,
            sweep={name: values for name, values in sweep.items() if name not in single},
            documents=tuple(documents or ()),
            bounds=_bounds(parse_names(bound)),
            break_ties=break_ties,
            workers=processes,
            shard=parse_shard(shard),
            progress=not quiet,
        )
    except KeyboardInterrupt:
        typer.echo(f"stopped; the same command goes on with what is in {out}", err=True)
        raise typer.Exit(130) from None
    for line in result.lines():
        typer.echo(line)


def validate(
    folder: Annotated[Path, typer.Argument(help="A built folder.")],
    workers: Annotated[int | None, typer.Option(help="Processes. \\[default: one a core]")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Prove the rows of a built folder right, without a model; exit code 1 where something does not hold."""
    from lengthwise.builders.benchmarks import validate as check

    reports = check(folder, (os.cpu_count() or 1) if workers is None else workers, not quiet)
    problems = [problem for report in reports for problem in report.problems]
    for problem in problems[:100]:
        typer.echo(problem)
    if problems:
        typer.echo(f"{len(problems):,} problems in {reports[-1].rows:,} rows of {folder}")
        raise typer.Exit(1)
    typer.echo(f"{reports[-1].rows:,} rows proven right in {len(reports) - 1} splits; digest {reports[-1].digest}")
