"""The row of PredicateLongBench: short columns first, the long text last, so the viewer's first screen is useful."""

import pyarrow as pa

AXES = ("computation", "quantifier", "decoys", "structure", "search-space")
QUANTIFIERS = ("exists", "all", "longest")
SOURCES = ("synthetic", "documents")

PREDICATE = pa.struct(
    [("kind", pa.string()), ("text", pa.string()), ("position", pa.int32()), ("parameters", pa.string())]
)
DECOY = pa.struct([("start", pa.int32()), ("length", pa.int32()), ("kind", pa.string())])

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("list_id", pa.string()),
        ("axis", pa.string()),
        ("quantifier", pa.string()),
        ("source", pa.string()),
        ("k", pa.int32()),
        ("answer", pa.list_(pa.string())),
        ("answers", pa.list_(pa.list_(pa.string()))),
        ("answer_text", pa.string()),
        ("predicates", pa.list_(PREDICATE)),
        ("n_words", pa.int32()),
        ("n_tokens", pa.int32()),
        ("tokenizer", pa.string()),
        ("target_start", pa.int32()),
        ("decoys", pa.list_(DECOY)),
        ("list_starts", pa.list_(pa.int32())),
        ("document_id", pa.string()),
        ("seed", pa.int64()),
        ("question", pa.string()),
        ("list_span", pa.list_(pa.int32())),
        ("prompt", pa.large_string()),
    ]
)
