"""Analyses of runs on LongNovel: the tables and figures of the paper beyond the scores."""
