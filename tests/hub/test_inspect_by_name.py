"""`inspect eval hf/ORG/NAME` on what was pushed: the real harness, its own loader and scorers, a mocked model."""

import importlib.util
import json
from pathlib import Path

import pytest

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.push_dataset import push_dataset

from .conftest import Client
from .hub_server import Hub

pytestmark = [
    pytest.mark.harness,
    pytest.mark.skipif(importlib.util.find_spec("inspect_ai") is None, reason="needs the extra `inspect`"),
    pytest.mark.filterwarnings("ignore:Use 'content=<...>':DeprecationWarning"),
]

# Runs a task with the given replies, and a grader that says yes, and prints the share that is right.
_EVAL = """
import json
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
task, replies = json.loads(INPUT)
outputs = [ModelOutput.from_content("mockllm/model", text) for text in replies]
for output in outputs:  # without them it would count tokens, by files that it fetches
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
(log,) = eval(task, model=get_model("mockllm/model", custom_outputs=outputs), display="none", max_connections=1)
assert log.status == "success", log.error
print(json.dumps(log.results.scores[0].metrics["accuracy"].value))
"""


def accuracy(client: Client, task: str, replies: list[str]) -> float:
    code = _EVAL.replace("INPUT", repr(json.dumps([task, replies])))
    return float(client(code).splitlines()[-1])


def gold(folder: Path, config: str) -> list[str]:
    import pyarrow.parquet as pq

    (path,) = folder.glob(f"{config}/*.parquet")
    return list(pq.read_table(path, columns=["answer_text"])["answer_text"].to_pylist())


def test_sequences(hub: Hub, client: Client, built: Path) -> None:
    push_dataset(built, "ORG/lists")
    words = gold(built, "lex-locate")
    replies = [f"Found.\n<answer>{words[0]}</answer>", f"<answer>{words[1]} more</answer>", "I cannot tell."]
    assert accuracy(client, "hf/ORG/lists/lex-locate-4k", replies) == pytest.approx(1 / 3)


def test_all_sequences(hub: Hub, client: Client, built: Path) -> None:
    push_dataset(built, "ORG/lists")
    words = gold(built, "unary-all")
    replies = [f"<answer>{words[0]}</answer>", f"<answer>a b</answer>\n<answer>{words[1]}</answer>", ""]
    assert accuracy(client, "hf/ORG/lists/unary-all-4k", replies) == pytest.approx(1 / 3)


def test_aggregates(hub: Hub, client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "instances"
    build_multi_instance(folder, ["ner", "ner-instances"], settings=InstanceSettings(sizes=(5,), seeds=(1, 2)))
    push_dataset(folder, "ORG/instances")
    right, other = gold(folder, "ner")
    replies = [f'{{"reasoning": "counted", "answer": "{right}"}}', f'{{"answer": {int(other) + 1}}}']
    assert accuracy(client, "hf/ORG/instances/ner-n5", replies) == 0.5


def test_novels_are_graded_by_a_model(hub: Hub, client: Client, story_world: Path) -> None:
    push_dataset(story_world, "ORG/novels")
    # Of each row the reply, and then the grader's.
    replies = [text for number in range(4) for text in ('{"score": 1}', f"GRADE: {'C' if number else 'I'}")]
    assert accuracy(client, "hf/ORG/novels", replies) == 0.75
