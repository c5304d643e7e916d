"""Methods of several calls under a model that answers in batches, as lm-eval's do; lm-eval itself is not needed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from lengthwise.contracts import Ask, OverlengthError, Sampling
from lengthwise.evaluators.contracts import Example, Prediction
from lengthwise.evaluators.harnesses.kept import Kept
from lengthwise.evaluators.harnesses.lm_eval_methods import Followed, follow_methods
from lengthwise.evaluators.harnesses.lm_eval_replies import KeptReply
from lengthwise.evaluators.method_parts import Resources, ask_together, user_request
from lengthwise.evaluators.methods import METHODS

pytest.importorskip("requests")


@dataclass
class Asked:
    """As much of lm-eval's Instance as is used."""

    task_name: str
    doc: dict[str, Any]
    arguments: tuple[Any, dict[str, Any]]

    @property
    def args(self) -> tuple[Any, dict[str, Any]]:
        return self.arguments


@dataclass
class Model:
    """Answers with the text and the number of the batch; remembers its batches."""

    batches: list[list[str]] = field(default_factory=list)

    def generate_until(self, requests: Sequence[Asked], disable_tqdm: bool = False) -> list[str]:
        async def loop_of_its_own() -> None:
            """Lm-eval's models run one; it must not meet another."""

        asyncio.run(loop_of_its_own())
        self.batches.append([str(one.args[0]) for one in requests])
        return [self.answer(str(one.args[0])) for one in requests]

    def answer(self, text: str) -> str:
        if "long" in text:
            return KeptReply.make("", None, OverlengthError("too long"))
        return f"{text}!{len(self.batches)}"

    def apply_chat_template(self, messages: list[dict[str, str]]) -> str:
        return "/".join(message["content"] for message in messages)


def rows(*names: str) -> dict[str, Example]:
    return {name: Example(name, name, {"id": name}) for name in names}


def asked(name: str, task: str = "ours") -> Asked:
    return Asked(task, {"id": name}, (name, {}))


def reask(examples: dict[str, Example]) -> Followed:
    """Ask until the second batch's reply."""
    resources = Resources(Sampling(), lambda example, reply: str(reply.text).endswith("2"))
    return Followed(METHODS["reask"].make(resources), examples)


def kept(text: str) -> Kept:
    assert isinstance(text, KeptReply) and text.kept is not None
    return text.kept


def test_what_is_not_answered_is_asked_again_in_one_batch() -> None:
    model = Model()
    follow_methods(model, "ours", reask(rows("a", "b", "long")))
    texts = model.generate_until([asked("a"), asked("b"), asked("long")])
    assert texts == ["a!2", "b!2", ""]
    assert model.batches == [["a", "b", "long"], ["a", "b"]]
    assert [len(kept(text).calls) for text in texts] == [2, 2, 1]
    assert [reply.text for reply in kept(texts[0]).replies] == ["a!1", "a!2"]
    failed = kept(texts[2]).error
    assert failed is not None and (failed.kind, failed.message) == ("overlength", "too long")


def test_rows_of_other_tasks_are_asked_as_ever() -> None:
    model = Model()
    follow_methods(model, "ours", reask(rows("a")))
    texts = model.generate_until([asked("x", "theirs"), asked("a"), asked("y", "theirs")], disable_tqdm=True)
    assert model.batches == [["x", "y"], ["a"]]
    assert texts == ["x!1", "a!2", "y!1"]
    assert not isinstance(texts[0], KeptReply)


def test_two_tasks_of_ours_and_doing_it_twice() -> None:
    model = Model()
    for _ in range(2):
        follow_methods(model, "ours", reask(rows("a")))
    follow_methods(model, "more", reask(rows("b")))
    assert model.generate_until([asked("b", "more"), asked("a")]) == ["b!2", "a!2"]
    assert model.batches == [["b", "a"], ["b", "a"]]


def test_calls_that_are_under_way_together_and_prompts_of_a_methods_own() -> None:
    async def parts(example: Example, ask: Ask) -> Prediction:
        replies = await ask_together(ask, [user_request(f"{example.prompt}-{n}", Sampling()) for n in range(2)])
        return Prediction(await ask(user_request("+".join(str(one.text) for one in replies), Sampling())))

    model = Model()
    follow_methods(model, "ours", Followed(parts, rows("a", "b")))
    assert model.generate_until([asked("a"), asked("b")]) == ["a-0!1+a-1!1!2", "b-0!1+b-1!1!2"]
    assert model.batches == [["a-0", "a-1", "b-0", "b-1"], ["a-0!1+a-1!1", "b-0!1+b-1!1"]]


def test_a_method_that_asks_nobody_for_a_while() -> None:
    """More turns of the loop than are waited for at once."""

    async def slow(example: Example, ask: Ask) -> Prediction:
        for _ in range(50):
            await asyncio.sleep(0)
        return Prediction(await ask(user_request(example.prompt, Sampling())))

    model = Model()
    follow_methods(model, "ours", Followed(slow, rows("a")))
    assert model.generate_until([asked("a")]) == ["a!1"]


def test_a_model_that_fails_ends_all() -> None:
    model = Model()
    model.answer = lambda text: 1 / 0  # type: ignore[assignment, method-assign, return-value]
    follow_methods(model, "ours", reask(rows("a")))
    with pytest.raises(ZeroDivisionError):
        model.generate_until([asked("a")])


def test_what_is_kept_is_written_and_read_again() -> None:
    model = Model()
    follow_methods(model, "ours", reask(rows("a", "long")))
    for text in model.generate_until([asked("a"), asked("long")]):
        assert Kept.from_json(kept(text).to_json()) == kept(text)
    with pytest.raises(ValueError, match="not what a harness keeps"):
        Kept.from_json({"calls": [], "settled": 3, "error": None})
