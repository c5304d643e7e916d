"""`eval.yaml`: a data set's tasks in the Hub's benchmark format, which `inspect eval hf/ORG/NAME` runs as they stand.

The format has a closed list of scorers, so what inspect reports of these tasks is a lower bound: the `pattern` scorer
wants an answer in the very form that the prompt asks for. Scores equal to ours come from `inspect eval lengthwise/...`
alone. Task ids also name the lines of a model's `.eval_results`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

EVAL_FILE = "eval.yaml"
# The configs that hold prompts of novels.
PROMPT = "-prompt"
FRAMEWORK = "inspect-ai"

# Whatever a pattern takes for the answer, our own reading must take for it too: what stands in a block of reasoning is
# none, closed or not, and "1,024" is not 1.
_NO_OPEN_THOUGHT = r"(?s)^(?!.*<think(?:ing)?>(?!.*</think))"
_NOT_IN_THOUGHT = r"(?!.*</think)"
_LAST_BLOCK = _NO_OPEN_THOUGHT + r".*<answer>\s*([a-z ]*?)\s*</answer>" + _NOT_IN_THOUGHT
# A reply for `all` holds a block for each sequence: with several of them no one block is the answer.
_ONE_BLOCK = r"(?s)^(?!.*<answer>.*<answer>)" + _LAST_BLOCK.removeprefix("(?s)^")
_NUMBER = r'"?\s*(-?[0-9]+(?:\.[0-9]+)?)\s*"?\s*(?:,\s*"|\})'
_LAST_ANSWER = _NO_OPEN_THOUGHT + r'.*"answer"\s*:\s*' + _NUMBER + _NOT_IN_THOUGHT

_GRADING = """Two JSON objects judge the same summary of a novel, each with a "score" from 0 to 5. 3 and more says that
the summary is faithful, 2 and less that it is hallucinated. Only this matters: do both scores say the same?

Right one: {criterion}

Reply: {answer}

{instructions}"""
_VERDICT = (
    "Say in one sentence which side each score is on. Then end with a line GRADE: C if they say the same, and "
    "GRADE: I if not, or if the reply has no score."
)


def _pattern(pattern: str) -> dict[str, Any]:
    return {"name": "pattern", "args": {"pattern": pattern}}


def _predicate(config: str) -> dict[str, Any] | None:
    return _pattern(_ONE_BLOCK if config.split("-")[1:2] == ["all"] else _LAST_BLOCK)


def _multi_instance(config: str) -> dict[str, Any] | None:
    # A table of all answers is more than one text that a pattern could be compared with.
    return None if "instances" in config.split("-") else _pattern(_LAST_ANSWER)


def _novel(config: str) -> dict[str, Any] | None:
    if not config.endswith(PROMPT):
        return None
    # "3 to 5 is right" is beyond every pattern: a model compares the two verdicts, and is shown nothing else.
    return {"name": "model_graded_qa", "args": {"template": _GRADING, "instructions": _VERDICT}}


# Benchmark -> config -> its scorer; None for a config that is no task.
_SCORERS: Mapping[str, Callable[[str], dict[str, Any] | None]] = {
    "predicatelongbench": _predicate,
    "multi-instance": _multi_instance,
    "longnovel": _novel,
    "longnovel-storyworld": _novel,
}
_TITLES: Mapping[str, str] = {
    "predicatelongbench": "PredicateLongBench",
    "multi-instance": "Multi-instance processing",
    "longnovel": "LongNovel",
    "longnovel-storyworld": "LongNovel on generated novels",
}


def task_of(benchmark: str, config: str, split: str) -> str | None:
    """Return the id of the task that a run of these rows is a result of; None where `eval.yaml` has no such task.

    LongNovel's tasks are those of the scale, though its prompts lie in a config of their own. Rows of one language and
    those that are trained on are no task.

    >>> task_of("predicatelongbench", "lex-locate", "4k"), task_of("longnovel", "xl", "test")
    ('lex-locate-4k', 'xl')
    >>> task_of("multi-instance", "ner-instances", "n20"), task_of("longnovel", "xl-zh", "test")
    (None, None)
    """
    of_novels = _SCORERS[benchmark] is _novel
    if of_novels and (split != "test" or config.endswith(("-en", "-zh"))):
        return None
    if of_novels:
        return config.removesuffix(PROMPT)
    return None if _SCORERS[benchmark](config) is None else f"{config}-{split}"


def eval_yaml(build: Mapping[str, Any]) -> str | None:
    """Return the `eval.yaml` of a build, or None where no config is a task.

    Args:
        build: contents of `build.json`.
    """
    tasks = list(_tasks(build))
    if not tasks:
        return None
    about = {
        "name": _TITLES[build["benchmark"]],
        "description": (
            f"{build['benchmark']} version {build['version']}, content digest {build['digest']}. The scorers here are "
            "the harness's own and count less as right than lengthwise's do; see the card."
        ),
        "evaluation_framework": FRAMEWORK,
        "tasks": tasks,
    }
    # The same scorer stands in many tasks: written out each time, since not every reader resolves aliases.
    dumper = type("Plain", (yaml.SafeDumper,), {"ignore_aliases": lambda self, data: True})
    return yaml.dump(about, Dumper=dumper, sort_keys=False, allow_unicode=True, width=110)


def _tasks(build: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    scorer_of = _SCORERS[build["benchmark"]]
    for config, splits in build["configs"].items():
        scorer = scorer_of(config)
        for split in splits if scorer is not None else ():
            yield {
                "id": task_of(build["benchmark"], config, split),
                "config": config,
                "split": split,
                "field_spec": {"input": "prompt", "target": "answer_text", "metadata": ["id"]},
                "solvers": [{"name": "generate"}],
                "scorers": [scorer],
            }
