"""`lengthwise validate` for multi-instance processing: every row worked out again from its labels, without a model."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.metrics.instance_replies import diagnose_reply

from ..checks import CellJob, CellReport, check_cell, check_folder
from ..hub_folder import read_build
from ..tokens import load_tokenizer
from .configs import InstanceConfig, parse_config
from .plan import selections_of
from .pools.generated_pools import generated_pool
from .pools.pool import Instance, Pool
from .prompts import assemble, read_instances
from .rows import answer_text, shown_texts
from .schema import SCHEMA
from .settings import InstanceSettings
from .solver import solve_prompt


def validate_multi_instance(folder: Path, workers: int = 1, progress: bool = False) -> list[CellReport]:
    """Check a folder row by row; return a report for each (config, split), and a last one for the whole.

    Of each row the answers are worked out from its labels, the instances are read back from the prompt, the tokens are
    counted, and the samples drawn again; generated instances are made again and compared. The right answer must score
    1; nothing, the whole prompt, a summary that is off by one and a table with its answers in another order must not.

    Args:
        folder: a finished build.
        workers: processes.
        progress: show a bar on stderr.

    Raises:
        InputError: the folder holds no finished build, or its tokenizer is not to be had.
    """
    return check_folder(folder, _check, workers, progress, chunk=8)


def _check(job: CellJob) -> CellReport:
    build = _build(job.folder)
    config = parse_config(job.cell[0])
    about = build["plan"]["pools"][config.task.name]
    pool = _generated(config.task.name, about["source"], about["instances"]) if about["kind"] == "generated" else None
    drawn = _drawn(job.folder, job.cell[0], pool) if config.choice not in ("shortest", "longest") or pool else None
    texts: dict[int, tuple[str, str]] = {}

    def check_row(row: Mapping[str, Any]) -> Iterator[str]:
        yield from _check_provenance(row, about, build)
        if drawn is not None and tuple(row["indices"]) != drawn.get(row["selection"]):
            yield f"{row['id']}: the instances are not those that {row['selection']} draws"
        yield from _check_content(row, config, pool, texts, job.tokenizer)

    return check_cell(job.folder, job.cell, SCHEMA, job.claimed, check_row)


@lru_cache(maxsize=1)
def _build(folder: Path) -> dict[str, Any]:
    return read_build(folder)


# Cells come task by task, so a process needs the pool of one task at a time.
@lru_cache(maxsize=1)
def _generated(task: str, source: str, size: int) -> Pool:
    return generated_pool(task, size, int(source.rpartition(" ")[2]))


@lru_cache(maxsize=1)
def _drawn(folder: Path, config_name: str, pool: Pool | None) -> dict[str, tuple[int, ...]]:
    """Return what each selection of a config draws; texts are needed only for sets by length."""
    plan = _build(folder)["plan"]
    config = parse_config(config_name)
    about = plan["pools"][config.task.name]
    if pool is None:
        stand_in = Instance(
            "-", "[]" if config.task.label_kind == "mentions" else next(iter(config.task.classes), "0")
        )
        pool = Pool(config.task.name, about["kind"], "-", "-", False, (stand_in,) * about["instances"])
    retained = about["retained"] or range(about["instances"])
    settings = InstanceSettings(tuple(plan["settings"]["sizes"]), tuple(plan["settings"]["seeds"]))
    return {one.name: one.indices for one in selections_of(config, pool, retained, settings)}


def _check_provenance(row: Mapping[str, Any], about: Mapping[str, Any], build: Mapping[str, Any]) -> Iterator[str]:
    expected = {
        "pool": about["kind"],
        "pool_source": about["source"],
        "pool_digest": about["digest"],
        "prompt_template": build["prompt_template"],
        "tokenizer": load_tokenizer(build["tokenizer"]).name,
    }
    for name, value in expected.items():
        if row[name] != value:
            yield f"{row['id']}: {name} is {row[name]!r} where build.json says {value!r}"


def _check_content(
    row: Mapping[str, Any],
    config: InstanceConfig,
    pool: Pool | None,
    known: dict[int, tuple[str, str]],
    tokenizer: str,
) -> Iterator[str]:
    read = read_instances(row["prompt"])
    if read is None:
        yield f"{row['id']}: the prompt holds no instances that can be read back"
        return
    _, shown = read
    counts = {len(shown), len(row["indices"]), len(row["labels"]), len(row["instance_answers"]), row["n_instances"]}
    if len(counts) > 1:
        yield f"{row['id']}: the prompt, the columns and n_instances disagree about the number of instances"
        return
    if row["prompt"] != assemble(config.task, row["question"], shown):
        yield f"{row['id']}: the prompt is not question, frame and instances"
    if pool is not None:
        chosen = [pool.instances[index] for index in row["indices"]]
        if shown != shown_texts(config, chosen) or row["labels"] != [one.label for one in chosen]:
            yield f"{row['id']}: its instances are not those of the generated pool"
    for index, text, label in zip(row["indices"], shown, row["labels"], strict=True):
        # Noise at a random place depends on the place in the prompt.
        if config.noise != "random" and known.setdefault(index, (text, label)) != (text, label):
            yield f"{row['id']}: instance {index} is another one than in an earlier row"
    count = load_tokenizer(tokenizer).count(row["prompt"])
    if count != row["n_tokens"]:
        yield f"{row['id']}: n_tokens is {row['n_tokens']} and the prompt has {count}"
    yield from _check_answers(row, config)


def _check_answers(row: Mapping[str, Any], config: InstanceConfig) -> Iterator[str]:
    task = config.task
    try:
        answers = [task.instance_answer(label) for label in row["labels"]]
    except InputError as error:
        yield f"{row['id']}: {error}"
        return
    summary = task.summary(answers)
    if answers != row["instance_answers"] or summary[task.headline] != row["answer"]:
        yield f"{row['id']}: the answers do not follow from the labels"
        return
    if answer_text(config, answers, summary) != row["answer_text"]:
        yield f"{row['id']}: answer_text is not the answer"
        return
    solved = solve_prompt(row["prompt"])
    if solved is not None and not is_right(row, solved):
        yield f"{row['id']}: worked out from the prompt alone, the answer is another"
    yield from _check_scores(row, config, answers, summary)


def _check_scores(
    row: Mapping[str, Any], config: InstanceConfig, answers: list[str], summary: dict[str, str]
) -> Iterator[str]:
    if not is_right(row, right_reply(row)):
        yield f"{row['id']}: the right answer does not score 1"
    off = {key: str(int(value) + 1) if value.lstrip("-").isdigit() else value + "1" for key, value in summary.items()}
    wrong = {"nothing": "", "the whole prompt": row["prompt"]}
    if config.setting == "aggregate":
        wrong["a summary that is off by one"] = json.dumps({"reasoning": "", "answer": off[config.task.headline]})
    else:
        table = {str(number): answer for number, answer in enumerate(answers, 1)}
        wrong["a summary that is off by one"] = json.dumps(table | off)
        turned = answers[1:] + answers[:1]
        if turned != answers:
            wrong["a table in another order"] = json.dumps(
                {str(number): answer for number, answer in enumerate(turned, 1)} | summary
            )
        wrong["a table without its last instance"] = json.dumps(dict(list(table.items())[:-1]) | summary)
    for name, reply in wrong.items():
        if is_right(row, reply):
            yield f"{row['id']}: {name} scores 1"


def right_reply(row: Mapping[str, Any]) -> str:
    """Return a reply that gives the row's answer in the form that its prompt asks for."""
    if row["setting"] == "instances":
        return str(row["answer_text"])
    return json.dumps({"reasoning": "", "answer": row["answer"]})


def is_right(row: Mapping[str, Any], reply: str) -> bool:
    """Return whether a reply gives the row's answer, or in the instance-level setting all of its answers."""
    task = parse_config(row["task"]).task
    if row["setting"] == "aggregate":
        return diagnose_reply(reply, row["answer"], answer_type=task.answer_type).failure is None
    return diagnose_reply(reply, row["answer_text"], aggregation=task.aggregation).failure is None
