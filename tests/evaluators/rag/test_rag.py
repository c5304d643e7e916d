"""The method by itself, on a row of nine blocks and four segments, in both languages."""

import asyncio
import json

import pytest
from rag_cases import WINDOWS, asked_about, row, segments, vector, verdict

from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.contracts import Reply, ReplyError, Sampling, Usage
from lengthwise.evaluators.benchmark_longnovel import LONGNOVEL
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.embeddings import pack_vectors
from lengthwise.evaluators.methods import Resources, method_kind
from lengthwise.evaluators.rag_blocks import cut_blocks

LANGUAGES = ("en", "zh")


def example(language, *, false=False):
    made = row(language, 0, false)
    texts = {name: made.pop(name) for name in ("article", "summary", "reference")}
    prompt = load_prompts(language).detection_prompt(made["question"], texts["article"], texts["summary"])
    return Example(made["id"], prompt, made, "longnovel", texts)


def run(language, scores, method="rag"):
    """Return (prediction, what was asked about each segment) for a model with these scores by (place, tier)."""
    asked = []
    places = {segment: place for place, segment in enumerate(segments(language))}

    async def ask(request):
        if request.role == "embed":
            return Reply(pack_vectors([vector(message.content) for message in request.messages]), usage=Usage(900))
        segment, tier = asked_about(request.messages[0].content)
        asked.append((places[segment], tier))
        said = scores.get(asked[-1], 5)
        usage = Usage(input=100, output=10)
        return said if isinstance(said, Reply) else Reply(verdict(said), "thought", usage=usage, latency=0.5, cost=0.1)

    resources = Resources(Sampling(max_tokens=99), lambda *_: True)
    made = asyncio.run(method_kind(method).make(resources)(example(language), ask))
    return made.reply, asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_segment_is_judged_by_its_window(language):
    excerpts = []

    async def ask(request):
        if request.role == "embed":
            return Reply(pack_vectors([vector(message.content) for message in request.messages]))
        excerpts.append(request.messages[0].content)
        return Reply(verdict(4))

    asyncio.run(method_kind("rag").make(Resources(Sampling(), lambda *_: True))(example(language), ask))
    document = cut_blocks(row(language, 0, False)["article"], language, 3500)
    prompts = load_prompts(language)
    task = prompts.detection(excerpt=True)
    assert excerpts == [
        prompts.detection_prompt(task, document.stretch(left, right), segment, excerpt=True)
        for (left, right), segment in zip(WINDOWS, segments(language), strict=True)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_faithful_if_every_segment_scores_above_two(language):
    reply, asked = run(language, {(1, "local"): 4, (2, "local"): 3})
    assert asked == [(place, "local") for place in range(4)]
    assert json.loads(reply.text) == {"reason": "", "score": 3}
    assert LONGNOVEL.judge({"hallucinated": 0, "injections": []}, reply.text, lambda: None).correct
    assert (reply.usage.input, reply.usage.output, reply.latency) == (400, 40, 2.0)
    assert reply.cost == pytest.approx(0.4)


@pytest.mark.parametrize("local", [2, 1, 0])
def test_a_low_score_is_reviewed_by_the_whole_text_which_may_lift_it(local):
    reply, asked = run("en", {(1, "local"): local, (1, "whole"): 3})
    assert asked == [(0, "local"), (1, "local"), (1, "whole"), (2, "local"), (3, "local")]
    assert json.loads(reply.text)["score"] == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_confirmed_hallucination_ends_it_and_its_review_is_the_prediction(language):
    reply, asked = run(language, {(2, "local"): 1, (2, "whole"): 2, (3, "local"): 0})
    assert asked == [(0, "local"), (1, "local"), (2, "local"), (2, "whole")]
    assert reply.text == verdict(2)
    judged = LONGNOVEL.judge({"hallucinated": 1, "injections": []}, reply.text, lambda: None)
    assert judged.correct and judged.details["types"] == ["event"]
    assert "Segment 3 of 4, judged by the whole text, after score 1 by blocks 2 to 6 of 9" in reply.reasoning
    assert segments(language)[2] in reply.reasoning and reply.reasoning.endswith("thought")


def test_a_reply_without_a_score_is_reviewed_too():
    reply, asked = run("en", {(0, "local"): Reply("I cannot say."), (0, "whole"): 4})
    assert asked[:2] == [(0, "local"), (0, "whole")] and len(asked) == 5
    assert json.loads(reply.text)["score"] == 4


def test_with_a_segment_open_a_later_hallucination_decides():
    scores = {(0, "local"): 1, (0, "whole"): Reply("I cannot say."), (3, "local"): 2, (3, "whole"): 1}
    reply, asked = run("en", scores)
    assert (reply.text, len(asked)) == (verdict(1), 6)


def test_with_a_segment_open_and_none_confirmed_there_is_no_verdict():
    open_reply = Reply(None, finish_reason="length", usage=Usage(output=99))
    reply, asked = run("en", {(1, "local"): 2, (1, "whole"): open_reply})
    assert len(asked) == 5 and (reply.text, reply.finish_reason) == (None, "length")
    assert reply.usage.output == 4 * 10 + 99


def test_segments_of_another_size():
    asked = []

    async def ask(request):
        if request.role == "embed":
            return Reply(pack_vectors([vector(message.content) for message in request.messages]))
        asked.append(request.messages[0].content)
        return Reply(verdict(5))

    asyncio.run(method_kind("rag:150").make(Resources(Sampling(), lambda *_: True))(example("en"), ask))
    # Two sentences of 62 characters fit into 150, three do not.
    told = [" ".join(segments("en")[place : place + 2]) for place in (0, 2)]
    assert len(asked) == 2 and all(prompt.endswith(both) for prompt, both in zip(asked, told, strict=True))


def test_one_segment_needs_no_embeddings():
    texts = {"article": "Ann left. She wept.", "summary": "Ann left."}
    columns = {"language": "en", "question": "Q"}

    async def ask(request):
        assert request.role == "generate"
        return Reply(verdict(5))

    method = method_kind("rag").make(Resources(Sampling(), lambda *_: True))
    assert json.loads(asyncio.run(method(Example("x", "", columns, texts=texts), ask)).reply.text)["score"] == 5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scores", [{}, {(place, "local"): 0 for place in range(4)}])
def test_nothing_is_sent_that_was_not_reckoned_with(language, scores):
    """The plan's prompts are at least as long, one by one, as those that are sent."""
    sent = []

    async def ask(request):
        if request.role == "embed":
            return Reply(pack_vectors([vector(message.content) for message in request.messages]))
        sent.append(request.messages[0].content)
        segment, tier = asked_about(sent[-1])
        return Reply(verdict(scores.get((segments(language).index(segment), tier), 5)))

    kind = method_kind("rag")
    asyncio.run(kind.make(Resources(Sampling(), lambda *_: True))(example(language), ask))
    parts = kind.parts(example(language))
    count = load_tokenizer("qwen3").count
    for part in parts:
        # Counted as they are, so that the preflight's exact count of one has the right one.
        assert 0 <= part.n_tokens - count(part.prompt) < 60
    for prompt in sent:
        segment, tier = asked_about(prompt)
        same = [part for part in parts if asked_about(part.prompt) == (segment, tier)]
        assert len(same) == 1 and count(prompt) <= same[0].n_tokens
    assert len(sent) <= len(parts) == 8


def test_an_error_of_a_call_ends_it():
    async def ask(request):
        raise ReplyError("HTTP 500")

    method = method_kind("rag").make(Resources(Sampling(), lambda *_: True))
    with pytest.raises(ReplyError, match="HTTP 500"):
        asyncio.run(method(example("en"), ask))
