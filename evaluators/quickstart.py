"""`lengthwise quickstart`: the whole way from nothing to a page, on a CPU, without a key, a GPU or the Hub."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings as BuildSettings
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.report import write_report
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings

CONFIGS = ("unary-locate", "lex-locate", "lex-longest", "lex-scattered")
SPLITS = ("1k", "2k", "4k")
EXAMPLES = 5
REFERENCES = ("solver", "first-window", "random")
LOCAL_MODEL = "local:smollm2-135m"

# A small model reads about 100 tokens a second on one core: these rows take it about half a minute.
_LOCAL_CONFIGS = ("unary-locate", "lex-locate", "lex-longest")
_LOCAL_SPLITS = ("1k",)
_LOCAL_ROWS = 6
_LOCAL_SAMPLING = Sampling(max_tokens=64, temperature=0.0)


@dataclass(frozen=True, slots=True)
class Quickstart:
    """What a quickstart left.

    Attributes:
        data: the folder of the data set.
        runs: the run folders, the model's first.
        results: scores of each run.
        report: the page.
        without_local: why no local model ran; None where one did.
    """

    data: Path
    runs: tuple[Path, ...]
    results: tuple[Results, ...]
    report: Path
    without_local: str | None


def quickstart(
    out: Path | str,
    *,
    local: bool = True,
    progress: bool = False,
    notify: Callable[[str], None] = lambda _: None,
) -> Quickstart:
    """Build a small PredicateLongBench, run reference models and a real small one on it, and write a report.

    Args:
        out: folder for the data, the runs and the page; given again, what is there already is used.
        local: run the small model too (its weights, 98 MB, are fetched on first use).
        progress: show bars on stderr.
        notify: told what happens.

    Raises:
        InputError: `out` holds something else.
    """
    folder = Path(out)
    data = folder / "data"
    notify(f"building {len(CONFIGS)} configs at {', '.join(SPLITS)} tokens")
    build_predicate(data, CONFIGS, splits=SPLITS, settings=BuildSettings(examples=EXAMPLES), progress=False)
    runs: list[Path] = []
    for name in REFERENCES:
        notify(f"running reference:{name}")
        runs.append(folder / "runs" / name)
        run_benchmark(RunSettings(str(data), f"reference:{name}"), runs[-1], RunOptions())
    without_local = None if local else "it was left out on request"
    if local:
        notify(f"running {LOCAL_MODEL} on {_LOCAL_ROWS} prompts of about {_LOCAL_SPLITS[0]} tokens")
        run = folder / "runs" / "smollm2-135m"
        settings = RunSettings(
            str(data), LOCAL_MODEL, _LOCAL_CONFIGS, _LOCAL_SPLITS, sampling=_LOCAL_SAMPLING, limit=_LOCAL_ROWS
        )
        try:
            run_benchmark(settings, run, RunOptions(concurrency=1, progress=progress, notify=notify))
            runs.insert(0, run)
        except InputError as error:
            without_local = str(error)
    results = tuple(score_run(run) for run in runs)
    report = write_report(runs, folder / "report.html")
    return Quickstart(data, tuple(runs), results, report, without_local)
