"""Embeddings as requests like any: texts in, vectors out, exact, and recorded and replayed as every reply is.

A request holds one user message a text and has the role "embed". The text of the reply is a line of JSON,

    {"n": 32, "dim": 1024, "cut": 0, "float32": "..."}

with the vectors of the n texts behind each other as little-endian float32 in base64: to the bit what the model gave,
in 5.4 bytes a number. `cut` counts texts of which the model read the beginning only. Of the usage, `input` counts the
tokens that were read and `output` is 0.

Equal requests of one run are asked once (`SHARED_ROLES`): two summaries of one article embed it once, if the requests
hold the article's texts alone. `embed_texts` makes such requests, of texts of one kind, `BATCH` at a time.
"""

import base64
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lengthwise.contracts import Ask, Message, Reply, ReplyError, Request
from lengthwise.evaluators.method_parts import ask_together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Texts of a request. No more than any server takes by default (text-embeddings-inference: 32); of 3,500 characters
# each, they are 100,000 tokens at most.
BATCH = 32


def embed_request(texts: Sequence[str]) -> Request:
    """Return the request for the vectors of some texts, at least one."""
    return Request(tuple(Message("user", text) for text in texts), role="embed")


def embed_requests(texts: Sequence[str]) -> list[Request]:
    """Return the requests for the vectors of any number of texts, in order."""
    return [embed_request(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]


def pack_vectors(vectors: "Sequence[Sequence[float]] | NDArray[Any]", cut: int = 0) -> str:
    """Return the text of a reply that holds vectors.

    Args:
        vectors: one for each text, all of one dimension.
        cut: of how many texts the model read the beginning only.

    Raises:
        ReplyError: what a model gave is no set of vectors that can be compared: of several dimensions, with numbers
            that are not finite as float32, or of zeros alone.
    """
    import numpy as np

    dimensions = {len(vector) for vector in vectors}
    if len(dimensions) != 1 or not min(dimensions):
        raise ReplyError(f"vectors of several dimensions or of none: {', '.join(map(str, sorted(dimensions)))}")
    with np.errstate(over="ignore"):
        table = np.asarray(vectors, dtype=np.float64).astype("<f4")
    for place, vector in enumerate(table):
        if not np.isfinite(vector).all():
            raise ReplyError(f"the vector of text {place} holds numbers that are not finite (NaN or too large)")
        if not vector.any():
            raise ReplyError(f"the vector of text {place} is all zeros: it has no direction")
    content = base64.b64encode(table.tobytes()).decode("ascii")
    return json.dumps({"n": len(table), "dim": table.shape[1], "cut": cut, "float32": content}, separators=(",", ":"))


def read_vectors(reply: Reply) -> "NDArray[np.float32]":
    """Return the vectors of a reply, texts by dimensions.

    Raises:
        ReplyError: it holds none in the form that `pack_vectors` gives.
    """
    import numpy as np

    try:
        held = json.loads(reply.text or "")
        table = np.frombuffer(base64.b64decode(held["float32"], validate=True), dtype="<f4")
        return table.reshape(held["n"], held["dim"]).astype(np.float32)
    except (ValueError, KeyError, TypeError) as error:
        raise ReplyError(f"the reply holds no vectors ({error!r}); is --embed a model of embeddings?") from error


async def embed_texts(ask: Ask, *kinds: Sequence[str]) -> "list[NDArray[np.float32]]":
    """Ask for the vectors of texts of several kinds, all together.

    Args:
        ask: the runner's.
        kinds: the texts of each kind, at least one; requests hold texts of one kind only.

    Returns:
        The vectors of each kind, texts by dimensions.

    Raises:
        ReplyError: a call failed, or the replies do not fit the texts or each other.
    """
    import numpy as np

    requests = [embed_requests(texts) for texts in kinds]
    replies = iter(await ask_together(ask, [one for of_kind in requests for one in of_kind]))
    found: list[NDArray[np.float32]] = []
    for texts, of_kind in zip(kinds, requests, strict=True):
        tables = [read_vectors(next(replies)) for _ in of_kind]
        dimensions = {table.shape[1] for table in (*tables, *found)}
        if len(dimensions) != 1:
            raise ReplyError(
                f"the run holds vectors of {' and of '.join(map(str, sorted(dimensions)))} numbers: the model of "
                "embeddings was changed under way; start a run in a new folder"
            )
        vectors = np.concatenate(tables)
        if len(vectors) != len(texts):
            raise ReplyError(f"{len(vectors)} vectors for {len(texts)} texts")
        found.append(vectors)
    return found
