"""From a selection of instances to a row."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .configs import InstanceConfig
from .counting import prompt_counter
from .noise import add_noise
from .pools.pool import Instance, Pool
from .prompts import Prompts, assemble


@dataclass(frozen=True)
class Selection:
    """Which instances a row holds.

    Attributes:
        name: as in the authors' files (`random_20_seed1`, `random_20_seed1_shuffle2`, `shortest_20`), or `single_17`.
        size: number of instances.
        seed: of the draw; 0 where nothing is drawn.
        indices: in the pool, in the order of the prompt.
    """

    name: str
    size: int
    seed: int
    indices: tuple[int, ...]

    @property
    def split(self) -> str:
        """The split that its row stands in."""
        return f"n{self.size}"


def make_row(
    config: InstanceConfig, selection: Selection, pool: Pool, prompts: Prompts, tokenizer: str
) -> dict[str, Any]:
    """Return one row, all columns of the schema in order, as plain Python types."""
    task = config.task
    chosen = [pool.instances[index] for index in selection.indices]
    question = prompts.question(task, config.setting)
    texts = shown_texts(config, chosen)
    prompt = assemble(task, question, texts)
    answers = [task.instance_answer(one.label) for one in chosen]
    summary = task.summary(answers)
    counter = prompt_counter(tokenizer)
    return {
        "id": f"{config.name}-{selection.name}",
        "task": task.name,
        "setting": config.setting,
        "pool": pool.kind,
        "selection": selection.name,
        "paper": config.in_paper(selection.size, selection.seed),
        "n_instances": selection.size,
        "seed": selection.seed,
        "noise": config.noise or "none",
        "answer": summary[task.headline],
        "n_tokens": counter.count(config, question, texts, prompt),
        "tokenizer": counter.name,
        "pool_source": pool.source,
        "pool_digest": pool.digest,
        "prompt_template": prompts.digest,
        "indices": list(selection.indices),
        "labels": [one.label for one in chosen],
        "instance_answers": answers,
        "answer_text": answer_text(config, answers, summary),
        "question": question,
        "prompt": prompt,
    }


def shown_texts(config: InstanceConfig, instances: Sequence[Instance]) -> list[str]:
    """Return the texts of instances as the prompt of a config shows them."""
    if config.noise is None:
        return [one.text for one in instances]
    return [add_noise(one.text, config.noise, place) for place, one in enumerate(instances)]


def answer_text(config: InstanceConfig, answers: Sequence[str], summary: dict[str, str]) -> str:
    """Return the right answer as one string: the aggregate, or the whole table as JSON.

    Sums are exact decimals and stay text, as the prompt asks for them; counts and classes are integers.

    >>> from .configs import parse_config
    >>> answer_text(parse_config("parity-instances"), ["0", "1"], {"odd": "1", "even": "1"})
    '{"1": 0, "2": 1, "odd": 1, "even": 1}'
    """
    if config.setting == "aggregate":
        return summary[config.task.headline]
    table = {str(number): answer for number, answer in enumerate(answers, 1)} | summary
    if config.task.answer_type == "integer":
        return json.dumps({key: int(value) for key, value in table.items()})
    return json.dumps(table)
