"""Multi-instance processing: prompts that ask to solve 1 to 2,000 small instances and to add the answers up."""

from .selections import length_selections, random_selections, shuffled

__all__ = ["length_selections", "random_selections", "shuffled"]
