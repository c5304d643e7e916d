"""Where chapters come from: folders of books, and public data sets of books with human summaries."""
