"""`minicheck`: each sentence of a summary checked against the novel by a model that says yes or no.

The baseline of the paper's tables, in the way of its authors' code: the text is cut by sentences into chunks, as many
tokens as the checking model can hold; every sentence of the summary is a claim; a claim is supported as well as by the
chunk that supports it best, and borne out if that is above 0.5. The paper does not say how claims become a verdict on
the summary: here it is faithful if every claim is borne out.

How well a chunk supports a claim is the probability of a yes, where the server sends log-probabilities, else 1 for a
yes and 0 for a no. Chunks are asked about one after the other, all open claims together: a claim that is borne out
needs no further chunk, whatever is said of it there. A reply that says neither is no support, nor is it a denial: if a
claim is not borne out elsewhere it stays open, and a summary with an open claim, and none that was denied by all, has
no verdict and ends as that reply does, which counts as wrong.

Sizes, by the number behind the name (`--batch`), in tokens of the data's tokenizer: 32,468 for a model with a window
of 32,768 (the default), 500 and 400 for the small ones, whose authors count English words there.
"""

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from lengthwise.contracts import Ask, Reply, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example, Method, Prediction
from lengthwise.evaluators.method_parts import MethodKind, Part, Resources, ask_together, user_request
from lengthwise.evaluators.minicheck_rows import CHUNK, CheckedRow, all_parts, checked_row
from lengthwise.evaluators.novel_texts import check_novels
from lengthwise.evaluators.outcomes import spent_on
from lengthwise.evaluators.yes_no import probability_of_yes
from lengthwise.metrics.answers import parse_consistency_score
from lengthwise.metrics.parsed import Unparsed

if TYPE_CHECKING:
    import pyarrow as pa

BORNE_OUT = 0.5
# Tokens whose probabilities are asked for: as many as every host gives.
_ALTERNATIVES = 5
# Holds no number in figures or words, so that nothing in it can be taken for a score.
NO_ANSWER = "The model said neither yes nor no."


@dataclass(slots=True)
class _Claim:
    """A sentence of the summary, and what is known of it.

    Attributes:
        text: the sentence.
        support: by the chunk that supports it best; None as long as no chunk has a reply that says yes or no.
        unread: the first reply that says neither.
    """

    text: str
    support: float | None = None
    unread: Reply | None = None

    @property
    def borne_out(self) -> bool:
        return self.support is not None and self.support > BORNE_OUT


async def check_claims(row: CheckedRow, ask: Ask, sampling: Sampling) -> Reply:
    """Check every claim of a row; return the reply that stands for the verdict.

    Raises:
        ReplyError: a call got no reply.
    """
    claims = [_Claim(text) for text in row.claims]
    replies: list[Reply] = []
    for chunk in row.chunks:
        unsettled = [claim for claim in claims if not claim.borne_out]
        requests = [
            replace(user_request(row.prompt(chunk, claim.text), sampling), alternatives=_ALTERNATIVES)
            for claim in unsettled
        ]
        found = await ask_together(ask, requests)
        replies += found
        for claim, reply in zip(unsettled, found, strict=True):
            support = probability_of_yes(reply)
            if support is None:
                claim.unread = claim.unread or reply
            else:
                claim.support = max(support, claim.support or 0.0)
    spent = spent_on(replies)
    verdict = _verdict(claims)
    note = "\n".join([f"{len(row.chunks)} chunks; support of each sentence:", *map(_line, claims)])
    note += f"\n\n{verdict.reasoning}" if verdict.reasoning else ""
    return replace(verdict, reasoning=note, usage=spent.usage, latency=spent.latency, cost=spent.cost)


def _verdict(claims: list[_Claim]) -> Reply:
    failing = [claim for claim in claims if not claim.borne_out]
    denied = [claim for claim in failing if claim.unread is None]
    unread = next((claim.unread for claim in failing if claim.unread is not None), None)
    if denied or unread is None:
        reason = "; ".join(claim.text for claim in denied)
        score = 1 if denied else 5
        return Reply(json.dumps({"reason": reason, "score": score}, ensure_ascii=False))
    # What could be taken for a score was not meant for one.
    scored = not isinstance(parse_consistency_score(unread.text or ""), Unparsed)
    return replace(unread, text=NO_ANSWER if scored else unread.text, alternatives=())


def _line(claim: _Claim) -> str:
    support = "    " if claim.support is None else f"{claim.support:.2f}"
    return f"{support} {'(a reply says neither) ' if claim.unread is not None else ''}{claim.text}"


def _make(size: int, resources: Resources) -> Method:
    async def method(example: Example, ask: Ask) -> Prediction:
        return Prediction(await check_claims(checked_row(example, size), ask, resources.sampling))

    return method


def _parts(size: int, example: Example) -> list[Part]:
    return all_parts(checked_row(example, size), example)


def _check(model: str, rows: "pa.Table") -> None:
    check_novels(model, rows)
    if model.startswith("reference:"):
        raise InputError(
            f"--model {model}: answers for the whole summary, whatever sentence of it is asked about; with this "
            "method name a model that says yes or no"
        )


def _kind(size: int) -> MethodKind:
    return MethodKind(
        f"asks of each sentence of the summary whether chunks of --batch N tokens ({CHUNK:,}) bear it out, yes or no "
        "(longnovel)",
        make=partial(_make, size),
        most_calls=1,
        parts=partial(_parts, size),
        check=_check,
        sized=_kind,
        most=True,
        smaller="chunks of fewer tokens (--batch)",
    )


MINICHECK = _kind(CHUNK)
