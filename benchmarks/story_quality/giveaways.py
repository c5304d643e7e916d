"""No giveaway: who sees only the two summaries of a pair, and not the novel, can do no better than guess.

A linear model learns on the difference of the two summaries' features, without an intercept, on folds that share no
world; then rules of thumb are tried that such features may miss. All stay under chance plus 1.8 / sqrt(pairs), which
is 3.6 standard errors of a fair coin. Single summaries are classified too, where chance is one half again.
"""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from lengthwise.builders.longnovel.prompt_texts import subtypes
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.storyworld.books import Book
from lengthwise.builders.longnovel.storyworld.designs import Design
from lengthwise.builders.longnovel.storyworld.records import Count, Day
from lengthwise.builders.longnovel.storyworld.story import plan_story
from lengthwise.builders.longnovel.text import count_words, sentences
from lengthwise.builders.parts import processes
from lengthwise.builders.streams import Stream
from lengthwise.metrics.fault_types import HallucinationType

SCALE = "8k"
FOLDS = 5
_AT_ONCE = 100


@dataclass(frozen=True)
class Two:
    """The summaries of a pair.

    Attributes:
        right: the faithful one.
        wrong: the other.
        was: the sentence in which they differ, as it is true.
        became: the same, changed.
        raised: by how much a number was changed; 0 where none was.
    """

    right: str
    wrong: str
    was: str
    became: str
    raised: int


def measure_giveaways(pairs: int, workers: int) -> dict[str, Any]:
    """Look for giveaways in so many pairs of each type, in each language, that have that one change alone."""
    found: dict[str, Any] = {"failed": []}
    limit = 0.5 + 1.8 / math.sqrt(pairs)
    for language in ("en", "zh"):
        for kind in HallucinationType:
            starts = range(0, pairs, _AT_ONCE)
            with processes(workers) as pool:
                make = partial(_pairs, language, kind, pairs)
                made = [two for some in (map if pool is None else pool.map)(make, starts) for two in some]
            name = f"{language} {kind.value}"
            found[name] = _scores(made, language)
            print(name, {how: round(share, 3) for how, share in found[name].items()}, file=sys.stderr, flush=True)
            found["failed"] += [
                f"{name}: {how} orders {share:.3f} of {pairs} pairs right, more than {limit:.3f}"
                for how, share in found[name].items()
                # A rule that is wrong as often as this is right the other way round.
                if max(share, 1 - share) > limit
            ]
    found |= {"limit": limit, "pairs": pairs}
    return found


def _pairs(language: Language, kind: HallucinationType, pairs: int, start: int) -> list[Two]:
    ways = subtypes(kind, language) or ("",)
    made = []
    for index in range(start, min(pairs, start + _AT_ONCE)):
        design = Design(((kind, ways[index % len(ways)]),), index % 4)
        plan = plan_story(Book(language, SCALE, "test", 10_000 + list(HallucinationType).index(kind), index), design)
        (change, became, was), *_ = plan.changes
        raised = _raised(change.claim.args, change.changed.args)
        made.append(Two(plan.summary, plan.changed_summary, was, became, raised))
    return made


def _raised(args: Any, changed: Any) -> int:
    for name, value in args.items():
        other = changed[name]
        if value != other and isinstance(value, Count) and isinstance(other, Count):
            return other.value - value.value
        if value != other and isinstance(value, Day) and isinstance(other, Day):
            return other.ordinal - value.ordinal
    return 0


def _scores(made: Sequence[Two], language: Language) -> dict[str, float]:
    rules: dict[str, Callable[[Two], int]] = {
        "the longer one": lambda two: count_words(two.wrong, language) - count_words(two.right, language),
        "the one of more letters": lambda two: len(two.wrong) - len(two.right),
        "the one of more sentences": lambda two: (
            len(sentences(two.wrong, language)) - len(sentences(two.right, language))
        ),
        "the larger value": lambda two: two.raised,
    }
    shares = {name: _rule(rule, made) for name, rule in rules.items()}
    features = _features([two.right for two in made] + [two.wrong for two in made], language, rare=20)
    return shares | {
        "linear on pairs": _on_pairs(features, len(made)),
        "linear on single ones": _single(features, len(made)),
    }


def _rule(rule: Callable[[Two], int], made: Sequence[Two]) -> float:
    """Return the share of pairs that a rule orders right; where it sees no difference it tosses a coin."""
    return float(np.mean([0.5 + 0.5 * np.sign(rule(two)) for two in made]))


def _features(texts: Sequence[str], language: Language, rare: int = 3) -> Any:
    """Return words, character n-grams and lengths of texts; what fewer than `rare` of them hold is left out."""
    words = CountVectorizer(analyzer="word", token_pattern=r"(?u)\b\w+\b", min_df=rare)
    grams = CountVectorizer(analyzer="char", ngram_range=(1, 3) if language == "zh" else (2, 4), min_df=rare)
    lengths = np.array([_lengths(text, language) for text in texts], dtype=float)
    parts = [grams.fit_transform(texts), sparse.csr_matrix(lengths)]
    if language == "en":
        parts.insert(0, words.fit_transform(texts))
    return sparse.hstack(parts).tocsr()


def _lengths(text: str, language: Language) -> list[float]:
    found = [count_words(one, language) for one in sentences(text, language)]
    return [float(len(found)), float(np.mean(found)), float(np.std(found)), float(max(found)), float(sum(found)) / 100]


def _model(intercept: bool) -> LogisticRegression:
    return LogisticRegression(C=0.05, fit_intercept=intercept, max_iter=100, tol=1e-2, solver="liblinear")


def _on_pairs(features: Any, n: int) -> float:
    """Return the share of pairs of unseen worlds that a linear model on differences orders right."""
    difference = features[n:] - features[:n]
    coin = np.array(Stream("benchmarks", "giveaways", n).integers(2, n)) * 2 - 1
    signed = sparse.diags(coin.astype(float)) @ difference
    right = np.zeros(n, dtype=bool)
    for train, test in GroupKFold(FOLDS).split(signed, coin, np.arange(n)):
        right[test] = _model(False).fit(signed[train], coin[train]).predict(signed[test]) == coin[test]
    return float(right.mean())


def _single(features: Any, n: int) -> float:
    """Return the share of single summaries of unseen worlds that a linear model classifies right."""
    gold, worlds = np.repeat([0, 1], n), np.tile(np.arange(n), 2)
    right = np.zeros(2 * n, dtype=bool)
    for train, test in GroupKFold(FOLDS).split(features, gold, worlds):
        right[test] = _model(True).fit(features[train], gold[train]).predict(features[test]) == gold[test]
    return float(right.mean())
