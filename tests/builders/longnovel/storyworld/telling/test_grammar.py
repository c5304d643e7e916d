import pytest

from lengthwise.builders.longnovel.storyworld.telling.grammar import Choice, Slot, parse, read_folder, read_grammar
from lengthwise.errors import InputError


def read(text: str):
    return read_grammar([("some.txt", text)])


def test_a_template_is_cut_into_literals_slots_and_choices():
    assert parse("{a.his} hat [fell|rose {so}].", "here") == (
        Slot("a", "his"),
        " hat ",
        Choice((("fell",), ("rose ", Slot("so", "")))),
        ".",
    )


def test_an_option_may_be_empty():
    assert parse("a[|b]", "here") == ("a", Choice(((), ("b",))))


def test_choices_may_hold_choices():
    assert parse("[a[b|c]|d]", "here") == (Choice((("a", Choice((("b",), ("c",)))), ("d",))),)


def test_sections_of_several_files_add_up():
    grammar = read_grammar([("one.txt", "== x\nfirst\n"), ("two.txt", "# comment\n== x\n\nsecond\n")])
    assert [template.origin for template in grammar.templates["x"]] == ["one.txt:2", "two.txt:4"]


def test_words_have_forms_by_id_and_names_are_raw():
    grammar = read("== words.deed\nsign = signed {x} | sign {x}\n== names.women\nAda [so]")
    assert grammar.keyed("words.deed") == {"sign": ("signed {x}", "sign {x}")}
    assert grammar.names("names.women") == ("Ada [so]",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("== x\n\n{a", r"some\.txt:3: '\{' has no partner"),
        ("== x\na}", r"some\.txt:2: '\}' has no partner"),
        ("== x\n[a|b", r"some\.txt:2: '\[' has no partner"),
        ("== x\na]", r"some\.txt:2: '\]' has no partner"),
        ("== x\na|b", r"some\.txt:2: '\|' has no partner"),
        ("== x\n{a b}", r"some\.txt:2: a slot is"),
        ("== x\n{a.}", r"some\.txt:2: a slot is"),
        ("line", r"some\.txt:1: a line before the first section"),
        ("== x\n== y\nline", r"some\.txt:1: section x is empty"),
        ("==\nline", r"some\.txt:1: a section is opened by"),
        ("== words.x\nmill", r"some\.txt:2: a line here is"),
        ("== words.x\nmill = a\nmill = b", r"some\.txt:3: mill is worded twice"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text, message):
    with pytest.raises(InputError, match=message):
        read(text)


def test_a_missing_section_of_words_is_an_error():
    with pytest.raises(InputError, match=r"no section words\.deed"):
        read("== x\nline").keyed("words.deed")


def test_folders_are_read_with_their_subfolders(tmp_path):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "a.txt").write_text("== x\none\n", encoding="utf-8")
    (tmp_path / "scenes" / "b.txt").write_text("== x\ntwo\n", encoding="utf-8")
    (tmp_path / "notes.md").write_text("neither", encoding="utf-8")
    assert [template.origin for template in read_folder(tmp_path).templates["x"]] == ["a.txt:2", "scenes/b.txt:2"]
