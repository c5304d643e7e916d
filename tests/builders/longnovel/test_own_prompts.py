import shutil
from pathlib import Path

import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.longnovel.asking import REPLIES_FILE
from lengthwise.builders.longnovel.assembly import assemble
from lengthwise.builders.longnovel.own_prompts import own_prompts, prompts_of, take_prompts
from lengthwise.builders.longnovel.prompt_texts import load_prompts, prompts_digest
from lengthwise.builders.longnovel.recipe import export_recipe, rebuild
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.builders.longnovel.sft import export_sft
from lengthwise.errors import InputError

from .conftest import Made, lay_down


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prompt for detection, and the lines over the material, in English; the rest is the package's."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "en").mkdir()
    (folder / "en/detection.txt").write_text("Is the summary true?\n$verdict\n")
    lines = [f"{name}={one.template}" for name, one in load_prompts("en").headings.items()]
    (folder / "en/headings.txt").write_text(
        "\n".join("article=THE TEXT" if "article=" in one else one for one in lines)
    )
    return folder


@pytest.fixture(scope="module")
def asked_anew(made: Made, own: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished build with those prompts."""
    folder = lay_down(made, tmp_path_factory.mktemp("novel") / "longnovel")
    take_prompts(own, folder)
    assemble(folder, NovelSettings(("4k",)))
    return folder


def problems(folder: Path) -> list[str]:
    return [line for report in validate(folder) for line in report.problems]


def test_rows_and_card_have_them_and_validate_knows_them(asked_anew: Path, finished: Path, own: Path) -> None:
    assert problems(asked_anew) == []
    build = read_build(asked_anew)
    assert build["prompt_template"] == build["plan"]["prompt_template"] == prompts_digest(own) != prompts_digest()
    assert build["plan"]["own_prompts"] == ["en/detection.txt", "en/headings.txt"]
    card = (asked_anew / "README.md").read_text("utf-8")
    assert "`prompts`: en/detection.txt, en/headings.txt" in card and "--prompts prompts" in card
    assert "- prompts: the package's\n" in (finished / "README.md").read_text("utf-8")


def test_training_data_and_a_rebuilt_recipe_have_them_too(asked_anew: Path, made: Made, tmp_path: Path) -> None:
    export_sft(asked_anew, tmp_path / "sft")
    assert '"content": "Is the summary true?' in (tmp_path / "sft/longnovel_2k_train.jsonl").read_text("utf-8")
    export_recipe(asked_anew, tmp_path / "recipe")
    rebuild(tmp_path / "recipe", made.source.units, tmp_path / "again")
    assert problems(tmp_path / "again") == []


def test_prompts_that_are_gone_or_others_are_told_once(asked_anew: Path, tmp_path: Path) -> None:
    folder = tmp_path / "longnovel"
    shutil.copytree(asked_anew, folder)
    (folder / "prompts/en/detection.txt").write_text("Well?")
    (line,) = problems(folder)
    assert "the prompts in the folder prompts are others than those that the rows were made with" in line
    shutil.rmtree(folder / "prompts")
    (line,) = problems(folder)
    assert "prompts of one's own (en/detection.txt, en/headings.txt), and the folder prompts" in line


def test_others_are_taken_until_a_model_was_asked(own: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    assert own_prompts(build) is None
    take_prompts(own, build)
    other = tmp_path / "other"
    (other / "zh").mkdir(parents=True)
    (other / "zh/judge.txt").write_text("请打分。", "utf-8")
    take_prompts(other, build)
    assert prompts_of(build)["zh"].templates["judge"].template == "请打分。"
    assert prompts_of(build)["en"].digest == load_prompts("en").digest
    (build / "steps").mkdir()
    (build / REPLIES_FILE).write_text("{}\n")
    take_prompts(other, build)
    with pytest.raises(InputError, match="asked with other prompts"):
        take_prompts(own, build)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("en/compres.txt", "unknown prompt en/compres.txt: name 'compres': did you mean 'compress'"),
        ("fr/compress.txt", "has neither en/ nor zh/"),
        ("en/compress.md", "has no file in en/ or zh/"),
        ("", "there is no such folder"),
    ],
)
def test_a_folder_that_would_do_nothing_is_refused(tmp_path: Path, name: str, says: str) -> None:
    if name:
        (tmp_path / "own" / name).parent.mkdir(parents=True)
        (tmp_path / "own" / name).write_text("$words")
    with pytest.raises(InputError, match=says):
        take_prompts(tmp_path / "own", tmp_path / "build")
    assert not (tmp_path / "build").exists()
