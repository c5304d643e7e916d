"""How an example becomes a prediction: one table of factories. Calls go through `ask`, which the runner makes."""

from collections.abc import Mapping
from types import MappingProxyType

from lengthwise.contracts import Ask
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.contracts import Example, Method, Prediction
from lengthwise.evaluators.instance_methods import BATCHED, DECOMPOSED
from lengthwise.evaluators.longnovel_methods import COT, PROMPT_B
from lengthwise.evaluators.method_parts import HasAnswer, MethodKind, Resources, plain_request
from lengthwise.evaluators.minicheck import MINICHECK
from lengthwise.evaluators.novel_texts import check_novels
from lengthwise.evaluators.rag import RAG
from lengthwise.evaluators.vote import VOTE

__all__ = [
    "METHODS",
    "HasAnswer",
    "MethodKind",
    "Resources",
    "method_kind",
    "method_name",
    "plain_request",
    "reask",
    "zero_shot",
]


def zero_shot(resources: Resources) -> Method:
    """Return the method that sends the prompt as it is, once."""

    async def method(example: Example, ask: Ask) -> Prediction:
        return Prediction(await ask(plain_request(example, resources.sampling)))

    return method


def reask(resources: Resources, times: int = 3) -> Method:
    """Return the method that sends the prompt again while the reply holds no answer that can be parsed.

    The last reply is the prediction, whatever it holds.

    Args:
        resources: see `Resources`.
        times: most calls for one example (>= 1).

    Raises:
        InputError: `times` is less than 1.
    """
    if times < 1:
        raise InputError(f"times={times}: a method must ask at least once")

    async def method(example: Example, ask: Ask) -> Prediction:
        request = plain_request(example, resources.sampling)
        reply = await ask(request)
        for _ in range(times - 1):
            if resources.has_answer(example, reply):
                break
            reply = await ask(request)
        return Prediction(reply)

    return method


METHODS: Mapping[str, MethodKind] = MappingProxyType(
    {
        "zero-shot": MethodKind("sends the prompt once", zero_shot, 1),
        "prompt-e": MethodKind(
            "sends the prompt once, the summary behind the text (longnovel)", zero_shot, 1, check=check_novels
        ),
        "prompt-b": PROMPT_B,
        "cot": COT,
        "reask": MethodKind("sends it again, up to 3 times in all, until the reply holds an answer", reask, 3),
        "rag": RAG,
        "vote": VOTE,
        "minicheck": MINICHECK,
        "batched": BATCHED,
        "decomposed": DECOMPOSED,
    }
)


def method_kind(name: str) -> MethodKind:
    """Return an entry of `METHODS`; a name may have a number behind it where the method takes one, `batched:20`.

    Raises:
        InputError: there is none of that name, or the number is missing, out of range, or too much.
    """
    base, colon, number = name.partition(":")
    if base not in METHODS:
        raise unknown_name("method", base, METHODS)
    kind = METHODS[base]
    if not colon:
        if kind.needs_size:
            raise InputError(f"--method {base}: needs a number, e.g. --method {base} --batch 20")
        return kind
    if kind.sized is None:
        sized = ", ".join(name for name, one in METHODS.items() if one.sized is not None)
        raise InputError(f"--method {base}: takes no number ({number!r}); these take --batch: {sized}")
    if not (number.isascii() and number.isdigit() and int(number)):
        raise InputError(f"--batch {number}: must be a whole number, at least 1")
    return kind.sized(int(number))


def method_name(method: str | None, batch: int | None) -> str | None:
    """Return the name of a method with the size of its batches, as run.json has it.

    Args:
        method: key of `METHODS`, with or without a number behind it; None is the benchmark's own.
        batch: the number that takes its place; None leaves the name as it is.

    Raises:
        InputError: a number without a method.

    >>> method_name("batched", 20), method_name("batched:20", 50), method_name("reask", None)
    ('batched:20', 'batched:50', 'reask')
    """
    if batch is None:
        return method
    if method is None:
        raise InputError(f"--batch {batch}: is for a method that splits the prompt; add --method batched")
    return f"{method.partition(':')[0]}:{batch}"
