"""From lists to rows: one row for each question that is asked of a list."""

from dataclasses import replace
from typing import Any

from lengthwise.errors import InputError

from ..tokens import Tokenizer, load_tokenizer
from .families import build_lists
from .instance import WordList
from .prompts import join, labels, list_span, list_text, question
from .proof import prove
from .settings import Settings, Size
from .sizing import Order, overhead
from .variants import DEFAULT_KINDS, VARIANTS, Variant

# A prompt with the longest question of its family may fall short of its budget by this share, or by so many tokens
# where that is more: the last word that did not fit is left out. With a shorter question it falls short by what that
# saves, too, for both are asked of the same list.
MOST_SHORT, MOST_SHORT_TOKENS = 0.005, 64


def synthetic_rows(variants: list[Variant], size: Size, index: int, settings: Settings) -> list[dict[str, Any]]:
    """Return the rows of one index for variants of one family, proven and counted.

    Args:
        variants: of one synthetic family.
        size: of the split.
        index: 0-based number of the example.
        settings: the build's.

    Raises:
        InputError: the size or the settings cannot be met.
    """
    first = variants[0]
    kinds = settings.kinds_of(first) if first.family in DEFAULT_KINDS else ()
    wanted = {variant: (variant.arrangement, settings.targets_of(variant)) for variant in variants}
    order = Order(first.family, settings.shape(first), kinds, frozenset(wanted.values()), size, index, settings)
    lists = build_lists(order)
    if size.tokens is not None and not load_tokenizer(settings.tokenizer).splits_at_spaces:
        lists = {which: _fitted(replace(order, wanted=frozenset([which])), made) for which, made in lists.items()}
    rows = []
    for variant in variants:
        made = lists[wanted[variant]]
        row = make_row(variant, made, size, index, settings)
        if size.tokens is not None:
            most = order.most_overhead(variant.arrangement, made.predicates)
            own = overhead(load_tokenizer(settings.tokenizer), labels(len(made.list_starts)), row["question"])
            _check_budget(row, size.tokens, most - own)
        prove(row)
        rows.append(row)
    return rows


def _fitted(order: Order, made: WordList) -> WordList:
    """Return the one list of `order`, cut until the real count of each prompt on it is within the budget.

    Counts of words that do not add up may give too long a prompt. All variants on this list decide, whether or not
    they are being built, and no other list: so a row does not depend on what else is built.
    """
    ((arrangement, targets),) = order.wanted
    size, index, settings = order.size, order.index, order.settings
    sharing = [
        variant
        for variant in VARIANTS.values()
        if (variant.family, variant.arrangement) == (order.family, arrangement)
        and settings.targets_of(variant) == targets
    ]
    assert size.tokens is not None
    while True:
        over = max(make_row(each, made, size, index, settings)["n_tokens"] for each in sharing) - size.tokens
        if over <= 0:
            return made
        order = replace(order, slack=order.slack + over)
        if order.slack > size.tokens // 10:
            raise InputError(f"{size.tokens:,} tokens cannot be met with the tokenizer {settings.tokenizer}")
        made = build_lists(order)[arrangement, targets]


def make_row(variant: Variant, made: WordList, size: Size, index: int, settings: Settings) -> dict[str, Any]:
    """Return one row, all columns of the schema in order, as plain Python types."""
    tokenizer = load_tokenizer(settings.tokenizer)
    lists = len(made.list_starts)
    asked = question(variant.question, made.k, made.predicates, lists)
    shown = list_text(made.words, made.list_starts)
    prompt = join(shown, asked)
    answers = [list(answer) for answer in made.answers]
    tail = f"-{size.split}-s{settings.seed}-{index:04d}"
    family, plus, planted = variant.list_name.partition("+")
    several = f"+{settings.targets_of(variant)}-targets" if settings.targets_of(variant) > 1 else ""
    return {
        "id": variant.name + tail,
        "list_id": family + tail + plus + planted + several,
        "axis": variant.axis,
        "quantifier": variant.quantifier,
        "source": variant.source,
        "k": made.k,
        "answer": answers[0],
        "answers": answers,
        "answer_text": " | ".join(map(" ".join, answers)),
        "predicates": [predicate.to_row() for predicate in made.predicates],
        "n_words": made.n_words,
        "n_tokens": _count(tokenizer, made, lists, asked, prompt),
        "tokenizer": tokenizer.name,
        "target_start": made.targets[0],
        "decoys": [{"start": d.start, "length": d.length, "kind": d.kind} for d in made.decoys],
        "list_starts": list(made.list_starts),
        "document_id": made.document_id,
        "seed": settings.seed,
        "question": asked,
        "list_span": list_span(shown, lists),
        "prompt": prompt,
    }


def _count(tokenizer: Tokenizer, made: WordList, lists: int, asked: str, prompt: str) -> int:
    if tokenizer.splits_at_spaces:
        return made.word_tokens + overhead(tokenizer, labels(lists), asked)
    return tokenizer.count(prompt)


def _check_budget(row: dict[str, Any], budget: int, saved: int) -> None:
    """Raise InputError if a prompt is not as long as wanted; `saved` tokens are what its question is shorter by."""
    short = budget - row["n_tokens"]
    if not 0 <= short <= max(MOST_SHORT * budget, MOST_SHORT_TOKENS) + saved:
        raise InputError(
            f"{row['id']} has {row['n_tokens']:,} tokens where {budget:,} were wanted: this tokenizer and these "
            "words do not allow a closer fit"
        )
