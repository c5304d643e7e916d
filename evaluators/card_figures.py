"""What was seen of a built data set, for its card: that its rows are proven, and how models fare on them."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from lengthwise import __version__
from lengthwise.builders.benchmarks import validate
from lengthwise.builders.card import put_seen, table
from lengthwise.builders.hub_folder import read_build, write_text
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.naming import distinguish
from lengthwise.evaluators.results import Accuracy, CellResult, Results
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.sharding import check_whole

# (config, split) -> figures.
Cells: TypeAlias = Mapping[tuple[str, str], CellResult]


def publish_figures(
    folder: Path | str, runs: Sequence[Path | str], *, workers: int = 1, progress: bool = False
) -> str:
    """Write the section "What was seen" on the card of a built folder; a second call puts it in the first one's place.

    The data are validated first, so what the card says of them holds for the files as they lie there.

    Args:
        folder: a finished build.
        runs: folders of finished runs on these very rows: of reference models for ceiling and floor, of real models
            if there are any.
        workers: processes of the validation.
        progress: show a bar on stderr while validating.

    Returns:
        The section, as Markdown.

    Raises:
        InputError: no finished build, or one that does not validate; no run; a run on other rows, on a choice of rows
            that failed before, or with rows that have no reply yet.
    """
    folder = Path(folder)
    build = read_build(folder)
    benchmark = find_benchmark(str(build.get("benchmark")))
    if not runs:
        raise InputError("RUN: name at least one run on this data, e.g. of reference:solver and reference:random")
    found = [score_outcomes(run, write=False, causes=False).results for run in runs]
    for run, results in zip(runs, found, strict=True):
        _check(folder, build, str(run), results)
    reports = validate(folder, workers, progress)
    problems = [problem for report in reports for problem in report.problems]
    if problems:
        raise InputError(f"{folder}: {len(problems):,} problems, the first: {problems[0]}; see `lengthwise validate`")
    section = _section(folder.resolve().name, build, distinguish(found), benchmark)
    card = folder / "README.md"
    write_text(card, put_seen(card.read_bytes().decode("utf-8"), section))
    return section


def _check(folder: Path, build: Mapping[str, Any], run: str, results: Results) -> None:
    """Raise InputError where a run says nothing of these rows, or not all."""
    if results.benchmark != build["benchmark"]:
        raise InputError(f"{run}: is of {results.benchmark}, and {folder} holds {build['benchmark']}")
    for cell, digest in results.settings["data"]["cells"].items():
        config, _, split = cell.partition("/")
        here = build["configs"].get(config, {}).get(split, {}).get("digest")
        if digest is None or digest != here:
            said = f"the digest {digest[:16]}" if digest else "no digest"
            has = f"has {here[:16]}" if here else "has no such rows"
            raise InputError(f"{run}: its rows of {cell} have {said}, and {folder} {has}: run it on this data")
    check_whole(run, results.settings)
    if results.chosen:
        raise InputError(
            f"{run}: holds only rows that ended badly in another run: such a choice says nothing of the data"
        )
    if not results.complete:
        raise InputError(
            f"{run}: {results.n_error:,} of {results.n_expected:,} examples have no reply: finish it first, with "
            f"`lengthwise run --from {run}/run.json --out {run}`"
        )


def _section(name: str, build: Mapping[str, Any], runs: Sequence[Results], benchmark: Benchmark) -> str:
    cells = {(config, split): of for config, splits in build["configs"].items() for split, of in splits.items()}
    rows = sum(of["rows"] for of in cells.values())
    references = _references(runs, benchmark)
    real = [run for run in runs if run.reference is None]
    head = [
        "config",
        "split",
        "N",
        "digest",
        *(f"{benchmark.references[which].bound} ({which})" for which in references),
    ]
    lines = [
        [f"`{config}`", f"`{split}`", f"{of['rows']:,}", f"`{of['digest'][:16]}`"]
        + [_figure(found.get((config, split)), of["rows"]) for found in references.values()]
        for (config, split), of in cells.items()
    ]
    parts = [
        "## What was seen",
        f"`lengthwise validate` {__version__} proved all {rows:,} rows in {len(cells)} splits right, and files, "
        "digests and card in order.",
        "Accuracy in %, with its exact 95 % interval; N rows a cell:",
        table(head, lines),
    ]
    if real:
        parts += _models(real, cells)
    commands = [command_of(run, name, benchmark, cells) for run in runs]
    parts += ["The runs, each repeated by its command:", "\n".join(["```", *commands, "```"])]
    return "\n\n".join(parts)


def _references(runs: Iterable[Results], benchmark: Benchmark) -> dict[str, Cells]:
    """Return the figures of each reference model in the order of the benchmark's.

    Where a cell was run twice, by a run of the reference model or by the notes beside a real model's run, the figure
    over more rows is taken.
    """
    found: dict[str, dict[tuple[str, str], CellResult]] = {which: {} for which in benchmark.references}
    for run in (each for one in runs for each in (one, *one.bounds)):
        if (of := found.get(run.reference or "")) is not None:
            for cell in run.cells:
                key = (cell.config, cell.split)
                if key not in of or of[key].n < cell.n:
                    of[key] = cell
    return {which: cells for which, cells in found.items() if cells}


def _models(runs: Sequence[Results], cells: Mapping[tuple[str, str], Mapping[str, Any]]) -> list[str]:
    shown = [cell for cell in cells if any(run.cell(*cell) for run in runs)]
    lines = [
        [f"`{config}`", f"`{split}`"]
        + [_figure(run.cell(config, split), cells[config, split]["rows"], beside=True) for run in runs]
        for config, split in shown
    ]
    return ["### Models", table(["config", "split", *(run.label for run in runs)], lines)]


def _figure(cell: CellResult | None, rows: int, *, beside: bool = False) -> str:
    """Return accuracy and interval, n where it is not all rows, and for a model what it did not answer."""
    if cell is None:
        return ""
    figure = accuracy_text(cell.accuracy)
    notes = [f"n = {cell.n}"] if cell.n != rows else []
    notes += [f"{cell.repeats} repeats"] if cell.repeats > 1 else []
    if beside:
        names = {"truncated_output": "cut off", "refused": "refused", "overlength": "too long", "unparsed": "unparsed"}
        notes += [f"{cell.outcomes[kind]} {name}" for kind, name in names.items() if cell.outcomes[kind]]
    return f"{figure} ({', '.join(notes)})" if notes else figure


def accuracy_text(accuracy: Accuracy) -> str:
    """Return an accuracy in % with its interval.

    >>> accuracy_text(Accuracy(100, 97, 0.97, 0.915, 0.994))
    '97.0 [91.5, 99.4]'
    """
    return f"{percent(accuracy.value)} [{percent(accuracy.low)}, {percent(accuracy.high)}]"


def command_of(run: Results, name: str, benchmark: Benchmark, cells: Iterable[tuple[str, str]]) -> str:
    """Return the command that repeats a run: all that decides what is asked, without a path or a key of this machine.

    Args:
        run: results of it.
        name: what the data are called.
        benchmark: whose defaults are left out.
        cells: all of the data; a run on all of them names none.
    """
    settings = run.settings
    data, sampling = settings["data"], dict(settings.get("sampling") or {})
    paper = asdict(benchmark.sampling)
    if settings["model"].get("kind") == "vote":
        voters = [Path(str(one["run"])).name for one in settings["model"]["runs"]]
        return shlex.join(["lengthwise", "vote", *voters, "--out", "RUN"])
    words = ["lengthwise", "run", name]
    if {*data["cells"]} != {f"{config}/{split}" for config, split in cells}:
        words += [*data["configs"], "--split", ",".join(data["splits"])]
    words += ["--model", _spec(settings["model"])]
    if (method := settings.get("method")) not in (None, benchmark.method):
        words += ["--method", str(method)]
    if embedder := (settings.get("roles") or {}).get("embed"):
        words += ["--embed", _spec(embedder)]
    for option, value in sampling.items():
        if value != paper.get(option):
            words += [f"--{option.replace('_', '-')}", str(value)]
    for option in ("limit", "seed", "repeats"):
        if settings.get(option) not in (None, {"seed": 0, "repeats": 1}.get(option)):
            words += [f"--{option}", str(settings[option])]
    words += ["--only-fitting"] if settings.get("only_fitting") else []
    if settings["model"].get("kind") in ("http", "https") and (key := settings["model"].get("api_key_env")):
        words += ["--api-key-env", str(key)]
    return shlex.join([*words, "--out", "RUN"])


def _spec(model: Mapping[str, Any]) -> str:
    """Return what names a model, without a password in an address or the folders that a model lies in."""
    spec = re.sub(r"(?<=//)[^/@]*@", "", str(model["spec"]))
    kind, colon, name = spec.partition(":")
    return f"{kind}:{Path(name).name}" if colon and Path(name).is_absolute() and not name.startswith("//") else spec
