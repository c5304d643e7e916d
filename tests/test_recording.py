import asyncio
import json

import pytest

from lengthwise.contracts import Message, OverlengthError, Reply, ReplyError, Request, Usage
from lengthwise.errors import InputError
from lengthwise.recording import Failure, Key, Record, ReplyLog, read_log, recorded

KEY = Key("row", 0, 0, "digest")
REPLY = Reply("text", "thought", "length", Usage(3, 1, 2, 1), 0.5, 0.01, "m")


def request(text="hello"):
    return Request((Message("user", text),))


class Counting:
    """An `ask` that counts, and raises what it is told to."""

    def __init__(self, *errors):
        self.calls = 0
        self.errors = list(errors)

    async def __call__(self, request):
        self.calls += 1
        if self.errors and (error := self.errors.pop(0)):
            raise error
        return Reply(f"reply {self.calls}")


def ask_times(log, model, times, repeat=0, example="row"):
    async def go():
        ask = recorded(model, log, example, repeat)
        return [await ask(request()) for _ in range(times)]

    return asyncio.run(go())


@pytest.mark.parametrize("text", [None, "", "a\nb", "\u2028\x00", "\ud800 lone", "字"])
def test_a_record_comes_back_as_it_was(text):
    record = Record(KEY, Reply(text, usage=Usage(1)))
    assert Record.from_line(record.to_line()) == record
    assert record.to_line().count(b"\n") == 1


def test_a_reply_comes_back_from_a_log_opened_again(tmp_path):
    with ReplyLog(tmp_path / "log") as log:
        log.append(KEY, REPLY)
    with ReplyLog(tmp_path / "log") as log:
        assert log.get(KEY) == REPLY
        assert log.get(Key("row", 1, 0, "digest")) is None


def test_the_last_line_for_a_key_wins(tmp_path):
    with ReplyLog(tmp_path / "log") as log:
        log.append(KEY, Failure("error", "down"))
        log.append(KEY, REPLY)
        assert log.get(KEY) == REPLY
    with ReplyLog(tmp_path / "log") as log:
        assert log.get(KEY) == REPLY
        assert len(log) == 1


@pytest.mark.parametrize("tail", [b'{"example": "ro', b"\xff\xfe", '{"text": "é'.encode()[:-1], b"\x00" * 64, b"{}\n"])
def test_a_torn_last_line_is_ignored_and_cut(tmp_path, tail):
    path = tmp_path / "log"
    with ReplyLog(path) as log:
        log.append(KEY, REPLY)
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    assert [record.result for record in read_log(path)] == [REPLY]
    with ReplyLog(path) as log:
        assert path.read_bytes() == whole
        log.append(Key("next", 0, 0, "d"), REPLY)
    assert [record.key.example for record in read_log(path)] == ["row", "next"]


def test_a_whole_line_without_its_newline_is_torn(tmp_path):
    line = Record(KEY, REPLY).to_line()
    (tmp_path / "log").write_bytes(line + line[:-1])
    assert len(list(read_log(tmp_path / "log"))) == 1


def test_a_bad_line_within_is_an_error_that_names_it(tmp_path):
    (tmp_path / "log").write_bytes(b"{}\n" + Record(KEY, REPLY).to_line())
    with pytest.raises(InputError, match="line 1"):
        ReplyLog(tmp_path / "log")


def test_a_second_writer_is_refused(tmp_path):
    with ReplyLog(tmp_path / "log"), pytest.raises(InputError, match="another process"):
        ReplyLog(tmp_path / "log")
    ReplyLog(tmp_path / "log").close()


def test_the_form_of_a_line(tmp_path):
    with ReplyLog(tmp_path / "log") as log:
        log.append(KEY, Failure("overlength", "too long"))
    line = json.loads((tmp_path / "log").read_text())
    error = {"kind": "overlength", "message": "too long"}
    assert line == {"example": "row", "repeat": 0, "call": 0, "request": "digest", "error": error}


def test_known_calls_are_replayed_and_new_ones_asked(tmp_path):
    model = Counting()
    with ReplyLog(tmp_path / "log") as log:
        first = ask_times(log, model, 2)
        again = ask_times(log, model, 3)
    assert model.calls == 3
    assert again[:2] == first


def test_equal_requests_of_one_example_are_different_calls(tmp_path):
    with ReplyLog(tmp_path / "log") as log:
        replies = ask_times(log, Counting(), 2)
    assert replies[0] != replies[1]


def test_repeats_and_examples_are_different_calls(tmp_path):
    model = Counting()
    with ReplyLog(tmp_path / "log") as log:
        for repeat, example in [(0, "a"), (1, "a"), (2, "a"), (0, "b")]:
            ask_times(log, model, 1, repeat, example)
    assert model.calls == 4


def test_a_changed_request_is_asked_anew(tmp_path):
    model = Counting()

    async def go(log, text):
        return await recorded(model, log, "row", 0)(request(text))

    with ReplyLog(tmp_path / "log") as log:
        asyncio.run(go(log, "one"))
        asyncio.run(go(log, "two"))
    assert model.calls == 2


def test_an_error_is_recorded_and_asked_again(tmp_path):
    model = Counting(ReplyError("down"))
    with ReplyLog(tmp_path / "log") as log:
        with pytest.raises(ReplyError, match="down"):
            ask_times(log, model, 1)
        assert ask_times(log, model, 1)[0].text == "reply 2"
    assert [type(record.result) for record in read_log(tmp_path / "log")] == [Failure, Reply]


def test_an_overlength_is_replayed(tmp_path):
    model = Counting(OverlengthError("too long"))
    with ReplyLog(tmp_path / "log") as log:
        for _ in range(2):
            with pytest.raises(OverlengthError, match="too long"):
                ask_times(log, model, 1)
    assert model.calls == 1


def embed(text="hello"):
    return Request((Message("user", text),), role="embed")


class Slow(Counting):
    """A `Counting` that answers only after everybody has asked."""

    async def __call__(self, request):
        await asyncio.sleep(0)
        return await super().__call__(request)


def ask_of_each(log, model, examples, request_of=embed):
    """Have each example ask the same, all together; return (what came, what each heard)."""
    heard = {example: [] for example in examples}

    async def go():
        asks = [recorded(model, log, example, 0, heard[example].append) for example in examples]
        return await asyncio.gather(*(ask(request_of()) for ask in asks), return_exceptions=True)

    return asyncio.run(go()), heard


def test_the_role_of_a_reply_is_on_record_where_it_is_another(tmp_path):
    with ReplyLog(tmp_path / "log") as log:
        ask_of_each(log, Counting(), ["row"])
        ask_of_each(log, Counting(), ["row"], request)
    assert [record.result.role for record in read_log(tmp_path / "log")] == ["embed", "generate"]
    assert "role" not in (tmp_path / "log").read_text().splitlines()[1]


def test_equal_embeddings_are_asked_once_and_heard_where_they_were_asked(tmp_path):
    model = Slow()
    with ReplyLog(tmp_path / "log") as log:
        replies, heard = ask_of_each(log, model, ["one", "two", "three"])
        later, heard_later = ask_of_each(log, model, ["four"])
    assert model.calls == 1 and {reply.text for reply in [*replies, *later]} == {"reply 1"}
    assert [len(own) for own in [*heard.values(), *heard_later.values()]] == [1, 0, 0, 0]
    assert [record.key.example for record in read_log(tmp_path / "log")] == ["one"]
    with ReplyLog(tmp_path / "log") as log:
        replies, heard = ask_of_each(log, model, ["two", "one"])
    assert model.calls == 1 and [len(own) for own in heard.values()] == [0, 1]


def test_other_requests_are_asked_by_each_example(tmp_path):
    model = Slow()
    with ReplyLog(tmp_path / "log") as log:
        ask_of_each(log, model, ["one", "two"], request)
    assert model.calls == 2


def test_who_waits_for_an_embedding_that_fails_has_the_failure_on_record_too(tmp_path):
    model = Slow(ReplyError("HTTP 429"))
    with ReplyLog(tmp_path / "log") as log:
        ended, _ = ask_of_each(log, model, ["one", "two"])
        assert [str(one) for one in ended] == ["HTTP 429"] * 2 and model.calls == 1
        assert [(one.key.example, one.result.message) for one in read_log(tmp_path / "log")] == [
            ("one", "HTTP 429"),
            ("two", "HTTP 429"),
        ]
        # And both are asked for again, once.
        replies, _ = ask_of_each(log, model, ["one", "two"])
    assert model.calls == 2 and {reply.text for reply in replies} == {"reply 2"}


def test_who_waits_for_an_embedding_ends_with_a_run_that_is_stopped(tmp_path):
    async def stopped(request):
        await asyncio.sleep(0)
        raise OSError("no room")

    with ReplyLog(tmp_path / "log") as log:
        ended, _ = ask_of_each(log, stopped, ["one", "two"])
        assert [type(one) for one in ended] == [OSError, OSError]
        assert not log.under_way
