import statistics
from pathlib import Path

import pytest

from lengthwise.builders.multi_instance import random_selections
from lengthwise.builders.multi_instance.pools.folder_pools import UNKNOWN_LICENCE, folder_pool, read_label
from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.errors import InputError

# Right answers of the authors' samples, sizes rising: seed 1, then seed 5.
CHECKS = {
    "arithmetic": (
        "2631.99, 9555.777, -147380.3, -15937.427767, -421546.1505, -8830583.931616, -112968.2505615, "
        "-8439726.38918231, 3311747.809894, 5744052.51442479",
        "-2927.79, -1036974.88364, 338171.81228, 3021229.64318, 1446094.3226, -1554856.804608, 7771217.5410088, "
        "13392990.8185224, -22551865.72316481, -13782286.23054831",
    ),
    "language": ("0, 1, 0, 5, 10, 21, 52, 120, 250, 491", "1, 2, 2, 5, 11, 21, 53, 132, 256, 488"),
    "ner": ("1, 0, 1, 0, 7, 18, 23, 56, 140, 302", "0, 1, 3, 2, 7, 12, 35, 83, 141, 301"),
    "parity": ("0, 4, 5, 8, 21, 48, 102, 253, 535, 1023", "2, 4, 2, 11, 19, 52, 107, 251, 510, 1013"),
}


@pytest.mark.shared
@pytest.mark.parametrize("task", CHECKS)
@pytest.mark.parametrize("seed", [1, 5])
def test_answers_of_the_published_samples(shared_dir: Path, task: str, seed: int) -> None:
    import yaml

    pool = folder_pool(shared_dir / "data/mip/pools", task)
    path = shared_dir / f"data/mip/selections/{TASKS[task].folder}_selection.yaml"
    samples = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)["samples"]
    retained = set().union(*(one["indices"] for one in samples))
    drawn = random_selections(sorted(retained), TASKS[task].sizes, (seed,))
    answers = [
        TASKS[task].summary([TASKS[task].instance_answer(pool.instances[index].label) for index in indices])
        for indices in drawn.values()
    ]
    assert ", ".join(one[TASKS[task].headline] for one in answers) == CHECKS[task][seed == 5]


@pytest.mark.shared
@pytest.mark.parametrize("task", CHECKS)
def test_mean_length_is_the_papers(shared_dir: Path, task: str) -> None:
    pool = folder_pool(shared_dir / "data/mip/pools", task)
    words = statistics.mean(len(one.text.split()) for one in pool.instances)
    assert len(pool.instances) == 2500
    assert round(words, 1) == TASKS[task].mean_words


def write(folder: Path, texts: str, labels: str) -> None:
    (folder / "news").mkdir()
    (folder / "news" / "2_news_text.txt").write_text(texts, "utf-8")
    (folder / "news" / "2_news_label.txt").write_text(labels, "utf-8")


def test_authors_names_numbers_and_missing_line_end(tmp_path: Path) -> None:
    write(tmp_path, "one\n two \n", "4\n0")
    pool = folder_pool(tmp_path, "category")
    assert [(one.text, one.label) for one in pool.instances] == [("one", "tech"), ("two", "business")]
    assert not pool.redistributable


def test_unequal_numbers_of_lines_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "one\ntwo\n", "4\n")
    with pytest.raises(InputError, match="2 texts and 1 labels"):
        folder_pool(tmp_path, "category")


def test_a_bad_label_is_named_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, "one\ntwo\n", "4\n9\n")
    with pytest.raises(InputError, match=r"2_news_label.txt, line 2: .*'9'"):
        folder_pool(tmp_path, "category")


def test_an_empty_line_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "one\n\nthree\n", "4\n0\n1\n")
    with pytest.raises(InputError, match="instance 1"):
        folder_pool(tmp_path, "category")


def test_bytes_that_are_no_utf8_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "one\ntwo\n", "4\n0\n")
    (tmp_path / "news" / "2_news_text.txt").write_bytes(b"caf\xe9\ntwo\n")
    with pytest.raises(InputError, match="no UTF-8"):
        folder_pool(tmp_path, "category")


@pytest.mark.shared
@pytest.mark.parametrize("task", CHECKS)
def test_the_authors_open_texts_may_be_passed_on(shared_dir: Path, task: str) -> None:
    pool = folder_pool(shared_dir / "data/mip/pools", task)
    assert pool.redistributable and pool.licence != UNKNOWN_LICENCE


def test_someones_own_text_is_not_said_to_be_the_authors(tmp_path: Path) -> None:
    (tmp_path / "ner").mkdir()
    (tmp_path / "ner" / "2500_ner_text.txt").write_text("anita met us\n", "utf-8")
    (tmp_path / "ner" / "2500_ner_label.txt").write_text('["anita"]\n', "utf-8")
    pool = folder_pool(tmp_path, "ner")
    assert (pool.licence, pool.redistributable) == (UNKNOWN_LICENCE, False)
    assert folder_pool(tmp_path, "ner", "CC0").licence == "CC0"


def test_what_a_folder_holds_is_named(tmp_path: Path) -> None:
    write(tmp_path, "one\n", "4\n")
    with pytest.raises(InputError, match=r"name category-all$"):
        folder_pool(tmp_path, "word")


def test_a_task_that_the_folder_lacks_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tweets/\*_text.txt for word"):
        folder_pool(tmp_path, "word")


def test_persons_alone_count() -> None:
    assert read_label(TASKS["ner"], '{"ORG": ["x"], "PER": ["a", "b"], "LOC": []}') == '["a", "b"]'
