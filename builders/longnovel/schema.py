"""The rows of LongNovel: short columns first, long text last, for the viewer's first screen."""

import pyarrow as pa

from ..card import class_label

INJECTION = pa.struct(
    [("type", pa.string()), ("subtype", pa.string()), ("hallucinated", pa.string()), ("original", pa.string())]
)
# Where an injection is contradicted, known for generated novels alone: passages of the article (units, half-open
# character offsets) and how many tokens there are from the first one's start to the last one's end.
EVIDENCE = pa.struct(
    [
        ("units", pa.list_(pa.int32())),
        ("starts", pa.list_(pa.int32())),
        ("ends", pa.list_(pa.int32())),
        ("distance", pa.int32()),
    ]
)
JUDGE = pa.struct([("judge", pa.string()), ("score", pa.int32())])

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("language", pa.string()),
        ("scale", pa.string()),
        ("book", pa.string()),
        # First and last unit of the window, both included.
        ("unit_start", pa.int32()),
        ("unit_end", pa.int32()),
        ("origin", pa.string()),
        ("generator", pa.string()),
        ("judges", pa.list_(JUDGE)),
        # Two rows share a pair, one of each class; "" for a row without a partner in its split.
        ("pair_id", pa.string()),
        ("pair_kind", pa.string()),
        ("score", pa.int32()),
        class_label("hallucinated", ("no", "yes")),
        ("types", pa.list_(pa.string())),
        ("injections", pa.list_(INJECTION)),
        # One for each injection, in the same order; empty for novels that people wrote.
        ("evidence", pa.list_(EVIDENCE)),
        ("reason", pa.string()),
        # What people decided of the row: "" until someone has looked at it.
        ("review", pa.string()),
        ("compressed", pa.bool_()),
        ("summary_origin", pa.string()),
        ("n_tokens", pa.int32()),
        ("tokenizer", pa.string()),
        ("question", pa.string()),
        ("answer_text", pa.string()),
        ("summary", pa.string()),
        ("reference", pa.string()),
        ("article", pa.large_string()),
    ]
)

# A sibling config for people with their own harness: the prompt would double every row of the others.
PROMPT_SCHEMA = pa.schema(
    [("id", pa.string()), ("n_tokens", pa.int32()), ("answer_text", pa.string()), ("prompt", pa.large_string())]
)
