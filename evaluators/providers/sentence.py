"""Embeddings on this machine: `sentence-transformers:MODEL`, in this process."""

import asyncio
import importlib.util
import os
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from lengthwise.contracts import Ask, Reply, ReplyError, Request, Usage
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.embeddings import pack_vectors
from lengthwise.evaluators.providers.base import Model, Notify, Window

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# What the paper takes (appendix D).
DEFAULT_EMBEDDER = "BAAI/bge-m3"


class SentenceModel(Model):
    """A model that sentence-transformers loads: a Hub id, fetched on first use, or a folder.

    Vectors are normalised to length 1. No prefix is put before the texts. What is longer than the model reads is cut,
    and that is told: once when it first happens, in every reply, and in sum at the end.

    Args:
        spec: see `Model`.
        name: Hub id or folder.
        notify: told of texts that were cut.
    """

    kind = "sentence-transformers"

    def __init__(self, spec: str, name: str, notify: Notify = lambda _: None) -> None:
        super().__init__(spec, name)
        self._notify = notify
        self._model: SentenceTransformer | None = None
        # One at a time: a model uses all the cores, and two of them in turns are slower.
        self._lock = asyncio.Lock()
        self._cut = 0
        self._read = 0

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model, once it is loaded with how much of a text it reads."""
        loaded = {} if self._model is None else {"max_tokens": self._longest()}
        return {**super().describe(), **loaded}

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the one `ask` there is: it sees the request and nothing else."""
        return self._ask

    async def window(self) -> Window:
        """Return no limit: longer texts are cut."""
        return Window(None, "an embedder")

    async def __aenter__(self) -> Self:
        """Load the model.

        Raises:
            InputError: the extra `rag` is not installed, or there is no such model.
        """
        if importlib.util.find_spec("sentence_transformers") is None:
            raise InputError(f"--embed {self.spec}: needs sentence-transformers; pip install 'lengthwise[rag]'")
        try:
            self._model = await asyncio.to_thread(_load, self.name)
        except (OSError, ValueError) as error:
            line = " ".join(str(error).split())[:300]
            raise InputError(f"--embed {self.spec}: cannot be loaded ({line})") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the model."""
        self._model = None
        if self._cut:
            self._notify(f"careful: of {self._cut:,} of {self._read:,} embedded texts {self.name} read only a part")

    async def _ask(self, request: Request) -> Reply:
        texts = [message.content for message in request.messages]
        async with self._lock:
            started = time.monotonic()
            vectors, lengths = await asyncio.to_thread(self._encode, texts)
        longest = self._longest()
        cut = 0 if longest is None else sum(length > longest for length in lengths)
        if cut and not self._cut:
            self._notify(
                f"careful: {self.name} reads {longest:,} tokens of a text; the rest of a block of {max(lengths):,} is "
                "left out of its vector"
            )
        self._cut += cut
        self._read += len(texts)
        tokens = sum(lengths if longest is None else (min(length, longest) for length in lengths))
        return Reply(
            pack_vectors(vectors, cut),
            usage=Usage(input=tokens, output=0),
            latency=time.monotonic() - started,
            model=self.name,
        )

    def _encode(self, texts: list[str]) -> tuple[Any, list[int]]:
        """Return the vectors, and the tokens that each text has, special ones included."""
        assert self._model is not None
        tokenizer = self._model.tokenizer
        # Without truncation tokenizers log that a text is longer than the model takes; that is told by `cut`.
        lengths = [len(ids) for ids in tokenizer(texts, truncation=False, verbose=False)["input_ids"]]
        try:
            vectors = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        except RuntimeError as error:
            # Out of memory, for one.
            raise ReplyError(f"{self.name}: {' '.join(str(error).split())[:300]}") from error
        return vectors, lengths

    def _longest(self) -> int | None:
        assert self._model is not None
        longest = self._model.max_seq_length
        return None if longest is None else int(longest)


def _load(name: str) -> "SentenceTransformer":
    # Bars and advice of these libraries would stand between the run's own lines.
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        return SentenceTransformer(name).eval()
    finally:
        if shown:
            logging.enable_progress_bar()
