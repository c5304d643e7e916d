"""One self-contained page from any number of runs."""
