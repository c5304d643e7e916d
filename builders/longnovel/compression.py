"""A window's reference summary: the joined summaries of its units, compressed where they are too long (section 3.2).

The compressor is asked for the scale's number of words. The critic scores what it wrote against the joined summaries;
under 4 of 5, or where the length is off by more than the tolerance, the compressor writes once more, told of the
faults and given advice, and the better of the two is kept. Joined summaries that are no longer than the target (or
within the tolerance of it) stand as they are: nothing is ever padded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lengthwise.errors import InputError

from .asking import CONCURRENCY, Calls, Line, RefusedError, Tally, each, readable
from .prompt_texts import Prompts
from .records import PAPER_SCALES, SUMMARY_WORDS, Language, Reference, Unit, Window, WindowKey, scale_tokens
from .replies import CriticReply, read_critic
from .text import count_words
from .written import summary_reader

TOLERANCE = 0.1
"""Share of the target by which a summary may be longer or shorter."""
GOOD = 4
"""The least score with which no second round is asked for."""
_LENGTH_FAULT = {
    "en": "The first attempt has {words} words; it should have about {target}.",
    "zh": "初稿有{words}字，应为{target}字左右。",
}


def target_words(scale: str) -> int:
    """Return how many words (characters in Chinese) a window's summary is to have.

    The paper's four are its own; other lengths lie on the line between their neighbours, beyond 100k on the line
    through the last two, and under 16k in proportion to the tokens, where a line would ask for summaries that are
    hardly shorter than the text. Rounded to tens.

    >>> [target_words(scale) for scale in ("4k", "8k", "s", "24k", "32k", "xl", "200k", "1000k")]
    [220, 450, 900, 950, 1000, 1500, 2330, 9000]
    """
    tokens = scale_tokens(scale)
    known = sorted((PAPER_SCALES[name], words) for name, words in SUMMARY_WORDS.items())
    if tokens < known[0][0]:
        return round(known[0][1] * tokens / known[0][0] / 10) * 10
    place = next((i for i in range(1, len(known)) if tokens <= known[i][0]), len(known) - 1)
    (low, fewer), (high, more) = known[place - 1], known[place]
    return round((fewer + (more - fewer) * (tokens - low) / (high - low)) / 10) * 10


def units_of(key: WindowKey, units: Mapping[tuple[str, int], Unit]) -> list[Unit]:
    """Return the units of a window, in order.

    Args:
        key: which window.
        units: (book, index) -> unit.

    Raises:
        InputError: one is missing.
    """
    places = [(key.book, index) for index in range(key.unit_start, key.unit_end + 1)]
    for place in places:
        if place not in units:
            raise InputError(f"{key.id}: there is no unit {place[1]} of {key.book}; make units and windows again")
    return [units[place] for place in places]


@dataclass(frozen=True, slots=True)
class Joined:
    """The summaries of a window's units, joined: their text, its words, and who wrote them."""

    text: str
    words: int
    origin: str


def join_summaries(units: Sequence[Unit], language: Language) -> Joined:
    """Return the summaries of consecutive units, a paragraph each.

    Raises:
        RefusedError: one has none, or people wrote some and models others (these never share a table).
    """
    if any(not unit.summary.strip() for unit in units):
        raise RefusedError("a unit without a summary")
    origins = sorted({unit.summary_origin for unit in units})
    if len({origin.partition(":")[0] for origin in origins}) > 1:
        raise RefusedError("summaries of different origin")
    text = "\n\n".join(unit.summary.strip() for unit in units)
    return Joined(text, count_words(text, language), origins[0] if len(origins) == 1 else "+".join(origins))


def fits(words: int, target: int, tolerance: float = TOLERANCE) -> bool:
    """Return whether a length is the target's, give or take the tolerance.

    >>> fits(810, 900), fits(809, 900), fits(990, 900), fits(991, 900)
    (True, False, True, False)
    """
    return abs(words - target) <= target * tolerance + 1e-9


async def compress(
    windows: Sequence[Window],
    units: Mapping[tuple[str, int], Unit],
    calls: Calls,
    prompts: Mapping[Language, Prompts],
    *,
    tolerance: float = TOLERANCE,
    concurrency: int = CONCURRENCY,
    done: Callable[[], object] = lambda: None,
) -> tuple[list[Reference], Tally]:
    """Return the reference summary of every window that has one.

    Args:
        windows: in any order.
        units: (book, index) -> unit.
        calls: with the roles of compressor and critic.
        prompts: of each language.
        tolerance: see `TOLERANCE`.
        concurrency: windows at a time.
        done: told as each ends.

    Returns:
        References in the order of their windows, and the numbers. A window is rejected whose units have no summaries,
        or summaries of different origin, whose replies cannot be used, or where both rounds miss the length.

    Raises:
        InputError: a unit is missing, or a record.
    """
    tally = Tally("compression")

    async def make(window: Window) -> Reference:
        joined = join_summaries(units_of(window.key, units), window.language)
        target = target_words(window.key.scale)
        if joined.words <= target * (1 + tolerance):
            return Reference(window.key, joined.text, joined.words, target, False, 0, None, "", joined.origin)
        return await _compress(window, joined, target, calls, prompts[window.language], tolerance, tally)

    made = await each(windows, lambda window: window.key.id, make, tally, concurrency, done)
    return [one for one in made if one is not None], tally


@dataclass(frozen=True, slots=True)
class _Round:
    text: str
    words: int
    said: CriticReply
    fits: bool


async def _compress(
    window: Window, joined: Joined, target: int, calls: Calls, prompts: Prompts, tolerance: float, tally: Tally
) -> Reference:
    chain = f"{window.key.id}/compression"
    compressor, critic = calls.line(chain, "compressor"), calls.line(chain, "critic")
    language = window.language

    async def write(prompt: str) -> _Round:
        text = await compressor.usable(prompt, summary_reader(language), tally)
        said = await _criticise(critic, prompts, joined.text, text, tally)
        words = count_words(text, language)
        return _Round(text, words, said, fits(words, target, tolerance))

    rounds = [await write(prompts.compress(joined.text, target))]
    first = rounds[0]
    if first.said.score < GOOD or not first.fits:
        faults = list(first.said.deficiencies) or ([first.said.reason] if first.said.score < GOOD else [])
        if not first.fits:
            faults.append(_LENGTH_FAULT[language].format(words=first.words, target=target))
        again = prompts.compress_again(
            joined.text,
            target,
            attempt=first.text,
            length=first.words,
            deficiencies=faults,
            advice=first.said.suggestions,
        )
        try:
            rounds.append(await write(again))
        except RefusedError as refused:
            if not first.fits:
                raise
            tally.refused[f"second round: {refused}"] += 1
    # Of two that are as good the first: it was not written under the impression of faults.
    best = max(rounds, key=lambda one: (one.fits, one.said.score))
    if not best.fits:
        raise RefusedError("neither round has the length")
    return Reference(
        window.key, best.text, best.words, target, True, len(rounds), best.said.score, best.said.reason, joined.origin
    )


async def _criticise(critic: Line, prompts: Prompts, joined: str, text: str, tally: Tally) -> CriticReply:
    return await critic.usable(prompts.critic(joined, text), readable(read_critic), tally, "judge")
