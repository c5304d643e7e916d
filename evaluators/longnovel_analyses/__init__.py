"""Analyses of LongNovel runs by single outcomes: failure patterns, place of the evidence, what RAG takes."""
