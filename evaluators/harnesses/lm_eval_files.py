"""Task files for lm-evaluation-harness: one YAML per config and split of a data set, and one for the group of all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lengthwise import __version__
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import BENCHMARKS, Benchmark
from lengthwise.evaluators.contracts import OUTCOME_KINDS
from lengthwise.evaluators.examples import Cell, Data, open_data
from lengthwise.evaluators.harnesses.figures import detection_names
from lengthwise.evaluators.harnesses.kept import check_method
from lengthwise.evaluators.methods import method_kind

# The share of rows under each outcome; "correct" goes by the name that lm-eval's readers look for.
METRICS = ("accuracy", *(kind for kind in OUTCOME_KINDS if kind != "correct"))
# How many calls there were; of single rows, what was said to each, which is what `lengthwise import lm-eval` reads.
CALLS = "calls"

_MODULE = "lengthwise.evaluators.harnesses.lm_eval_task"


def write_lm_eval_tasks(
    source: str,
    out: Path,
    configs: Sequence[str] = (),
    splits: Sequence[str] = (),
    repeats: int = 1,
    method: str | None = None,
) -> list[Path]:
    """Write the task files for a data set, to be used by `lm_eval --include_path OUT --tasks lengthwise_predicate`.

    Args:
        source: a folder that `lengthwise build` made, or a Hub id; see `open_data`.
        out: folder for the files; made where it is missing. Task files that an earlier call left there are removed.
        configs: names of configs; none means all.
        splits: names of splits; none means all that the configs have.
        repeats: how many times each row is asked (>= 1); what is reported is the mean.
        method: as for `lengthwise run --method`; None means the benchmark's own.

    Returns:
        The files, the group's first.

    Raises:
        InputError: no such data, config, split or method, fewer than one repeat, a method that asks other models
            too, or `out` is a file.
    """
    if repeats < 1:
        raise InputError(f"--repeats {repeats}: must be at least 1")
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: is a file; name a folder")
    data, cells = open_data(source, configs, splits)
    benchmark = BENCHMARKS[data.benchmark]
    method = method or benchmark.method
    check_method(method, method_kind(method), "lm-eval")
    group = f"lengthwise_{(benchmark.aliases or (benchmark.name,))[0]}"
    out.mkdir(parents=True, exist_ok=True)
    # A file of other data would take part in the same group's name.
    for stale in out.glob(f"{group}*.yaml"):
        stale.unlink()
    names = {cell: f"{group}_{cell.config}_{cell.split}".replace("-", "_") for cell in cells}
    written = [_write(out / f"{group}.yaml", _group(group, list(names.values()), data, benchmark))]
    for cell, name in names.items():
        written.append(_write(out / f"{name}.yaml", _task(name, data, cell, benchmark, repeats, method)))
    return written


class _Function(str):
    """A name of this package's task module, which lm-eval's `!function` looks up."""


def _group(name: str, tasks: list[str], data: Data, benchmark: Benchmark) -> dict[str, Any]:
    return {
        "group": name,
        "task": tasks,
        "aggregate_metric_list": [
            {"metric": metric, "aggregation": "mean", "weight_by_size": True}
            for metric in (*METRICS, *detection_names(benchmark))
        ],
        "metadata": {"version": __version__, "digest": data.digest},
    }


def _task(name: str, data: Data, cell: Cell, benchmark: Benchmark, repeats: int, method: str) -> dict[str, Any]:
    sampling = benchmark.sampling
    source = str(data.folder.resolve())
    if data.revision:
        source = f"{data.source.partition('@')[0]}@{data.revision}"
    return {
        "class": _Function("HarnessTask"),
        "process_results": _Function("process_results"),
        "task": name,
        "dataset_path": source,
        "dataset_name": cell.config,
        "test_split": cell.split,
        "dataset_kwargs": {"digest": data.cells[cell], "method": method},
        "output_type": "generate_until",
        "doc_to_text": "prompt",
        "doc_to_target": "answer_text",
        "num_fewshot": 0,
        "repeats": repeats,
        # Without `until`, lm-eval stops at the first blank line; without `do_sample`, its local engines take
        # temperature 0 whatever stands here (which a temperature of 0 wants); without `max_gen_toks` it asks for 256
        # tokens.
        "generation_kwargs": {
            "until": [],
            "do_sample": bool(sampling.temperature),
            "max_gen_toks": sampling.max_tokens,
            "temperature": sampling.temperature,
            **({} if sampling.top_p is None else {"top_p": sampling.top_p}),
        },
        # lm-eval's own filter would score the first of several repeats and drop the others.
        "filter_list": [{"name": "none", "filter": [{"function": "take_first_k", "k": repeats}]}],
        "metric_list": [
            *(
                {"metric": metric, "aggregation": "mean", "higher_is_better": metric == "accuracy"}
                for metric in METRICS
            ),
            *(
                {"metric": metric, "aggregation": _Function(metric), "higher_is_better": True}
                for metric in detection_names(benchmark)
            ),
            {"metric": CALLS, "aggregation": _Function("count_calls"), "higher_is_better": False},
        ],
        "metadata": {"version": __version__},
    }


def _write(path: Path, content: Mapping[str, Any]) -> Path:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes `_Function`s by lm-eval's own tag."""

    Dumper.add_representer(_Function, lambda dumper, name: dumper.represent_scalar("!function", f"{_MODULE}.{name}"))
    text = yaml.dump(dict(content), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110)
    path.write_text(f"# Written by `lengthwise harness lm-eval`.\n{text}", "utf-8")
    return path
