"""Text and labels to numbers: pure functions that know no dataset and no model."""
