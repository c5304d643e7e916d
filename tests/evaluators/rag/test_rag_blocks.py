import pytest
from rag_cases import N_BLOCKS, block, row, segments

from lengthwise.errors import InputError
from lengthwise.evaluators.rag_blocks import DOCUMENT_BLOCK, SUMMARY_BLOCK, begins_with_pronoun, cut_blocks


@pytest.mark.parametrize(
    ("text", "size", "blocks"),
    [
        # 19 and 20 characters fit into 40 with the space between them, not into 39.
        ("Ann went to London. Bob stayed in Paris.", 40, ["Ann went to London. Bob stayed in Paris."]),
        ("Ann went to London. Bob stayed in Paris.", 39, ["Ann went to London.", "Bob stayed in Paris."]),
        # A pronoun keeps its sentence with the one before, and what follows that with both.
        ("Ann left. She wept. They knew.", 10, ["Ann left. She wept. They knew."]),
        ("Ann left. She wept. Tom knew.", 10, ["Ann left. She wept.", "Tom knew."]),
        # A sentence that is longer than a block stays whole; a pronoun at the start has nothing before it.
        ("She told a very long tale. Bob slept.", 5, ["She told a very long tale.", "Bob slept."]),
        ("One.\n\n“It is late,” he said.\n\nTwo.", 5, ["One.\n\n“It is late,” he said.", "Two."]),
    ],
)
def test_english_blocks(text, size, blocks):
    assert cut_blocks(text, "en", size).texts == blocks


@pytest.mark.parametrize(
    ("text", "size", "blocks"),
    [
        ("张飞大怒。关羽不语。刘备长叹。", 10, ["张飞大怒。关羽不语。", "刘备长叹。"]),
        ("张飞大怒。关羽不语。刘备长叹。", 9, ["张飞大怒。", "关羽不语。", "刘备长叹。"]),
        ("张飞大怒。他拔剑。关羽不语。", 5, ["张飞大怒。他拔剑。", "关羽不语。"]),
        ("张飞大怒。其实他怕。关羽不语。", 5, ["张飞大怒。", "其实他怕。", "关羽不语。"]),
        ("张飞说：“走！”\n“我不走。”关羽说。此人不去。", 9, ["张飞说：“走！”\n“我不走。”", "关羽说。此人不去。"]),
    ],
)
def test_chinese_blocks(text, size, blocks):
    assert cut_blocks(text, "zh", size).texts == blocks


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_papers_sizes(language):
    made = row(language, 0, False)
    document = cut_blocks(made["article"], language, DOCUMENT_BLOCK)
    assert len(document) == N_BLOCKS
    assert document.texts[1:] == [block(language, part) for part in range(1, N_BLOCKS)]
    assert cut_blocks(made["summary"], language, SUMMARY_BLOCK).texts == segments(language)
    # Nothing is lost between blocks but white space.
    assert document.stretch(0, N_BLOCKS - 1) == made["article"]
    assert document.stretch(2, 3) == (" " if language == "en" else "").join(block(language, part) for part in (2, 3))


@pytest.mark.parametrize("word", ["He", "she’s", "“It", "—They", "This", "‘I", "Our"])
def test_english_pronouns(word):
    assert begins_with_pronoun(f"{word} went.", "en")


@pytest.mark.parametrize("word", ["Hester", "There", "Items", "Thistle", "Isabel", "Weston"])
def test_english_words_that_are_none(word):
    assert not begins_with_pronoun(f"{word} went.", "en")


@pytest.mark.parametrize("word", ["他", "她们", "我", "“你", "自己", "其", "这", "那人", "彼此", "此"])
def test_chinese_pronouns(word):
    assert begins_with_pronoun(f"{word}走了。", "zh")


@pytest.mark.parametrize("word", ["其实", "此外", "那么", "其次", "张三", "两人"])
def test_chinese_words_that_are_none(word):
    assert not begins_with_pronoun(f"{word}走了。", "zh")


@pytest.mark.parametrize(("text", "language", "size"), [("A.", "fr", 9), ("A.", "en", 0), (" \n", "zh", 9)])
def test_what_cannot_be_cut(text, language, size):
    with pytest.raises(InputError):
        cut_blocks(text, language, size)
