"""PredicateLongBench: find the one run of words that satisfies a predicate."""
