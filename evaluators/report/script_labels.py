"""Every text of the page's script, in English: a catalogue of another language has an entry for each.

The script looks them up with `say`; `{name}` stands for a value. Names of models, runs, configs and what came from a
data set or a model are no labels.
"""

from lengthwise.evaluators.benchmarks import BENCHMARKS
from lengthwise.evaluators.contracts import OUTCOME_KINDS
from lengthwise.evaluators.longnovel_analyses.tags import TAGS
from lengthwise.evaluators.report.reader.model import KINDS, TITLES, UNITS

# What stands in the script itself.
FIXED = (
    "all",
    "not correct",
    "outcome",
    "text",
    "show more",
    "{n} of {all} matching replies",
    "no reply matches",
    "repeat {n}",
    "(none)",
    "(untagged)",
    "English",
    "Chinese",
    "finish: {reason}",
    "tokens: {counts}",
    "{n} calls",
    "decoy given: {kind}, number {n}",
    "causes: {names}",
    "Gold",
    "Parsed answer",
    "(an explicit empty answer)",
    "Error",
    "Why",
    "Reply",
    "Reasoning (not scored)",
    "Your tags",
    "What went wrong, as you read it",
    "flag",
    "to find it again",
    "{n} of {all} read",
    "{n} flagged",
    "this browser keeps no tags, so save before you leave",
    "save tags.csv",
    "{n} of {all} read, {yes} suggest batches",
    "this browser keeps no choices, so save before you leave",
    "reply",
    "close",
    "next reply",
    "previous reply",
    "next, previous reply",
    "next mark",
    "previous mark",
    "next, previous mark",
    "search",
    "search the text",
    "next hit",
    "previous hit",
    "{n} of {all} hits",
    "no hits",
    "go to",
    "{n} of {all} marks",
    "answered {answer}",
    "show the evidence",
    "evidence",
    "in truth: {text}",
    "The text of this example is not in this page; the data set and the run folder hold everything.",
    "This browser cannot unpack the text: {error}",
)
# What the list can be filtered by, as `filters.js` has them.
FILTERS = ("benchmark", "run", "config", "length", "language", "cause", "tag")
# What is counted of a reply's tokens.
USAGE = ("input", "cached", "output", "reasoning")

SCRIPT_LABELS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *FIXED,
            *FILTERS,
            *USAGE,
            *(kind.replace("_", " ") for kind in OUTCOME_KINDS),
            *KINDS.values(),
            *UNITS,
            *TITLES,
            *(cause.title for benchmark in BENCHMARKS.values() for cause in benchmark.causes),
            *(text for name_and_about in TAGS.values() for text in name_and_about),
        )
    )
)
