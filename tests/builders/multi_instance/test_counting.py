from pathlib import Path

import pytest

from lengthwise.builders.multi_instance.configs import parse_config
from lengthwise.builders.multi_instance.counting import PromptCounter
from lengthwise.builders.multi_instance.noise import POSITIONS, add_noise
from lengthwise.builders.multi_instance.pools.folder_pools import folder_pool
from lengthwise.builders.multi_instance.prompts import assemble, load_prompts
from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.builders.tokens import load_tokenizer

AWKWARD = [
    "-5 - 3",
    "...",
    "(a)",
    '"quoted"',
    "5",
    "é",
    "\u0301x",
    "’s",
    "胡赛尼本人",
    "آهن ترکیباتی را",
    "a  b",
    "'s it",
    "1.5%",
]


@pytest.mark.parametrize("tokenizer", ["qwen3", "qwen3.6"])
@pytest.mark.parametrize("position", [None, *POSITIONS])
def test_counts_by_parts_are_those_of_the_whole(tokenizer: str, position: str | None) -> None:
    whole = load_tokenizer(tokenizer)
    counter = PromptCounter(whole)
    config = parse_config("wsd-noise-" + position if position else "wsd")
    question = load_prompts().question(config.task, "aggregate")
    texts = [add_noise(text, config.noise, place) if config.noise else text for place, text in enumerate(AWKWARD * 9)]
    prompt = assemble(config.task, question, texts)
    assert counter.count(config, question, texts, prompt) == whole.count(prompt)


@pytest.mark.shared
@pytest.mark.parametrize("task", ["arithmetic", "language", "ner", "parity"])
def test_counts_by_parts_on_the_authors_pools(shared_dir: Path, task: str) -> None:
    whole = load_tokenizer("qwen3")
    texts = [one.text for one in folder_pool(shared_dir / "data/mip/pools", task).instances][:1500]
    prompt = assemble(TASKS[task], "How many?", texts)
    assert PromptCounter(whole).count(parse_config(task), "How many?", texts, prompt) == whole.count(prompt)
