"""The `evaluate` modules that come with the package, and where they are: `evaluate.load` takes a path.

>>> module_path("sequence_match").endswith("sequence_match")
True
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from lengthwise.errors import unknown_name

MODULES: Mapping[str, str] = MappingProxyType(
    {
        "hallucination_detection": "balanced accuracy and MCC of hallucination detection, from replies or scores",
        "hallucination_types": "recall of each of the eight types of hallucination",
        "sequence_match": "exact match of sequences of words, and how near the wrong ones come",
        "multi_instance": "success, failures and errors of prompts over many instances",
        "pair_accuracy": "share of pairs of which both items are right",
        "paired_comparison": "two systems on the same items: difference, interval and p-values",
    }
)


def module_path(name: str) -> str:
    """Return the folder of a module, for `evaluate.load`: nothing is fetched.

    Args:
        name: one of `MODULES`.

    Raises:
        InputError: for any other name.
    """
    if name not in MODULES:
        raise unknown_name("metric", name, MODULES)
    return str(Path(__file__).with_name(name))
