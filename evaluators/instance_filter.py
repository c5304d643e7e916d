"""The single-instance filter over runs: read what each model solves alone, apply the rules, show Tables 5 to 7.

A model's run of the configs `<task>-single` (or `<task>-instances-single`) has each instance of a pool in a prompt of
its own. An instance counts as solved if its reply is right in every repeat; a reply that cannot be read, is refused,
cut or overlong is none. What did not bring a reply at all says nothing about the model: such a run is refused until it
is finished. The rules are in `lengthwise.metrics.instance_filter`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lengthwise import __version__
from lengthwise.builders.multi_instance.retained import Retained, write_retained
from lengthwise.builders.multi_instance.tasks import KNOWN_TASKS, TASKS
from lengthwise.errors import InputError
from lengthwise.evaluators.run_folder import RUN_FILE
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.sharding import check_whole
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number
from lengthwise.evaluators.table_formats.grid import Block, GridTable
from lengthwise.evaluators.table_formats.render import Format, lines_block, render_blocks
from lengthwise.metrics.instance_filter import Filtered, FilterRules, ModelVerdict, filter_instances

_SAME = {
    "config": "configs",
    "pool_digest": "pools",
    "prompt_template": "prompt templates",
}


@dataclass(frozen=True, slots=True)
class SingleTask:
    """What the runs of a task have in common.

    Attributes:
        config: which was run.
        pool_digest: of the pool that its rows number.
        pool_source: where that comes from.
        prompt_template: SHA-256 of the templates.
        n: instances of the pool.
    """

    config: str
    pool_digest: str
    pool_source: str
    prompt_template: str
    n: int


@dataclass(frozen=True, slots=True)
class RunFilter:
    """What the filter decides about some runs.

    Attributes:
        filtered: the verdicts; models by their label.
        tasks: what was run of each task.
        runs: label -> the folders that its replies come from.
        specs: label -> the models' specs in these.
    """

    filtered: Filtered
    tasks: Mapping[str, SingleTask]
    runs: Mapping[str, tuple[str, ...]]
    specs: Mapping[str, tuple[str, ...]]

    def write(self, path: Path) -> None:
        """Write the indices that are left, for `lengthwise build multi-instance --retained`.

        Raises:
            InputError: nothing is left.
        """
        retained = {
            task: Retained(indices, self.tasks[task].pool_digest)
            for task, indices in self.filtered.retained.items()
            if task in TASKS
        }
        if not retained:
            what = "task" if any(model.kept for model in self.filtered.models.values()) else "model"
            raise InputError(
                f"--out {path}: no {what} passes the filter, so no instance is left and nothing was written; see the "
                "tables for what fell short, then leave out a run, or lower --model-mean, --task-least or --agreement"
            )
        write_retained(path, retained, self._about())

    def _about(self) -> dict[str, Any]:
        models = {
            label: {
                "models": list(self.specs[label]),
                "runs": list(self.runs[label]),
                "kept": verdict.kept,
                "mean": float(verdict.mean),
                "success": {task: float(share) for task, share in verdict.success.items()},
            }
            for label, verdict in self.filtered.models.items()
        }
        tasks = {
            name: {**asdict(about), "agreement": float(verdict.agreement), "kept": verdict.kept}
            for name, (about, verdict) in _both(self.tasks, self.filtered.tasks).items()
        }
        rules = {f"{name}_percent": value for name, value in asdict(self.filtered.rules).items()}
        return {"lengthwise": __version__, "rules": rules, "models": models, "tasks": tasks}


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (one[name], other[name]) for name in other}


def filter_runs(run_dirs: Sequence[Path | str], rules: FilterRules | None = None) -> RunFilter:
    """Apply the single-instance filter to runs.

    Runs of one model, by the label that tables show for it, are taken together; each has tasks of its own. Tasks that
    are single-instance only count towards a model's average and are not looked at one by one (see `filter_instances`).

    Args:
        run_dirs: folders that `lengthwise run` made; rows of more than one instance are passed over.
        rules: the thresholds; None takes the paper's.

    Raises:
        InputError: a folder is no finished run of whole pools, or runs do not compare (other tasks, pools, configs or
            templates).
    """
    if not run_dirs:
        raise InputError("RUN: name at least one folder of a run of single instances")
    solved: dict[str, dict[str, tuple[bool, ...]]] = {}
    tasks: dict[str, SingleTask] = {}
    runs: dict[str, list[str]] = {}
    specs: dict[str, dict[str, None]] = {}
    for run_dir in run_dirs:
        run = score_outcomes(run_dir, write=False, causes=False)
        check_whole(run_dir, run.results.settings)
        label = run.results.label
        for task, (about, instances) in _read_run(run, Path(run_dir)).items():
            if task in solved.setdefault(label, {}):
                raise InputError(
                    f"RUN {run_dir}: {label} has another run of {task} among these; name one of them, or tell the "
                    "two apart: lengthwise run --from RUN/run.json --out RUN --label NAME"
                )
            _check_same(task, tasks.setdefault(task, about), about, run_dir)
            solved[label][task] = instances
        runs.setdefault(label, []).append(str(run_dir))
        specs.setdefault(label, {})[str(run.run.settings["model"].get("spec"))] = None
    ordered = sorted(tasks, key=lambda task: list(TASKS).index(task) if task in TASKS else len(TASKS))
    _check_all_run(solved, ordered)
    filtered = filter_instances(
        {label: {task: of_model[task] for task in ordered} for label, of_model in solved.items()},
        rules,
        exempt=[task for task in ordered if task not in TASKS],
    )
    return RunFilter(
        filtered,
        tasks,
        {label: tuple(folders) for label, folders in runs.items()},
        {label: tuple(names) for label, names in specs.items()},
    )


def _read_run(run: Scored, folder: Path) -> dict[str, tuple[SingleTask, tuple[bool, ...]]]:
    """Return what a run's model solves alone, task by task."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for row in run.rows.values():
        if str(row.get("selection", "")).startswith("single_"):
            rows.setdefault(row["task"], []).append(row)
    if not rows:
        raise InputError(
            f"RUN {folder}: has no rows of single instances; the filter takes runs of the configs <task>-single, e.g. "
            f"lengthwise run ./mip parity-single --model ... --out {folder}"
        )
    return {task: _read_task(run, folder, task, of_task) for task, of_task in rows.items()}


def _read_task(
    run: Scored, folder: Path, task: str, rows: Sequence[Mapping[str, Any]]
) -> tuple[SingleTask, tuple[bool, ...]]:
    configs = list(dict.fromkeys(row["config"] for row in rows))
    if len(configs) > 1:
        raise InputError(
            f"RUN {folder}: has single instances of {task} in {len(configs)} configs ({', '.join(configs)}); the "
            "filter needs one prompt for each instance: run them into folders of their own and name one"
        )
    kinds = {row["id"]: [run.outcomes[row["id"], repeat].kind for repeat in range(run.run.repeats)] for row in rows}
    open_replies = sum(kind == "error" for of_row in kinds.values() for kind in of_row)
    if open_replies:
        raise InputError(
            f"RUN {folder}: {open_replies:,} of {len(rows) * run.run.repeats:,} single instances of {task} have no "
            f"reply yet; finish it first: lengthwise run --from {folder / RUN_FILE} --out {folder}"
        )
    of_index = {row["indices"][0]: row for row in rows}
    if sorted(of_index) != list(range(len(rows))) or run.run.settings.get("excluded", {}).get(f"{configs[0]}/n1"):
        raise InputError(
            f"RUN {folder}: has {len(rows):,} single instances of {task}, and not all of a pool (numbers up to "
            f"{max(of_index)}); run {configs[0]} whole, without --limit and --only-fitting, on data built without "
            "--retained"
        )
    first = rows[0]
    about = SingleTask(configs[0], first["pool_digest"], first["pool_source"], first["prompt_template"], len(rows))
    return about, tuple(all(kind == "correct" for kind in kinds[of_index[index]["id"]]) for index in range(len(rows)))


def _check_same(task: str, first: SingleTask, other: SingleTask, run_dir: Path | str) -> None:
    for name, what in _SAME.items():
        one, two = str(getattr(first, name)), str(getattr(other, name))
        if one != two:
            raise InputError(
                f"RUN {run_dir}: its {what} of {task} differ from those of the runs before ({two[:24]}, not "
                f"{one[:24]}); models compare only on the same prompts"
            )


def _check_all_run(solved: Mapping[str, Mapping[str, object]], tasks: Sequence[str]) -> None:
    for label, of_model in solved.items():
        if missing := [task for task in tasks if task not in of_model]:
            raise InputError(
                f"RUN: {label} has no run of {', '.join(missing)}, which another model has; run it on these too, or "
                "leave the other's out: averages over other tasks do not compare"
            )


def render_filter(found: RunFilter, format: Format = "text") -> str:
    """Return Tables 5 to 7 (appendix C): tasks that are removed; success of every model; agreement of what is kept."""
    blocks = []
    for table in (_removed_table(found), _models_table(found), _kept_table(found)):
        blocks.append(Block((table,)) if table.rows else lines_block([f"{table.title}: none"], format))
    return render_blocks([*blocks, lines_block(_notes(found), format)], format)


def _removed_table(found: RunFilter) -> GridTable:
    removed = {name: task for name, task in found.filtered.tasks.items() if not task.kept}
    rows = [(_title(name), _percent(task.agreement)) for name, task in removed.items()]
    title = f"Table 5: tasks that are removed (agreement not over {found.filtered.rules.agreement:g} %)"
    return GridTable(title, ("task", "agreement"), tuple(rows), name="removed-tasks")


def _models_table(found: RunFilter) -> GridTable:
    filtered = found.filtered
    tasks = (
        Name(_title(name) + ("" if task.kept else " (removed)"), metric="success", part=f"task={name}")
        for name, task in filtered.tasks.items()
    )
    head = ("model", *tasks, Name("average", metric="success"), "verdict")
    rows = [
        (
            label,
            *(_percent(model.success[name]) for name in filtered.tasks),
            _percent(model.mean),
            _why(model, filtered.rules),
        )
        for label, model in filtered.models.items()
    ]
    return GridTable("Table 6: success on single instances (%)", head, tuple(rows), name="models")


def _kept_table(found: RunFilter) -> GridTable:
    kept = {name: task for name, task in found.filtered.tasks.items() if task.kept}
    rows = [
        (
            _title(name),
            *(_percent(share) for share in (task.agreement, task.highest, task.lowest)),
            Figure(f"{len(task.solved):,} of {task.n:,}", Number(len(task.solved), n=task.n)),
        )
        for name, task in kept.items()
    ]
    title = "Table 7: agreement of the kept models, the best and the worst of them (%)"
    return GridTable(title, ("task", "agreement", "max", "min", "retained"), tuple(rows), name="kept-tasks")


def _notes(found: RunFilter) -> list[str]:
    tasks = found.tasks
    notes = [
        "solved: right in every repeat; unreadable, refused, cut and overlong replies are not",
        "pools: " + "; ".join(f"{_title(name)}: {tasks[name].pool_source}" for name in found.filtered.tasks),
    ]
    if any(about.config != f"{name}-single" for name, about in tasks.items()):
        configs = ", ".join(tasks[name].config for name in found.filtered.tasks)
        notes.append(f"prompts other than the paper's, which asks for the aggregate over one instance: {configs}")
    return notes


def _why(model: ModelVerdict, rules: FilterRules) -> str:
    if model.kept:
        return "kept"
    parts = [f"average not over {rules.model_mean:g}"] if model.low_mean else []
    if model.too_low:
        parts.append(f"{', '.join(map(_title, model.too_low))} not over {rules.task_least:g}")
    return "out: " + "; ".join(parts)


def _title(task: str) -> str:
    return KNOWN_TASKS[task].title if task in KNOWN_TASKS else task


def _percent(share: Fraction | None) -> Figure:
    """Return a share as a percentage with one digit, with more where it would read as 100 and is not.

    >>> _percent(Fraction(2225, 2500)), _percent(Fraction(2499, 2500)), _percent(Fraction(1))
    ('89.0', '99.96', '100.0')
    """
    if share is None:
        return Figure("–")
    digits = 1
    while share < 1 and float(f"{float(100 * share):.{digits}f}") >= 100 and digits < 6:
        digits += 1
    return Figure(f"{float(100 * share):.{digits}f}", Number(float(share)))
