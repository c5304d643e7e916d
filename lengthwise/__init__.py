"""Long-context benchmarks as Hugging Face datasets, metrics and a thin evaluator."""

from importlib.metadata import version

__version__ = version("lengthwise")
