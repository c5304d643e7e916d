"""The small table behind the main one: each variant of a run against its reference row, as text for any format."""

from collections.abc import Sequence

from lengthwise.evaluators.figure_text import difference, p_text, percent
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count
from lengthwise.evaluators.variant_pairs import VariantPair

PAIR_HEAD = (
    "config",
    "split",
    "against",
    "n",
    "accuracy",
    Name("reference", metric="reference_accuracy"),
    "difference",
    Name("p", metric="p_value"),
    Name("Holm", metric="p_value_holm"),
    "only variant",
    "only reference",
)


def pair_title(runs: Sequence[Results]) -> str:
    """Return what heads the table of some runs, at least one of which has pairs; in lower case."""
    basis = next(pair.basis for run in runs for pair in run.pairs)
    return f"against the reference row, on shared {basis}s"


def pair_row(pair: VariantPair) -> list[str]:
    """Return the cells of one row, in the order of `PAIR_HEAD`."""
    exact = pair.mcnemar
    return [
        pair.config,
        pair.split,
        pair.reference,
        Figure(f"{pair.n:,}" if pair.n else "unpaired", Number(pair.n)),
        percent(pair.accuracy),
        percent(pair.reference_accuracy),
        difference(pair.difference, pair.interval),
        p_text(pair.p_value),
        p_text(pair.holm),
        count(exact.only_first) if exact else "–",
        count(exact.only_second) if exact else "–",
    ]


def pair_words(pair: VariantPair) -> str:
    """Return a pair in words, for the title of an arrow."""
    basis = f"on {pair.n:,} shared {pair.basis}{'s' * (pair.n != 1)}" if pair.n else "of independent samples"
    tested = f", p {p_text(pair.holm)} after Holm's correction" if pair.holm is not None else ""
    return f"{difference(pair.difference, pair.interval)} points {basis}{tested}"


def pair_notes(runs: Sequence[Results]) -> tuple[str, ...]:
    """Return the lines below the table: what its figures are, and what was left out."""
    pairs = [pair for run in runs for pair in run.pairs]
    tests = {pair.test for pair in pairs}
    basis = pairs[0].basis if pairs else "list"
    of_run = " of the run" if len(runs) > 1 else ""
    notes = [
        "Accuracy in %, variant minus reference in points, 95 % interval of a paired bootstrap; "
        f"Holm: p corrected for the number of rows{of_run}."
    ]
    if "mcnemar" in tests:
        notes.append(
            f"p: McNemar's exact test, on the {basis}s that one of the two alone got right. Trust it where {basis}s "
            "are few."
        )
    if "bootstrap" in tests:
        notes.append("p with repeats: of the bootstrap.")
    if any(not pair.n for pair in pairs):
        fisher = " and Fisher's exact test" if "fisher" in tests else ", without a test"
        notes.append(
            f"unpaired: no {basis} is shared; all rows as independent samples, with Newcombe's interval{fisher}."
        )
    if any(pair.interval[0] == pair.interval[1] for pair in pairs):
        notes.append(f"An interval without width: all {basis}s differ alike, and no resample shows anything else.")
    left_out = sum(pair.alone for pair in pairs if pair.n), sum(pair.reference_alone for pair in pairs if pair.n)
    if any(left_out):
        notes.append(
            f"Without a partner and left out: {left_out[0]:,} rows of variants, {left_out[1]:,} of reference rows."
        )
    return tuple(notes)
