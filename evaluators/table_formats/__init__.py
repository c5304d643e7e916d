"""Tables in every format: one typed table (`grid`) of cells that keep their numbers (`cells`), a renderer a format."""
