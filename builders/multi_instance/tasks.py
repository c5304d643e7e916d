"""The eight tasks of the paper (Table 1, appendix A), and two that its filter took out (A.9): one entry each.

A task says what an instance is called, what its label means, and how the answers of many instances add up. What an
instance's text looks like is the business of its pool (`pools/`), what is asked the business of its prompt templates.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lengthwise.errors import InputError, unknown_name
from lengthwise.metrics.instances import SUM, Aggregation, aggregate, number_of

# Numbers of instances (4.4); the pool of news articles ends at 250, so there the paper stops at 200.
SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
SEEDS = (1, 2, 3, 4, 5)

LabelKind = Literal["class", "number", "mentions"]


@dataclass(frozen=True)
class InstanceTask:
    """One task.

    Attributes:
        name: of the task and of its configs.
        title: as the paper's tables show it.
        folder: name of the authors' folder of this task, and the part of its file names behind the count.
        item: what one instance is called, with a capital ("Article").
        items: what many are called ("news articles").
        label_kind: "class" (one of `classes`), "number" (the answer itself), or "mentions" (a JSON list of the names
            mentioned, of which the answer is the number).
        classes: class name -> the number that stands for it in an answer; empty for other kinds.
        aggregation: summary keys of the instance-level answer; the first is what the aggregate setting asks for.
        answer_type: of the aggregate: "integer", or "decimal" for exact sums.
        mean_words: of an instance in the paper's pool (appendix A), split at white space.
        sizes: numbers of instances that the paper ran.
        paper_noise: whether the paper ran the task with noise (all but Parity, 6.1).
        alone: the filter took the task out: its instances are only ever asked one at a time.
        mark: a word of its question, by which it is told from another task that calls its instances the same.
    """

    name: str
    title: str
    folder: str
    item: str
    items: str
    label_kind: LabelKind
    aggregation: Aggregation
    mean_words: float
    classes: Mapping[str, int] = field(default_factory=dict)
    answer_type: Literal["integer", "decimal"] = "integer"
    sizes: tuple[int, ...] = SIZES
    paper_noise: bool = True
    alone: bool = False
    mark: str = ""

    def instance_answer(self, label: str) -> str:
        """Return the right answer for one instance, as text: an exact number.

        Raises:
            InputError: the label is none of this task.
        """
        if self.label_kind == "class":
            if label not in self.classes:
                raise unknown_name(f"label of {self.name}", label, self.classes)
            return str(self.classes[label])
        if self.label_kind == "mentions":
            try:
                mentions = json.loads(label)
            except ValueError:
                mentions = None
            if not isinstance(mentions, list):
                raise InputError(f"label of {self.name} must be a JSON list of the names mentioned, not {label!r}")
            return str(len(mentions))
        if number_of(label) is None:
            raise InputError(f"label of {self.name} must be a number, not {label!r}")
        return label

    def summary(self, answers: Sequence[str]) -> dict[str, str]:
        """Return each summary key's right value over some instance answers, exact, as text.

        >>> TASKS["arithmetic"].summary(["251862", "-9259431", "-1140.09"])
        {'sum': '-9008709.09'}
        >>> TASKS["parity"].summary(["0", "0", "1"])
        {'odd': '1', 'even': '2'}
        """
        numbered = {str(place): answer for place, answer in enumerate(answers, 1)}
        found: dict[str, str] = {}
        for key, value in aggregate(numbered, self.aggregation).items():
            if value is None:
                raise InputError(f"answers of {self.name} must be numbers")
            # No exponent and no trailing zeros: "5", not "5.0".
            text = f"{value:f}"
            found[key] = (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
        return found

    @property
    def headline(self) -> str:
        """The summary key that the aggregate setting asks for."""
        return next(iter(self.aggregation))


_TABLE = (
    InstanceTask("arithmetic", "Arithmetic", "arithmetic", "Question", "arithmetic questions", "number",
                 {"sum": SUM}, 4.7, answer_type="decimal"),
    InstanceTask("category", "Category", "news", "Article", "news articles", "class",
                 {"tech": 4, "business": 0, "entertainment": 1, "politics": 2, "sport": 3}, 371.4,
                 {"business": 0, "entertainment": 1, "politics": 2, "sport": 3, "tech": 4}, sizes=SIZES[:7]),
    InstanceTask("language", "Language", "language", "Paragraph", "paragraphs", "class",
                 {"english": 0, "chinese": 1, "persian": 2, "spanish": 3}, 55.8,
                 {"english": 0, "chinese": 1, "persian": 2, "spanish": 3}),
    InstanceTask("ner", "NER", "ner", "Sentence", "sentences", "mentions", {"total": SUM}, 16.0),
    InstanceTask("parity", "Parity", "parity", "Number", "numbers", "class", {"odd": 1, "even": 0}, 1.0,
                 {"even": 0, "odd": 1}, paper_noise=False),
    InstanceTask("sentiment", "Sentiment", "sentiment", "Review", "movie reviews", "class",
                 {"positive": 1, "negative": 0}, 18.7, {"negative": 0, "positive": 1}),
    InstanceTask("word", "Word", "tweets", "Tweet", "tweets", "number", {"total": SUM}, 17.3),
    InstanceTask("wsd", "WSD", "wsd", "Paragraph", "paragraphs", "class", {"company": 0, "fruit": 1}, 31.4,
                 {"company": 0, "fruit": 1}, mark="apple"),
)  # fmt: skip

# The third one, grammatical voice, was labelled by rules that are not published: there is nothing to read.
_EXCLUDED = (
    InstanceTask("bshift", "BShift", "bshift", "Sentence", "sentences", "class", {"shifted": 1, "original": 0}, 13.0,
                 {"original": 0, "shifted": 1}, sizes=(1,), paper_noise=False, alone=True, mark="swapped"),
    InstanceTask("subjnum", "SubjNum", "subjnum", "Sentence", "sentences", "class", {"plural": 1, "singular": 0}, 13.0,
                 {"singular": 0, "plural": 1}, sizes=(1,), paper_noise=False, alone=True, mark="subject"),
)  # fmt: skip

TASKS: dict[str, InstanceTask] = {task.name: task for task in _TABLE}
KNOWN_TASKS: dict[str, InstanceTask] = {task.name: task for task in (*_TABLE, *_EXCLUDED)}


def find_task(name: str) -> InstanceTask:
    """Return a task by its name or its folder's name ("news" is category, "tweets" is word).

    Raises:
        InputError: there is none of that name.
    """
    for task in KNOWN_TASKS.values():
        if name in (task.name, task.folder):
            return task
    raise unknown_name("task", name, KNOWN_TASKS)
