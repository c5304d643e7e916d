"""Answers out of raw replies: one small pipeline of named steps, for all benchmarks.

1. `reasoning`: drop what the model only thought;
2. `found_json` and `json_reader`: find the JSON object that is the answer, and mend it;
3. `labels` and `values`: else labelled prose, in English and Chinese, the last value;
4. `numerals`: numbers, exact, in digits and words;
5. a module for each shape of answer: `consistency_answers` (LongNovel), `block_answers` (PredicateLongBench),
   `aggregate_answers` and `instance_answers` (multi-instance).

Every parser returns a `Parsed` (or `ParsedInstances`) or an `Unparsed`, raises on no string, and takes time linear in
its length. Whether a reply refuses is asked only where none of them found an answer (`refusals.find_refusal`).

>>> parse_consistency_score("<think>maybe 1</think>**Score:** 4/5")
Parsed(value=4, span=(33, 34), rule='label')
>>> parse_consistency_score("<think>maybe 1")
Unparsed(reason='the reply is all reasoning', value=None)
"""

from .aggregate_answers import AnswerType, parse_aggregate
from .block_answers import parse_sequence, parse_sequences
from .consistency_answers import parse_consistency_score
from .instance_answers import ParsedInstances, parse_instances
from .parsed import Parsed, Span, Unparsed

__all__ = [
    "AnswerType",
    "Parsed",
    "ParsedInstances",
    "Span",
    "Unparsed",
    "parse_aggregate",
    "parse_consistency_score",
    "parse_instances",
    "parse_sequence",
    "parse_sequences",
]
