"""Variety: how often a sentence frame comes, how many 4-grams are new, how chapters differ."""

import json
import re
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

from lengthwise.builders.longnovel.storyworld.telling.novel import tell_novel
from lengthwise.builders.longnovel.storyworld.telling.render import Frame
from lengthwise.builders.longnovel.storyworld.world import make_world
from lengthwise.builders.longnovel.text import sentences
from lengthwise.builders.tokens import load_tokenizer

TOKENS = 100_000
CLAIMS = {"en": 107, "zh": 75}
# A frame may come once in so many sentences, and the share of new 4-grams be so far from that of novels.
ONCE_IN, WITHIN = 500, 0.2
_GRAM = {"en": re.compile(r"[a-z’']+"), "zh": re.compile(r"[\u4e00-\u9fff]")}


def measure_variety(novels: Path | None, worlds: int = 3) -> dict[str, Any]:
    """Measure some novels of 100,000 tokens in each language beside those that people wrote.

    Args:
        novels: a folder with `novels_en/*.jsonl` and `novels_zh/*.jsonl`; None compares with nothing.
        worlds: novels of each language.
    """
    found: dict[str, Any] = {"failed": []}
    for language in ("en", "zh"):
        told = [_told(language, index) for index in range(worlds)]
        worst = max(told, key=lambda one: one["most used frame"] / one["sentences"])
        found[language] = {
            "sentences": round(statistics.fmean(one["sentences"] for one in told)),
            "frames in use": round(statistics.fmean(one["frames"] for one in told)),
            "most used frame once in": round(worst["sentences"] / worst["most used frame"]),
            "which": worst["which"],
            "same sentence but names": round(worst["sentences"] / max(one["masked"] for one in told)),
            "distinct 4-grams": statistics.fmean(one["grams"] for one in told),
            "chapters": round(statistics.fmean(one["chapters"] for one in told), 1),
            "tokens of chapters": "{:,} to {:,}".format(*_range(told, "shortest", "longest")),
            "share of talk in chapters": "{:.0%} to {:.0%}".format(*_range(told, "least talk", "most talk")),
        }
        once = found[language]["most used frame once in"]
        if once < ONCE_IN:
            found["failed"].append(
                f"{language}: a frame comes once in {once} sentences, not in {ONCE_IN} ({worst['which']})"
            )
        if novels is not None:
            by_people = {
                path.stem: _grams(_novel(path), language)
                for path in sorted((novels / f"novels_{language}").glob("*.jsonl"))
            }
            mean = statistics.fmean(by_people.values())
            found[language]["distinct 4-grams of novels"] = mean
            found[language]["ratio to novels"] = found[language]["distinct 4-grams"] / mean
            if abs(found[language]["ratio to novels"] - 1) > WITHIN:
                found["failed"].append(
                    f"{language}: distinct 4-grams are {found[language]['ratio to novels']:.2f} of those of novels"
                )
    return found


def _range(told: list[dict[str, Any]], low: str, high: str) -> tuple[Any, Any]:
    return min(one[low] for one in told), max(one[high] for one in told)


def _told(language: str, index: int) -> dict[str, Any]:
    count = load_tokenizer("qwen3").count
    world = make_world(("quality", "variety", language, index), TOKENS, CLAIMS[language])
    trace: list[Frame] = []
    chapters = list(tell_novel(world, language, count, trace))
    text = "\n\n".join(chapter.text for chapter in chapters)
    frames = Counter(frame for frame in trace if not frame[0].startswith(("tag.", "title")))
    (section, line), most = frames.most_common(1)[0]
    lengths = [count(chapter.text) for chapter in chapters]
    talk = [len("".join(re.findall("“[^”]*”", chapter.text))) / len(chapter.text) for chapter in chapters]
    names = [name for person in world.people for name in _names(language, person)]
    split = sentences(text, language)
    return {
        "sentences": len(split), "frames": len(frames), "most used frame": most, "which": f"{section}:{line}",
        "masked": Counter(_masked(sentence, names) for sentence in split if len(sentence) > 12).most_common(1)[0][1],
        "grams": _grams(text, language), "chapters": len(chapters), "shortest": min(lengths), "longest": max(lengths),
        "least talk": min(talk), "most talk": max(talk),
    }  # fmt: skip


def _names(language: str, person: Any) -> list[str]:
    from lengthwise.builders.longnovel.storyworld.telling.teller import load_teller

    word = load_teller(language).language.word
    return [word(person, "full"), word(person, "")]


def _masked(sentence: str, names: list[str]) -> str:
    for name in names:
        sentence = sentence.replace(name, "@")
    return sentence


def _grams(text: str, language: str) -> float:
    """Return the share of 4-grams (of words; of characters in Chinese) that are new, over 100,000 tokens or all."""
    tokens = load_tokenizer("qwen3").count(text)
    units = _GRAM[language].findall(text[: len(text) * TOKENS // max(tokens, TOKENS)].casefold())
    grams = list(zip(units, units[1:], units[2:], units[3:], strict=False))
    return len(set(grams)) / len(grams)


def _novel(path: Path) -> str:
    return "\n\n".join(json.loads(line)["text"] for line in path.read_text("utf-8").splitlines())
