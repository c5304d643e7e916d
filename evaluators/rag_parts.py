"""What a RAG run may send at most, before anything is embedded: for the preflight and the plan.

Which blocks a window holds is known only with the embeddings, but not more than 2 R + 1 of them, R being the radius,
except for the first window (blocks 0 to R) and the last (the whole document at most). Each segment may be judged
twice.
"""

from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.method_parts import Part
from lengthwise.evaluators.novel_texts import token_counter
from lengthwise.evaluators.rag import RagRow

# Tokens between two texts that are counted apart: a paragraph's end, and what merges across it the other way.
_JOINT = 2


def all_parts(row: RagRow, example: Example) -> list[Part]:
    """Return every prompt that can be sent about a row, with no fewer tokens than it can have.

    Args:
        row: cut into blocks.
        example: the row itself, with `n_tokens` and `tokenizer`.
    """
    count = token_counter(example)
    blocks = [count(text) + _JOINT for text in row.document.texts]
    around = count(row.local_prompt("", "")) + _JOINT
    around_whole = count(row.prompts.detection_prompt(row.question, "", "")) + _JOINT
    radius = max(0, len(blocks) // 3 - 1)
    width = min(len(blocks), 2 * radius + 1)
    heaviest = max(range(len(blocks) - width + 1), key=lambda left: sum(blocks[left : left + width]))
    middle = heaviest, heaviest + width - 1
    whole = 0, len(blocks) - 1
    parts: list[Part] = []
    segments = row.summary.texts
    for place, segment in enumerate(segments):
        own = count(segment)
        first, last = whole if place == len(segments) - 1 else middle if place else (0, radius)
        excerpt = row.document.stretch(first, last)
        parts.append(Part(row.local_prompt(segment, excerpt), around + own + sum(blocks[first : last + 1])))
        parts.append(Part(row.review_prompt(segment), around_whole + own + sum(blocks)))
    return parts
