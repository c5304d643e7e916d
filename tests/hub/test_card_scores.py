"""Every card says which scores are equal to ours, and which are not."""

import json
from pathlib import Path

import pytest
import yaml

from lengthwise.builders.eval_yaml import eval_yaml
from lengthwise.metrics.modules import MODULES

# Fixture -> our own inspect task, lm-eval group and metric, and the scorer of eval.yaml as the card calls it.
NAMES = {
    "built": ("lengthwise/predicate", "lengthwise_predicate", "sequence_match", "pattern"),
    "instances": ("lengthwise/multi-instance", "lengthwise_mip", "multi_instance", "pattern"),
    "story_world": (
        "lengthwise/longnovel-storyworld", "lengthwise_storyworld", "hallucination_detection", "model_graded_qa",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_which_scores_are_which(name: str, request: pytest.FixtureRequest) -> None:
    folder = Path(request.getfixturevalue(name))
    section = (folder / "README.md").read_text("utf-8").split("Which scores are the same\n")[1].split("\n## ")[0]
    same, other = section.split("**Not the same**")
    task, group, metric, scorer = NAMES[name]
    assert f"inspect eval {task}" in same and f"`{group}`" in same and f"`{metric}`" in same
    assert metric in MODULES
    assert "inspect eval hf/ORG/NAME" in other and f"`{scorer}`" in other
    assert ("lower bound" in " ".join(other.split())) == (scorer == "pattern")
    build = json.loads((folder / "build.json").read_text("utf-8"))
    tasks = yaml.safe_load(eval_yaml(build) or "")["tasks"]
    assert {one["scorers"][0]["name"] for one in tasks} == {scorer}


def test_configs_that_are_no_task_are_named(instances: Path) -> None:
    card = (instances / "README.md").read_text("utf-8")
    assert "`-instances` configs are no task of `eval.yaml`" in card
