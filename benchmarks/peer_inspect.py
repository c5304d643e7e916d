"""The same prompts as a task of inspect_ai: `inspect eval peer_inspect.py -T prompts=PROMPTS.jsonl`."""

import json

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


@task
def stub(prompts: str) -> Task:
    """Send every prompt once."""
    with open(prompts) as file:
        rows = [json.loads(line) for line in file]
    samples = [Sample(input=row["prompt"], target="a b c", id=row["id"]) for row in rows]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes())
