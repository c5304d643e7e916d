"""Where replies come from: one file a kind of model."""
