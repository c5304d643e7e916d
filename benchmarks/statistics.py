"""The bootstrap beside its peers, and how fast replies are parsed.

    pip install -e '.[bench]' scikit-learn scipy && python benchmarks/statistics.py

The task of the first part: 95 % intervals (or what the peer has: a standard error) of balanced accuracy and MCC from
10,000 resamples of 600 predictions. Peers that call a metric once a resample are timed on fewer resamples, as their
cost is linear in them; pass `--peer-resamples 10000` for all. Goal: at least 1,000 times the fastest of them. Scipy
is timed three times: with the metrics that people have, with metrics written for whole arrays of resamples, and
with both figures rewritten by hand as functions of two shares.
"""

import sys
from pathlib import Path

# A script's folder comes first on the path: this file must not stand in for the standard library's `statistics`.
sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]

import argparse  # noqa: E402
import contextlib  # noqa: E402
import io  # noqa: E402
import json  # noqa: E402
import random  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Iterator  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

N_CLASS, FOUND, CLEARED = 300, 186, 222
RESAMPLES = 10_000
REFERENCES = [1] * N_CLASS + [0] * N_CLASS
SCORES = [1] * FOUND + [4] * (N_CLASS - FOUND) + [4] * CLEARED + [1] * (N_CLASS - CLEARED)
GOLD = np.array(REFERENCES)
SAID = np.array([int(score < 3) for score in SCORES])


def seconds(function: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """Return the best time of some calls and what the last returned."""
    best, result = float("inf"), None
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - start)
    return best, result


def ours() -> dict[str, tuple[float, float]]:
    """Both intervals, from the arrays that the peers start from."""
    from lengthwise.metrics.bootstrap import bootstrap
    from lengthwise.metrics.figures import balanced_accuracy, mcc
    from lengthwise.metrics.resampling import from_counts

    tn, fp, fn, tp = np.bincount(2 * GOLD + SAID, minlength=4).tolist()
    figures = {"balanced accuracy": balanced_accuracy, "MCC": mcc}
    found = bootstrap(from_counts([tp, fn, 0], [tn, fp, 0]), figures, n_resamples=RESAMPLES)
    return {name: estimate.interval or (0.0, 0.0) for name, estimate in found.items()}


def whole_detection() -> dict[str, tuple[float, float]]:
    """All eight intervals of `detection`, from lists of scores, which it checks."""
    from lengthwise.metrics.classification import detection

    found = detection(SCORES, REFERENCES, confidence_level=0.95, n_resamples=RESAMPLES).to_dict()
    return {"balanced accuracy": found["balanced_accuracy_ci"], "MCC": found["mcc_ci"]}


def ends(drawn: Any) -> dict[str, tuple[float, float]]:
    """Percentile intervals of (resamples, 2) figures."""
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return {name: (low[place], high[place]) for place, name in enumerate(("balanced accuracy", "MCC"))}


def sklearn_loop(resamples: int) -> dict[str, tuple[float, float]]:
    """Stratified resamples of the items, two calls to scikit-learn for each."""
    from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef

    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(resamples):
        chosen = np.concatenate([rng.integers(0, N_CLASS, N_CLASS), rng.integers(N_CLASS, 2 * N_CLASS, N_CLASS)])
        drawn.append(
            (balanced_accuracy_score(GOLD[chosen], SAID[chosen]), matthews_corrcoef(GOLD[chosen], SAID[chosen]))
        )
    return ends(np.array(drawn))


def scipy_of(statistics: dict[str, Callable[..., Any]], data: Any, resamples: int, **options: Any) -> dict[str, Any]:
    """One call to `scipy.stats.bootstrap` for each figure."""
    from scipy.stats import bootstrap

    found = {}
    for name, statistic in statistics.items():
        rng = np.random.default_rng(0)
        result = bootstrap(data, statistic, n_resamples=resamples, method="percentile", rng=rng, **options)
        found[name] = tuple(result.confidence_interval)
    return found


def scipy_loop(resamples: int) -> dict[str, Any]:
    """Scipy with scikit-learn's metrics."""
    from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef

    statistics = {"balanced accuracy": balanced_accuracy_score, "MCC": matthews_corrcoef}
    return scipy_of(statistics, (GOLD, SAID), resamples, paired=True, vectorized=False)


def scipy_vectorised() -> dict[str, Any]:
    """Scipy with metrics written for whole arrays of resamples of labels and predictions."""

    def table(gold: Any, said: Any, axis: int) -> tuple[Any, ...]:
        pairs = (gold & said, gold & (1 - said), (1 - gold) & (1 - said), (1 - gold) & said)
        return tuple(pair.sum(axis=axis).astype(float) for pair in pairs)

    def balanced(gold: Any, said: Any, axis: int = -1) -> Any:
        tp, fn, tn, fp = table(gold, said, axis)
        return (tp / (tp + fn) + tn / (tn + fp)) / 2

    def mcc(gold: Any, said: Any, axis: int = -1) -> Any:
        tp, fn, tn, fp = table(gold, said, axis)
        return (tp * tn - fp * fn) / np.sqrt((tp + fn) * (tn + fp) * (tp + fp) * (tn + fn))

    return scipy_of({"balanced accuracy": balanced, "MCC": mcc}, (GOLD, SAID), RESAMPLES, paired=True, vectorized=True)


def scipy_per_class() -> dict[str, Any]:
    """Scipy on the right answers of each class, with both figures rewritten as functions of two shares."""

    def balanced(one: Any, other: Any, axis: int = -1) -> Any:
        return (one.mean(axis=axis) + other.mean(axis=axis)) / 2

    def mcc(one: Any, other: Any, axis: int = -1) -> Any:
        p, q = one.mean(axis=axis), other.mean(axis=axis)
        return (p + q - 1) / np.sqrt((p + 1 - q) * (q + 1 - p))

    right = (SAID == GOLD).astype(float)
    data = (right[:N_CLASS], right[N_CLASS:])
    return scipy_of({"balanced accuracy": balanced, "MCC": mcc}, data, RESAMPLES, vectorized=True)


def balanced_items(items: list[tuple[int, int]]) -> float:
    """Balanced accuracy as a metric of lm-eval, which has none."""
    from sklearn.metrics import balanced_accuracy_score

    gold, said = zip(*items, strict=True)
    return float(balanced_accuracy_score(gold, said))


def lm_eval_stderr(resamples: int) -> dict[str, float]:
    """lm-eval's standard errors, in as many processes as there are processors."""
    from lm_eval.api.metrics import bootstrap_stderr, matthews_corrcoef

    items = list(zip(GOLD.tolist(), SAID.tolist(), strict=True))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return {
            "balanced accuracy": bootstrap_stderr(balanced_items, items, resamples),
            "MCC": bootstrap_stderr(matthews_corrcoef, items, resamples),
        }


def compare_bootstraps(peer_resamples: int) -> None:
    """Time ours and the peers in one run, and print what each found."""
    ours()
    fastest_of_ours, found = seconds(ours, 100)
    report("ours, two intervals", fastest_of_ours, 1, fastest_of_ours, found)
    report("ours, all of detection()", *_scaled(seconds(whole_detection, 5), 1, fastest_of_ours))
    part = RESAMPLES / peer_resamples
    lm_eval_stderr(1000)
    peers: list[tuple[str, Callable[[], Any], float]] = [
        ("scikit-learn in a loop", lambda: sklearn_loop(peer_resamples), part),
        ("scipy.stats.bootstrap, scikit-learn's metrics", lambda: scipy_loop(peer_resamples), part),
        ("scipy.stats.bootstrap, vectorised metrics", scipy_vectorised, 1),
        ("scipy.stats.bootstrap, vectorised, per class", scipy_per_class, 1),
        ("lm-eval bootstrap_stderr (standard errors)", lambda: lm_eval_stderr(peer_resamples), part),
    ]
    for name, function, factor in peers:
        report(name, *_scaled(seconds(function, 3 if factor == 1 else 1), factor, fastest_of_ours))


def _scaled(timed: tuple[float, Any], factor: float, base: float) -> tuple[float, float, float, Any]:
    return timed[0], factor, base, timed[1]


def report(name: str, measured: float, factor: float, base: float, found: Any) -> None:
    """Print one line: the time for all resamples, how many times ours, and the result."""
    whole = measured * factor
    shown = {key: np.round(value, 4).tolist() for key, value in found.items()}
    scaled = f" (timed on 1/{factor:g})" if factor != 1 else ""
    print(f"{name:48} {1000 * whole:12,.2f} ms {whole / base:9,.0f}x{scaled}  {shown}")


def ramble(rng: random.Random, size: int) -> Iterator[str]:
    """Yield the sentences of a long reply: prose, numbers, braces and half an answer now and then."""
    words = [
        "the",
        "chapter",
        "says",
        "score",
        "of",
        "brother",
        "Paris",
        "analysis",
        "答案",
        "thus",
        "list",
        "not",
        "so",
    ]
    while size > 0:
        text = " ".join(rng.choices(words, k=12)) + rng.choice(
            [". ", f" {rng.randint(0, 99)}. ", ' {"a": 1}. ', "\n\n"]
        )
        size -= len(text)
        yield text


def corpus(answer: str, replies: int, size: int) -> list[str]:
    """Return long replies with an answer at the end; every second one reasons inside tags."""
    rng = random.Random(0)
    made = []
    for place in range(replies):
        text = "".join(ramble(rng, size))
        made.append((f"<think>{text}</think>\n" if place % 2 else f"{text}\n") + answer)
    return made


def parse_speed(replies: int, size: int) -> None:
    """Print MB/s of each parser over its corpus; each answer must be found."""
    from lengthwise.metrics import answers

    table = {str(key): key % 7 for key in range(1, 2001)}
    kinds: dict[str, tuple[str, Callable[[str], Any], Any]] = {
        "consistency score, JSON": (
            '```json\n{"score": 4, "reason": "fine"}\n```',
            answers.parse_consistency_score,
            4,
        ),
        "consistency score, prose": ("**Final score: 4 / 5**", answers.parse_consistency_score, 4),
        "sequence": ("<answer>ab cd ef</answer>", answers.parse_sequence, ["ab", "cd", "ef"]),
        "aggregate": ('{"answer": 1234}', lambda text: answers.parse_aggregate(text, "integer"), 1234),
        "instance table of 2,000": (
            json.dumps({**table, "total": 12}),
            lambda text: answers.parse_instances(text, [*table, "total"]),
            {**table, "total": 12},
        ),
    }
    for name, (answer, parse, expected) in kinds.items():
        texts = corpus(answer, replies, size)
        taken, values = seconds(lambda texts=texts, parse=parse: [parse(text).value for text in texts], 2)  # type: ignore[misc]
        right = sum(value == expected for value in values)
        megabytes = sum(len(text.encode()) for text in texts) / 1e6
        print(f"{name:30} {megabytes / taken:8.1f} MB/s   {right} of {len(texts)} found, {megabytes:.1f} MB")


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-resamples", type=int, default=2000, help="of the peers that loop (multiples of 1,000)")
    parser.add_argument("--replies", type=int, default=100)
    parser.add_argument("--reply-size", type=int, default=60_000, help="characters")
    options = parser.parse_args()
    print(f"{RESAMPLES:,} resamples of {2 * N_CLASS} predictions; balanced accuracy and MCC")
    compare_bootstraps(options.peer_resamples)
    print("\nparsing long replies")
    parse_speed(options.replies, options.reply_size)


if __name__ == "__main__":
    main()
