"""Text without meaning that makes instances longer and leaves their number alone (paper section 6.1)."""

import random
from typing import Literal, get_args

from lengthwise.errors import unknown_name

NoisePosition = Literal["head", "middle", "tail", "random"]
POSITIONS: tuple[NoisePosition, ...] = get_args(NoisePosition)

_REPEATED = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again."
# The authors' text to the letter, 687 characters: published figures compare only with this one.
NOISE = f" - IRRELEVANT CONTEXT START - {' '.join([_REPEATED] * 7)} - IRRELEVANT CONTEXT END - "


def add_noise(text: str, position: NoisePosition, place: int) -> str:
    """Return an instance's text with the noise in it.

    Args:
        text: of the instance.
        position: where the noise goes; "middle" and "random" split at white space (a text of one word, such as Chinese
            without spaces, has it behind).
        place: 0-based place of the instance in its prompt, the seed of a random position.

    Raises:
        InputError: no such position.

    >>> add_noise("ab cd", "middle", 0).replace(NOISE, "<noise>")
    'ab<noise>cd'
    """
    if position not in POSITIONS:
        raise unknown_name("noise position", position, POSITIONS)
    if position == "head":
        return NOISE + text
    words = text.split()
    cut = len(words)
    if position == "middle" and len(words) > 1:
        cut = len(words) // 2
    elif position == "random":
        cut = random.Random(place).randint(0, len(words))
    if cut == len(words):
        return text + NOISE
    if cut == 0:
        return NOISE + text
    return " ".join(words[:cut]) + NOISE + " ".join(words[cut:])
