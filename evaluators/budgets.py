"""Output budgets laid on a finished run: what a run would have scored had replies been cut earlier.

The paper asks some models for 128K tokens and counts answers beyond 16K as wrong in its 16K tables (section 4, Figure
10). 16K means 16,000.
"""

from dataclasses import replace

from lengthwise.evaluators.contracts import Outcome, OutcomeKind

# A reply that never came, or a prompt that did not fit, is none whatever the budget.
_UNTOUCHED: tuple[OutcomeKind, ...] = ("error", "overlength")


def output_tokens(outcome: Outcome) -> int | None:
    """Return the tokens that the scored reply used, reasoning included; None where the server did not say."""
    scored: int | None = outcome.details.get("output_tokens")
    return outcome.own.usage.output if scored is None else scored


def within_budget(outcome: Outcome, tokens: int) -> bool:
    """Return whether an outcome is the same under an output budget (> 0)."""
    used = output_tokens(outcome)
    return outcome.kind in _UNTOUCHED or used is None or used <= tokens


def apply_budget(outcome: Outcome, tokens: int) -> Outcome:
    """Return the outcome under an output budget: a reply that used more tokens becomes `truncated_output`.

    A reply whose tokens are unknown stays as it is.

    Args:
        outcome: as `outcomes.decide` gave it.
        tokens: the budget (> 0); a reply of exactly as many tokens is within it.
    """
    if within_budget(outcome, tokens):
        return outcome
    used = output_tokens(outcome)
    return replace(outcome, kind="truncated_output", message=f"used {used:,} of {tokens:,} output tokens")
