"""Text in the manner of treebanks: lower-cased, and every word and mark parted by one space."""

import re

# A full stop ends one of these without ending a sentence.
_ABBREVIATIONS = frozenset({
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "inc", "corp", "ltd", "co", "vs", "etc", "approx", "dept",
    "sen", "rep", "gov", "capt", "lt", "sgt", "e.g", "i.e", "u.s", "u.k", "a.m", "p.m", "p.s", "jan", "feb", "aug",
    "sept", "oct", "nov", "dec", "p",
})  # fmt: skip
_MARKS = re.compile(r"""([,:](?=\s|$)|[;?()"]|!+|\.{3,}|--|[$£€#%](?=\s|$)|[$£€#](?=\d)|(?<=\d)%)""")
_CLITICS = re.compile(r"('(?:s|m|ll|re|ve|d)\b|n't\b|(?<=s)'(?=\s|$))")
_STOP = re.compile(r"(?<!\.)\.(?=[\s\"]|$)")


def treebank(text: str) -> str:
    """Return a text in lower case with its tokens parted.

    >>> treebank("Dr. Kim's clinic doesn't open until 10:30 a.m. (I asked), so wait!!")
    "dr. kim 's clinic does n't open until 10:30 a.m. ( i asked ) , so wait !!"
    >>> treebank('It cost $1,200, or 12% more.')
    'it cost $ 1,200 , or 12 % more .'
    """
    text = _CLITICS.sub(r" \1", _MARKS.sub(r" \1 ", text.lower()))

    def stop(found: re.Match[str]) -> str:
        before = text[: found.start()].rpartition(" ")[2]
        single = len(before) == 1 and before.isalpha()
        return "." if before in _ABBREVIATIONS or single else " ."

    return " ".join(_STOP.sub(stop, text).split())
