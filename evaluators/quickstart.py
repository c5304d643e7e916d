"""`lengthwise quickstart`: the whole way from nothing to a page, on a CPU, without a key, a GPU or the Hub."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from lengthwise.builders.longnovel.storyworld.build import build_storyworld
from lengthwise.builders.longnovel.storyworld.settings import StorySettings
from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings as BuildSettings
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.report import write_report
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings

LOCAL_MODEL = "local:smollm2-135m"
EXAMPLES = 5
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Show:
    """What a quickstart shows of one benchmark.

    Attributes:
        benchmark: its name.
        data: name of its data folder.
        page: name of its page.
        says: what is built, in words.
        build: builds the data into a folder.
        references: reference models to run on all rows, the ceiling first.
        local: what the small model is asked, without data and model.
        local_says: the same in words.
        tail: what stands behind the names of its run folders.
    """

    benchmark: str
    data: str
    page: str
    says: str
    build: Callable[[Path], object]
    references: tuple[str, ...]
    local: RunSettings
    local_says: str
    tail: str = ""


def _build_predicate(folder: Path) -> object:
    configs = ("unary-locate", "lex-locate", "lex-longest", "lex-scattered")
    settings = BuildSettings(examples=EXAMPLES)
    return build_predicate(folder, configs, splits=("1k", "2k", "4k"), settings=settings, progress=False)


def _build_instances(folder: Path) -> object:
    settings = InstanceSettings(sizes=(2, 5, 10), seeds=tuple(range(1, EXAMPLES + 1)))
    return build_multi_instance(folder, ("parity", "word", "arithmetic-instances"), settings=settings, progress=False)


def _build_novels(folder: Path) -> object:
    return build_storyworld(folder, StorySettings(("1k", "4k"), examples=8))


# A small model reads about 100 tokens a second on one core: the rows of each take it half a minute or less.
SHOWS = (
    Show(
        benchmark="predicatelongbench",
        data="data",
        page="report.html",
        says="PredicateLongBench: 4 configs at 1k, 2k, 4k tokens",
        build=_build_predicate,
        references=("solver", "first-window", "random"),
        local=RunSettings(
            "",
            LOCAL_MODEL,
            ("unary-locate", "lex-locate", "lex-longest"),
            ("1k",),
            sampling=Sampling(max_tokens=64, temperature=0.0),
            limit=6,
        ),
        local_says="6 prompts of about 1k tokens",
    ),
    Show(
        benchmark="multi-instance",
        data="mip",
        page="report-mip.html",
        says="multi-instance processing: 3 configs at 2, 5, 10 instances",
        build=_build_instances,
        references=("solver", "constant"),
        # One attempt where the paper has three: it is to show the way.
        local=RunSettings(
            "", LOCAL_MODEL, ("parity", "word"), ("n2",), "zero-shot", sampling=Sampling(max_tokens=48), limit=4
        ),
        local_says="4 prompts of 2 instances",
        tail="-mip",
    ),
    Show(
        benchmark="longnovel-storyworld",
        data="novel",
        page="report-novel.html",
        says="the story world, LongNovel's task on generated novels: 2 lengths, English and Chinese",
        build=_build_novels,
        references=("gold", "random"),
        local=RunSettings(
            "", LOCAL_MODEL, ("1k",), ("test",), sampling=Sampling(max_tokens=48, temperature=0.0), limit=1
        ),
        local_says="1 summary of a novel of about 1k tokens",
        tail="-novel",
    ),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a quickstart left of one benchmark.

    Attributes:
        benchmark: its name.
        data: the folder of the data set.
        runs: the run folders, the small model's first.
        results: scores of each run.
        report: the page.
    """

    benchmark: str
    data: Path
    runs: tuple[Path, ...]
    results: tuple[Results, ...]
    report: Path


@dataclass(frozen=True, slots=True)
class Quickstart:
    """What a quickstart left.

    Attributes:
        shown: one for each benchmark, in the order of `SHOWS`.
        without_local: why no local model ran; None where one did.
    """

    shown: tuple[Shown, ...]
    without_local: str | None


def quickstart(
    out: Path | str, *, local: bool = True, progress: bool = False, notify: Notify = lambda _: None
) -> Quickstart:
    """Build a little of each benchmark, run reference models and a real small one on it, and write a page for each.

    Args:
        out: folder for the data, the runs and the pages; given again, what is there already is used.
        local: run the small model too (its weights, 98 MB, are fetched on first use).
        progress: show bars on stderr.
        notify: told what happens.

    Raises:
        InputError: `out` holds something else.
    """
    folder = Path(out)
    without_local = None if local else "it was left out on request"
    shown = []
    for show in SHOWS:
        notify(f"building {show.says}")
        show.build(folder / show.data)
        runs = [_run_reference(folder, show, name, notify) for name in show.references]
        # Where it could not be had for the first benchmark, it cannot for the next.
        if without_local is None:
            try:
                runs.insert(0, _run_local(folder, show, progress, notify))
            except InputError as error:
                without_local = str(error)
        results = tuple(score_run(run) for run in runs)
        page = write_report(runs, folder / show.page)
        shown.append(Shown(show.benchmark, folder / show.data, tuple(runs), results, page))
    return Quickstart(tuple(shown), without_local)


def _run_reference(folder: Path, show: Show, name: str, notify: Notify) -> Path:
    notify(f"running reference:{name}")
    run = folder / "runs" / f"{name}{show.tail}"
    run_benchmark(RunSettings(str(folder / show.data), f"reference:{name}"), run, RunOptions())
    return run


def _run_local(folder: Path, show: Show, progress: bool, notify: Notify) -> Path:
    notify(f"running {LOCAL_MODEL} on {show.local_says}")
    run = folder / "runs" / f"{LOCAL_MODEL.partition(':')[2]}{show.tail}"
    labels = {"label": LOCAL_MODEL.partition(":")[2]}
    options = RunOptions(concurrency=1, labels=labels, progress=progress, notify=notify)
    run_benchmark(replace(show.local, data=str(folder / show.data)), run, options)
    return run
