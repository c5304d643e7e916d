"""Analyses of multi-instance processing beyond its main table: pure functions from scored runs to typed tables."""
