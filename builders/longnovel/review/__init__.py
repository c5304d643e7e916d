"""People's review of LongNovel: minimal pairs side by side (section 3.4), and the units' summaries (3.1).

The protocol of a pair, which the server holds everyone to:

1. Blind. An annotator sees the text and two summaries, A and B, in an order that a stream draws; ids, which say how a
   summary came about, stay on the server. For each they say whether it is hallucinated and, if so, which sentences,
   which of the eight types, and why. Every click is kept as a draft. The label is given once and never changed.
2. Open. After their own label, and not before, they see what the construction did, and the others' labels.
3. Decided. Once as many people as the review asks for (two) have labelled a pair, they settle its final decision,
   which is kept beside the first labels. Kappa and pair agreement are of the first labels alone.
"""
