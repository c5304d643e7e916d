import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.digest import content_digest, row_digest
from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.predicate import build
from lengthwise.builders.predicate.build import BuildResult, build_predicate
from lengthwise.builders.predicate.schema import SCHEMA
from lengthwise.builders.predicate.settings import Settings
from lengthwise.errors import InputError

CONFIGS = ("unary-locate", "lex-locate", "sum-locate")


def built_small(out: Path, configs: tuple[str, ...] = CONFIGS, examples: int = 2, **given: Any) -> BuildResult:
    settings = Settings(examples=examples, **given.pop("settings", {}))
    return build_predicate(out, configs, splits=("4k",), settings=settings, **given)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    return built_small(tmp_path_factory.mktemp("whole") / "plb")


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_finished_folder_holds_what_the_hub_wants_and_no_more(whole: BuildResult) -> None:
    expected = [f"{config}/4k-00000-of-00001.parquet" for config in sorted(CONFIGS)]
    assert files(whole.folder) == ["README.md", "build.json", *expected]


def test_columns_are_those_of_the_schema(built: Path) -> None:
    for path in built.glob("*/*.parquet"):
        assert pq.read_schema(path).equals(SCHEMA)


def test_the_digests_are_those_of_the_rows(whole: BuildResult) -> None:
    for config, splits in read_build(whole.folder)["configs"].items():
        rows = pq.read_table(whole.folder / config).select(SCHEMA.names).to_pylist()
        assert splits["4k"]["digest"] == content_digest(map(row_digest, rows))
        assert splits["4k"]["rows"] == len(rows) == 2


def test_no_character_was_lost(built: Path) -> None:
    for path in built.rglob("*"):
        if path.suffix in (".md", ".json"):
            assert "\ufffd" not in path.read_text("utf-8")
        elif path.suffix == ".parquet":
            assert all("\ufffd" not in json.dumps(row, ensure_ascii=False) for row in pq.read_table(path).to_pylist())


def test_a_finished_build_is_recognised(whole: BuildResult) -> None:
    before = {path: (whole.folder / path).stat().st_mtime_ns for path in files(whole.folder)}
    again = built_small(whole.folder)
    assert again.reused and again.digest == whole.digest
    assert {path: (whole.folder / path).stat().st_mtime_ns for path in files(whole.folder)} == before
    assert "nothing to do" in "\n".join(again.lines())


@pytest.mark.parametrize("given", [{"examples": 3}, {"configs": ("lex-locate",)}, {"settings": {"seed": 1}}])
def test_a_folder_of_another_build_is_refused(whole: BuildResult, given: dict[str, Any]) -> None:
    before = files(whole.folder)
    with pytest.raises(InputError, match="holds another build"):
        built_small(whole.folder, **given)
    assert files(whole.folder) == before


def test_shards_together_are_the_whole(tmp_path: Path, whole: BuildResult) -> None:
    out = tmp_path / "plb"
    results = [built_small(out, shard=(number, 3)) for number in (2, 3)]
    assert not any(result.finished for result in results) and not (out / "build.json").exists()
    assert "this part is done" in results[0].lines()[-1]
    built_small(out, shard=(1, 3))
    assert built_small(out).digest == whole.digest
    assert files(out) == files(whole.folder)


def test_shards_of_two_machines_are_merged_by_copying(tmp_path: Path, whole: BuildResult) -> None:
    for number in (1, 2):
        built_small(tmp_path / str(number), shard=(number, 2))
    shutil.copytree(tmp_path / "2", tmp_path / "1", dirs_exist_ok=True)
    assert built_small(tmp_path / "1").digest == whole.digest


def test_two_workers_equal_one(tmp_path: Path, whole: BuildResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_WORTH_WORKERS", 0)
    assert built_small(tmp_path / "plb", workers=2).digest == whole.digest


def test_a_config_does_not_hang_on_the_others(tmp_path: Path, built: Path) -> None:
    alone = build_predicate(tmp_path / "plb", ["lex-clustered"], splits=("4k",), settings=Settings(examples=3))
    digest = read_build(alone.folder)["configs"]["lex-clustered"]["4k"]["digest"]
    assert digest == read_build(built)["configs"]["lex-clustered"]["4k"]["digest"]


def test_more_examples_begin_with_the_fewer(tmp_path: Path, whole: BuildResult) -> None:
    more = built_small(tmp_path / "plb", ("lex-locate",), 5)
    fewer = pq.read_table(whole.folder / "lex-locate").to_pylist()
    assert pq.read_table(more.folder / "lex-locate").to_pylist()[:2] == fewer


def test_another_seed_gives_other_rows(tmp_path: Path, whole: BuildResult) -> None:
    other = built_small(tmp_path / "plb", settings={"seed": 43})
    assert other.digest != whole.digest


KILLED = """
import sys
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings
build_predicate(sys.argv[1], ["lex-locate"], splits=("4k",), settings=Settings(examples=80))
"""


def test_a_killed_build_leaves_no_half_file_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "plb"
    parts = out / ".parts" / "lex-locate" / "4k"
    with subprocess.Popen([sys.executable, "-c", KILLED, out]) as started:
        while len(list(parts.glob("*.arrow"))) < 2 and started.poll() is None:
            time.sleep(0.002)
        started.kill()
    finished = {path.name for path in parts.glob("*.arrow")}
    assert 2 <= len(finished) < 5
    assert not (out / "build.json").exists() and not (out / "README.md").exists()
    with pytest.raises(InputError, match="the build was stopped: give its command again"):
        validate(out)
    with pytest.raises(InputError, match="unfinished build of other parameters"):
        built_small(out)
    resumed = built_small(out, ("lex-locate",), 80)
    assert resumed.digest == built_small(tmp_path / "other", ("lex-locate",), 80).digest
    assert [name for name in files(out) if "tmp" in name or "parts" in name] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 300 KB, where this process may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", folder], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_ends_the_build_and_more_room_lets_it_go_on(small_disk: Path, tmp_path: Path) -> None:
    out = small_disk / "plb"
    with pytest.raises(OSError, match="No space left"):
        built_small(out, ("lex-locate",), 30)
    assert {Path(name).suffix for name in files(out)} <= {".arrow", ".json", ".parquet"}
    assert not (out / "build.json").exists()
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    assert built_small(out, ("lex-locate",), 30).digest == built_small(tmp_path / "o", ("lex-locate",), 30).digest


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"configs": ("lex-locat",)}, "did you mean 'lex-locate'"),
        ({"configs": ("documents-locate",)}, "documents-locate needs documents: give --documents FOLDER"),
        ({"documents": ("x",)}, "no documents config is among those to build"),
        ({"settings": {"tokenizer": "gpt9"}}, "unknown tokenizer 'gpt9'"),
        ({"settings": {"k": 500}}, "too few for"),
        ({"settings": {"alphabet": "abc", "word_length": 4}}, "alphabet of 3 letters is too small"),
        ({"shard": (3, 2)}, "shard 3/2"),
        ({"tokens": (200,)}, "200 tokens are too few"),
    ],
)
def test_what_cannot_be_built_leaves_nothing(tmp_path: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        built_small(tmp_path / "plb", **given)
    assert not any(tmp_path.iterdir())


def test_without_documents_their_configs_are_skipped_with_a_line(tmp_path: Path) -> None:
    result = built_small(tmp_path / "plb", ("lex-locate", "documents-locate", "documents-longest"))
    assert result.skipped == ("documents-locate", "documents-longest")
    assert "skipped for want of documents: documents-locate, documents-longest" in result.lines()[0]
    assert "--documents" in result.lines()[0]


LOADING = """
import json, shutil, socket, sys

def refuse(*arguments, **named):
    raise AssertionError("the network was asked")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from datasets import load_dataset
one, other, place = sys.argv[1:]
shutil.copytree(one, place)
found = {}
for path in json.load(open(place + "/build.json"))["configs"]:
    rows = load_dataset(place, path)
    assert list(rows) == ["4k"], rows
    streamed = list(load_dataset(place, path, split="4k", streaming=True).take(1))
    assert streamed[0] == rows["4k"][0]
    found[path] = [rows["4k"].num_rows, rows["4k"][0]["id"], rows["4k"].column_names]
default = load_dataset(place, split="4k")
found["default"] = default[0]["id"]
shutil.rmtree(place)
shutil.copytree(other, place)
found["rebuilt"] = load_dataset(place, "lex-locate", split="4k")[0]["id"]
print(json.dumps(found))
"""


def test_datasets_loads_every_config_offline_and_a_rebuilt_folder_anew(tmp_path: Path, built: Path) -> None:
    other = built_small(tmp_path / "other", ("lex-locate",), settings={"seed": 7})
    found = subprocess.run(
        [sys.executable, "-c", LOADING, built, other.folder, tmp_path / "plb"],
        env={**os.environ, "HF_HOME": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    loaded = json.loads(found.stdout)
    assert loaded.pop("default") == "lex-locate-4k-s42-0000"
    assert loaded.pop("rebuilt") == "lex-locate-4k-s7-0000"
    assert {*loaded} == {*read_build(built)["configs"]}
    for config, (rows, name, columns) in loaded.items():
        assert (rows, name) == (3, f"{config}-4k-s42-0000")
        assert columns == SCHEMA.names


def prose(seed: int) -> str:
    """Return 40,000 words of no order, one strictly ascending run of 7 among them."""
    from lengthwise.builders.predicate.words import WordShape, draw_list, text
    from lengthwise.builders.streams import Stream

    vocabulary = sorted(
        text(draw_list(("prose",), WordShape((3, 5, 7), (0.3, 0.4)), 3_000), WordShape((7,)).alphabet).split()
    )
    stream = Stream("prose", seed)
    # Pairs of one high and one low word keep every run of the rest short.
    words: list[str] = []
    for high, low in zip(stream.integers(1_400, 7_000).tolist(), stream.integers(1_400, 7_000).tolist(), strict=True):
        words += [vocabulary[1_500 + high], vocabulary[low]]
    return " ".join([*words[:5_001], *(vocabulary[i] for i in range(1_420, 1_490, 10)), *words[5_001:]])


def test_documents_give_their_four_configs(tmp_path: Path) -> None:
    source = tmp_path / "texts"
    source.mkdir()
    for number in range(2):
        (source / f"text-{number}.txt").write_text(prose(number), encoding="utf-8")
    (source / "short.txt").write_text("too short to be used", encoding="utf-8")
    configs = ("documents-locate", "documents-longest", "documents-scattered", "documents-clustered")
    result = build_predicate(tmp_path / "plb", configs, documents=(str(source),), settings=Settings(examples=5))
    rows = {config: pq.read_table(result.folder / config).to_pylist() for config in configs}
    assert {len(found) for found in rows.values()} == {2}
    for base, longest, *decoyed in zip(*rows.values(), strict=True):
        assert base["k"] == 7 and base["list_id"] == longest["list_id"] and base["prompt"] != longest["prompt"]
        assert [len(row["decoys"]) for row in (base, *decoyed)] == [0, 8, 8]
        assert all(row["answer"] == base["answer"] and row["document_id"] == base["document_id"] for row in decoyed)
        assert all(row["n_words"] == base["n_words"] + 8 * 7 for row in decoyed)
    assert not any(report.problems for report in validate(result.folder))
    assert "documents: 2 used, 1 refused" in result.lines()[0]
    assert "short" in json.dumps(read_build(result.folder)["documents"]["rejected"])
    assert "short" in (result.folder / "README.md").read_text("utf-8")


def test_decoys_in_documents_can_be_swept(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(prose(3), encoding="utf-8")
    result = build_predicate(
        tmp_path / "plb",
        ("documents-locate", "documents-scattered", "documents-clustered"),
        documents=(str(tmp_path / "text.txt"),),
        settings=Settings(examples=1),
        sweep={"decoys": (2, 4)},
    )
    assert not any(report.problems for report in validate(result.folder))
    rows = {
        config: pq.read_table(result.folder / config).to_pylist()[0] for config in read_build(result.folder)["configs"]
    }
    assert {config: len(row["decoys"]) for config, row in rows.items()} == {
        "documents-locate": 0,
        "documents-scattered--decoys-2": 2,
        "documents-scattered--decoys-4": 4,
        "documents-clustered--decoys-2": 2,
        "documents-clustered--decoys-4": 4,
    }
    assert len({row["answer_text"] for row in rows.values()}) == 1
    assert len({row["list_id"] for row in rows.values()}) == 5


def test_a_swept_config_that_is_skipped_is_named_once(tmp_path: Path) -> None:
    result = build_predicate(
        tmp_path / "plb",
        ("lex-scattered", "documents-scattered"),
        splits=("4k",),
        settings=Settings(examples=1),
        sweep={"decoys": (2, 4)},
    )
    assert result.skipped == ("documents-scattered",)


@pytest.mark.shared
def test_a_real_document_is_built_and_proven(tmp_path: Path, shared_dir: Path) -> None:
    source = tmp_path / "texts"
    source.mkdir()
    books = sorted(path for path in (shared_dir / "data" / "longdocs").rglob("*") if "federalist" in path.name)
    shutil.copy(books[0], source)
    configs = ("documents-longest", "documents-clustered")
    result = build_predicate(tmp_path / "plb", configs, documents=(str(source),), settings=Settings(examples=1))
    assert pq.read_table(result.folder / "documents-longest").to_pylist()[0]["k"] == 8
    assert not any(report.problems for report in validate(result.folder))
