"""Summaries of units by a model, for books that no person has summarised.

They are marked with the model's name, and never stand beside people's: a source in which any unit has a summary by a
person is refused.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lengthwise.errors import InputError

from .asking import CONCURRENCY, Calls, Tally, each
from .prompt_texts import Prompts
from .records import Language, Unit
from .text import count_words
from .written import summary_reader

# A tenth of the text, about what BookSum's chapter summaries come to.
_PART = 10
_FEWEST, _MOST = 40, 600
_LONGEST = 3


def summary_words(text: str, language: Language) -> int:
    """Return how many words (characters in Chinese) a unit's summary is asked to have: a tenth, rounded to tens.

    >>> summary_words("word " * 4321, "en"), summary_words("word", "en"), summary_words("字" * 90_000, "zh")
    (430, 40, 600)
    """
    return min(_MOST, max(_FEWEST, count_words(text, language) // _PART // 10 * 10))


async def summarise_units(
    units: Sequence[Unit],
    calls: Calls,
    prompts: Mapping[Language, Prompts],
    *,
    concurrency: int = CONCURRENCY,
    done: Callable[[], object] = lambda: None,
) -> tuple[list[Unit], Tally]:
    """Return all units, those without a summary with one by the compressor's model.

    Args:
        units: of a build.
        calls: with the compressor's role.
        prompts: of each language.
        concurrency: units at a time.
        done: told as each ends.

    Returns:
        The units in their order, and the numbers; a unit whose replies cannot be used stays without.

    Raises:
        InputError: a unit has a summary by a person, or a record is missing.
    """
    origin = f"model:{calls.roles['compressor'].identity}"
    people = next((unit for unit in units if unit.summary and not unit.summary_origin.startswith("model")), None)
    if people is not None:
        raise InputError(
            f"{people.book}, unit {people.index}, has a summary by a person ({people.summary_origin}): models' own "
            "never stand beside it; build the sources into two folders"
        )
    tally = Tally("summaries")
    # Its own from an earlier pass are made again, from their records.
    wanted = [unit for unit in units if not unit.summary or unit.summary_origin == origin]

    async def make(unit: Unit) -> Unit:
        words = summary_words(unit.text, unit.language)
        reader = summary_reader(
            unit.language, most=_LONGEST * words, words=lambda text: count_words(text, unit.language)
        )
        line = calls.line(_name(unit), "compressor")
        text = await line.usable(prompts[unit.language].unit_summary(unit.text, words), reader, tally)
        return replace(unit, summary=text, summary_origin=origin)

    made = await each(wanted, _name, make, tally, concurrency, done)
    written = {(one.book, one.index): one for one in made if one is not None}
    bare = {(unit.book, unit.index): replace(unit, summary="", summary_origin="") for unit in wanted}
    known = {**bare, **written}
    return [known.get((unit.book, unit.index), unit) for unit in units], tally


def _name(unit: Unit) -> str:
    return f"{unit.book}-{unit.index:04d}/summaries"
