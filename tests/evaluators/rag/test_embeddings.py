import asyncio
import json
import math

import numpy as np
import pytest

from lengthwise.contracts import Reply, ReplyError
from lengthwise.evaluators.embeddings import BATCH, embed_requests, embed_texts, pack_vectors, read_vectors


def test_vectors_come_back_to_the_bit():
    table = np.random.default_rng(0).standard_normal((5, 7)).astype(np.float32)
    table[0, 0] = np.float32(1e-40)
    back = read_vectors(Reply(pack_vectors(table)))
    assert back.dtype == np.float32 and back.tobytes() == table.tobytes()
    assert read_vectors(Reply(pack_vectors(table.astype(np.float64).tolist()))).tobytes() == table.tobytes()


def test_the_text_is_compact():
    text = pack_vectors(np.ones((32, 1024), np.float32), cut=3)
    assert len(text) < 5.4 * 32 * 1024
    assert {name: value for name, value in json.loads(text).items() if name != "float32"} == {
        "n": 32,
        "dim": 1024,
        "cut": 3,
    }


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        ([[1.0, math.nan]], "text 0 holds numbers that are not finite"),
        ([[1.0, 2.0], [math.inf, 0.0]], "text 1"),
        ([[1e39, 0.0]], "not finite"),
        ([[0.0, 0.0]], "all zeros"),
        ([[1.0], [1.0, 2.0]], "several dimensions or of none: 1, 2"),
        ([[]], "none: 0"),
    ],
)
def test_what_cannot_be_compared_is_an_error(vectors, said):
    with pytest.raises(ReplyError, match=said):
        pack_vectors(vectors)


@pytest.mark.parametrize("text", [None, "", "no", "{}", '{"n": 1, "dim": 2, "float32": "AAAA"}', "[1]"])
def test_a_reply_that_holds_no_vectors_is_an_error(text):
    with pytest.raises(ReplyError, match="holds no vectors"):
        read_vectors(Reply(text))


def test_requests_hold_texts_of_one_kind_in_order():
    texts = [str(number) for number in range(2 * BATCH + 1)]
    requests = embed_requests(texts)
    assert [len(one.messages) for one in requests] == [BATCH, BATCH, 1]
    assert [message.content for one in requests for message in one.messages] == texts
    assert {one.role for one in requests} == {"embed"}
    # Of one article: alike, whatever the summary.
    assert [one.digest for one in requests] == [one.digest for one in embed_requests(texts)]


async def lengths(request):
    return Reply(pack_vectors([[len(message.content), 1.0] for message in request.messages]))


def test_vectors_are_of_their_texts():
    documents = ["x" * number for number in range(1, BATCH + 3)]
    found = asyncio.run(embed_texts(lengths, documents, ["yy", "y"]))
    assert [one[:, 0].tolist() for one in found] == [[float(len(text)) for text in documents], [2.0, 1.0]]


@pytest.mark.parametrize(
    ("vectors", "said"), [([[1.0, 2.0, 3.0]], "of 2 and of 3 numbers"), ([[1.0, 2.0], [1.0, 2.0]], "2 vectors for 1")]
)
def test_replies_that_do_not_fit_each_other_or_the_texts(vectors, said):
    async def ask(request):
        return await lengths(request) if request.messages[0].content == "x" else Reply(pack_vectors(vectors))

    with pytest.raises(ReplyError, match=said):
        asyncio.run(embed_texts(ask, ["x"], ["y"]))
