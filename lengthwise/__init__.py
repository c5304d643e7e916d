"""Long-context benchmarks as Hugging Face datasets, metrics and a thin evaluator."""

from importlib.metadata import version
from importlib.util import find_spec
from os.path import abspath, dirname

__version__ = version("lengthwise")

# In the root of a checkout, Python finds this folder before any installed copy, and the rooms stand beside it, not in
# it: a plain install maps them, an editable one has a finder for them, and here they are named.
if find_spec("lengthwise.metrics") is None:
    __path__.append(dirname(dirname(abspath(__file__))))
