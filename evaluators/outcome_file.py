"""`outcomes.parquet`: how every example of a run ended, one row per example and repeat."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lengthwise.evaluators.arrow_tables import lists_of_strings, numbers, strings
from lengthwise.evaluators.causes import causes_of
from lengthwise.evaluators.contracts import Outcome

if TYPE_CHECKING:
    import pyarrow as pa

# Outcomes that become columns together, and how many times as many are written together.
_BATCH, _BATCHES = 256, 32


class _Column(NamedTuple):
    """A column: its type, what makes an array of values, and its value for an outcome."""

    type: "pa.DataType"
    make: Callable[[Sequence[Any]], "pa.Array"]
    value: Callable[[Outcome], Any]


def write_outcomes(
    path: Path, rows: Mapping[str, Mapping[str, Any]], outcomes: Mapping[tuple[str, int], Outcome]
) -> None:
    """Write the outcomes in one step, a few thousand at a time; `answer` and `details` are JSON texts.

    `roles` is JSON too: calls, tokens, seconds and dollars by role where other models were asked as well, else null.
    `causes` is null where there was no wrong reply to examine; see `lengthwise.evaluators.causes`.

    Args:
        path: of the file.
        rows: with `config` and `split`, by id.
        outcomes: by (example id, repeat).
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = _columns(rows)
    schema = pa.schema([(name, column.type) for name, column in columns.items()])
    part = path.with_name(path.name + ".part")
    rest = iter(outcomes.values())

    def batches() -> "Iterator[pa.RecordBatch]":
        while batch := list(islice(rest, _BATCH)):
            arrays = [column.make([column.value(one) for one in batch]) for column in columns.values()]
            yield pa.record_batch(arrays, schema=schema)

    made = batches()
    with pq.ParquetWriter(part, schema, compression="zstd") as writer:
        while group := list(islice(made, _BATCHES)):
            writer.write_table(pa.Table.from_batches(group, schema).combine_chunks())
    os.replace(part, path)


def _columns(rows: Mapping[str, Mapping[str, Any]]) -> Mapping[str, _Column]:
    """Return the columns by name, in order."""
    import pyarrow as pa

    texts = partial(_Column, pa.string(), strings)

    def counts(type: "pa.DataType", value: Callable[[Outcome], float | None]) -> _Column:
        return _Column(type, partial(numbers, type=type), value)

    return {
        "example_id": texts(lambda one: one.example_id),
        "config": texts(lambda one: rows[one.example_id]["config"]),
        "split": texts(lambda one: rows[one.example_id]["split"]),
        "repeat": counts(pa.int32(), lambda one: one.repeat),
        "kind": texts(lambda one: one.kind),
        "answer": texts(lambda one: None if one.answer is None else json.dumps(one.answer)),
        # A message can quote a reply, and a reply can hold half a surrogate pair, which Parquet cannot.
        "message": texts(lambda one: one.message and one.message.encode("utf-8", "replace").decode()),
        "details": texts(lambda one: json.dumps(one.details)),
        "causes": _Column(pa.list_(pa.string()), lists_of_strings, causes_of),
        "input_tokens": counts(pa.int64(), lambda one: one.usage.input),
        "cached_tokens": counts(pa.int64(), lambda one: one.usage.cached),
        "output_tokens": counts(pa.int64(), lambda one: one.usage.output),
        "reasoning_tokens": counts(pa.int64(), lambda one: one.usage.reasoning),
        "latency": counts(pa.float64(), lambda one: one.latency),
        "cost": counts(pa.float64(), lambda one: one.cost),
        "calls": counts(pa.int32(), lambda one: one.calls),
        "roles": texts(lambda one: json.dumps({n: asdict(o) for n, o in one.roles.items()}) if one.roles else None),
    }
