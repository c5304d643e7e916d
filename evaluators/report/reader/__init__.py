"""What the page's reader shows of an example: its whole text with marks, packed so that a page can hold many."""
