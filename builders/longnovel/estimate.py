"""What the steps that ask models will ask for, before a cent is spent: calls and tokens by step and slot.

Prompts are put together as they will be, with stand-ins of the expected length for what models have yet to write; the
draws of the injections are the real ones. The lower figure is for replies that are all usable at once and references
that need no second round, the upper one for as many calls as the steps will ever make. Tokens are the build's
tokenizer's; what a model spends on reasoning comes on top.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from lengthwise.builders.tokens import Tokenizer

from .asking import ATTEMPTS, RefusedError
from .compression import TOLERANCE, Joined, join_summaries, target_words, units_of
from .injection import SPARE_TYPES, Draw
from .prompt_texts import WITH_ENTITIES, Prompts
from .records import Language, Unit, Verdict, Window
from .roles import GENERATORS, JUDGES, SLOTS, Slot
from .text import count_words
from .unit_summaries import summary_words

MODEL_STEPS = ("summaries", "compression", "arbitration", "entities", "injection")
# Tokens of a word where there are no summaries to count (a character in Chinese).
_TOKENS_OF_WORD: Mapping[Language, float] = {"en": 1.35, "zh": 0.75}
# Tokens of what is no summary: a verdict with its reasons, two sentences in JSON.
_VERDICT, _EDIT = 300, 150
# The part of a summary that its entities are.
_ENTITIES = 0.25


@dataclass(frozen=True, slots=True)
class Amount:
    """Calls, and tokens of their prompts and replies."""

    calls: int = 0
    input: int = 0
    output: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        """Return both together."""
        return Amount(self.calls + other.calls, self.input + other.input, self.output + other.output)

    def __mul__(self, times: int) -> "Amount":
        """Return so many times the amount."""
        return Amount(self.calls * times, self.input * times, self.output * times)


class _Add(Protocol):
    def __call__(self, step: str, slot: Slot, one: Amount, most: Amount | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one slot is asked for in one step: at least, and at most."""

    step: str
    slot: Slot
    least: Amount
    most: Amount


def estimate(
    windows: Sequence[Window],
    units: Mapping[tuple[str, int], Unit],
    prompts: Mapping[Language, Prompts],
    tokenizer: Tokenizer,
    *,
    tolerance: float = TOLERANCE,
    article_alone: bool = False,
    seed: int = 42,
    variants: int = 1,
    write_summaries: bool = False,
    steps: Sequence[str] = MODEL_STEPS,
) -> list[Estimate]:
    """Return what the steps will ask for, by step and slot, those without a call left out.

    Args:
        windows: of the build.
        units: (book, index) -> unit.
        prompts: of each language.
        tokenizer: counts.
        tolerance: see `compression.TOLERANCE`.
        article_alone: see `arbitration.arbitrate`.
        seed: see `injection.inject`.
        variants: see there.
        write_summaries: units without a summary are given one first.
        steps: which of `MODEL_STEPS`.

    Raises:
        InputError: a unit is missing.
    """
    counting = _Counting(prompts, tokenizer)
    found: dict[tuple[str, Slot], list[Amount]] = defaultdict(lambda: [Amount(), Amount()])

    def add(step: str, slot: Slot, one: Amount, most: Amount | None = None) -> None:
        least_and_most = found[step, slot]
        least_and_most[0] += one
        least_and_most[1] += most if most is not None else one * ATTEMPTS

    if write_summaries:
        bare = {place: unit for place, unit in units.items() if not unit.summary}
        for unit in bare.values():
            words = summary_words(unit.text, unit.language)
            asked = counting.unit_summary(unit.language) + counting.count(unit.text)
            wanted = Amount(1, asked, counting.words(words, unit.language, unit.text))
            add("summaries", "compressor", wanted)
        units = {**units, **{place: _with_stand_in(unit) for place, unit in bare.items()}}
    for window in windows:
        joined = _joined(window, units)
        target = target_words(window.key.scale)
        if joined is not None:
            _add_compression(add, window, joined, target, tolerance, counting)
        reference = 0 if joined is None else counting.reference(window, joined, target, tolerance)
        if joined is not None or article_alone:
            _add_arbitration(add, window, 0 if article_alone else reference, target, counting)
        if joined is not None:
            add(
                "entities",
                "extractor",
                Amount(1, counting.entities(window.language) + reference, round(reference * _ENTITIES)),
            )
            for number in range(1, variants + 1):
                _add_injection(add, window, reference, Draw.of(window.key, number, seed), counting)
    order = [(step, slot) for step in MODEL_STEPS if step in steps for slot in SLOTS]
    return [Estimate(step, slot, *found[step, slot]) for step, slot in order if (step, slot) in found]


def _joined(window: Window, units: Mapping[tuple[str, int], Unit]) -> Joined | None:
    try:
        return join_summaries(units_of(window.key, units), window.language)
    except RefusedError:
        return None


def _with_stand_in(unit: Unit) -> Unit:
    """Return a unit with the beginning of its text for the summary that a model will write, in its length."""
    words = summary_words(unit.text, unit.language)
    summary = "".join(unit.text.split())[:words] if unit.language == "zh" else " ".join(unit.text.split()[:words])
    return replace(unit, summary=summary, summary_origin="model:")


class _Counting:
    """Tokens of what prompts are made of."""

    def __init__(self, prompts: Mapping[Language, Prompts], tokenizer: Tokenizer) -> None:
        self._prompts = prompts
        self.count = lru_cache(maxsize=4096)(tokenizer.count)

    def words(self, words: int, language: Language, like: str = "") -> int:
        """Return about how many tokens a text of so many words will have, in a text like one that is at hand."""
        there = count_words(like, language)
        return round(words * (self.count(like) / there if there else _TOKENS_OF_WORD[language]))

    def reference(self, window: Window, joined: Joined, target: int, tolerance: float) -> int:
        if joined.words <= target * (1 + tolerance):
            return self.count(joined.text)
        return self.words(target, window.language, joined.text)

    def unit_summary(self, language: Language) -> int:
        return self.count(self._prompts[language].unit_summary(".", 100))

    def compress(self, language: Language) -> int:
        return self.count(self._prompts[language].compress("", 900))

    def critic(self, language: Language) -> int:
        return self.count(self._prompts[language].critic(".", "."))

    def generate(self, language: Language) -> int:
        return self.count(self._prompts[language].generate(".", 900))

    def judge(self, language: Language, with_reference: bool) -> int:
        return self.count(self._prompts[language].judge(".", ".", "." if with_reference else ""))

    def arbiter(self, language: Language, with_reference: bool) -> int:
        verdicts = [Verdict(judge, 3, ".") for judge in JUDGES]
        reference = "." if with_reference else ""
        return self.count(self._prompts[language].arbiter(".", verdicts, article=".", reference=reference))

    def entities(self, language: Language) -> int:
        return self.count(self._prompts[language].entities("."))

    def inject(self, language: Language, draw: Draw, number: int, reference: int) -> int:
        kind = draw.types[number]
        entities = round(reference * _ENTITIES) if kind in WITH_ENTITIES else 0
        return self.count(self._prompts[language].inject(kind, ".")) + reference + entities


def _add_compression(
    add: _Add, window: Window, joined: Joined, target: int, tolerance: float, counting: _Counting
) -> None:
    if joined.words <= target * (1 + tolerance):
        return
    parts, wanted = counting.count(joined.text), counting.words(target, window.language, joined.text)
    first = Amount(1, counting.compress(window.language) + parts, wanted)
    # The second round is given the first attempt and what the critic says of it.
    second = first + Amount(0, wanted + _VERDICT)
    add("compression", "compressor", first, (first + second) * ATTEMPTS)
    said = Amount(1, counting.critic(window.language) + parts + wanted, _VERDICT)
    add("compression", "critic", said, said * (2 * ATTEMPTS))


def _add_arbitration(add: _Add, window: Window, reference: int, target: int, counting: _Counting) -> None:
    language = window.language
    wanted = counting.words(target, language)
    for generator in GENERATORS:
        add("arbitration", generator, Amount(1, counting.generate(language) + window.n_tokens, wanted))
    seen = window.n_tokens + reference + wanted
    times = len(GENERATORS)
    for judge in JUDGES:
        add("arbitration", judge, Amount(1, counting.judge(language, reference > 0) + seen, _VERDICT) * times)
    said = counting.arbiter(language, reference > 0) + seen + len(JUDGES) * _VERDICT
    add("arbitration", "arbiter", Amount(1, said, _VERDICT) * times)


def _add_injection(add: _Add, window: Window, reference: int, draw: Draw, counting: _Counting) -> None:
    calls = [
        Amount(1, counting.inject(window.language, draw, number, reference), _EDIT)
        for number in range(min(draw.count + SPARE_TYPES, len(draw.types)))
    ]
    most = sum(calls, Amount()) * ATTEMPTS
    add("injection", draw.injector, sum(calls[: draw.count], Amount()), most)
