"""Analyses of LongNovel runs that take their single outcomes: failure patterns, and where the evidence stands."""
