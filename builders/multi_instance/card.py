"""The card of a multi-instance folder, and its `build.json`: all numbers come from the rows that were built."""

import json
import shlex
import statistics
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from lengthwise import __version__

from ..card import contents, front_matter, table
from ..digest import dataset_digest
from ..hub_folder import BUILD_FILE, SplitFacts, cell_entries, write_text
from ..parts import Cell
from .configs import paper_configs, parse_config
from .pools.generated_pools import POOL_SEED, POOL_SIZE
from .pools.pool import Pool
from .schema import SCHEMA
from .settings import BENCHMARK, VERSION, InstanceSettings
from .tasks import find_task

CANARY = "lengthwise multi-instance canary 0b6a1c1e-6d0e-4f3b-8f57-2c9d51a7e4d3"
_DEFAULT_CONFIG = "parity"


def finish_folder(
    folder: Path,
    settings: InstanceSettings,
    facts: Mapping[Cell, SplitFacts],
    plan: Mapping[str, Any],
    pools: Mapping[str, Pool],
) -> str:
    """Write `README.md` and, last of all, `build.json`; return the digest of the data set.

    Args:
        folder: with the Parquet files in it.
        settings: of the build.
        facts: of every (config, split).
        plan: what identifies the build.
        pools: task -> pool.
    """
    digest = dataset_digest({cell: fact.digest for cell, fact in facts.items()})
    write_text(folder / "README.md", _readme(folder, settings, facts, plan, pools, digest))
    build = {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "lengthwise": __version__,
        "digest": digest,
        "tokenizer": settings.tokenizer,
        "prompt_template": plan["prompt_template"],
        "canary": CANARY,
        "redistributable": all(pool.redistributable for pool in pools.values()),
        "configs": cell_entries(folder, facts),
        "plan": plan,
    }
    write_text(folder / BUILD_FILE, json.dumps(build, indent=1, ensure_ascii=False) + "\n")
    return digest


def _readme(
    folder: Path,
    settings: InstanceSettings,
    facts: Mapping[Cell, SplitFacts],
    plan: Mapping[str, Any],
    pools: Mapping[str, Pool],
    digest: str,
) -> str:
    found = contents(folder, facts, _DEFAULT_CONFIG)
    configs = list(found.configs)
    open_text = all(pool.kind == "generated" for pool in pools.values())
    head = front_matter(
        facts,
        SCHEMA,
        found.descriptions(lambda config: parse_config(config).title),
        found.default,
        {
            "pretty_name": "Multi-instance processing (lengthwise rebuild)",
            "language": ["en", "zh", "fa", "es"] if "language" in pools else ["en"],
            "license": "apache-2.0" if open_text else "other",
            **({} if open_text else {"license_name": "per-pool", "license_link": "#where-the-instances-come-from"}),
            "task_categories": ["text-generation", "text-classification"],
            "annotations_creators": ["machine-generated"] if open_text else ["found"],
            "tags": ["long-context", "benchmark", "counting", "aggregation", "lengthwise", BENCHMARK],
        },
    )
    body = Template(files("lengthwise.cards").joinpath("multi_instance.md").read_text("utf-8")).substitute(
        title="Multi-instance processing",
        lengthwise_version=__version__,
        version=VERSION,
        load_name=found.load_name,
        default=found.default,
        first_split=found.first_split,
        example_answer=found.example_answer,
        config_table=_config_table(facts, configs, found.digests),
        split_table=_split_table(facts),
        tokenizer=settings.tokenizer,
        pool_table=_pool_table(plan),
        filter_note=_filter_note(plan),
        licence_note=_licence_note(pools),
        canary=CANARY,
        digest=digest,
        command=_command(plan, settings, pools),
    )
    return f"{head}\n{body}"


def _config_table(facts: Mapping[Cell, SplitFacts], configs: list[str], digests: Mapping[str, str]) -> str:
    rows = []
    for name in configs:
        splits = {split: fact for (config, split), fact in facts.items() if config == name}
        count = sum(fact.rows for fact in splits.values())
        sizes = [int(split[1:]) for split in splits]
        span = f"{min(sizes):,}" if len(sizes) == 1 else f"{min(sizes):,} to {max(sizes):,}"
        rows.append([f"`{name}`", parse_config(name).title, span, f"{count:,}", f"`{digests[name][:16]}`"])
    return table(["config", "what it asks", "instances", "rows", "digest"], rows)


def _split_table(facts: Mapping[Cell, SplitFacts]) -> str:
    rows = []
    for split in sorted({split for _, split in facts}, key=lambda name: int(name[1:])):
        counts = [count for (_, name), fact in facts.items() if name == split for count in fact.n_tokens]
        middle = statistics.median_low(counts)
        rows.append([f"`{split}`", f"{len(counts):,}", f"{min(counts):,}", f"{middle:,}", f"{max(counts):,}"])
    return table(["split", "rows", "fewest tokens", "median", "most"], rows)


def _pool_table(plan: Mapping[str, Any]) -> str:
    rows = []
    for name, about in plan["pools"].items():
        retained = about["retained"]
        rows.append(
            [find_task(name).title, about["kind"], about["source"], f"{about['instances']:,}",
             f"{len(retained):,}" if retained is not None else "all", about["licence"],
             "yes" if about["redistributable"] else "no"]
        )  # fmt: skip
    return table(["task", "pool", "source", "instances", "used", "licence of the text", "may be passed on"], rows)


def _filter_note(plan: Mapping[str, Any]) -> str:
    whole = [name for name, about in plan["pools"].items() if about["retained"] is None]
    if not whole:
        return (
            "Only instances are used that every model of a single-instance filter solved alone (paper section 3.2), "
            "so that a failure here is one of number, not of difficulty."
        )
    which = "The pools were" if len(whole) == len(plan["pools"]) else f"The pools of {', '.join(whole)} were"
    return (
        f"{which} used whole, without the paper's single-instance filter (section 3.2): some instances may be "
        "hard for some models even alone. `lengthwise filter` makes the list that `build multi-instance --retained` "
        "takes."
    )


def _licence_note(pools: Mapping[str, Pool]) -> str:
    closed = [find_task(name).title for name, pool in pools.items() if not pool.redistributable]
    if not closed:
        return "All of the text may be passed on."
    return (
        f"**The text of {', '.join(closed)} may not be passed on**: keep this folder to yourself. "
        "`lengthwise export DIR --recipe` makes what others may have, from which whoever has the sources builds the "
        "very rows."
    )


def _command(plan: Mapping[str, Any], settings: InstanceSettings, pools: Mapping[str, Pool]) -> str:
    """Return the command that builds these rows again (folders are named by the caller)."""
    parts = ["lengthwise build multi-instance", *_short_names(plan), "--out DIR"]
    standard = InstanceSettings()
    if settings.sizes:
        parts.append(f"--size {','.join(map(str, settings.sizes))}")
    if settings.seeds != standard.seeds:
        parts.append(f"--seed {','.join(map(str, settings.seeds))}")
    if settings.tokenizer != standard.tokenizer:
        parts.append(f"--tokenizer {shlex.quote(settings.tokenizer)}")
    kinds = {pool.kind for pool in pools.values()}
    if "folder" in kinds:
        parts.append("--pool FOLDER")
    if "hub" in kinds:
        parts.append("--pool hub")
        if "ner" in pools and "wikiann" in pools["ner"].source:
            parts.append("--ner-source wikiann")
        if "wsd" in pools:
            parts.append("--wsd-folder FOLDER")
    sizes = {len(pool.instances) for pool in pools.values() if pool.kind == "generated"}
    if kinds == {"generated"} and sizes != {POOL_SIZE}:
        parts.append(f"--pool-size {max(sizes)}")
    seeds = {pool.source.rpartition(" ")[2] for pool in pools.values() if pool.kind == "generated"}
    if kinds == {"generated"} and seeds != {str(POOL_SEED)}:
        parts.append(f"--pool-seed {min(seeds)}")
    if settings.prompts is not None:
        parts.append("--prompts FOLDER")
    if any(about["retained"] is not None for about in plan["pools"].values()):
        parts.append("--retained FILE")
    return " ".join(parts)


def _short_names(plan: Mapping[str, Any]) -> list[str]:
    """Return the configs of a build as one would type them: none for all, TASK-all for all of a task."""
    names = list(dict.fromkeys(cell.partition("/")[0] for cell in plan["cells"]))
    whole = [config.name for config in paper_configs()]
    if names == whole:
        return []
    for task in plan["pools"]:
        of_task = [name for name in whole if name.partition("-")[0] == task]
        at = names.index(of_task[0]) if of_task and of_task[0] in names else 0
        if of_task and names[at : at + len(of_task)] == of_task:
            names[at : at + len(of_task)] = [f"{task}-all"]
    return names
