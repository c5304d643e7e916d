"""Examples and a model to replies, outcomes, tables and a report."""
