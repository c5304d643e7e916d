"""LongNovel: novels up to 100,000 tokens and more, under a summary that may hold hallucinations."""
