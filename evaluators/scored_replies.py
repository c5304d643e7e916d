"""The replies of a run that were scored, one for each example and repeat, read back from its logs."""

from collections.abc import Iterator

from lengthwise.contracts import SHARED_ROLES, Reply
from lengthwise.evaluators.deciding import final_calls
from lengthwise.evaluators.run_folder import RunFolder


def scored_replies(run: RunFolder) -> Iterator[tuple[str, int, Reply]]:
    """Yield (example id, repeat, the reply that its method settled on); what has none is not there."""
    settled = run.predictions()
    seen: set[tuple[str, int]] = set()
    for example, repeat, calls in final_calls(run):
        said = [call for call in calls if isinstance(call, Reply) and call.role not in SHARED_ROLES]
        reply = (settled or {}).get((example, repeat))
        if reply is None and settled is None and said:
            reply = said[-1]
        if reply is not None:
            seen.add((example, repeat))
            yield example, repeat, reply
    # A vote has predictions and no calls.
    for (example, repeat), reply in (settled or {}).items():
        if (example, repeat) not in seen:
            yield example, repeat, reply
