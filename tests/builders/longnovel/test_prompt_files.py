import re
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.prompt_files import read_prompt_files
from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.longnovel.records import LANGUAGES, Language
from lengthwise.errors import InputError


def own(folder: Path, name: str, text: str, language: str = "en") -> Path:
    (folder / language).mkdir(exist_ok=True)
    (folder / language / f"{name}.txt").write_text(text, "utf-8")
    return folder


def test_both_languages_have_the_same_files_and_all_are_read():
    import lengthwise.builders.longnovel.prompt_files as module

    folder = Path(module.__file__).parent / "prompts"
    names = {language: {path.stem for path in (folder / language).iterdir()} for language in LANGUAGES}
    assert names["en"] == names["zh"]
    shared = {name for name in names["en"] if name.startswith("part-")}
    assert names["en"] - shared - {"headings"} == read_prompt_files("en").templates.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_is_left_that_a_template_does_not_take(language: Language):
    found = read_prompt_files(language)
    assert {name: sorted(one.get_identifiers()) for name, one in found.templates.items() if one.get_identifiers()} == {
        "compress": ["words"],
        "compress-again": ["length", "words"],
        "generate": ["words"],
        "unit-summary": ["words"],
    }


def test_a_file_of_ones_own_takes_the_place_of_the_packages(tmp_path: Path):
    prompts = load_prompts("en", own(tmp_path, "detection", "Is it true?\n"))
    assert prompts.detection() == "Is it true?"
    assert prompts.detection(cot=True) == load_prompts("en").detection(cot=True)
    assert prompts.digest != load_prompts("en").digest


def test_a_shared_part_of_ones_own_stands_in_every_prompt_that_has_it(tmp_path: Path):
    prompts = load_prompts("zh", own(tmp_path, "part-rubric", "打零分到五分。", "zh"))
    assert "打零分到五分。" in prompts.detection()
    assert "打零分到五分。" in prompts.critic("参考", "摘要")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("compress", "Shorten it.", "unknown or missing: $words"),
        ("compress", "Use $words words and $more.", "unknown or missing: $more"),
        ("detection", "Read the $txt. $rubric", "unknown or missing: $txt"),
        ("detection", "It costs $ 5. $rubric", r"write \$\$"),
        ("generate", " \n", "is empty"),
        ("part-types", "The $kinds are eight.", "unknown or missing: $kinds"),
        ("headings", "article=Text:", "amiss: attempt"),
    ],
)
def test_a_file_that_cannot_be_filled_in_is_refused(tmp_path: Path, name: str, text: str, says: str):
    with pytest.raises(InputError, match=says if "\\" in says else re.escape(says)):
        load_prompts("en", own(tmp_path, name, text))


def test_a_folder_without_a_language_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="neither en/ nor zh/"):
        load_prompts("en", tmp_path)


def test_a_file_that_is_no_utf8_is_refused(tmp_path: Path):
    own(tmp_path, "judge", "x")
    (tmp_path / "en" / "judge.txt").write_bytes("评审".encode("gb18030"))
    with pytest.raises(InputError, match="cannot be read"):
        load_prompts("en", tmp_path)


def test_an_unknown_language_is_refused():
    with pytest.raises(InputError, match="language 'fr'"):
        load_prompts("fr")  # type: ignore[arg-type]


def test_dollars_are_written_twice(tmp_path: Path):
    assert load_prompts("en", own(tmp_path, "detection", "For $$5: $rubric")).detection().startswith("For $5: Score")
