"""`lengthwise build longnovel`: a thin shell over `build_longnovel`."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lengthwise.cli.build_storyworld import build_stories, is_storyworld
from lengthwise.cli.options import parse_names, parse_numbers
from lengthwise.errors import InputError

if TYPE_CHECKING:
    from lengthwise.builders.longnovel.asking import Asks
    from lengthwise.builders.longnovel.records import Language
    from lengthwise.builders.longnovel.requests import Request
    from lengthwise.builders.longnovel.roles import Roles
    from lengthwise.builders.longnovel.settings import NovelSettings


def longnovel(
    context: typer.Context,
    configs: Annotated[
        list[str] | None,
        typer.Argument(
            help="Lengths: s, m, l, xl (16k, 32k, 64k, 100k), or any other, e.g. 8k; those four by default."
        ),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            help="Folder, file or Hub id of books with summaries; may be repeated. \\[default: storyworld, generated "
            "novels]"
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder; the same command goes on with a stopped build.")] = None,
    until: Annotated[
        str, typer.Option(help="Last step: units, windows, summaries, compression, arbitration, injection, rows.")
    ] = "rows",
    models: Annotated[
        Path | None, typer.Option(help="roles.toml, with a model for each slot; without it, from the records.")
    ] = None,
    leave_out_unanswered: Annotated[
        bool,
        typer.Option(
            "--leave-out-unanswered",
            help="Go on to the rows without what no reply came for (a content filter's, say); the card counts it.",
        ),
    ] = False,
    records: Annotated[
        Path | None, typer.Option(help="Another build: its models' replies are taken over, nobody is asked twice.")
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(help="Folder with prompts of your own in the place of ours: en/critic.txt, zh/detection.txt ..."),
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="What `export --recipe` wrote: build its rows from --source, nothing else.")
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="--source is the authors' finished data, or a folder with a copy.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Make units and windows, and say what the other steps will ask for.")
    ] = False,
    examples: Annotated[int, typer.Option(help="Generated novels: rows of each config's test split.")] = 200,
    train: Annotated[int, typer.Option(help="Generated novels: rows of each config's train split.")] = 0,
    validation: Annotated[int, typer.Option(help="Generated novels: rows of each config's validation split.")] = 0,
    language: Annotated[
        str | None,
        typer.Option(help="en or zh: of texts that do not say theirs; of generated novels, that one alone."),
    ] = None,
    headings_as_summaries: Annotated[
        bool, typer.Option("--headings-as-summaries", help="Take the couplets of old Chinese chapters' headings.")
    ] = False,
    licence: Annotated[str | None, typer.Option(help="Of the text, where the source does not say.")] = None,
    may_be_passed_on: Annotated[
        bool | None,
        typer.Option("--may-be-passed-on/--may-not-be-passed-on", help="Whether data with the text may be passed on."),
    ] = None,
    rows: Annotated[
        str | None, typer.Option(help="A table of how many rows of which kind, or `paper`; all there are by default.")
    ] = None,
    fewer: Annotated[bool, typer.Option("--fewer", help="Take what there is where --rows asks for more.")] = False,
    shares: Annotated[str, typer.Option(help="Of books in train, validation and test.")] = "15,4,10",
    seed: Annotated[int, typer.Option(help="Any whole number; another seed draws other books, types and rows.")] = 42,
    write_summaries: Annotated[
        bool, typer.Option("--write-summaries", help="Have a model summarise units that nobody has.")
    ] = False,
    article_alone: Annotated[
        bool, typer.Option("--article-alone", help="Judges do not see the reference summary.")
    ] = False,
    tolerance: Annotated[float, typer.Option(help="Share by which a reference may miss its length.")] = 0.1,
    variants: Annotated[int, typer.Option(help="Injected summaries of each reference.")] = 1,
    tokenizer: Annotated[str, typer.Option(help="qwen3, qwen3.6, tiktoken:NAME, or a tokenizer.json.")] = "qwen3",
    count_with: Annotated[
        list[str] | None, typer.Option(help="Further tokenizers for the card's table of lengths.")
    ] = None,
    concurrency: Annotated[int, typer.Option(help="Windows at a time.")] = 8,
    workers: Annotated[int | None, typer.Option(help="Generated novels: processes. \\[default: one a core]")] = None,
    shard: Annotated[str | None, typer.Option(help="Generated novels: build part I of N only, as in 1/4.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Build LongNovel: long stretches of novels with summaries that may hold hallucinations.

    Without --source the novels are generated (a data set of its own: longnovel-storyworld).
    """
    from lengthwise.builders.longnovel.build import UNTIL, SourceOptions, build_longnovel, rebuild_longnovel
    from lengthwise.builders.longnovel.model_steps import ModelStepSettings
    from lengthwise.builders.longnovel.roles import read_roles
    from lengthwise.builders.longnovel.settings import NovelSettings
    from lengthwise.errors import unknown_name

    if out is None:
        raise InputError("--out: name the folder that the data set goes into")
    if is_storyworld(source or (), out, _given(context)):
        build_stories(
            out, parse_names(configs), examples=examples, train=train, validation=validation, language=language,
            seed=seed, tokenizer=tokenizer, workers=workers, shard=shard, quiet=quiet,
        )  # fmt: skip
        return
    if until not in UNTIL:
        raise unknown_name("step", until, UNTIL)
    options = SourceOptions(_language(language), headings_as_summaries, licence, may_be_passed_on)
    if recipe is not None:
        typer.echo(f"digest {rebuild_longnovel(recipe, tuple(source or ()), out, options)}, as the recipe says: {out}")
        return
    if published:
        _published(out, source, parse_names(configs))
        return
    scales = parse_names(configs) or NovelSettings().scales
    settings = NovelSettings(scales, tokenizer, _shares(shares), seed, _requests(rows, scales), fewer)
    model_steps = ModelStepSettings(write_summaries, tolerance, article_alone, variants, seed)
    roles = read_roles(models) if models is not None else None
    try:
        result = build_longnovel(
            out,
            tuple(source or ()),
            settings,
            source_options=options,
            model_steps=model_steps,
            roles=roles,
            open_asks=None if roles is None else _open_asks(quiet),
            records=records,
            prompts=prompts,
            until="windows" if dry_run else until,
            leave_out_unanswered=leave_out_unanswered,
            tokenizers=parse_names(count_with),
            concurrency=concurrency,
            progress=_bars(quiet),
        )
    except KeyboardInterrupt:
        typer.echo(f"stopped; the same command goes on with what is in {out}", err=True)
        raise typer.Exit(130) from None
    for line in result.lines():
        typer.echo(line)
    if dry_run:
        typer.echo(_estimate(out, settings, model_steps, roles))
    if getattr(result, "failed", 0):
        raise typer.Exit(1)


def _given(context: typer.Context) -> list[str]:
    """Return the names of the options that were given."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    # By its name: typer may bring a click of its own.
    return [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]


def _published(out: Path, source: list[str] | None, configs: tuple[str, ...]) -> None:
    from lengthwise.builders.longnovel.published import SOURCE, import_published
    from lengthwise.builders.longnovel.settings import NovelSettings

    if source is not None and len(source) > 1:
        raise InputError("--published: give one --source, the authors' data set or a folder with a copy of it")
    settings = NovelSettings(configs) if configs else NovelSettings()
    for line in import_published(out, source[0] if source else SOURCE, settings).lines():
        typer.echo(line)


def _language(name: str | None) -> "Language | None":
    from lengthwise.builders.longnovel.records import LANGUAGES
    from lengthwise.errors import unknown_name

    if name is None:
        return None
    for one in LANGUAGES:
        if one == name:
            return one
    raise unknown_name("language", name, LANGUAGES)


def _shares(text: str) -> Any:
    from lengthwise.builders.longnovel.splits import SPLITS

    numbers = parse_numbers("--shares", text)
    if len(numbers) != len(SPLITS):
        raise InputError(f"--shares {text!r}: give three whole numbers, for {', '.join(SPLITS)}")
    return dict(zip(SPLITS, numbers, strict=True))


def _requests(rows: str | None, scales: tuple[str, ...]) -> "tuple[Request, ...]":
    from lengthwise.builders.longnovel.requests import PAPER_REQUESTS, read_requests

    if rows is None:
        return ()
    if rows != "paper":
        return read_requests(Path(rows))
    found = tuple(request for request in PAPER_REQUESTS if request.scale in scales)
    if not found:
        raise InputError(f"--rows paper: the paper has rows of s, m, l and xl, none of {', '.join(scales)}")
    return found


def _open_asks(quiet: bool) -> "Callable[[Roles], AbstractAsyncContextManager[Asks]]":
    from lengthwise.evaluators.slot_models import open_slots

    def opened(roles: "Roles") -> "AbstractAsyncContextManager[Asks]":
        return open_slots(roles, notify=lambda text: None if quiet else typer.echo(text, err=True))

    return opened


def _bars(quiet: bool) -> Callable[[str, int], Callable[[], object]]:
    from tqdm import tqdm

    def bar(step: str, total: int) -> Callable[[], object]:
        shown: Any = tqdm(total=total, desc=step, disable=quiet)
        return lambda: shown.update()

    return bar


def _estimate(out: Path, settings: "NovelSettings", steps: Any, roles: "Roles | None") -> str:
    """Return the table of what the steps that ask models will ask for: at least, and at most."""
    from lengthwise.builders.longnovel.estimate import estimate
    from lengthwise.builders.longnovel.own_prompts import prompts_of
    from lengthwise.builders.longnovel.steps_files import read_units, read_windows
    from lengthwise.builders.tokens import load_tokenizer
    from lengthwise.contracts import Usage
    from lengthwise.evaluators.prices import PriceTable
    from lengthwise.evaluators.table_formats.render import render_grid

    units = {(one.unit.book, one.unit.index): one.unit for one in read_units(out)}
    found = estimate(
        read_windows(out), units, prompts_of(out), load_tokenizer(settings.tokenizer),
        tolerance=steps.tolerance, article_alone=steps.article_alone, seed=steps.seed, variants=steps.variants,
        write_summaries=steps.write_summaries,
    )  # fmt: skip
    table = PriceTable.load()
    lines = []
    sums = [0.0, 0.0]
    unknown = False
    for one in found:
        model = roles[one.slot].identity if roles is not None else ""
        price = table.find(model.partition(":")[2] or model) if model else None
        costs: list[float | None] = [None, None]
        for place, amount in enumerate((one.least, one.most)):
            costs[place] = None if price is None else price.of(Usage(amount.input, 0, amount.output))
            sums[place] += costs[place] or 0.0
        unknown = unknown or price is None
        lines.append(
            [one.step, one.slot, model, *(f"{low:,} to {high:,}" for low, high in (
                (one.least.calls, one.most.calls), (one.least.input, one.most.input),
                (one.least.output, one.most.output))),
             "" if None in costs else f"{costs[0]:,.2f} to {costs[1]:,.2f}"]
        )  # fmt: skip
    head = ["step", "slot", "model", "calls", "input tokens", "output tokens", "US$"]
    title = f"What the models will be asked for (prices of {table.as_of})"
    note = "; models without a known price are not in it" if unknown else ""
    total = f"in all US$ {sums[0]:,.2f} to {sums[1]:,.2f}{note}" if roles is not None else "name --models for the cost"
    return f"{render_grid(title, head, lines)}\n{total}"
