"""Our data and our scores inside other people's harnesses: inspect_ai and lm-evaluation-harness.

Nothing here is imported by the rest of the package, and only the modules that a harness itself loads import it.
"""
