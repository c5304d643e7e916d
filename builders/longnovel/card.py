"""The card of a LongNovel folder, and its `build.json`: all numbers come from the rows that were built."""

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from lengthwise import __version__
from lengthwise.metrics.fault_types import HallucinationType

from ..card import front_matter, table
from ..digest import dataset_digest
from ..hub_folder import BUILD_FILE, cell_entries, write_text
from .export import PROMPT, Exported, view_entries
from .left_out import card_note
from .model_steps import models_asked, step_options
from .own_prompts import own_prompts
from .prompt_texts import prompts_digest
from .records import LANGUAGES, scale_tokens
from .schema import PROMPT_SCHEMA, SCHEMA
from .settings import BENCHMARK, VERSION, NovelSettings
from .splits import SPLITS
from .statistics_tables import Lengths, class_counts, compositions, type_shares

CANARY = "lengthwise longnovel canary 5f0c3b52-8f0e-4b0a-9d35-7f1d2f6a9c84"
_LANGUAGE_NAMES = {"en": "English", "zh": "Chinese"}
# Names of licences that the Hub knows.
_HUB_LICENCES = frozenset(
    ("apache-2.0", "bsd-3-clause", "cc-by-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "cc-by-sa-4.0", "cc0-1.0", "mit")
)


def finish_folder(
    folder: Path, settings: NovelSettings, plan: Mapping[str, Any], out: Exported, lengths: Sequence[Lengths]
) -> str:
    """Write `README.md` and, last of all, `build.json`; return the digest of the data set.

    Args:
        folder: with the Parquet files in it.
        settings: of the build.
        plan: what identifies the build: its `sources`, `splits` (book -> split), `missing`, `refused`, `left_out`.
        out: what was written.
        lengths: of the articles of the test split, by any tokenizers.
    """
    digest = dataset_digest({cell: fact.digest for cell, fact in out.facts.items()})
    write_text(folder / "README.md", _readme(folder, settings, plan, out, lengths, digest))
    build = {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "lengthwise": __version__,
        "digest": digest,
        "tokenizer": settings.tokenizer,
        "prompt_template": prompts_digest(own_prompts(folder)),
        "canary": CANARY,
        "redistributable": all(source["redistributable"] for source in plan["sources"]),
        "configs": cell_entries(folder, out.facts),
        "views": view_entries(folder, out),
        "models": models_asked(folder),
        "composition": {line.subset: line.counts for line in compositions(out.kept)},
        "plan": plan,
    }
    write_text(folder / BUILD_FILE, json.dumps(build, indent=1, ensure_ascii=False) + "\n")
    return digest


def _title(config: str) -> str:
    scale, _, rest = config.partition("-")
    what = {"": "", "prompt": ", as ready prompts", "en": ", English", "zh": ", Chinese"}[rest]
    return f"windows of about {scale_tokens(scale):,} tokens{what}"


def _readme(
    folder: Path,
    settings: NovelSettings,
    plan: Mapping[str, Any],
    out: Exported,
    lengths: Sequence[Lengths],
    digest: str,
) -> str:
    shown = {**out.facts, **out.views}
    configs = list(dict.fromkeys(config for config, _ in shown))
    digests = {
        config: dataset_digest({cell: fact.digest for cell, fact in shown.items() if cell[0] == config})
        for config in configs
    }
    default = next(config for config, _ in out.facts if not config.endswith(PROMPT))
    splits = [split for config, split in out.facts if config == default]
    languages = [one for one in LANGUAGES if any(config.endswith(f"-{one}") for config in configs)]
    licences = sorted({source["licence"] for source in plan["sources"]})
    head = front_matter(
        out.facts,
        {config: PROMPT_SCHEMA if config.endswith(PROMPT) else SCHEMA for config in configs},
        {name: f"{_title(name)} (content digest {digests[name]})" for name in configs},
        default,
        {
            "pretty_name": "LongNovel (lengthwise rebuild)",
            "language": languages,
            **_licence(licences),
            "task_categories": ["text-classification", "text-generation"],
            "annotations_creators": ["machine-generated", *(["expert-generated"] if _reviewed(out) else [])],
            "tags": ["long-context", "benchmark", "hallucination", "summarization", "novels", "lengthwise", BENCHMARK],
        },
        out.views,
        out.paths,
    )
    body = Template(files("lengthwise.cards").joinpath("longnovel.md").read_text("utf-8")).substitute(
        title="LongNovel",
        lengthwise_version=__version__,
        version=VERSION,
        load_name=folder.name if folder.name not in ("", ".", "..") else "DIR",
        default=default,
        first_split="test" if "test" in splits else splits[0],
        config_table=_config_table(out, digests),
        tokenizer=settings.tokenizer,
        composition_table=_composition_table(out),
        class_table=_class_table(out),
        summary_note=_summary_note(out),
        missing_note="\n\n".join(filter(None, (_missing_note(plan), card_note(plan.get("left_out", ()))))),
        length_table=_length_table(lengths),
        type_table=_type_table(out),
        source_table=_source_table(plan),
        split_note=_split_note(plan),
        licence_note=_licence_note(plan),
        reviewed=_reviewed(out) or "none of them yet",
        digest=digest,
        prompts=_prompts_note(plan),
        command=_command(folder, settings, plan),
        canary=CANARY,
    )
    return f"{head}\n{body}"


def _licence(licences: Sequence[str]) -> dict[str, str]:
    plain = licences[0].lower().replace(" ", "-") if len(licences) == 1 else ""
    if plain in _HUB_LICENCES:
        return {"license": plain}
    name = re.sub(r"[^a-z0-9]+", "-", "-".join(licences).lower()).strip("-")[:60] or "per-source"
    return {"license": "other", "license_name": name, "license_link": "#sources"}


def _config_table(out: Exported, digests: Mapping[str, str]) -> str:
    rows = []
    for name, digest in digests.items():
        facts = {split: fact for (config, split), fact in {**out.facts, **out.views}.items() if config == name}
        counts = [count for fact in facts.values() for count in fact.n_tokens]
        splits = ", ".join(f"{split} {fact.rows:,}" for split, fact in facts.items())
        rows.append([f"`{name}`", _title(name), splits, f"{min(counts):,} to {max(counts):,}", f"`{digest[:16]}`"])
    return table(["config", "holds", "rows", "prompt tokens", "digest"], rows)


def _composition_table(out: Exported) -> str:
    head = ["subset", "total", "zh", "en", "original", "ERHG", "MMA", "hallucinated", "not"]
    return table(head, [line.cells for line in compositions(out.kept)])


def _class_table(out: Exported) -> str:
    rows = []
    for line in class_counts(out.kept):
        for split, total in line.totals.items():
            rows.append([f"`{line.scale}`", split, line.hallucinated[split], line.faithful[split], total])
    return table(["scale", "split", "hallucinated", "not hallucinated", "total"], rows)


def _summary_note(out: Exported) -> str:
    rows = [row for there in out.kept.values() for row in there if row["origin"] == "original"]
    compressed = sum(row["compressed"] for row in rows)
    if not rows:
        return "of which there are none here"
    return f"{compressed:,} of the {len(rows):,} compressed by a model, the others as they stand"


def _missing_note(plan: Mapping[str, Any]) -> str:
    if not plan["missing"]:
        return (
            "All that was requested is there."
            if plan["settings"]["requests"]
            else "All summaries there are were kept."
        )
    lines = "\n".join(f"- {line}" for line in plan["missing"])
    return f"**Less was found than was requested:**\n\n{lines}"


def _length_table(lengths: Sequence[Lengths]) -> str:
    rows = [[f"`{one.scale}`", f"`{one.tokenizer}`", one.n, *one.thousands] for one in lengths]
    return table(["scale", "tokenizer", "rows", "least", "mean", "most"], rows)


def _type_table(out: Exported) -> str:
    bars = [bar for bar in type_shares(out.kept) if bar.total]
    head = ["scale", "language", *(kind.value for kind in HallucinationType), "all"]
    rows = [
        [
            f"`{bar.scale}`",
            bar.language,
            *(f"{bar.counts[name]} ({float(share):.0%})" for name, share in bar.shares.items()),
            bar.total,
        ]
        for bar in bars
    ]
    return table(head, rows)


def _source_table(plan: Mapping[str, Any]) -> str:
    rows = [
        [
            source["name"],
            ", ".join(_LANGUAGE_NAMES[one] for one in source["languages"]),
            f"{source['books']:,}",
            f"{source['units']:,}",
            ", ".join(source["summary_origins"]),
            source["licence"],
            "yes" if source["redistributable"] else "no",
        ]
        for source in plan["sources"]
    ]
    head = ["source", "language", "books", "units", "summaries by", "licence of the text", "may be passed on"]
    return table(head, rows)


def _split_note(plan: Mapping[str, Any]) -> str:
    if not plan["splits"]:
        return "so say the owners of the data, who do not name the books."
    by_split: dict[str, list[str]] = {}
    for book, split in plan["splits"].items():
        by_split.setdefault(split, []).append(book)
    return "; ".join(f"{split}: {', '.join(by_split[split])}" for split in SPLITS if split in by_split) + "."


def _licence_note(plan: Mapping[str, Any]) -> str:
    closed = [source["name"] for source in plan["sources"] if not source["redistributable"]]
    if not closed:
        return "All of the text may be passed on."
    return (
        f"**The text of {', '.join(closed)} may not be passed on**: keep this folder to yourself, and give others "
        "what `lengthwise export --recipe` makes of it: offsets and hashes, by which they build the same rows from "
        "the source."
    )


def _reviewed(out: Exported) -> str:
    seen = sum(bool(row["review"]) for rows in out.kept.values() for row in rows)
    return f"{seen:,} of {sum(map(len, out.kept.values())):,} rows" if seen else ""


def _prompts_note(plan: Mapping[str, Any]) -> str:
    own = plan.get("own_prompts")
    return f"the package's, but for those in `prompts`: {', '.join(own)}" if own else "the package's"


def _command(folder: Path, settings: NovelSettings, plan: Mapping[str, Any]) -> str:
    """Return the command that builds these rows again from the same records (folders are named by the caller)."""
    parts = [
        "lengthwise build longnovel",
        *settings.scales,
        *("--source SOURCE" for _ in plan["sources"]),
        "--out DIR",
        *(["--headings-as-summaries"] if any("heading" in one["summary_origins"] for one in plan["sources"]) else []),
        *step_options(folder),
        *(["--prompts prompts"] if plan.get("own_prompts") else []),
        *(["--leave-out-unanswered"] if plan.get("left_out") else []),
    ]
    standard = NovelSettings()
    if settings.tokenizer != standard.tokenizer:
        parts.append(f"--tokenizer {settings.tokenizer}")
    if settings.seed != standard.seed:
        parts.append(f"--seed {settings.seed}")
    if dict(settings.shares) != dict(standard.shares):
        parts.append("--shares " + ",".join(str(settings.shares.get(split, 0)) for split in SPLITS))
    if settings.requests:
        parts.append("--rows TABLE")
    if settings.fewer:
        parts.append("--fewer")
    return " ".join(parts)
