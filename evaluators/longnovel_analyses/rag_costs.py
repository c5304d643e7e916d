"""RAG by the size of its segments, and what it takes (appendix G, Figures 4 and 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.longnovel_rows import BOUNDS, bound_name
from lengthwise.evaluators.naming import configs_of, name_of
from lengthwise.evaluators.novel_faults import gold_label
from lengthwise.evaluators.outcomes import generated, sum_spent
from lengthwise.evaluators.rag_blocks import SUMMARY_BLOCK
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count, whole
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.classification import detection


@dataclass(frozen=True, slots=True)
class RagCost:
    """What one run took on one config.

    Attributes:
        summaries: how many, over all repeats; those that ended in an error or were never sent are left out.
        calls: requests to the model per summary.
        tokens_per_call: input tokens of such a request, as the server counted; None where it did not.
        tokens: the same per summary.
        text_tokens: of the whole prompt with the whole summary, by the data set's tokenizer, per summary.
        embed_calls: requests for embeddings per summary.
        embed_tokens: their input tokens per summary; None where nobody counted.
    """

    summaries: int
    calls: float
    tokens_per_call: float | None
    tokens: float | None
    text_tokens: float
    embed_calls: float
    embed_tokens: float | None


def segment_size(method: str) -> int | None:
    """Return the size of the segments of a method's name in characters; None of another method than RAG.

    >>> segment_size("rag"), segment_size("rag:100"), segment_size("prompt-e")
    (75, 100, None)
    """
    base, _, number = method.partition(":")
    return None if base != "rag" else int(number) if number else SUMMARY_BLOCK


def rag_cost(run: Scored, config: str) -> RagCost | None:
    """Return what a run took on a config (Figure 5); None where it has no summary of it."""
    chosen = [one for one in _outcomes(run, config) if one.calls and one.kind != "error"]
    if not chosen:
        return None
    own = sum_spent([generated(one) for one in chosen])
    embed = sum_spent([one.roles["embed"] for one in chosen if "embed" in one.roles])
    return RagCost(
        summaries=len(chosen),
        calls=own.calls / len(chosen),
        tokens_per_call=own.usage.input / own.calls if own.usage.input is not None and own.calls else None,
        tokens=own.usage.input / len(chosen) if own.usage.input is not None else None,
        text_tokens=fmean(int(run.rows[one.example_id]["n_tokens"]) for one in chosen),
        embed_calls=embed.calls / len(chosen),
        embed_tokens=embed.usage.input / len(chosen) if embed.usage.input is not None else None,
    )


def rag_cost_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return calls and input tokens of RAG and of other methods of the same models (Figure 5); None without RAG."""
    models = {_model(run) for run in runs if segment_size(_method(run)) is not None}
    rows = []
    for config in configs_of(runs) if models else ():
        for run in sorted((run for run in runs if _model(run) in models), key=_model):
            if (cost := rag_cost(run, config)) is not None:
                name = Name(_model(run), run=name_of(run.results))
                rows.append((name, _length(config), _method(run), *_shown(cost)))
    if not rows:
        return None
    head = (
        *("Model", "length", "method", "summaries", "calls per summary"),
        Name("tokens in per call", metric="input_tokens_per_call"),
        Name("per summary", metric="input_tokens_per_summary"),
        *("tokens of the whole prompt", "calls for embeddings"),
        Name("their tokens", metric="embedding_tokens"),
    )
    note = (
        "Means over the summaries that did not end in an error, of all repeats; a call by the whole text is counted "
        "like any. Tokens are as the server of the model counted them, those of the whole prompt by the data set's "
        "tokenizer (Figure 5 is by Qwen3's). An article is embedded once in a run, for the summary that came first. "
        "Bounds: none; what looks at no text takes nothing."
    )
    return GridTable("What RAG takes (Figure 5)", head, tuple(rows), (note,), name="rag-costs")


def segment_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return balanced accuracy by the size of RAG's segments (Figure 4); None where no model was run with two."""
    found: dict[tuple[str, str], dict[int, float | None]] = {}
    for run in runs:
        if (size := segment_size(_method(run))) is None:
            continue
        for config in configs_of([run]):
            found.setdefault((_model(run), config), {}).setdefault(size, balanced_accuracy(run, config))
    swept = {key: by_size for key, by_size in found.items() if len(by_size) > 1}
    if not swept:
        return None
    sizes = sorted({size for by_size in swept.values() for size in by_size})
    rows = tuple(
        (model, _length(config), *(percent(by_size[size]) if size in by_size else "" for size in sizes))
        for (model, config), by_size in swept.items()
    )
    bounds = tuple((bound_name(name), Name("any"), *[percent(BOUNDS[name][2])] * len(sizes)) for name in BOUNDS)
    columns = (Name(f"{size} characters", metric="balanced_accuracy", part=f"segment={size}") for size in sizes)
    head = ("Model", "length", *columns)
    note = "Balanced accuracy in %, a reply without a score counted as wrong; with repeats, the mean of theirs."
    title = "RAG by the size of the segments (Figure 4)"
    return GridTable(title, head, rows + bounds, (note,), name="rag-segments")


def _length(config: str) -> Name:
    return Name(config, config=config)


def balanced_accuracy(run: Scored, config: str) -> float | None:
    """Return the balanced accuracy of a run on a config, the mean over its repeats; None where a class is absent."""
    of_repeat: dict[int, list[Outcome]] = {}
    for outcome in _outcomes(run, config):
        of_repeat.setdefault(outcome.repeat, []).append(outcome)
    values = [
        detection(
            [one.answer if one.kind in ("correct", "wrong") else None for one in of_one],
            [gold_label(run.rows[one.example_id]) for one in of_one],
        ).overall.balanced_accuracy
        for of_one in of_repeat.values()
    ]
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _outcomes(run: Scored, config: str) -> list[Outcome]:
    return [one for one in run.outcomes.values() if run.rows[one.example_id]["config"] == config]


def _shown(cost: RagCost) -> tuple[str, ...]:
    return (
        count(cost.summaries),
        Figure(f"{cost.calls:,.1f}", Number(cost.calls)),
        whole(cost.tokens_per_call),
        whole(cost.tokens),
        whole(cost.text_tokens),
        Figure(f"{cost.embed_calls:,.1f}", Number(cost.embed_calls)),
        whole(cost.embed_tokens),
    )


def _method(run: Scored) -> str:
    return str(run.results.settings.get("method") or "")


def _model(run: Scored) -> str:
    model: Mapping[str, object] = run.results.settings.get("model", {})
    return str(model.get("name") or model.get("spec"))
