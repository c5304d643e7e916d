"""Templates of dataset and metric cards; the numbers in a card come from the data that was built."""
