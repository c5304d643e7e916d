"""Where instances come from: generated ones (the default), the Hub's public data sets, or a folder."""
