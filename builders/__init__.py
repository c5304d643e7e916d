"""Sources and seeds to examples to a folder that is ready for the Hub."""
