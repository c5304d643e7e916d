"""The card of a PredicateLongBench folder, and its `build.json`: all numbers come from the rows that were built."""

import json
import shlex
import statistics
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from lengthwise import __version__

from ..card import SEEN_BEGIN, SEEN_END, contents, front_matter, histogram, table
from ..digest import dataset_digest
from ..hub_folder import BUILD_FILE, SplitFacts, cell_entries, write_text
from ..parts import Cell
from .document_selection import Selection
from .prompts import prompts_digest
from .schema import SCHEMA
from .settings import BENCHMARK, VERSION, Settings
from .sweep import contract
from .variants import GROUPS, SWEEPS, Variant, find_variant

CANARY = "lengthwise predicatelongbench canary 5f0c2f5e-8f0b-4c39-9d0c-7f4f3c8b4a61"
# So many refused documents are named on the card.
_REFUSED = 200
_DEFAULT_CONFIG = "lex-locate"
_SWEEP = (
    " A config `<variant>--<parameter>-<value>` is that variant with the parameter set to the value, one point of a "
    "sweep; it is paired with the baseline as its variant is."
)


def finish_folder(
    folder: Path,
    settings: Settings,
    facts: Mapping[Cell, SplitFacts],
    plan: Mapping[str, Any],
    selection: Selection | None,
) -> str:
    """Write `README.md` and, last of all, `build.json`; return the digest of the data set.

    Args:
        folder: with the Parquet files in it.
        settings: of the build.
        facts: of every (config, split).
        plan: what identifies the build.
        selection: of documents, where there were any.
    """
    digest = dataset_digest({cell: fact.digest for cell, fact in facts.items()})
    write_text(folder / "README.md", _readme(folder, settings, facts, plan, selection, digest))
    configs = cell_entries(folder, facts)
    points = {variant.name: variant for config in configs if (variant := find_variant(config)).parameters}
    build = {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "lengthwise": __version__,
        "digest": digest,
        "tokenizer": settings.tokenizer,
        "prompt_template": prompts_digest(),
        "canary": CANARY,
        "configs": configs,
        **({"sweep": {name: _point(variant) for name, variant in points.items()}} if points else {}),
        "documents": _documents(selection),
        "plan": plan,
    }
    write_text(folder / BUILD_FILE, json.dumps(build, indent=1, ensure_ascii=False) + "\n")
    return digest


def _point(variant: Variant) -> dict[str, Any]:
    return {"variant": variant.in_table, "parameters": dict(variant.parameters)}


def _documents(selection: Selection | None) -> dict[str, Any] | None:
    if selection is None:
        return None
    return {
        "kept": [
            {
                "id": kept.document.id,
                "title": kept.document.title,
                "domain": kept.document.domain,
                "sub_domain": kept.document.sub_domain,
                "licence": kept.document.licence,
                "origin": kept.document.origin,
                "n_words": len(kept.words),
                "n_tokens": kept.n_tokens,
                "k": kept.k,
                "ties": kept.ties,
                "dropped_words": list(kept.dropped),
            }
            for kept in selection.kept
        ],
        "rejected": [{"id": refused.document.id, "reason": refused.reason} for refused in selection.rejected],
        "counts": [
            {
                "domain": count.domain,
                "sub_domain": count.sub_domain,
                "read": count.read,
                "passed": count.passed,
                "kept": count.kept,
            }
            for count in selection.counts
        ],
    }


def _readme(
    folder: Path,
    settings: Settings,
    facts: Mapping[Cell, SplitFacts],
    plan: Mapping[str, Any],
    selection: Selection | None,
    digest: str,
) -> str:
    found = contents(folder, facts, _DEFAULT_CONFIG)
    configs = list(found.configs)
    head = front_matter(
        facts,
        SCHEMA,
        found.descriptions(lambda config: find_variant(config).title),
        found.default,
        {
            "pretty_name": "PredicateLongBench (lengthwise rebuild)",
            "language": ["en"],
            **_licence(selection),
            "task_categories": ["text-generation", "question-answering"],
            "annotations_creators": ["machine-generated"],
            "tags": ["long-context", "benchmark", "synthetic", "retrieval", "lengthwise", BENCHMARK],
        },
    )
    body = Template(files("lengthwise.cards").joinpath("predicate.md").read_text("utf-8")).substitute(
        title="PredicateLongBench",
        lengthwise_version=__version__,
        version=VERSION,
        load_name=found.load_name,
        default=found.default,
        first_split=found.first_split,
        example_answer=found.example_answer,
        config_table=_config_table(facts, configs, found.digests),
        sweep=_SWEEP if any(find_variant(config).parameters for config in configs) else "",
        split_table=_split_table(facts),
        tokenizer=settings.tokenizer,
        fixed_words=_fixed_words(plan),
        histogram=_histograms(facts),
        provenance=_provenance(settings, configs, selection),
        seen=f"{SEEN_BEGIN}\n{SEEN_END}",
        canary=CANARY,
        digest=digest,
        command=_command(plan, settings, selection),
    )
    return f"{head}\n{body}"


def _licence(selection: Selection | None) -> dict[str, str]:
    own = "Apache-2.0"
    if selection is None or all(kept.document.licence == own for kept in selection.kept):
        return {"license": own.lower()}
    return {"license": "other", "license_name": "per-document", "license_link": "#where-the-words-come-from"}


def _config_table(facts: Mapping[Cell, SplitFacts], configs: list[str], digests: Mapping[str, str]) -> str:
    rows = []
    for config in configs:
        variant = find_variant(config)
        count = sum(fact.rows for (name, _), fact in facts.items() if name == config)
        paper = GROUPS[variant.group]
        rows.append(
            [f"`{config}`", variant.title, paper, variant.quantifier, f"{count:,}", f"`{digests[config][:16]}`"]
        )
    return table(["config", "variant", "group", "quantifier", "rows", "digest"], rows)


def _split_table(facts: Mapping[Cell, SplitFacts]) -> str:
    rows = []
    for split in dict.fromkeys(split for _, split in facts):
        cells = [fact for (_, name), fact in facts.items() if name == split]
        counts = [count for fact in cells for count in fact.n_tokens]
        middle = statistics.median_low(counts)
        rows.append(
            [f"`{split}`", len(cells), f"{len(counts):,}", f"{min(counts):,}", f"{middle:,}", f"{max(counts):,}"]
        )
    return table(["split", "configs", "rows", "fewest tokens", "median", "most"], rows)


def _histograms(facts: Mapping[Cell, SplitFacts]) -> str:
    counts = [count for fact in facts.values() for count in fact.n_tokens]
    bars = histogram(counts)
    most = max(count for _, count in bars)
    return table(
        ["tokens", "rows", ""], [[r, f"{n:,}", "█" * round(24 * n / most) or ("▏" if n else "")] for r, n in bars]
    )


def _fixed_words(plan: Mapping[str, Any]) -> str:
    fixed = [(config, split, key) for config, split, key in plan["cells"] if key.endswith(" words")]
    return "".join(
        f" `{config}` at `{split}` is fixed at {int(key.split()[0]):,} words instead." for config, split, key in fixed
    )


def _provenance(settings: Settings, configs: list[str], selection: Selection | None) -> str:
    parts = []
    if any(find_variant(config).source == "synthetic" for config in configs):
        parts.append(
            f"Synthetic words are random strings over `{settings.alphabet}`, drawn without replacement from streams "
            f"keyed by benchmark, version, family, length, seed ({settings.seed}) and index. Licence: Apache-2.0."
        )
    if selection is not None:
        parts.append(
            "Documents give their own words, lower-cased, in their own order. Each keeps the licence of its source:"
        )
        parts.append(
            table(
                ["document", "domain", "words", "tokens", "k", "licence", "origin"],
                [
                    [k.document.id, f"{k.document.domain} / {k.document.sub_domain}", f"{len(k.words):,}",
                     f"{k.n_tokens:,}", k.k, k.document.licence, k.document.origin]
                    for k in selection.kept
                ],
            )
        )  # fmt: skip
        parts.append("Documents by category (read, passed by the filter, used), as in the paper's Table 3:")
        parts.append(
            table(
                ["domain", "sub-domain", "read", "passed", "used"],
                [[c.domain, c.sub_domain, c.read, c.passed, c.kept] for c in selection.counts],
            )
        )
        if selection.rejected:
            parts.append("Refused by the filter:")
            lines = [f"- {refused.document.id}: {refused.reason}" for refused in selection.rejected]
            more = [f"- and {len(lines) - _REFUSED:,} more (all are in `build.json`)"] if len(lines) > _REFUSED else []
            parts.append("\n".join([*lines[:_REFUSED], *more]))
    return "\n\n".join(parts)


def _command(plan: Mapping[str, Any], settings: Settings, selection: Selection | None) -> str:
    """Return the command that builds these rows again (documents and filter bounds are named by the caller)."""
    configs, sweep = contract(list(dict.fromkeys(config for config, _, _ in plan["cells"])), settings)
    parts = ["lengthwise build predicate", *configs, "--out DIR"]
    sizes = {split: key for _, split, key in plan["cells"]}
    named = [split for split in sizes if split.endswith("k")]
    if named:
        parts.append(f"--split {','.join(named)}")
    parts += [f"--tokens {split}" for split in sizes if split.isdigit()]
    parts += [f"--words {split.removesuffix('words')}" for split in sizes if split.endswith("words")]
    standard = Settings()
    for name, value in vars(settings).items():
        if value != getattr(standard, name):
            shown = ",".join(value) if isinstance(value, tuple) else str(value)
            parts.append(f"--{name.replace('_', '-')} {shlex.quote(shown)}")
    parts += [f"--{SWEEPS[name].option} {','.join(map(str, values))}" for name, values in sweep.items()]
    if selection is not None:
        generated = all(kept.document.domain.startswith("generated") for kept in selection.kept)
        parts.append(f"--documents {'storyworld' if generated else 'SOURCE'}")
        parts += ["--break-ties"] if plan["documents"]["break_ties"] else []
    return " ".join(parts)
