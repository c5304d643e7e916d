"""A story world: novels told from a ledger of events, whose summaries are true or false by that ledger."""
