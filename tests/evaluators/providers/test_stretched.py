"""A model file that is said to be trained for more tokens than it was."""

import struct

import pytest

from lengthwise.evaluators.providers.local_server import stretched

SAID = b"llama.context_length" + struct.pack("<II", 4, 8192)


def test_the_copy_says_the_longer_context_and_is_else_the_same(tmp_path):
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF..." + SAID + b"...weights")
    (tmp_path / "copy").mkdir()
    copy = stretched(model, 8192, 2, tmp_path / "copy")
    assert copy.read_bytes() == model.read_bytes().replace(struct.pack("<I", 8192), struct.pack("<I", 16384))
    assert SAID in model.read_bytes() and copy != model


def test_a_file_of_another_context_is_no_such_file(tmp_path):
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF..." + SAID)
    (tmp_path / "copy").mkdir()
    with pytest.raises(ValueError, match="does not say that its context is 4096"):
        stretched(model, 4096, 2, tmp_path / "copy")
