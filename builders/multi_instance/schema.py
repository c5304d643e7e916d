"""The row of multi-instance processing: short columns first, long text last, for the viewer's first screen."""

import pyarrow as pa

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("task", pa.string()),
        ("setting", pa.string()),
        ("pool", pa.string()),
        ("selection", pa.string()),
        ("paper", pa.bool_()),
        ("n_instances", pa.int32()),
        # 0 where nothing is drawn: the shortest, the longest, and single instances.
        ("seed", pa.int64()),
        ("noise", pa.string()),
        ("answer", pa.string()),
        ("n_tokens", pa.int32()),
        ("tokenizer", pa.string()),
        # Where the text comes from, and with which templates it was put together (SHA-256).
        ("pool_source", pa.string()),
        ("pool_digest", pa.string()),
        ("prompt_template", pa.string()),
        ("indices", pa.list_(pa.int32())),
        ("labels", pa.list_(pa.string())),
        ("instance_answers", pa.list_(pa.string())),
        ("answer_text", pa.string()),
        ("question", pa.string()),
        ("prompt", pa.large_string()),
    ]
)
