"""Multi-model arbitration, MMA (section 3.3): models summarise a window, two judges score it, an arbiter decides.

Three generators write from the text alone. Two judges score each summary from 0 to 5, with reasons and without knowing
of each other; they see the text and the reference summary, or the text alone. The arbiter sees what they see and what
they said, and its score is the gold one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from lengthwise.contracts import Reply

from .asking import CONCURRENCY, Calls, RefusedError, Tally, each, readable
from .compression import target_words, units_of
from .labels import is_hallucinated
from .prompt_texts import Prompts
from .records import Candidate, Injected, Language, Reference, Unit, Verdict, Window, WindowKey
from .replies import JudgeReply, read_judgement
from .roles import GENERATORS, JUDGES, Slot
from .rows import article_text
from .text import count_words
from .written import summary_reader

Summary = TypeVar("Summary", Candidate, Injected)

# A "summary" of more than so many times the wanted words is the text copied, or a model that does not stop.
_LONGEST = 3


async def arbitrate(
    windows: Sequence[Window],
    units: Mapping[tuple[str, int], Unit],
    references: Mapping[WindowKey, Reference],
    calls: Calls,
    prompts: Mapping[Language, Prompts],
    *,
    article_alone: bool = False,
    concurrency: int = CONCURRENCY,
    done: Callable[[], object] = lambda: None,
) -> tuple[list[Candidate], Tally]:
    """Return every generator's summary of every window, with what judges and arbiter say of it.

    Args:
        windows: in any order.
        units: (book, index) -> unit.
        references: of the windows; a window without one (or with one that the critic found hallucinated) is
            rejected, but where the article is judged alone.
        calls: with the roles of generators, judges and arbiter.
        prompts: of each language.
        article_alone: judges and arbiter do not see the reference summary.
        concurrency: summaries at a time.
        done: told as each ends.

    Returns:
        Candidates in the order of windows and generators, and the numbers; see `distinct`.

    Raises:
        InputError: a unit is missing, or a record.
    """
    tally = Tally("arbitration")

    async def make(item: tuple[Window, Slot]) -> Candidate:
        window, generator = item
        reference = "" if article_alone else _trusted(references.get(window.key))
        article = article_text(units_of(window.key, units))
        return await _candidate(window, generator, article, reference, calls, prompts[window.language], tally)

    items = [(window, generator) for window in windows for generator in GENERATORS]
    made = await each(items, lambda item: f"{item[0].key.id}/{item[1]}", make, tally, concurrency, done)
    texts = {key: {_plain(reference.text)} for key, reference in references.items()}
    return distinct((one for one in made if one is not None), texts, tally), tally


def distinct(made: Iterable[Summary], texts: dict[WindowKey, set[str]], tally: Tally) -> list[Summary]:
    """Return summaries of windows without those that say to the letter what another one of their window does.

    One model in several slots writes one summary several times; such rows would count twice, or contradict each other.

    Args:
        made: in the order in which they are preferred.
        texts: what there is already of each window, as `_plain` gives it; what is kept is noted there.
        tally: where those left out are rejected.
    """
    kept = []
    for one in made:
        there = texts.setdefault(one.key, set())
        if (text := _plain(one.text)) in there:
            tally.kept -= 1
            tally.rejected["the same as another summary of its window"] += 1
            continue
        there.add(text)
        kept.append(one)
    return kept


def _plain(text: str) -> str:
    return " ".join(text.split())


def _trusted(reference: Reference | None) -> str:
    if reference is None:
        raise RefusedError("no reference summary")
    if reference.score is not None and is_hallucinated(reference.score):
        raise RefusedError("the reference summary is hallucinated")
    return reference.text


async def _candidate(
    window: Window, generator: Slot, article: str, reference: str, calls: Calls, prompts: Prompts, tally: Tally
) -> Candidate:
    chain = f"{window.key.id}/arbitration/{generator}"
    language, words = window.language, target_words(window.key.scale)
    reader = summary_reader(language, most=_LONGEST * words, words=lambda text: count_words(text, language))
    summary = await calls.line(chain, generator).usable(prompts.generate(article, words), reader, tally)
    verdicts = []
    for judge in JUDGES:
        prompt = prompts.judge(article, summary, reference)
        said = await calls.line(chain, judge).usable(prompt, readable(read_judgement), tally, "judge")
        verdicts.append(Verdict(judge, said.score, said.reason))
    prompt = prompts.arbiter(summary, verdicts, article=article, reference=reference)
    final = await calls.line(chain, "arbiter").usable(prompt, read_verdict, tally, "judge")
    types = tuple(kind.value for kind in final.types)
    return Candidate(window.key, generator, summary, tuple(verdicts), final.score, final.reason, types)


def read_verdict(reply: Reply) -> JudgeReply:
    """Return what the arbiter says, whose word is the label.

    Raises:
        RefusedError: it cannot be read, or contradicts itself: types that a faithful summary cannot have, or none
            where it is scored as hallucinated.
    """
    said = readable(read_judgement)(reply)
    if said.contradictory:
        raise RefusedError("names hallucinations and scores none")
    if is_hallucinated(said.score) and not said.types:
        raise RefusedError("scores a hallucination and names none")
    return said
