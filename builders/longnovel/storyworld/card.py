"""The card of a folder of generated novels, and its `build.json`: all numbers come from the rows that were built."""

import json
import shlex
import statistics
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from lengthwise import __version__
from lengthwise.metrics.fault_types import HallucinationType

from ...card import contents, front_matter, table
from ...digest import dataset_digest
from ...hub_folder import BUILD_FILE, cell_entries, parquet_files, write_text
from ..export import PROMPT, Exported, view_entries
from ..prompt_texts import subtypes
from ..records import LANGUAGES
from ..schema import PROMPT_SCHEMA, SCHEMA
from ..splits import SPLITS
from ..statistics_tables import compositions, type_shares
from ..text import count_words
from .quality import giveaway_note, giveaway_table, quality_table
from .settings import BENCHMARK, LICENCE, SOURCE, TITLE, VERSION, StorySettings, story_tokens, summary_words

CANARY = "lengthwise longnovel-storyworld canary 6a0f6f0e-64a3-4c55-9d3e-1b7a0c9d42e8"
_DEFAULT_CONFIG = "s"
_LANGUAGE_NAMES = {"en": "English", "zh": "Chinese"}
_TAGS = ("long-context", "benchmark", "hallucination", "summarization", "synthetic", "lengthwise")
# So much of a novel is shown: characters of either language.
_SPECIMEN = {"en": 700, "zh": 260}


def finish_folder(folder: Path, settings: StorySettings, plan: Mapping[str, Any], out: Exported) -> str:
    """Write `README.md` and, last of all, `build.json`; return the digest of the data set.

    Args:
        folder: with the Parquet files in it.
        settings: of the build.
        plan: what identifies the build.
        out: what was written.
    """
    digest = dataset_digest({cell: fact.digest for cell, fact in out.facts.items()})
    write_text(folder / "README.md", _readme(folder, settings, out, digest))
    build = {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "lengthwise": __version__,
        "digest": digest,
        "tokenizer": settings.tokenizer,
        "prompt_template": plan["prompt_template"],
        "canary": CANARY,
        "redistributable": True,
        "configs": cell_entries(folder, out.facts),
        "views": view_entries(folder, out),
        "composition": {line.subset: line.counts for line in compositions(out.kept)},
        "plan": plan,
    }
    write_text(folder / BUILD_FILE, json.dumps(build, indent=1, ensure_ascii=False) + "\n")
    return digest


def _title(config: str) -> str:
    scale, _, rest = config.partition("-")
    what = {"": "", "prompt": ", as ready prompts", "en": ", English", "zh": ", Chinese"}[rest]
    return f"generated novels of about {story_tokens(scale):,} tokens{what}"


def _readme(folder: Path, settings: StorySettings, out: Exported, digest: str) -> str:
    found = contents(folder, out.facts, _DEFAULT_CONFIG)
    shown = {**out.facts, **out.views}
    configs = list(dict.fromkeys(config for config, _ in shown))
    digests = {
        config: dataset_digest({cell: fact.digest for cell, fact in shown.items() if cell[0] == config})
        for config in configs
    }
    languages = [one for one in LANGUAGES if one in settings.languages]
    head = front_matter(
        out.facts,
        {config: PROMPT_SCHEMA if config.endswith(PROMPT) else SCHEMA for config in configs},
        {name: f"{_title(name)} (content digest {digests[name]})" for name in configs},
        found.default,
        {
            "pretty_name": TITLE,
            "language": languages,
            "license": LICENCE.lower(),
            "task_categories": ["text-classification", "text-generation"],
            "annotations_creators": ["machine-generated"],
            "tags": [*_TAGS, BENCHMARK],
        },
        out.views,
        out.paths,
    )
    body = Template(files("lengthwise.cards").joinpath(f"{BENCHMARK}.md").read_text("utf-8")).substitute(
        title=TITLE,
        lengthwise_version=__version__,
        version=VERSION,
        load_name=found.load_name,
        default=found.default,
        first_split="test" if (found.default, "test") in out.facts else found.first_split,
        config_table=_config_table(out, digests),
        tokenizer=settings.tokenizer,
        composition_table=_composition_table(out),
        type_table=_type_table(out),
        evidence_table=_evidence_table(out),
        specimens=_specimens(folder, out, languages),
        measured_table=_measured_table(folder, out),
        quality_table=quality_table(),
        giveaway_note=giveaway_note(),
        giveaway_table=giveaway_table(),
        licence=LICENCE,
        digest=digest,
        command=_command(settings),
        canary=CANARY,
    )
    return f"{head}\n{body}"


def _config_table(out: Exported, digests: Mapping[str, str]) -> str:
    rows = []
    for name, digest in digests.items():
        facts = {split: fact for (config, split), fact in {**out.facts, **out.views}.items() if config == name}
        counts = [count for fact in facts.values() for count in fact.n_tokens]
        splits = ", ".join(f"{split} {fact.rows:,}" for split, fact in facts.items())
        span = f"{min(counts):,} to {max(counts):,} (mean {statistics.mean(counts):,.0f})"
        rows.append([f"`{name}`", _title(name), splits, span, f"`{digest[:16]}`"])
    return table(["config", "holds", "rows", "prompt tokens", "digest"], rows)


def _composition_table(out: Exported) -> str:
    head = ["subset", "total", "zh", "en", "faithful: `original`", "hallucinated: `erhg`", "scores 1 / 2 / 3 / 4 / 5"]
    rows = []
    for line, there in zip(compositions(out.kept), out.kept.values(), strict=True):
        scores = [sum(row["score"] == score for row in there) for score in range(1, 6)]
        shown = " / ".join(map(str, scores))
        rows.append([line.subset, line.total, line.zh, line.en, line.original, line.erhg, shown])
    return table(head, rows)


def _type_table(out: Exported) -> str:
    bars = [bar for bar in type_shares(out.kept, SPLITS) if bar.total and bar.language != "all"]
    ways: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for (scale, _), rows in out.kept.items():
        for row in rows:
            counted = ways.setdefault((scale, row["language"]), {})
            for one in row["injections"]:
                of_type = counted.setdefault(one["type"], {})
                of_type[one["subtype"]] = of_type.get(one["subtype"], 0) + 1
    lines = []
    for bar in bars:
        found = ways[bar.scale, bar.language]
        cells = []
        for kind in HallucinationType:
            named = [f"{name} {found.get(kind, {}).get(name, 0)}" for name in _ways(kind)]
            cells.append(
                f"{bar.counts[kind]} ({float(bar.shares[kind]):.0%})" + (f": {', '.join(named)}" if named else "")
            )
        lines.append([f"`{bar.scale}`", bar.language, *cells])
    return table(["scale", "language", *(kind.value for kind in HallucinationType)], lines)


def _ways(kind: HallucinationType) -> tuple[str, ...]:
    return max((subtypes(kind, language) for language in LANGUAGES), key=len)


def _evidence_table(out: Exported) -> str:
    lines = []
    for scale in dict.fromkeys(scale for scale, _ in out.kept):
        for language in LANGUAGES:
            rows = [
                row
                for (one, _), there in out.kept.items()
                for row in there
                if one == scale and row["language"] == language and row["evidence"]
            ]
            if rows:
                shares = [found["distance"] / row["n_tokens"] for row in rows for found in row["evidence"]]
                two = sum(any(len(set(found["units"])) > 1 for found in row["evidence"]) for row in rows)
                passages = [len(found["units"]) for row in rows for found in row["evidence"]]
                lines.append(
                    [f"`{scale}`", language, len(rows), f"{statistics.median(shares):.0%}", f"{max(shares):.0%}",
                     f"{two / len(rows):.0%}", f"{statistics.mean(passages):.1f}"]
                )  # fmt: skip
    head = ["scale", "language", "rows", "median distance", "greatest", "need two chapters", "passages a check"]
    return table(head, lines)


def _specimens(folder: Path, out: Exported, languages: Sequence[str]) -> str:
    return "\n\n".join(
        f"{_LANGUAGE_NAMES[one]}:\n\n" + "\n>\n".join(f"> {line}" for line in _beginning(folder, out, one).split("\n"))
        for one in languages
        if any(config.endswith(f"-{one}") for config, _ in out.views)
    )


def _beginning(folder: Path, out: Exported, language: str) -> str:
    """Return the first paragraphs of the first novel of a language, cut behind a whole one where that can be."""
    scale, split = next(cell for cell in out.views if cell[0].endswith(f"-{language}"))
    (article, *_) = _column(folder, (scale.removesuffix(f"-{language}"), f"{split}-{language}"), "article", 1)
    most = _SPECIMEN[language]
    shown = ""
    for paragraph in article.split("\n"):
        if shown and len(shown) + len(paragraph) > most:
            break
        shown = f"{shown}\n{paragraph}" if shown else paragraph
    return shown


def _column(folder: Path, cell: tuple[str, str], name: str, count: int) -> list[Any]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(parquet_files(folder, cell)[0]) as file:
        values: list[Any] = next(file.iter_batches(batch_size=count, columns=[name]))[name].to_pylist()
        return values


def _measured_table(folder: Path, out: Exported) -> str:
    lines = []
    for config, split in out.views:
        scale, _, language = config.rpartition("-")
        rows = list(_summaries(folder, (scale, f"{split}-{language}")))
        words = [count_words(row["summary"], language) for row in rows]
        pairs = list(zip(words[::2], words[1::2], strict=True))
        longer = sum(one > other for one, other in pairs)
        level = sum(one == other for one, other in pairs)
        chapters = [row["unit_end"] for row in rows]
        lines.append(
            [f"`{config}`", split, f"{min(chapters)} to {max(chapters)}", summary_words(scale),
             f"{min(words)} to {max(words)}", f"{statistics.mean(words):.0f}",
             f"{longer} / {level} / {len(pairs) - longer - level}"]
        )  # fmt: skip
    head = ["config", "split", "chapters", "words wanted", "words (zh: characters)", "mean",
            "pairs whose wrong summary is longer / level / shorter"]  # fmt: skip
    return table(head, lines)


def _summaries(folder: Path, cell: tuple[str, str]) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for path in parquet_files(folder, cell):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=64, columns=["unit_end", "summary"]):
                yield from batch.to_pylist()


def _command(settings: StorySettings) -> str:
    """Return the command that builds these rows again."""
    standard = StorySettings()
    parts = [
        "lengthwise build longnovel",
        *(settings.scales if settings.scales != standard.scales else ()),
        f"--source {SOURCE}",
        "--out DIR",
        f"--examples {settings.examples}",
    ]
    for name in ("train", "validation", "seed", "tokenizer"):
        if getattr(settings, name) != getattr(standard, name):
            parts.append(f"--{name} {shlex.quote(str(getattr(settings, name)))}")
    if len(settings.languages) == 1:
        parts.append(f"--language {settings.languages[0]}")
    return " ".join(parts)
