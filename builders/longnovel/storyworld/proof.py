"""Proves a row from the world that its book's name stands for: every label follows from the ledger, and nothing else.

The world is made again and told again. What the row says is then compared with what was told, and what was told with
the ledger: a faithful sentence's claim must follow from what the chapters tell, a changed one's must not, and the
passages named as evidence must be enough to see it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ...tokens import Tokenizer
from .designs import soft_score
from .records import Sentence
from .settings import story_range
from .story import Story
from .truth import Facts

Row = Mapping[str, Any]


def prove(row: Row, story: Story, facts: Facts, tokenizer: Tokenizer) -> Iterator[str]:
    """Yield what a row says and its world does not bear out.

    Args:
        row: all columns; its injections and evidence are known to be of one length.
        story: of its book.
        facts: of all pieces of the story's world.
        tokenizer: that the row was counted with.
    """
    yield from _prove_article(row, story, tokenizer)
    wrong = row["origin"] == "erhg"
    told = story.outline.changed if wrong else story.outline.told
    if row["summary"] != (story.changed_summary if wrong else story.summary):
        yield f"{row['id']}: the summary is not what is told of its world"
        return
    if row["reference"] != story.reference:
        yield f"{row['id']}: the reference is not what is told of its world"
    if not wrong and row["score"] != soft_score(len(story.soft)):
        yield f"{row['id']}: score {row['score']} with {len(story.soft)} rough sentences"
    untrue = [sentence for sentence in told if not facts.holds(sentence.claim)]
    claimed = [one["hallucinated"] for one in row["injections"]]
    if [sentence.text for sentence in untrue] != claimed:
        yield f"{row['id']}: {len(untrue)} sentences are untrue by the ledger, and they are not the injected ones"
        return
    if wrong:
        yield from _prove_changes(row, story, facts, untrue)
        yield from _prove_evidence(row, story, tokenizer)


def _prove_article(row: Row, story: Story, tokenizer: Tokenizer) -> Iterator[str]:
    if row["article"] != story.article:
        yield f"{row['id']}: the article is not the prose of its world"
    if (row["unit_start"], row["unit_end"]) != (1, len(story.chapters)):
        yield f"{row['id']}: units {row['unit_start']} to {row['unit_end']}, the novel has {len(story.chapters)}"
    least, most = story_range(row["scale"])
    count = tokenizer.count(row["article"])
    if not least <= count <= most:
        yield f"{row['id']}: the article has {count:,} tokens, outside {least:,} to {most:,}"


def _prove_changes(row: Row, story: Story, facts: Facts, untrue: Sequence[Sentence]) -> Iterator[str]:
    """Yield where a change is not what the row calls it, or not a change of a true sentence at the same place."""
    right = [old for old, new in zip(story.outline.told, story.outline.changed, strict=True) if old.text != new.text]
    for one, made, old, new in zip_longest(row["injections"], story.changes, right, untrue):
        if one is None or made is None or old is None or new is None:
            yield f"{row['id']}: the two summaries of its pair differ in more or fewer sentences than are injected"
            return
        change = made[0]
        if (one["type"], one["subtype"]) != (change.type.value, change.subtype):
            yield f"{row['id']}: the change is {change.type} {change.subtype}, not {one['type']} {one['subtype']}"
        if one["original"] != old.text or not facts.holds(old.claim):
            yield f"{row['id']}: what is given as right is not the true sentence: {one['original'][:60]}"
        if old.soft or new.soft:
            yield f"{row['id']}: a rough sentence was changed: {new.text[:60]}"


def _prove_evidence(row: Row, story: Story, tokenizer: Tokenizer) -> Iterator[str]:
    article, spans = row["article"], story.spans
    pieces = {piece.number: piece for piece in story.world.pieces}
    for (change, _, right), found in zip(story.changes, row["evidence"], strict=True):
        numbers = change.claim.pieces
        told = sorted((spans[number] for number in numbers), key=lambda span: span[1:])
        if told != list(zip(found["units"], found["starts"], found["ends"], strict=True)):
            yield f"{row['id']}: the evidence is not where its pieces are told"
            continue
        shown = Facts([pieces[number] for number in numbers])
        if not shown.holds(change.claim) or shown.holds(change.changed):
            yield f"{row['id']}: the evidence does not show what is right: {right[:60]}"
        distance = tokenizer.count(article[min(found["starts"]) : max(found["ends"])])
        if distance != found["distance"]:
            yield f"{row['id']}: the evidence is {distance:,} tokens apart, not {found['distance']:,}"
