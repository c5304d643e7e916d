import re

import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.providers.batch_journal import BATCHES_FILE, BatchJournal, custom_id
from lengthwise.recording import Key

KEYS = [Key("row-0", 0, 0, "d" * 64), Key("行/1 ", 1, 0, "e" * 64)]


def test_names_are_what_both_providers_take_and_differ_in_every_part():
    names = {
        custom_id(Key(example, repeat, call, request))
        for example in ("a", "a1")
        for repeat in (0, 1)
        for call in (0, 1)
        for request in ("d", "e")
    }
    assert len(names) == 16
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", custom_id(key)) for key in KEYS)


def test_what_was_noted_is_known_to_the_next_process(tmp_path):
    with BatchJournal(tmp_path) as journal:
        first, second = journal.begin(KEYS), journal.begin(KEYS[:1])
        assert first.tag != second.tag
        journal.arrived(first, "batch_1")
        journal.end(first, "expired")
    with BatchJournal(tmp_path) as journal:
        again, other = journal.batches
        assert (again.id, again.over, again.note, again.names) == ("batch_1", True, "expired", first.names)
        assert (other.id, other.over, other.names) == (None, False, [custom_id(KEYS[0])])
        assert other.at == second.at


def test_a_line_that_was_cut_off_never_was(tmp_path):
    with BatchJournal(tmp_path) as journal:
        journal.arrived(journal.begin(KEYS), "batch_1")
    path = tmp_path / BATCHES_FILE
    path.write_bytes(path.read_bytes()[:-3])
    with BatchJournal(tmp_path) as journal:
        assert journal.batches[0].id is None


def test_two_processes_cannot_send_for_one_run(tmp_path):
    with BatchJournal(tmp_path), pytest.raises(InputError, match="another process"):
        BatchJournal(tmp_path)
