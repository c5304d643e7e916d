"""Models that follow rules: they compress, judge and edit by what stands in the prompt, and sometimes get it wrong.

They are plain functions of the prompt and of how often it was asked, so any two runs of them are alike.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping

from lengthwise.builders.longnovel.asking import Asks
from lengthwise.builders.longnovel.prompt_texts import Prompts, load_prompts
from lengthwise.builders.longnovel.records import LANGUAGES, Language
from lengthwise.builders.longnovel.roles import SLOTS, Slot
from lengthwise.builders.longnovel.text import count_words, sentences
from lengthwise.contracts import Ask, Message, Reply, ReplyError, Request, Usage
from lengthwise.metrics.fault_types import HallucinationType

PROMPTS: Mapping[Language, Prompts] = {language: load_prompts(language) for language in LANGUAGES}
_ADDED = {"en": "The old captain sold his second boat to a stranger.", "zh": "老船长把第二条船卖给了陌生人。"}

# What three of the types put before a sentence.
_FRONT: dict[str, dict[Language, str]] = {
    "logical-inversion": {"en": "Never again was it so that ", "zh": "并未如此："},
    "temporal": {"en": "Before all that, ", "zh": "在此之前，"},
    "causal": {"en": "Because of a storm, ", "zh": "因为风浪，"},
}


def _section(prompt: str, language: Language, heading: str) -> str:
    """Return what stands under a heading, up to the next one."""
    line = PROMPTS[language].headings[heading].template
    rest = prompt[prompt.rindex(f"\n{line}\n") + len(line) + 2 :]
    others = [one.template for name, one in PROMPTS[language].headings.items() if "$" not in one.template]
    ends = [at for other in others if (at := rest.find(f"\n\n{other}\n")) >= 0]
    return rest[: min(ends, default=len(rest))]


def _chance(*parts: object) -> float:
    digest = hashlib.sha256("|".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32


class Killed(Exception):
    """The process is gone."""


class ScriptedModels:
    """All twelve slots.

    Args:
        errors: share of replies that are wrong in one of many ways.
        fail: ends the run at this call, as a kill would (None for never).

    Attributes:
        asked: calls, by slot.
    """

    def __init__(self, errors: float = 0.0, fail: int | None = None) -> None:
        self.errors = errors
        self.fail = fail
        self.asked: Counter[Slot] = Counter()
        self._times: Counter[tuple[Slot, str]] = Counter()

    @property
    def asks(self) -> Asks:
        return {slot: self._ask(slot) for slot in SLOTS}

    def _ask(self, slot: Slot) -> Ask:
        async def ask(request: Request) -> Reply:
            prompt = request.messages[-1].content
            if self.fail is not None and self.asked.total() >= self.fail:
                raise Killed
            self.asked[slot] += 1
            self._times[slot, request.digest] += 1
            text = self.answer(slot, prompt, self._times[slot, request.digest])
            return Reply(text, usage=Usage(len(prompt) // 4, 0, len(text) // 4), model=f"scripted-{slot}")

        return ask

    def answer(self, slot: Slot, prompt: str, time: int = 1) -> str:
        language: Language = "zh" if len(re.findall(r"[\u3400-\u9fff]", prompt)) > len(prompt) / 10 else "en"
        chance = _chance(slot, prompt, time)
        if chance < self.errors / 3:
            return ["", "I'm sorry, but I can't help with that.", "{", "<think>Let me see."][int(chance * 1e6) % 4]
        wrong = chance < self.errors
        kind = slot.partition("-")[0]
        if kind in ("compressor", "generator"):
            return self._summary(slot, prompt, language, wrong)
        if kind == "critic":
            score = 2 if wrong else 5
            return json.dumps({"score": score, "reason": "r", "deficiencies": ["d"][:wrong], "suggestions": ["s"]})
        if kind in ("judge", "arbiter"):
            return self._verdict(chance, language, wrong)
        if kind == "extractor":
            words = re.findall(r"\b[A-Z][a-z]+\b", _section(prompt, language, "summary"))
            return json.dumps({"people": [*dict.fromkeys(words), "Nobody Atall"], "places": "none"})
        return self._edit(prompt, language, wrong, int(chance * 1e9))

    def _summary(self, slot: Slot, prompt: str, language: Language, wrong: bool) -> str:
        wanted = int(re.findall(r"\d+", prompt)[0])
        text = _section(prompt, language, "parts" if slot == "compressor" else "passage")
        kept: list[str] = []
        length = 0
        # Each generator has a summary of its own.
        for sentence in sentences(text, language)[int(slot[-1]) if slot[-1].isdigit() else 0 :]:
            if sentence in kept:
                continue
            if length >= wanted * (0.5 if wrong else 0.97):
                break
            kept.append(sentence)
            length += count_words(sentence, language)
        return ("" if language == "zh" else " ").join(kept)

    def _verdict(self, chance: float, language: Language, wrong: bool) -> str:
        if wrong:
            return '{"score": 4, "reason": "r", "hallucination_types": ["Entity Hallucination"]}'
        if int(chance * 1e6) % 3 == 0:
            found = {"reason": "Event: he fled", "score": 2, "hallucination_types": ["Event Hallucination"]}
            return f"```json\n{json.dumps(found)}\n```"
        return '{"score": 5, "reason": "all is well"}'

    def _edit(self, prompt: str, language: Language, wrong: bool, draw: int) -> str:
        summary = _section(prompt, language, "summary")
        untouched = set()
        if PROMPTS[language].headings["untouched"].template in prompt:
            untouched = {line[2:] for line in _section(prompt, language, "untouched").splitlines()}
        free = [one for one in sentences(summary, language) if one not in untouched and summary.count(one) == 1]
        if not free:
            return '{"is_success": "False", "reason": "nothing is left"}'
        chosen = free[draw % len(free)]
        if draw % 29 == 0:
            return '{"is_success": false, "reason": "no place for it"}'
        if "sentence_before" in prompt:
            # A name of its own for each, or the second one would be the first again.
            added = _ADDED[language].replace(
                "stranger", f"man called {hashlib.sha256(chosen.encode()).hexdigest()[:4]}"
            )
            if wrong:
                added = ("Afterwards " if language == "en" else chosen) + added
            return json.dumps(
                {"is_success": True, "subtype": "T1", "sentence_before": chosen, "added_sentence": added}
            )
        changed = self._changed(chosen, language, prompt)
        if wrong:
            changed = [chosen, chosen.rstrip(".。"), f"{changed} {changed}", "Nonsense.", chosen.upper()][draw % 5]
        return json.dumps(
            {"subtype": "T2", "original_sentence": chosen, "changed_sentence": changed}, ensure_ascii=False
        )

    def _changed(self, sentence: str, language: Language, prompt: str) -> str:
        templates = PROMPTS[language].templates
        kind = next(kind for kind in HallucinationType if prompt.startswith(templates[f"inject-{kind}"].substitute()))
        if kind.value in _FRONT:
            return _FRONT[kind.value][language] + sentence
        if language == "zh":
            return "三日之后，" + sentence
        head, _, tail = sentence.partition(" ")
        return f"{head} nine times {tail}" if kind.value == "numerical" else f"Old Barnaby {head} {tail}"


def broken(times: int, models: ScriptedModels) -> Asks:
    """Return asks of which the first `times` of each slot end in an error."""

    def of(slot: Slot, ask: Ask) -> Ask:
        async def ask_or_fail(request: Request) -> Reply:
            if models.asked[slot] < times:
                models.asked[slot] += 1
                raise ReplyError("503: overloaded")
            return await ask(request)

        return ask_or_fail

    return {slot: of(slot, ask) for slot, ask in models.asks.items()}


def request(prompt: str) -> Request:
    return Request((Message("user", prompt),))
