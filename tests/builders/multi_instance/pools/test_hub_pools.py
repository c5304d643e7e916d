"""Pools from the Hub, without it: files laid out and written as on the Hub, read by the same functions."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from huggingface_hub.errors import LocalEntryNotFoundError

from lengthwise.builders.hub_files import PARQUET_BRANCH, Row, file_rows
from lengthwise.builders.multi_instance.pools.generated_pools import generated_pool
from lengthwise.builders.multi_instance.pools.hub_pools import hub_pool
from lengthwise.builders.multi_instance.pools.hub_sources import (
    HUB_SOURCES,
    NER_SOURCES,
    distinct_instances,
    language_instances,
    ner_instances,
    persons,
    sentiment_instances,
    word_instances,
)
from lengthwise.builders.multi_instance.pools.pool import Instance
from lengthwise.builders.multi_instance.tasks import KNOWN_TASKS
from lengthwise.errors import InputError

TAGS = ["O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC"]


class Hub:
    """A folder for each repository and revision; what is not there cannot be fetched."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, repo: str, revision: str | None = None) -> Path:
        return self.root / repo.replace("/", "--") / (revision or "main").replace("/", "-") / "0123456789abcdef"

    def jsonl(self, repo: str, name: str, rows: list[Row]) -> None:
        path = self.folder(repo) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")

    def parquet(
        self, repo: str, name: str, rows: list[Row], features: Any = None, revision: str | None = None
    ) -> None:
        from datasets import Dataset

        path = self.folder(repo, revision) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Dataset.from_list([dict(row) for row in rows], features=features).to_parquet(path)

    def snapshot_download(self, repo: str, *, repo_type: str, revision: str | None, allow_patterns: list[str]) -> str:
        assert repo_type == "dataset" and allow_patterns
        if not self.folder(repo, revision).is_dir():
            raise LocalEntryNotFoundError("no connection")
        return str(self.folder(repo, revision))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    hub = Hub(tmp_path / "hub")
    monkeypatch.setattr(huggingface_hub, "snapshot_download", hub.snapshot_download)
    return hub


def texts(instances: Iterator[Instance]) -> list[tuple[str, str]]:
    return [(one.text, one.label) for one in instances]


# Rows -> instances


def test_sentences_under_six_tokens_are_left_out() -> None:
    rows = [{"tokens": ["Hi", "Bo", "!"], "ner_tags": [0, 1, 0]}]
    assert list(ner_instances(rows)) == []


def test_a_person_right_behind_another_is_one_more() -> None:
    assert persons(["Ann", "Bo", "Lee"], ["B-PER", "B-PER", "I-PER"]) == ["ann", "bo lee"]


def test_other_entities_and_stray_ends_are_no_persons() -> None:
    assert persons(["Acme", "Inc", "Lee"], [3, 4, 2]) == []


def test_snippets_that_are_not_extreme_are_left_out() -> None:
    rows = [{"text": f"film {label} .", "label": label} for label in range(5)]
    assert texts(sentiment_instances(rows)) == [("film 0 .", "negative"), ("film 4 .", "positive")]


def test_tweets_are_counted_whatever_their_stance() -> None:
    rows = [{"text": "Woman, women, WOMEN!\n#WomensRights", "label": 2}, {"text": "men", "label": 0}]
    assert texts(word_instances(rows)) == [("Woman, women, WOMEN! #WomensRights", "3"), ("men", "0")]


def test_instances_that_come_twice_count_once() -> None:
    found = distinct_instances([Instance("a", "1"), Instance("", "0"), Instance("a", "0"), Instance("b", "0")])
    assert found == [Instance("a", "1"), Instance("b", "0")]


# Files -> pools


def test_category_is_read_by_the_labels_names(hub: Hub) -> None:
    names = ("tech", "business", "sport", "entertainment", "politics")
    for part in ("train", "test"):
        rows = [{"text": f"{part} {name}", "label": number, "label_text": name} for number, name in enumerate(names)]
        hub.jsonl("SetFit/bbc-news", f"{part}.jsonl", rows)
    pool = hub_pool("news")
    assert texts(iter(pool.instances)) == [(f"{part} {name}", name) for part in ("train", "test") for name in names]
    assert (pool.kind, pool.redistributable) == ("hub", False)
    assert pool.source == "SetFit/bbc-news@0123456789ab, 10 of 10, seed 42"


def test_stances_of_all_five_topics(hub: Hub) -> None:
    for topic in ("abortion", "atheism", "climate", "feminist", "hillary"):
        name = f"stance_{topic}/train-00000-of-00001.parquet"
        hub.parquet("cardiffnlp/tweet_eval", name, [{"text": f"{topic} women", "label": 1}])
    assert [one.label for one in hub_pool("word").instances] == ["1"] * 5


def test_a_draw_keeps_the_order_and_another_seed_draws_others(hub: Hub) -> None:
    rows = [{"text": f"film {number}", "label": 4 * (number % 2)} for number in range(500)]
    for part in ("train", "dev", "test"):
        hub.jsonl("SetFit/sst5", f"{part}.jsonl", rows if part == "train" else [{"text": part, "label": 0}])
    pool = hub_pool("sentiment", size=50)
    numbers = [int(one.text.split()[-1]) for one in pool.instances if one.text.startswith("film")]
    assert len(pool.instances) == 50 and numbers == sorted(numbers) and numbers != list(range(len(numbers)))
    assert hub_pool("sentiment", size=50).digest == pool.digest != hub_pool("sentiment", size=50, seed=1).digest


def ner_features() -> Any:
    from datasets import ClassLabel, Features, Sequence, Value

    words = Sequence(Value("string"))
    return Features(
        {
            "idx": Value("string"),
            "text": Value("string"),
            "tokens": words,
            "ner_tags": Sequence(ClassLabel(names=TAGS)),
            "annotator": words,
        }
    )


def ner_row(text: str, tags: list[int]) -> Row:
    tokens = text.split()
    return {"idx": "x-1", "text": text, "tokens": tokens, "ner_tags": tags, "annotator": ["a"] * len(tokens)}


@pytest.mark.parametrize(
    ("repo", "form", "revision"),
    [
        ("universalner/universal_ner", "en_ewt/{}/0000.parquet", PARQUET_BRANCH),
        ("BramVanroy/universal_ner", "en_ewt/{}-00000-of-00001.parquet", None),
    ],
    ids=["parquet branch", "mirror"],
)
def test_universal_ner_from_either_copy(hub: Hub, repo: str, form: str, revision: str | None) -> None:
    rows = {
        "validation": [ner_row("Did Ann Lee call from Oslo ?", [0, 1, 2, 0, 0, 5, 0])],
        "test": [ner_row("No one was there at all", [0] * 6)],
    }
    for part, found in rows.items():
        hub.parquet(repo, form.format(part), found, ner_features(), revision)
    pool = hub_pool("ner")
    assert texts(iter(pool.instances)) == [
        ("did ann lee call from oslo ?", '["ann lee"]'),
        ("no one was there at all", "[]"),
    ]
    assert pool.source.startswith(repo) and pool.redistributable


def test_wikiann_only_on_demand(hub: Hub) -> None:
    for part in ("train", "validation", "test"):
        row = {"tokens": f"{part} Bo ran to the shop".split(), "ner_tags": [0, 1, 0, 0, 0, 0]}
        hub.parquet("unimelb-nlp/wikiann", f"en/{part}-00000-of-00001.parquet", [row])
    assert len(hub_pool("ner", ner_source="wikiann").instances) == 3
    with pytest.raises(InputError, match=r"universalner/universal_ner.*BramVanroy"):
        hub_pool("ner")


def test_languages_by_the_names_of_the_class_labels(hub: Hub) -> None:
    from datasets import ClassLabel, Features, Value

    features = Features({"sentence": Value("string"), "label": ClassLabel(names=["deu", "eng", "zho", "fas", "spa"])})
    rows = [{"sentence": f"paragraph {number}", "label": number} for number in range(5)]
    for part in ("train", "test"):
        found = [{**row, "sentence": f"{part} {row['sentence']}"} for row in rows]
        hub.parquet("MartinThoma/wili_2018", f"WiLI-2018 dataset/{part}/0000.parquet", found, features, PARQUET_BRANCH)
    labels = [one.label for one in hub_pool("language").instances]
    assert labels == ["english", "chinese", "persian", "spanish"] * 2


@pytest.mark.parametrize("task", ["arithmetic", "parity"])
def test_what_the_authors_made_themselves_is_generated(hub: Hub, task: str) -> None:
    pool = hub_pool(task, size=20)
    assert (pool.kind, len(pool.instances), pool.redistributable) == ("generated", 20, True)


def test_without_a_network_the_fix_is_named(hub: Hub) -> None:
    with pytest.raises(InputError, match=r"SetFit/sst5: the Hub cannot be reached.*generated"):
        hub_pool("sentiment")


def test_a_missing_part_is_named(hub: Hub) -> None:
    hub.jsonl("SetFit/sst5", "train.jsonl", [{"text": "a", "label": 4}])
    with pytest.raises(InputError, match=r"dev\.jsonl"):
        hub_pool("sentiment")


def test_wsd_refuses_without_its_folder(hub: Hub) -> None:
    with pytest.raises(InputError, match=r"CoarseWSD-20/apple.*danlou/bert-disambiguation"):
        hub_pool("wsd")


def write_wsd(folder: Path, train: str, gold: str) -> None:
    for name, text in {
        "train.data": train,
        "train.gold": gold,
        "test.data": "0\tapple pie .\n",
        "test.gold": "1\n",
    }.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")


def test_wsd_from_its_folder(tmp_path: Path) -> None:
    write_wsd(tmp_path, "0\tapple sued .\n3\tshe ate an apple .\n", "0\n1\n")
    pool = hub_pool("wsd", wsd_folder=tmp_path)
    expected = [("apple sued .", "company"), ("she ate an apple .", "fruit"), ("apple pie .", "fruit")]
    assert texts(iter(pool.instances)) == expected
    assert not pool.redistributable


@pytest.mark.parametrize(
    ("train", "gold", "message"),
    [
        ("0\tapple\n", "0\n1\n", "differ in length"),
        ("apple\n", "0\n", "train, line 1"),
        ("0\tapple\n", "2\n", "sense 0 or 1"),
    ],
)
def test_a_wsd_folder_that_does_not_fit_is_refused(tmp_path: Path, train: str, gold: str, message: str) -> None:
    write_wsd(tmp_path, train, gold)
    with pytest.raises(InputError, match=message):
        hub_pool("wsd", wsd_folder=tmp_path)


def test_unknown_source_and_task_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'wikiann'"):
        hub_pool("ner", ner_source="wikian")
    with pytest.raises(InputError, match="unknown task"):
        hub_pool("voice")


def test_every_task_that_is_not_made_or_local_has_a_source() -> None:
    assert set(KNOWN_TASKS) - set(HUB_SOURCES) == {"arithmetic", "parity", "wsd"}
    assert HUB_SOURCES["ner"] is NER_SOURCES["universal-ner"]


# Tasks that the paper took out


def test_probing_tasks_are_read_by_the_names_of_their_labels(hub: Hub) -> None:
    from datasets import ClassLabel, Features, Value

    features = Features({"sentence": Value("string"), "label": ClassLabel(names=["NN", "NNS"])})
    rows = [{"sentence": "The dog sleeps .", "label": 0}, {"sentence": "The dogs sleep .", "label": 1}]
    repo = "tasksource/linguisticprobing"
    hub.parquet(repo, "subj_number/test/0000.parquet", rows, features, PARQUET_BRANCH)
    pool = hub_pool("subjnum")
    assert texts(iter(pool.instances)) == [("The dog sleeps .", "singular"), ("The dogs sleep .", "plural")]
    assert pool.source.startswith(f"{repo}@0123456789ab")


def test_labels_of_excluded_tasks_are_their_classes() -> None:
    rows = [{"sentence": label, "label": label} for label in ("O", "I", "NN", "NNS")]
    for task in ("bshift", "subjnum"):
        assert {one.label for one in HUB_SOURCES[task].instances(rows)} == set(KNOWN_TASKS[task].classes)


def test_excluded_tasks_are_not_generated() -> None:
    with pytest.raises(InputError, match="--pool hub"):
        generated_pool("bshift")


# Real text in the same shapes


def uner(path: Path) -> Iterator[Row]:
    """Read an IOB2 file as rows of the Hub's shape."""
    for block in path.read_text("utf-8").strip().split("\n\n"):
        fields = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        tags = [TAGS.index(field[2]) for field in fields]
        yield {**ner_row("x", []), "tokens": [field[1] for field in fields], "ner_tags": tags}


@pytest.mark.shared
def test_the_authors_sentences_are_universal_ners(hub: Hub, shared_dir: Path) -> None:
    source = shared_dir / "data/mip/sources/uner_english_ewt"
    for part, file in {"validation": "dev", "test": "test"}.items():
        rows = list(uner(source / f"en_ewt-ud-{file}.iob2"))
        hub.parquet("universalner/universal_ner", f"en_ewt/{part}/0000.parquet", rows, ner_features(), PARQUET_BRANCH)
    pool = hub_pool("ner", size=10_000)
    ours = {one.text: json.loads(one.label) for one in pool.instances}
    folder = shared_dir / "data/mip/pools/ner"
    lines = (folder / "2500_ner_text.txt").read_text("utf-8").splitlines()
    labels = (folder / "2500_ner_label.txt").read_text("utf-8").splitlines()
    theirs = {line.strip(): json.loads(label)["PER"] for line, label in zip(lines, labels, strict=True)}
    assert len(theirs) == 2500 and theirs.keys() <= ours.keys()
    assert [len(ours[text]) for text in theirs] == [len(found) for found in theirs.values()]
    # 2,500 of these were drawn: nothing else is left out.
    assert len(ours) == 2845


def shared_rows(name: str) -> Callable[[Path], list[Row]]:
    def read(folder: Path) -> list[Row]:
        return [json.loads(line) for line in (folder / "data/mip/sources" / name).read_text("utf-8").splitlines()]

    return read


@pytest.mark.shared
def test_declarations_in_four_languages(hub: Hub, shared_dir: Path) -> None:
    from datasets import ClassLabel, Features, Value

    features = Features({"sentence": Value("string"), "label": ClassLabel(names=["eng", "zho", "fas", "spa"])})
    found = shared_rows("udhr/paragraphs.jsonl")(shared_dir)
    rows = [{"sentence": row["text"], "label": row["label"]} for row in found]
    for part in ("train", "test"):
        path = f"WiLI-2018 dataset/{part}/0000.parquet"
        hub.parquet("MartinThoma/wili_2018", path, rows, features, PARQUET_BRANCH)
    instances = hub_pool("language").instances
    assert {one.label for one in instances} == {"english", "chinese", "persian", "spanish"}
    assert len(instances) == len({row["text"] for row in found})
    copy = HUB_SOURCES["language"].copies[0]
    rows_again = list(file_rows(hub.folder(copy.repo, copy.revision), copy))
    assert texts(language_instances(rows_again[:1])) == [(found[0]["text"], "english")]


@pytest.mark.shared
def test_sentences_on_women(hub: Hub, shared_dir: Path) -> None:
    found = shared_rows("vindication_women/sentences.jsonl")(shared_dir)
    for number, topic in enumerate(("abortion", "atheism", "climate", "feminist", "hillary")):
        rows = [{"text": row["text"], "label": 0} for row in found[number::5]]
        hub.parquet("cardiffnlp/tweet_eval", f"stance_{topic}/train-00000-of-00001.parquet", rows)
    truth = {row["text"]: str(row["label"]) for row in found}
    instances = hub_pool("word").instances
    assert {one.text: one.label for one in instances} == truth


@pytest.mark.shared
def test_labelled_film_sentences(hub: Hub, shared_dir: Path) -> None:
    path = shared_dir / "data/mip/sources/uci_imdb_labelled/imdb_labelled.txt"
    lines = [line.rpartition("\t") for line in path.read_text("utf-8").split("\n")[1:] if line.strip()]
    rows = [{"text": text, "label": 4 * int(label), "label_text": ""} for text, _, label in lines]
    for part, found in {"train": rows[:600], "dev": rows[600:800], "test": rows[800:]}.items():
        hub.jsonl("SetFit/sst5", f"{part}.jsonl", found)
    instances = hub_pool("sentiment").instances
    assert len(instances) == len({" ".join(row["text"].splitlines()).strip() for row in rows})
    positive = sum(one.label == "positive" for one in instances)
    assert 0.45 < positive / len(instances) < 0.55
