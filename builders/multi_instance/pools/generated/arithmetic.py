"""Additions and subtractions of two numbers in the surface forms of the paper's pool (A.1), with exact results."""

from decimal import Context, Decimal

from lengthwise.builders.streams import Stream

from ..pool import Instance
from .draws import POOL_VERSION, Draws

# How a question is put, and what it asks for; p and q are the operands in the order of the draw.
_ADD = (
    "{p} + {q}",
    "{p}+{q}",
    "Work out {p} + {q}.",
    "Add {p} and {q}.",
    "Put together {p} and {q}.",
    "Sum {p} and {q}.",
    "Total of {p} and {q}.",
    "Add together {p} and {q}.",
    "What is {p} plus {q}?",
    "Calculate {p} + {q}.",
    "What is {p} + {q}?",
)
_SUBTRACT = (
    "{p} - {q}",
    "Work out {p} - {q}.",
    "What is {p} minus {q}?",
    "What is {p} take away {q}?",
    "What is {q} less than {p}?",
    "Subtract {q} from {p}.",
    "Calculate {p} - {q}.",
    "What is {p} - {q}?",
)
_DISTANCE = ("What is the distance between {p} and {q}?", "What is the difference between {p} and {q}?")
FORMS = (*_ADD, *_SUBTRACT, *_DISTANCE)

# Most questions pair a short number with a long one: significant digits of both, and how often of 32.
_DIGITS = ((1, 2), (1, 3), (1, 3), (1, 3), (1, 3), (1, 4), (1, 4), (1, 4), (1, 4), (1, 4), (1, 5), (1, 5), (1, 5),
           (1, 5), (1, 6), (1, 6), (1, 6), (1, 7), (2, 2), (2, 3), (2, 3), (2, 3), (2, 4), (2, 4), (2, 4), (2, 5),
           (2, 5), (2, 6), (3, 3), (3, 4), (3, 4), (3, 5))  # fmt: skip
_EXACT = Context(prec=60)


def generate(count: int, seed: int) -> list[Instance]:
    """Return arithmetic questions with their exact results, no two alike; a longer list begins with a shorter one.

    Half of the operands have decimal places, half are negative; the results of the two questions about a distance are
    without sign.

    Args:
        count: how many (>= 0).
        seed: another seed, other questions.

    >>> generate(2, 42) == generate(5, 42)[:2]
    True
    """
    draws = Draws(Stream("multi-instance", POOL_VERSION, "arithmetic", seed))
    found: dict[str, Instance] = {}
    while len(found) < count:
        one = _question(draws)
        found.setdefault(one.text, one)
    return list(found.values())


def _question(draws: Draws) -> Instance:
    digits = _DIGITS[draws.below(len(_DIGITS))]
    first = draws.below(2)
    p, q = (_operand(draws, digits[(first + place) % 2]) for place in range(2))
    form = FORMS[draws.below(len(FORMS))]
    exact_p, exact_q = Decimal(p), Decimal(q)
    result = _EXACT.add(exact_p, exact_q) if form in _ADD else _EXACT.subtract(exact_p, exact_q)
    return Instance(form.format(p=p, q=q), plain(abs(result) if form in _DISTANCE else result))


def _operand(draws: Draws, digits: int) -> str:
    """Return a number with so many significant digits, its last one not 0 where it has decimal places."""
    number = 10 ** (digits - 1) + draws.below(9 * 10 ** (digits - 1))
    places = 1 + draws.below(digits) + (draws.below(4) == 0) if draws.below(2) else 0
    if places and number % 10 == 0:
        number += 1 + draws.below(9)
    sign = "-" if draws.below(2) else ""
    return sign + plain(Decimal(number).scaleb(-places))


def plain(number: Decimal) -> str:
    """Return a number without exponent and trailing zeros.

    >>> plain(Decimal("-1140.090")), plain(Decimal("5.0")), plain(Decimal("-0.0"))
    ('-1140.09', '5', '0')
    """
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
