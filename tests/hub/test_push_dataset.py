import json
import shutil
from pathlib import Path

import pytest

from lengthwise.builders.push_dataset import push_dataset
from lengthwise.errors import InputError

from .hub_server import TOKEN, Hub
from .hub_wire import Answer, Asked, refusal

# The client's own way of sending a large file is one that its HTTP library deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>':DeprecationWarning")

REPO = "ORG/novels"
ROWS = (
    "1k-prompt/test-00000-of-00001.parquet",
    "1k/test-en-00000-of-00001.parquet",
    "1k/test-zh-00000-of-00001.parquet",
)


@pytest.fixture
def folder(story_world: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(story_world, tmp_path / "novels"))


def on_hub(hub: Hub, revision: str = "main") -> set[str]:
    return set(hub.repositories["dataset", REPO].files(revision)) - {".gitattributes"}


def test_what_a_build_consists_of_is_pushed_and_nothing_else(hub: Hub, folder: Path) -> None:
    for path in (
        "steps/replies.jsonl",
        "review/1.json",
        ".parts/plan.json",
        ".env",
        "notes.txt",
        "1k/mine.parquet.bak",
    ):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text("mine")
    pushed = push_dataset(folder, REPO)
    assert on_hub(hub) == {"README.md", "build.json", "croissant.json", "eval.yaml", *ROWS}
    assert (pushed.created, len(pushed.sent), pushed.unchanged) == (True, 7, 0)
    assert hub.unknown == []


def test_a_second_push_sends_nothing(hub: Hub, folder: Path) -> None:
    first = push_dataset(folder, REPO)
    hub.requests.clear()
    second = push_dataset(folder, REPO)
    assert (second.sent, second.removed, second.unchanged, second.commit) == ((), (), 7, first.commit)
    assert [one for one in hub.sent() if not one.startswith("POST") or "/tag/" not in one] == []


def test_only_what_changed_is_sent(hub: Hub, folder: Path) -> None:
    push_dataset(folder, REPO)
    with (folder / "README.md").open("a") as card:
        card.write("\nOne more line.\n")
    assert push_dataset(folder, REPO).sent == ("README.md",)


def test_old_rows_stay_loadable_by_their_tag(hub: Hub, folder: Path, built: Path) -> None:
    first = push_dataset(folder, REPO)
    repository = hub.repositories["dataset", REPO]
    assert first.tag == f"v1-{json.loads((folder / 'build.json').read_text())['digest'][:16]}"
    repository.commit("main", {})
    assert on_hub(hub, first.tag) >= set(ROWS)


def test_rows_of_an_earlier_build_are_removed_and_foreign_files_stay(hub: Hub, folder: Path) -> None:
    push_dataset(folder, REPO)
    repository = hub.repositories["dataset", REPO]
    files = dict(repository.files())
    build = json.loads(files["build.json"].content)
    build["configs"]["2k"] = {"test": {"files": ["2k/test-00000-of-00001.parquet"]}}
    old = {"2k/test-00000-of-00001.parquet": files[ROWS[0]], "theirs/data.parquet": files[ROWS[0]]}
    changed = type(files["build.json"]).of(json.dumps(build).encode(), large=False)
    repository.commit("main", {**files, **old, "build.json": changed})
    assert push_dataset(folder, REPO).removed == ("2k/test-00000-of-00001.parquet",)
    assert "theirs/data.parquet" in on_hub(hub)


def test_another_benchmark_is_not_overwritten(hub: Hub, folder: Path, built: Path) -> None:
    push_dataset(folder, REPO)
    with pytest.raises(InputError, match="holds longnovel-storyworld, not predicatelongbench"):
        push_dataset(built, REPO)


def test_a_folder_with_problems_is_not_pushed(hub: Hub, folder: Path) -> None:
    shutil.copyfile(folder / ROWS[1], folder / ROWS[2])
    with pytest.raises(InputError, match=r"(?s)`lengthwise validate` finds \d+ problems:\n  .*1k/test"):
        push_dataset(folder, REPO)
    assert hub.requests == []


def test_text_that_may_not_be_passed_on_has_a_way_out(hub: Hub, folder: Path) -> None:
    build = json.loads((folder / "build.json").read_text("utf-8"))
    (folder / "build.json").write_text(json.dumps({**build, "benchmark": "longnovel", "redistributable": False}))
    with pytest.raises(InputError, match=r"lengthwise export .* --recipe"):
        push_dataset(folder, REPO)
    assert hub.requests == []


def test_documents_without_a_licence_are_not_pushed(hub: Hub, built: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(built, tmp_path / "documents")
    build = json.loads((folder / "build.json").read_text("utf-8"))
    build["documents"] = {"kept": [{"id": "a-tale", "licence": "unknown"}]}
    (folder / "build.json").write_text(json.dumps(build))
    with pytest.raises(InputError, match="a-tale may be passed on"):
        push_dataset(folder, REPO)


def test_a_pull_request_leaves_main_alone(hub: Hub, folder: Path) -> None:
    push_dataset(folder, REPO)
    before = hub.repositories["dataset", REPO].refs["main"]
    (folder / "README.md").write_text((folder / "README.md").read_text("utf-8") + "\nMore.\n", "utf-8")
    pushed = push_dataset(folder, REPO, pull_request=True)
    repository = hub.repositories["dataset", REPO]
    assert repository.refs["main"] == before
    assert repository.refs["refs/pr/1"] == pushed.commit
    assert pushed.pull_request and pushed.pull_request.endswith("/discussions/1")
    assert pushed.tag is None
    again = push_dataset(folder, REPO, revision="refs/pr/1")
    assert again.sent == ()


def test_a_branch_is_made_and_not_tagged(hub: Hub, folder: Path) -> None:
    pushed = push_dataset(folder, REPO, revision="next")
    assert on_hub(hub, "next") >= set(ROWS)
    assert on_hub(hub) == set()
    assert pushed.tag is None


def test_private_is_of_a_repository_that_is_made(hub: Hub, folder: Path) -> None:
    push_dataset(folder, REPO, private=True)
    assert hub.repositories["dataset", REPO].private
    hub.repositories["dataset", REPO].private = False
    with pytest.raises(InputError, match="there already, and public"):
        push_dataset(folder, REPO, private=True)


@pytest.mark.parametrize(
    ("repo", "options", "said"),
    [
        ("novels", {}, "'novels' is no Hub id"),
        ("ORG/a/b", {}, "no Hub id"),
        (REPO, {"pull_request": True, "revision": "next"}, "give one of them"),
        (REPO, {"pull_request": True}, r"there is none, or the token may not see it \(404\)"),
    ],
)
def test_targets_that_cannot_be(hub: Hub, folder: Path, repo: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        push_dataset(folder, repo, **options)  # type: ignore[arg-type]


def test_no_token(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(folder / "no-token"))
    with pytest.raises(InputError, match="no token for the Hub: run `hf auth login`"):
        push_dataset(folder, REPO)


def test_a_token_that_is_none_is_not_shown(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with pytest.raises(InputError, match=r"the Hub does not take the token \(401\)") as raised:
        push_dataset(folder, REPO)
    assert "hf_secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("status", "where", "said"),
    [
        (403, "/create", "take one with write access"),
        (409, "/preupload/", "somebody else wrote to it"),
        (429, "/create", "too many requests"),
        (400, "/preupload/", "the Hub refused"),
    ],
)
def test_refusals_are_put_in_words(hub: Hub, folder: Path, status: int, where: str, said: str) -> None:
    def fault(asked: Asked) -> Answer | None:
        return refusal(status, "", "no") if where in asked.path else None

    hub.fault = fault
    with pytest.raises(InputError, match=said) as raised:
        push_dataset(folder, REPO)
    assert TOKEN not in str(raised.value)


def test_no_network(hub: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputError, match="cannot be reached"):
        push_dataset(folder, REPO)


def test_a_push_that_broke_off_goes_on(hub: Hub, folder: Path) -> None:
    def fault(asked: Asked) -> Answer | None:
        return refusal(400, "", "enough") if "/commit/" in asked.path else None

    hub.fault = fault
    with pytest.raises(InputError, match="enough"):
        push_dataset(folder, REPO)
    hub.fault = None
    hub.requests.clear()
    push_dataset(folder, REPO)
    assert [one for one in hub.requests if one.startswith("PUT")] == []
    assert on_hub(hub) >= set(ROWS)


@pytest.fixture
def recipe(folder: Path, tmp_path: Path) -> Path:
    """What `export --recipe` writes, of rows that are as good as any here: their digests alone."""
    from lengthwise.builders.longnovel.recipe_card import recipe_card

    out = tmp_path / "recipe"
    (out / "1k").mkdir(parents=True)
    build = json.loads((folder / "build.json").read_text("utf-8"))
    (out / "build.json").write_text(json.dumps({**build, "redistributable": False}), "utf-8")
    card = (folder / "README.md").read_text("utf-8")
    (out / "card.md").write_text(card, "utf-8")
    (out / "README.md").write_text(recipe_card(card), "utf-8")
    for language in ("en", "zh"):
        (out / "1k" / f"test-{language}.jsonl").write_text('{"digest": "a"}\n{"digest": "b"}\n', "utf-8")
    (out / "recipe.json").write_text(json.dumps({"digest": build["digest"], "units": []}), "utf-8")
    return out


def test_a_recipe_takes_the_place_of_rows(hub: Hub, folder: Path, recipe: Path) -> None:
    push_dataset(folder, REPO)
    pushed = push_dataset(recipe, REPO)
    assert set(ROWS) < set(pushed.removed)
    rows = {"1k/test-en.jsonl", "1k/test-zh.jsonl"}
    assert on_hub(hub) == {"README.md", "card.md", "build.json", "recipe.json", *rows}
    card = hub.repositories["dataset", REPO].files()["README.md"].content.decode()
    assert "viewer: false" in card and "configs:" not in card.split("---\n")[1]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("1k/test-en.jsonl", '{"digest": "a"}\n', "1k/test has 3 rows"),
        ("1k/test-en.jsonl", "{}\n{}\n", "a row without its digest"),
        ("1k/test-zh.jsonl", "torn", "is no whole recipe"),
        ("recipe.json", '{"digest": "other"}', "different digests"),
    ],
)
def test_a_damaged_recipe_is_not_pushed(hub: Hub, recipe: Path, path: str, text: str, said: str) -> None:
    (recipe / path).write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        push_dataset(recipe, REPO)
    assert hub.requests == []
