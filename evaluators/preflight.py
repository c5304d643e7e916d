"""Before the first request: will the longest prompt and its reply fit the model's window?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.examples import Cell, ids_by_cell
from lengthwise.evaluators.method_parts import Part
from lengthwise.evaluators.providers.base import Window

if TYPE_CHECKING:
    import pyarrow as pa

# What a chat template puts around one user message where it cannot be counted (Qwen3: about 10; longest known: about
# 50, with a default system message and the date). Rows are counted with the tokenizer that their `n_tokens` names; for
# a model with another tokenizer that is an estimate, and what then does not fit ends as `overlength`.
TEMPLATE_MARGIN = 64

Stream = Callable[[Mapping[Cell, frozenset[str]]], Iterator[Example]]


@dataclass(frozen=True, slots=True)
class Fit:
    """What a preflight found.

    Attributes:
        examples: the rows to ask.
        excluded: how many rows were left out, per `config/split`; empty unless `only_fitting`.
        notes: lines for the user.
    """

    examples: "pa.Table"
    excluded: Mapping[str, int]
    notes: tuple[str, ...]


def check_fit(
    examples: "pa.Table",
    window: Window,
    reserve: int,
    *,
    stream: Stream,
    only_fitting: bool = False,
    splits: tuple[str, ...] = (),
    restart: str | None = None,
    parts: Callable[[Example], Sequence[Part]] | None = None,
    smaller: str = "",
    may_be_empty: bool = False,
) -> Fit:
    """Check that every prompt and `reserve` tokens of output fit a window.

    Args:
        examples: short columns of the rows, with `n_tokens`.
        window: what the model can hold.
        reserve: tokens kept for the output (>= 0).
        stream: gives prompts, for windows that can count; see `Data.stream`.
        only_fitting: leave out the rows that do not fit, instead of raising.
        splits: all splits of the data set, to name one that fits.
        restart: the command that tells how to start a server with room for the rows, to name it.
        parts: what a method sends instead of a row's prompt; the longest must fit.
        smaller: the way to smaller parts; "" if there is none.
        may_be_empty: whether it is fine that none is left.

    Raises:
        InputError: a row does not fit (the message has the numbers and the ways out), or none is left.
    """
    if not len(examples):
        return Fit(examples, {}, ())
    if window.tokens is None:
        told = "" if window.told_by != "the server" else "the server does not tell its limit: prompts go unchecked"
        return Fit(examples, {}, (told,) if told else ())
    if parts is None:
        needs = _needs(examples, window, reserve, stream, only_fitting)
    else:
        needs = _needs_of_parts(examples, window, reserve, stream, parts)
    fits = [need <= window.tokens for need in needs]
    if all(fits):
        return Fit(examples, {}, ())
    if not only_fitting:
        raise InputError(_refusal(examples, needs, window, reserve, splits, restart, smaller))
    import pyarrow as pa

    dropped = examples.filter(pa.array([not fit for fit in fits]))
    excluded = {str(cell): len(ids) for cell, ids in ids_by_cell(dropped).items()}
    if len(dropped) == len(examples) and not may_be_empty:
        raise InputError(
            "--only-fitting: no row fits. " + _refusal(examples, needs, window, reserve, splits, restart, smaller)
        )
    totals = {str(cell): len(ids) for cell, ids in ids_by_cell(examples).items()}
    notes = [f"{cell}: {totals[cell] - out} of {totals[cell]} rows fit" for cell, out in excluded.items()]
    return Fit(examples.filter(pa.array(fits)), excluded, tuple(notes))


def _needs(examples: "pa.Table", window: Window, reserve: int, stream: Stream, every: bool) -> list[int]:
    """Return the tokens that each row takes: exact where the window can count and it matters."""
    rows = examples["n_tokens"].to_pylist()
    needs = [tokens + TEMPLATE_MARGIN + reserve for tokens in rows]
    if window.count is None or window.tokens is None:
        return needs
    # The longest decides whether the run may start; to choose among rows, all that could be too long are counted.
    far = window.tokens - reserve
    chosen = [row for row, tokens in enumerate(rows) if 2 * tokens > far] if every else []
    chosen = chosen or [max(range(len(rows)), key=rows.__getitem__)]
    counted = {
        example.id: window.count(example.prompt) + reserve for example in stream(ids_by_cell(examples.take(chosen)))
    }
    ids = examples["id"].to_pylist()
    ratio = max(counted[ids[row]] - reserve - TEMPLATE_MARGIN for row in chosen) / max(rows[row] for row in chosen)
    return [
        counted.get(row_id, round(tokens * ratio) + TEMPLATE_MARGIN + reserve)
        for row_id, tokens in zip(ids, rows, strict=True)
    ]


def _needs_of_parts(
    examples: "pa.Table", window: Window, reserve: int, stream: Stream, parts: Callable[[Example], Sequence[Part]]
) -> list[int]:
    """Return the tokens that the longest part of each row takes."""
    assert window.tokens is not None
    counted: dict[str, int] = {}
    for example in stream(ids_by_cell(examples)):
        longest = max(parts(example), key=lambda part: part.n_tokens)
        need = longest.n_tokens + TEMPLATE_MARGIN
        if window.count is not None and 2 * longest.n_tokens > window.tokens - reserve:
            need = window.count(longest.prompt)
        counted[example.id] = need + reserve
    return [counted[row_id] for row_id in examples["id"].to_pylist()]


def _refusal(
    examples: "pa.Table",
    needs: list[int],
    window: Window,
    reserve: int,
    splits: tuple[str, ...],
    restart: str | None,
    smaller: str,
) -> str:
    assert window.tokens is not None
    row = max(range(len(needs)), key=needs.__getitem__)
    cell = f"{examples['config'][row].as_py()}/{examples['split'][row].as_py()}"
    kept = sum(need <= window.tokens for need in needs)
    if window.count is None:
        prompt = f"{needs[row] - reserve - TEMPLATE_MARGIN:,} of prompt, {TEMPLATE_MARGIN} for the chat template"
    else:
        prompt = f"{needs[row] - reserve:,} of prompt in the model's chat template"
    ways = [smaller] if smaller else []
    by_tokens = largest_split(splits, window.tokens - reserve - TEMPLATE_MARGIN)
    if split := by_tokens or fitting_splits(examples["split"].to_pylist(), needs, window.tokens):
        ways.append(f"--split {split}")
    if kept:
        ways.append(f"--only-fitting (keeps {kept:,} of {len(needs):,} rows)")
    if window.tokens > reserve + TEMPLATE_MARGIN and builds_by_tokens(splits):
        # A build knows nothing of chat templates: its reserve has to hold one, too.
        ways.append(f"data built with --window {window.tokens} --reserve {reserve + TEMPLATE_MARGIN}")
    room = window.tokens - (needs[row] - reserve)
    if room > 0:
        ways.append(f"--max-tokens {room} or fewer")
    larger = "a server started with a larger window"
    ways.append(f"{larger}, by the vLLM command that this prints: {restart}" if restart else larger)
    return (
        f"{cell} needs {needs[row]:,} tokens ({prompt}, {reserve:,} for output); {window.told_by} allows "
        f"{window.tokens:,}. Ways out: {'; '.join(ways)}"
    )


def fitting_splits(splits: Sequence[str], needs: Sequence[int], tokens: int) -> str:
    """Return the splits of which every row fits, shortest first, parted by commas: their names may count no tokens.

    Args:
        splits: of each row.
        needs: tokens that each row takes.
        tokens: that there are.

    >>> fitting_splits(("n2", "n2", "n5", "n20"), (100, 300, 300, 900), 300)
    'n2,n5'
    """
    longest: dict[str, int] = {}
    for split, need in zip(splits, needs, strict=True):
        longest[split] = max(longest.get(split, 0), need)
    return ",".join(split for split in sorted(longest, key=longest.__getitem__) if longest[split] <= tokens)


def builds_by_tokens(splits: Sequence[str]) -> bool:
    """Return whether a data set is built to a number of tokens, so that it can be built for a smaller window.

    Instances are counted, and a document is as long as it is.
    """
    return not any(split == "full" or split.removeprefix("n").isdigit() for split in splits)


def largest_split(splits: tuple[str, ...], tokens: int) -> str | None:
    """Return the largest split, by its name, whose prompts have at most `tokens` tokens; None if there is none.

    >>> largest_split(("8k", "112k", "128k", "full"), 120_000)
    '112k'
    """
    sizes = {split: int(split[:-1]) * 1024 for split in splits if split.endswith("k") and split[:-1].isdigit()}
    fitting = [split for split, size in sizes.items() if size <= tokens]
    return max(fitting, key=sizes.__getitem__) if fitting else None
