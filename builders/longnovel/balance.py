"""From all labelled summaries of a split to the rows that a request asks for, the same ones everywhere.

How many rows of each language each kind gives follows by a small flow problem: as near to the languages' shares as the
pool allows. Which ones is then drawn: of hallucinated rows the next is the one whose types are furthest behind, so
that types even out (Figure 2); of the others, partners of chosen rows come first, so that pairs stay whole.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lengthwise.errors import InputError

from ..streams import Stream
from .labels import Label
from .records import LANGUAGES, Language, WindowKey
from .requests import KINDS, Kind, Request
from .splits import Split

Counts: TypeAlias = dict[tuple[Language, Kind], int]


@dataclass(frozen=True)
class Balanced:
    """What was chosen for a request.

    Attributes:
        request: what was asked for.
        labels: the chosen ones, by id.
        missing: a line for each number that could not be met; empty where all were.
    """

    request: Request
    labels: tuple[Label, ...]
    missing: tuple[str, ...]


def balance(
    labels: Sequence[Label],
    splits: Mapping[str, Split],
    requests: Sequence[Request],
    seed: int = 42,
    fewer: bool = False,
) -> list[Balanced]:
    """Choose the rows of each request.

    Args:
        labels: of all books and scales.
        splits: book -> split.
        requests: for a split of a scale each.
        seed: of the draws.
        fewer: take what there is where the pool cannot give all.

    Raises:
        InputError: the pool cannot give what is asked for, and `fewer` is not set; all that is missing is named.
    """
    found = [
        choose([one for one in labels if (splits[one.key.book], one.key.scale) == (request.split, request.scale)],
               request, seed)
        for request in requests
    ]  # fmt: skip
    missing = [line for one in found for line in one.missing]
    if missing and not fewer:
        raise InputError(
            "the summaries do not suffice for what was requested:\n  " + "\n  ".join(missing) + "\nrequest less, give "
            "more books, or take what there is with --fewer"
        )
    return found


def choose(labels: Sequence[Label], request: Request, seed: int = 42) -> Balanced:
    """Choose the rows of one request from its pool; as many as there are, and what is missing."""
    pool: dict[tuple[Language, Kind], list[Label]] = {(lang, kind): [] for lang in LANGUAGES for kind in KINDS}
    for label in sorted(labels, key=lambda one: one.id):
        pool[label.language, (label.origin, label.hallucinated)].append(label)
    counts = _spread(request, {cell: len(there) for cell, there in pool.items()})
    chosen: list[Label] = []
    types = Counter[str]()
    for language in LANGUAGES:
        windows: set[WindowKey] = set()
        for kind in KINDS:
            order = Stream("longnovel", 1, "balance", request.split, request.scale, language, *map(str, kind), seed)
            there = pool[language, kind]
            drawn = [there[place] for place in order.permutation(len(there)).tolist()]
            count = counts[language, kind]
            if kind == ("mma", True):
                windows = set()
                # Where a window has both classes, its two summaries make a pair.
                both = {label.key for label in pool[language, ("mma", False)]}
                drawn.sort(key=lambda label: label.key not in both)
            if kind[1]:
                some = _even(drawn, count, types, request.types)
            else:
                some = sorted(drawn, key=_not_in(windows))[:count]
            windows |= {label.key for label in some}
            chosen += some
    missing = [*_missing(request, counts), *_missing_types(request, types)]
    return Balanced(request, tuple(sorted(chosen, key=lambda label: label.id)), tuple(missing))


def _not_in(windows: set[WindowKey]) -> Callable[[Label], bool]:
    return lambda label: label.key not in windows


def _even(drawn: Sequence[Label], count: int, types: Counter[str], least: Mapping[str, int]) -> list[Label]:
    """Take `count` labels, each time the one with the type that is furthest behind; `types` counts along."""
    # Labels of the same types take turns in the order drawn: only the heads need comparing.
    heads: dict[tuple[str, ...], deque[tuple[int, Label]]] = defaultdict(deque)
    for place, label in enumerate(drawn):
        heads[label.types].append((place, label))
    some: list[Label] = []
    while len(some) < count:
        best = min(heads, key=lambda names: (_behind(names, types, least), heads[names][0][0]))
        _, label = heads[best].popleft()
        if not heads[best]:
            del heads[best]
        some.append(label)
        types.update(label.types)
    return some


def _behind(names: Sequence[str], types: Counter[str], least: Mapping[str, int]) -> tuple[bool, int]:
    """Return the rank of the type of a label that is furthest behind; what was asked for precedes evening out."""
    return min(((types[name] >= least.get(name, 0), types[name]) for name in names), default=(True, 1 << 60))


def _spread(request: Request, there: Mapping[tuple[Language, Kind], int]) -> Counts:
    """Return the rows of each language and kind: a greatest flow from languages to kinds through what is there."""
    kinds, total = request.kinds, max(1, request.total)
    # The languages' shares of each kind, rounded down, are a flow already; what is left is found path by path.
    flow: Counts = {
        (language, kind): min(there[language, kind], request.languages.get(language, 0) * kinds[kind] // total)
        for language in LANGUAGES
        for kind in KINDS
    }
    for language in LANGUAGES:
        while sum(flow[language, kind] for kind in KINDS) < request.languages.get(language, 0):
            path = _path(language, flow, kinds, there)
            if path is None:
                break
            for step, cell in enumerate(path):
                flow[cell] += 1 if step % 2 == 0 else -1
    return flow


def _path(
    start: Language, flow: Counts, kinds: Mapping[Kind, int], there: Mapping[tuple[Language, Kind], int]
) -> list[tuple[Language, Kind]] | None:
    """Return the cells of a path by which a language gets one more row, in turn to be raised and lowered."""
    queue: deque[tuple[Language, list[tuple[Language, Kind]]]] = deque([(start, [])])
    seen = {start}
    while queue:
        language, path = queue.popleft()
        open_kinds = [kind for kind in KINDS if flow[language, kind] < there[language, kind]]
        for kind in open_kinds:
            if sum(flow[one, kind] for one in LANGUAGES) < kinds[kind]:
                return [*path, (language, kind)]
        for kind in open_kinds:
            for other in LANGUAGES:
                if other not in seen and flow[other, kind] > 0:
                    seen.add(other)
                    queue.append((other, [*path, (language, kind), (other, kind)]))
    return None


def _missing(request: Request, counts: Counts) -> Iterable[str]:
    for language in LANGUAGES:
        wanted = request.languages.get(language, 0)
        found = sum(counts[language, kind] for kind in KINDS)
        if found < wanted:
            yield f"{request.name}: {found} of {wanted} rows in {language}"
    for kind, wanted in request.kinds.items():
        found = sum(counts[language, kind] for language in LANGUAGES)
        if found < wanted:
            word = f"mma {'hallucinated' if kind[1] else 'faithful'}" if kind[0] == "mma" else kind[0]
            yield f"{request.name}: {found} of {wanted} rows of {word}"


def _missing_types(request: Request, types: Counter[str]) -> Iterable[str]:
    for name, wanted in request.types.items():
        if types[name] < wanted:
            yield f"{request.name}: {types[name]} of {wanted} rows with the type {name}"
