import asyncio
import json
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from faulty_server import FaultyServer, Step, completion, error
from novel_cases import TEXTS, row_of, write_novels

from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.contracts import Reply, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.examples import ids_by_cell, open_data
from lengthwise.evaluators.methods import method_kind
from lengthwise.evaluators.minicheck import check_claims
from lengthwise.evaluators.minicheck_rows import CHUNK, CheckedRow, checked_row, cut_chunks
from lengthwise.evaluators.plan import plan_run
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, prepare

COUNT = load_tokenizer("qwen3").count


def rows(folder: Path) -> list[Example]:
    data, cells = open_data(str(folder))
    return list(data.stream(ids_by_cell(data.short_columns(cells))))


@pytest.fixture
def novels(tmp_path: Path) -> Path:
    return write_novels(tmp_path / "novels")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [7, 20, 45, 1000])
def test_chunks_hold_whole_sentences_and_all_of_them(language: Language, size: int) -> None:
    text = TEXTS[language][0] * 4 + "\n\n" + TEXTS[language][0]
    chunks = cut_chunks(text, language, size, COUNT)
    assert "".join("".join(chunks).split()) == "".join(text.split())
    longest = max(COUNT(one) for one in cut_chunks(text, language, 1, lambda _: 1))
    assert all(COUNT(chunk) <= max(size, longest) + 2 for chunk in chunks)
    # No two neighbours would have fitted one chunk.
    assert all(COUNT(one + " " + other) > size - 2 for one, other in pairwise(chunks))
    if size > longest:
        assert all(chunk.rstrip()[-1] in ".。" for chunk in chunks)


def test_a_sentence_longer_than_a_chunk_is_cut() -> None:
    text = "和" * 100 + "。"
    chunks = cut_chunks(text, "zh", 30, COUNT)
    assert "".join(chunks) == text and all(COUNT(chunk) <= 30 for chunk in chunks) and len(chunks) > 3


def test_claims_are_the_sentences_of_the_summary(novels: Path) -> None:
    for example in rows(novels):
        row = checked_row(example, 20)
        assert len(row.claims) == 2 and len(row.chunks) > 1
        assert all(claim in example.texts["summary"] for claim in row.claims)
        # Claims about one chunk share the beginning of their prompts.
        prompts = [row.prompt(row.chunks[0], claim) for claim in row.claims]
        assert all(prompt.split(row.claims[0])[0].startswith(prompts[0][:40]) for prompt in prompts)


def body_of(text: str, yes: float | None = None) -> dict[str, Any]:
    """A reply, with the probabilities of a yes and of a no where the first is given."""
    whole = completion(text)
    if yes is not None:
        both = [{"token": "Yes", "logprob": math.log(yes)}, {"token": "No", "logprob": math.log(1 - yes)}]
        first = both[text == "No"]
        whole["choices"][0]["logprobs"] = {"content": [{**first, "top_logprobs": both}]}
    return whole


def is_true(body: dict[str, Any]) -> bool:
    prompt = body["messages"][-1]["content"].split("\n\n")
    return not any(wrong in prompt[-2] for _, _, wrong, _ in TEXTS.values())


def outcomes(server: FaultyServer, novels: Path, out: Path, answer: Callable[[dict[str, Any]], Any], size: int) -> Any:
    server.default = lambda body: Step(body=answer(body))
    run_benchmark(RunSettings(str(novels), server.spec, method=f"minicheck:{size}"), out)
    return score_outcomes(out)


@pytest.mark.parametrize("known", [True, False])
def test_a_checker_that_knows_is_right_everywhere(
    novels: Path, tmp_path: Path, server: FaultyServer, known: bool
) -> None:
    def answer(body: dict[str, Any]) -> Any:
        right = is_true(body)
        return body_of("Yes" if right else "No", (0.9 if right else 0.2) if known else None)

    scored = outcomes(server, novels, tmp_path / "run", answer, CHUNK)
    assert {outcome.kind for outcome in scored.outcomes.values()} == {"correct"}
    assert {one.answer for one in scored.outcomes.values()} == {1, 5}
    # Two sentences, one chunk.
    assert {one.calls for one in scored.outcomes.values()} == {2} and len(server.seen) == 16
    wrongs = [wrong for _, _, wrong, _ in TEXTS.values()]
    predictions = RunFolder.open(tmp_path / "run").predictions() or {}
    for (example, _), reply in predictions.items():
        assert (json.loads(reply.text or "")["reason"] in wrongs) is example.endswith("erhg")
        assert ("0.90" in (reply.reasoning or "")) is known


def check(probabilities: dict[str, dict[str, float]]) -> tuple[Reply, list[str]]:
    """Check claims with chunks; return the prediction, and what was asked, as chunk and claim.

    Args:
        probabilities: chunk -> claim -> how probable a yes is.
    """
    row = CheckedRow("en", tuple(probabilities), tuple(next(iter(probabilities.values()))))
    pairs = {row.prompt(chunk, claim): (chunk, claim) for chunk in row.chunks for claim in row.claims}
    asked: list[str] = []

    async def ask(request: Request) -> Reply:
        chunk, claim = pairs[request.messages[-1].content]
        asked.append(chunk + claim)
        yes = probabilities[chunk][claim]
        return Reply("No", alternatives=(("No", math.log(1 - yes)), ("Yes", math.log(yes))), latency=1.0)

    return asyncio.run(check_claims(row, ask, Sampling())), asked


def test_the_best_chunk_counts_and_a_claim_that_is_borne_out_is_not_asked_about_again() -> None:
    reply, asked = check({"1": {"a": 0.1, "b": 0.9}, "2": {"a": 0.7, "b": 0.1}, "3": {"a": 0.1, "b": 0.1}})
    assert json.loads(reply.text or "") == {"reason": "", "score": 5}
    assert asked == ["1a", "1b", "2a"] and reply.latency == 3.0
    assert (reply.reasoning or "").splitlines() == ["3 chunks; support of each sentence:", "0.70 a", "0.90 b"]


def test_one_claim_without_support_makes_the_summary_hallucinated() -> None:
    reply, asked = check({"1": {"a": 0.4, "b": 0.9}, "2": {"a": 0.3, "b": 0.9}})
    assert json.loads(reply.text or "") == {"reason": "a", "score": 1}
    assert asked == ["1a", "1b", "2a"] and "0.40 a" in (reply.reasoning or "")


def test_just_half_is_not_borne_out(novels: Path, tmp_path: Path, server: FaultyServer) -> None:
    scored = outcomes(server, novels, tmp_path / "run", lambda body: body_of("Yes", 0.5), CHUNK)
    assert {outcome.answer for outcome in scored.outcomes.values()} == {1}


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("Let me tell a story.", "unparsed"),
        ("Score: 5", "unparsed"),
        ("", "empty"),
        ("I'm sorry, but I can't help with that.", "refused"),
    ],
)
def test_a_reply_that_says_neither_leaves_the_summary_without_a_verdict(
    novels: Path, tmp_path: Path, server: FaultyServer, reply: str, kind: str
) -> None:
    def answer(body: dict[str, Any]) -> Any:
        first = "Ann met" in body["messages"][-1]["content"].split("\n\n")[-2]
        return body_of(reply if first or "安娜" in body["messages"][-1]["content"].split("\n\n")[-2] else "Yes")

    scored = outcomes(server, novels, tmp_path / "run", answer, CHUNK)
    assert {outcome.kind for outcome in scored.outcomes.values()} == {kind}


def test_a_claim_that_is_denied_decides_whatever_else_was_said(
    novels: Path, tmp_path: Path, server: FaultyServer
) -> None:
    def answer(body: dict[str, Any]) -> Any:
        return body_of("No" if not is_true(body) else "Who knows?")

    kinds = {
        key[0].endswith("erhg"): outcome.kind
        for key, outcome in outcomes(server, novels, tmp_path / "run", answer, CHUNK).outcomes.items()
    }
    assert kinds == {True: "correct", False: "unparsed"}


def test_going_on_asks_only_what_got_no_reply(novels: Path, tmp_path: Path, server: FaultyServer) -> None:
    broken = True

    def answer(body: dict[str, Any]) -> Step:
        if broken and not is_true(body):
            return error(400, "broken")
        return Step(body=completion("Yes" if is_true(body) else "No"))

    server.default = answer
    settings = RunSettings(str(novels), server.spec, method="minicheck:30")
    run_benchmark(settings, tmp_path / "run")
    outcomes = score_outcomes(tmp_path / "run").outcomes
    assert {key[0].endswith("erhg"): outcome.kind for key, outcome in outcomes.items()} == {
        True: "error",
        False: "correct",
    }
    asked, broken = len(server.seen), False
    run_benchmark(settings, tmp_path / "run")
    again = server.seen[asked:]
    # The claim that failed with the first chunk, and what comes behind it: nothing that was answered.
    assert again and all(not is_true(one.body) for one in again)
    assert {outcome.kind for outcome in score_outcomes(tmp_path / "run").outcomes.values()} == {"correct"}
    done = len(server.seen)
    run_benchmark(settings, tmp_path / "run")
    assert len(server.seen) == done


def test_what_is_counted_is_what_is_sent_at_most(novels: Path, tmp_path: Path, server: FaultyServer) -> None:
    outcomes(server, novels, tmp_path / "run", lambda body: body_of("No"), 30)
    sent = [one.body["messages"][-1]["content"] for one in server.seen]
    kind = method_kind("minicheck:30")
    assert kind.parts is not None
    parts = {part.prompt: part.n_tokens for example in rows(novels) for part in kind.parts(example)}
    assert set(sent) == set(parts)
    assert all(COUNT(prompt) <= tokens <= COUNT(prompt) + 8 for prompt, tokens in parts.items())
    assert {row_of({"messages": [{"content": prompt}]}) for prompt in sent if "[" in prompt}
    plan = plan_run(RunSettings(str(novels), server.spec, method="minicheck:30"))
    assert plan.most_calls >= len(sent)


def test_chunks_too_long_for_the_window_are_refused_before_a_call(
    tmp_path: Path, server: FaultyServer, novels: Path
) -> None:
    server.models = [{"id": "fake", "owned_by": "vllm", "max_model_len": 8_300}]
    with pytest.raises(InputError, match=r"chunks of fewer tokens \(--batch\)"):
        run_benchmark(RunSettings(str(novels), server.spec, method="minicheck"), tmp_path / "run")
    assert not server.seen


def test_reference_models_and_other_benchmarks_are_refused(novels: Path, data: Path) -> None:
    with pytest.raises(InputError, match="a model that says yes or no"):
        prepare(RunSettings(str(novels), "reference:gold", method="minicheck"))
    with pytest.raises(InputError, match="it is for longnovel"):
        prepare(RunSettings(str(data), "local:smollm2-135m", method="minicheck"))
