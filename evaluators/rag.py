"""`rag`: LongNovel's own method, each segment of a summary judged by a stretch of the novel (section 4.4, App. D, G).

Document and summary are cut into blocks of whole sentences (`rag_blocks`), embedded by the model that `--embed` names
(`embeddings`), and every segment of the summary gets a window of the document, in the order of the story
(`rag_windows`). The model judges a segment by its window, with the prompt for excerpts. Where the score is 2 or less
it judges the segment once more, by the whole document, with the prompt of a whole text; the second score counts. If
that is 2 or less too the summary is hallucinated, and no further segment is asked about. A summary all of whose
segments score above 2 is faithful.

What the paper leaves open: a reply without a score. A window's leads to the review by the whole document, as a low
score does. A review's leaves the segment open, and the method goes on: one confirmed hallucination decides the summary
whatever was said of another segment, but with a segment open and none confirmed there is no verdict, and the summary
ends as that reply does (unparsed, empty, refused, cut), which counts as wrong (section 5.1).

The prediction is one reply. Hallucinated: the review that confirmed it, with its score and reasons. Faithful: the
lowest score of a segment. `reasoning` says which segment it was and what it was judged by. Usage, latency and cost are
those of all calls to the model that is run; those for embeddings are counted apart.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from lengthwise.builders.longnovel.prompt_texts import Prompts
from lengthwise.contracts import Ask, Reply
from lengthwise.evaluators.contracts import Example, Method, Prediction
from lengthwise.evaluators.embeddings import embed_texts
from lengthwise.evaluators.method_parts import MethodKind, Part, Resources, user_request
from lengthwise.evaluators.novel_texts import check_novels, prompts_for
from lengthwise.evaluators.outcomes import spent_on
from lengthwise.evaluators.rag_blocks import DOCUMENT_BLOCK, SUMMARY_BLOCK, Blocks, cut_blocks
from lengthwise.evaluators.rag_windows import Window, anchors, nearest, similarities, windows
from lengthwise.metrics.answers import parse_consistency_score
from lengthwise.metrics.classification import THRESHOLD
from lengthwise.metrics.parsed import Unparsed


@dataclass(frozen=True, slots=True)
class RagRow:
    """A row cut into blocks, and the prompts that it takes.

    Attributes:
        document: blocks of the article.
        summary: blocks of the summary, its segments.
        question: of the whole text.
        prompts: of the row's language.
    """

    document: Blocks
    summary: Blocks
    question: str
    prompts: Prompts

    def local_prompt(self, segment: str, excerpt: str) -> str:
        """Return the prompt that has a segment judged by an excerpt."""
        task = self.prompts.detection(excerpt=True)
        return self.prompts.detection_prompt(task, excerpt, segment, excerpt=True)

    def review_prompt(self, segment: str) -> str:
        """Return the prompt that has a segment judged by the whole document."""
        return self.prompts.detection_prompt(self.question, self.document.text, segment)


def rag_row(example: Example, size: int) -> RagRow:
    """Cut an example's article into blocks of `DOCUMENT_BLOCK` characters and its summary into blocks of `size`."""
    language = example.columns["language"]
    return RagRow(
        cut_blocks(example.texts["article"], language, DOCUMENT_BLOCK),
        cut_blocks(example.texts["summary"], language, size),
        example.columns["question"],
        prompts_for(example),
    )


async def find_windows(row: RagRow, ask: Ask) -> list[Window]:
    """Return the window of each segment of a summary; embeddings are asked for if there is more than one.

    Raises:
        ReplyError: see `embed_texts`.
    """
    candidates: list[list[int]] = [[]]
    if len(row.summary) > 1:
        blocks, segments = await embed_texts(ask, row.document.texts, row.summary.texts)
        candidates = nearest(similarities(segments, blocks))
    return windows(anchors(candidates), len(row.document))


@dataclass(frozen=True, slots=True)
class _Judged:
    """What came of one segment.

    Attributes:
        reply: the one that counts.
        score: that it gives; None where it gives none.
        how: by what it was judged, and the first score, for people.
        reviewed: whether that was the whole document.
    """

    reply: Reply
    score: int | None
    how: str
    reviewed: bool = False


class _Pass:
    """The judging of one summary, segment by segment."""

    def __init__(self, row: RagRow, ask: Ask, resources: Resources) -> None:
        self._row = row
        self._ask = ask
        self._sampling = resources.sampling
        self._replies: list[Reply] = []

    async def run(self, found: Sequence[Window]) -> Reply:
        """Judge the segments until one is confirmed as hallucinated, and return the prediction."""
        segments = self._row.summary.texts
        judged: list[_Judged] = []
        for segment, window in zip(segments, found, strict=True):
            judged.append(await self._judge(segment, window))
            score = judged[-1].score
            if score is not None and score < THRESHOLD:
                return self._verdict(judged, len(judged) - 1)
        unread = next((place for place, one in enumerate(judged) if one.score is None), None)
        return self._verdict(judged, unread)

    async def _judge(self, segment: str, window: Window) -> _Judged:
        excerpt = self._row.document.stretch(window.left, window.right)
        reply, score = await self._score(self._row.local_prompt(segment, excerpt))
        by = f"blocks {window.left + 1} to {window.right + 1} of {len(self._row.document)}"
        if score is not None and score >= THRESHOLD:
            return _Judged(reply, score, by)
        first = "no score" if score is None else f"score {score}"
        reply, score = await self._score(self._row.review_prompt(segment))
        return _Judged(reply, score, f"the whole text, after {first} by {by}", reviewed=True)

    async def _score(self, prompt: str) -> tuple[Reply, int | None]:
        reply = await self._ask(user_request(prompt, self._sampling))
        self._replies.append(reply)
        score = parse_consistency_score(reply.text or "")
        return reply, None if isinstance(score, Unparsed) else score.value

    def _verdict(self, judged: Sequence[_Judged], place: int | None) -> Reply:
        """Return the reply that stands for the summary: that about one segment, or that of a faithful one."""
        of = len(self._row.summary)
        if place is None:
            lowest = min(one.score for one in judged if one.score is not None)
            reviewed = sum(one.reviewed for one in judged)
            note = f"All {of} segments score {lowest} or more, {reviewed} of them by the whole text."
            reply = Reply(json.dumps({"reason": "", "score": lowest}), model=judged[-1].reply.model)
        else:
            one = judged[place]
            reply = one.reply
            note = f"Segment {place + 1} of {of}, judged by {one.how}:\n{self._row.summary.texts[place]}"
            note += f"\n\n{reply.reasoning}" if reply.reasoning else ""
        spent = spent_on(self._replies)
        return replace(reply, reasoning=note, usage=spent.usage, latency=spent.latency, cost=spent.cost)


def _make(size: int, resources: Resources) -> Method:
    async def method(example: Example, ask: Ask) -> Prediction:
        row = rag_row(example, size)
        return Prediction(await _Pass(row, ask, resources).run(await find_windows(row, ask)))

    return method


def _parts(size: int, example: Example) -> list[Part]:
    from lengthwise.evaluators.rag_parts import all_parts

    return all_parts(rag_row(example, size), example)


def _kind(size: int) -> MethodKind:
    return MethodKind(
        "judges segments of the summary by retrieved stretches of the text; --embed names the model of embeddings, "
        "--batch N another size of the segments (longnovel)",
        make=partial(_make, size),
        most_calls=1,
        parts=partial(_parts, size),
        check=check_novels,
        sized=_kind,
        roles=("embed",),
        most=True,
    )


RAG = _kind(SUMMARY_BLOCK)
