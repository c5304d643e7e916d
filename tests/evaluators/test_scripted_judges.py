"""Judges that err at known rates, asked over HTTP: every method gives those rates back.

Where a method asks once, the judge errs on exactly so many rows, and these rates must come back to the row. What
becomes of errors in a vote, and in many questions about one summary, is known for independent ones: these are drawn,
and the rates that follow from theirs must lie within the intervals.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from faulty_server import FaultyServer, Step, completion
from novel_cases import TEXTS, row_of, write_novels

from lengthwise.evaluators.examples import open_data
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.vote_runs import vote_runs
from lengthwise.metrics.classification import Detection, detection
from lengthwise.metrics.intervals import wilson

PAIRS = 100
# Six intervals over drawn errors are looked at: each at this level, all hold in 95 of 100 cases (Bonferroni).
LEVEL = 1 - 0.05 / 6


def drawn(*parts: object) -> float:
    """A number in [0, 1) that hangs on the arguments alone."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


@dataclass(frozen=True)
class Rates:
    """How often a judge errs: on hallucinated summaries, on faithful ones, and how often it gives no score."""

    missed: float
    false_alarm: float
    invalid: float = 0.0

    def reply(self, row: str, draw: float) -> str:
        """What the judge says of a row; the smallest draws give no score, the next ones err."""
        false = row.endswith("erhg")
        if draw < self.invalid:
            return "What a fine story this is."
        errs = draw < self.invalid + (self.missed if false else self.false_alarm)
        return '{"reason": "Event: no", "score": 1}' if false is not errs else '{"reason": "", "score": 4}'

    @property
    def recalls(self) -> tuple[float, float]:
        """Of the hallucinated summaries, and of the others."""
        return 1 - self.missed - self.invalid, 1 - self.false_alarm - self.invalid


def evenly(name: str, rows: Iterable[str]) -> dict[str, float]:
    """Draws for rows that are spread evenly in each class, in an order by chance: shares of them hold exactly."""
    draws: dict[str, float] = {}
    for kind in ("original", "erhg"):
        of_kind = sorted((row for row in rows if row.endswith(kind)), key=lambda row: drawn(name, row))
        draws |= {row: (place + 0.5) / len(of_kind) for place, row in enumerate(of_kind)}
    return draws


@pytest.fixture(scope="module")
def novels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400 rows, half of them hallucinated, in two languages."""
    return write_novels(tmp_path_factory.mktemp("many") / "novels", PAIRS)


def judged(
    server: FaultyServer, novels: Path, out: Path, name: str, reply: Callable[[dict[str, Any]], str], method: str
) -> Path:
    server.models = [{"id": name, "owned_by": "vllm", "max_model_len": 40_960}]
    server.default = lambda body: Step(body=completion(reply(body)))
    settings = RunSettings(str(novels), f"{server.url}#{name}", method=method)
    run_benchmark(settings, out, RunOptions(concurrency=16))
    return out


def found(out: Path) -> tuple[Detection, Mapping[str, int]]:
    """Return the figures of a run with their intervals, and how its rows ended."""
    outcomes = score_outcomes(out).outcomes.values()
    scores = [outcome.answer for outcome in outcomes]
    golds = [outcome.details["gold"] for outcome in outcomes]
    kinds: dict[str, int] = {}
    for outcome in outcomes:
        kinds[outcome.kind] = kinds.get(outcome.kind, 0) + 1
    return detection(scores, golds, confidence_level=LEVEL, n_resamples=2000), kinds


def agrees(figures: Detection, recalls: tuple[float, float]) -> None:
    """Whether recalls and balanced accuracy are what was planted, by their intervals."""
    half = 2 * PAIRS
    for measured, planted in zip(
        (figures.overall.recall_hallucinated, figures.overall.recall_non_hallucinated), recalls, strict=True
    ):
        assert measured is not None
        low, high = wilson(round(measured * half), half, LEVEL)
        assert low <= planted <= high, (measured, planted)
    balanced = figures.intervals["balanced_accuracy"]
    assert balanced.low is not None and balanced.high is not None
    assert balanced.low <= sum(recalls) / 2 <= balanced.high
    assert balanced.high - balanced.low < 0.16


@pytest.mark.parametrize(
    ("method", "rates"),
    [
        ("prompt-e", Rates(0.3, 0.1, 0.05)),
        ("prompt-b", Rates(0.45, 0.02)),
        ("cot", Rates(0.05, 0.35, 0.1)),
    ],
)
def test_planted_error_rates_come_back(
    novels: Path, tmp_path: Path, server: FaultyServer, method: str, rates: Rates
) -> None:
    data, cells = open_data(str(novels))
    draws = evenly(method, data.short_columns(cells)["id"].to_pylist())

    def reply(body: dict[str, Any]) -> str:
        return rates.reply(row_of(body), draws[row_of(body)])

    figures, kinds = found(judged(server, novels, tmp_path / "run", method, reply, method))
    agrees(figures, rates.recalls)
    overall = figures.overall
    assert (overall.recall_hallucinated, overall.recall_non_hallucinated) == pytest.approx(rates.recalls)
    assert overall.balanced_accuracy == pytest.approx(sum(rates.recalls) / 2)
    assert kinds.get("unparsed", 0) == round(rates.invalid * 4 * PAIRS)
    assert len(server.seen) == 4 * PAIRS


def test_a_vote_of_three_errs_as_rarely_as_it_should(novels: Path, tmp_path: Path, server: FaultyServer) -> None:
    rates = Rates(0.3, 0.2)
    runs = [
        judged(
            server,
            novels,
            tmp_path / name,
            name,
            lambda body, name=name: rates.reply(row_of(body), drawn(name, row_of(body))),
            "prompt-e",
        )
        for name in ("a", "b", "c")
    ]
    figures, _ = found(vote_runs(runs, tmp_path / "vote").path)
    # Two of three, or all three, independent of each other.
    recalls = tuple(one**3 + 3 * one**2 * (1 - one) for one in rates.recalls)
    agrees(figures, (recalls[0], recalls[1]))


def test_minicheck_with_a_checker_that_errs(novels: Path, tmp_path: Path, server: FaultyServer) -> None:
    denies, believes = 0.15, 0.25
    wrongs = [wrong for _, _, wrong, _ in TEXTS.values()]

    def reply(body: dict[str, Any]) -> str:
        claim = body["messages"][-1]["content"].split("\n\n")[-2]
        false = any(wrong in claim for wrong in wrongs)
        return "Yes" if drawn(row_of(body), claim) < (believes if false else 1 - denies) else "No"

    out = judged(server, novels, tmp_path / "run", "checker", reply, "minicheck")
    # A summary of two claims is faithful if both are believed.
    agrees(found(out)[0], (1 - believes * (1 - denies), (1 - denies) ** 2))
