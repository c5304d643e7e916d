"""Pages about runs of several benchmarks: small builds, reference models under other names, what a page says."""

import json
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from lengthwise.builders.longnovel.storyworld.build import build_storyworld
from lengthwise.builders.longnovel.storyworld.settings import StorySettings
from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.settings import RunSettings

WORD_LISTS = ("unary-locate", "unary-decoys", "lex-locate", "lex-longest", "lex-scattered", "lex-clustered")
INSTANCES = ("parity", "parity-instances", "word", "word-instances", "word-noise-tail", "parity-shuffled")
# What stands for a reply now and then, so that every ending is there.
ENDINGS = ("I cannot help with that request.", "so it goes on " * 60, "", "It is hard to say.")


def small_runs(folder: Path) -> list[Path]:
    """Return two runs of each benchmark by models called a-1 and b-2, made of what reference models answered."""
    build_predicate(folder / "lists", WORD_LISTS, splits=("1k", "2k"), settings=Settings(examples=6), progress=False)
    build_multi_instance(folder / "instances", INSTANCES, settings=InstanceSettings(sizes=(2, 5)), progress=False)
    build_storyworld(folder / "novels", StorySettings(("1k", "2k"), examples=8))
    made = []
    for data, right in (("lists", "solver"), ("instances", "solver"), ("novels", "gold")):
        runs = [folder / f"{data}-{name}" for name in (right, "random")]
        for run, name in zip(runs, (right, "random"), strict=True):
            run_benchmark(RunSettings(str(folder / data), f"reference:{name}"), run)
        for model in ("a-1", "b-2"):
            made.append(mixed(runs, folder / f"{data}-{model}", model))
            if data == "novels":
                # The same replies to what would be people's novels.
                made.append(mixed(runs, folder / f"people-{model}", model, benchmark="longnovel"))
    return made


def mixed(runs: list[Path], out: Path, model: str, **settings: str) -> Path:
    """Return a run by a model of this name: the replies of both in turn, some spoilt, with tokens and costs."""
    shutil.copytree(runs[0], out)
    for name in ("predictions.jsonl", "outcomes.parquet", "results.json"):
        (out / name).unlink(missing_ok=True)
    about = json.loads((out / "run.json").read_text("utf-8"))
    about |= {"model": {"spec": f"http://127.0.0.1:1/v1#{model}", "name": model, "kind": "http"}, **settings}
    about["sampling"] = {"max_tokens": 16_000}
    (out / "run.json").write_text(json.dumps(about), "utf-8")
    logs = [[json.loads(line) for line in (run / "replies.jsonl").read_text("utf-8").splitlines()] for run in runs]
    lines = []
    for place, one in enumerate(logs[0]):
        other = logs[1][place] if place < len(logs[1]) and logs[1][place]["example"] == one["example"] else one
        line = one if (place + len(model) + ord(model[0])) % 3 else other
        if place % 7 == 3:
            line["reply"] |= {"text": ENDINGS[place // 7 % len(ENDINGS)], "finish_reason": "length"}
        line["reply"] |= {"usage": {"input": 900, "cached": 300, "output": 40 + place}, "latency": 1.5, "cost": 0.01}
        lines.append(json.dumps(line))
    (out / "replies.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return out


class Texts(HTMLParser):
    """What a reader sees of a page's own texts: those in code, scripts and `translate="no"` are left out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, None] = {}
        self._open: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        silent = tag in ("script", "style", "pre", "code") or about.get("translate") == "no"
        for name in ("title", "aria-label", "placeholder"):
            if about.get(name) and not self._silent:
                self.found[str(about[name]).strip()] = None
        if tag not in ("meta", "br"):
            self._open.append((tag, silent))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "br"):
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.found[data.strip()] = None

    @property
    def _silent(self) -> bool:
        return any(silent for _, silent in self._open)

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)
