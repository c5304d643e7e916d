"""What LongNovel's methods make prompts of: a row's article and summary, and the prompts that its data came with."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lengthwise.builders.longnovel.own_prompts import own_prompts
from lengthwise.builders.longnovel.prompt_texts import Prompts, load_prompts
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.method_parts import Part

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = ("language", "hallucinated", "tokenizer")


def data_prompts(row: Mapping[str, Any], folder: Path | None) -> Prompts:
    """Return the prompts in the language of a row: those in the folder of its data, else the package's.

    Args:
        row: with its `language`.
        folder: of the data set; None where there is none.

    Raises:
        InputError: the folder's prompts cannot be used, see `read_prompt_files`.
    """
    return load_prompts(row["language"], own_prompts(folder) if folder is not None else None)


def prompts_for(example: Example) -> Prompts:
    """Return the prompts in the language of an example; see `data_prompts`."""
    return data_prompts(example.columns, example.folder)


def part_of(example: Example, prompt: str) -> Part:
    """Return a prompt that a method makes of an example, its tokens counted by the tokenizer of the row."""
    return Part(prompt, token_counter(example)(prompt))


def token_counter(example: Example) -> Callable[[str], int]:
    """Return what counts tokens by the tokenizer of a row."""
    try:
        return load_tokenizer(example.columns["tokenizer"]).count
    except InputError:
        # A tokenizer of someone's own: as many as its share of the letters.
        each = example.columns["n_tokens"] / max(1, len(example.prompt))
        return lambda text: int(each * len(text)) + 1


def check_novels(model: str, rows: "pa.Table") -> None:
    """Raise InputError where rows are not those of LongNovel, with article and summary; any model can be asked."""
    if missing := [name for name in _COLUMNS if name not in rows.column_names]:
        raise InputError(
            "--method: this one makes its prompts of a novel and a summary, and these rows have none (no column "
            f"{missing[0]}); it is for longnovel and longnovel-storyworld. A config of ready prompts takes --method "
            "zero-shot"
        )
