"""What the sections share; see `lengthwise.evaluators.naming`."""

from lengthwise.evaluators.naming import configs_of, layout_of, name_of

__all__ = ["configs_of", "layout_of", "name_of"]
