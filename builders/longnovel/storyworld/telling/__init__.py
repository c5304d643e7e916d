"""Tells the ledger's records in a language: a grammar of text files, and a module with the forms of its words."""
