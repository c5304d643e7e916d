import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.push_dataset import push_dataset
from lengthwise.errors import InputError

from .conftest import Client
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


@pytest.mark.parametrize("benchmark", ["longnovel", "multi-instance"])
def test_text_that_may_not_be_passed_on_has_a_way_out(hub: Hub, folder: Path, benchmark: str) -> None:
    build = json.loads((folder / "build.json").read_text("utf-8"))
    (folder / "build.json").write_text(json.dumps({**build, "benchmark": benchmark, "redistributable": False}))
    with pytest.raises(InputError, match=r"lengthwise export .* --recipe"):
        push_dataset(folder, REPO)
    assert hub.requests == []


def test_documents_without_a_licence_are_not_pushed(hub: Hub, built: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(built, tmp_path / "documents")
    build = json.loads((folder / "build.json").read_text("utf-8"))
    build["documents"] = {"kept": [{"id": "a-tale", "licence": "unknown"}]}
    (folder / "build.json").write_text(json.dumps(build))
    with pytest.raises(InputError, match=r"a-tale may be passed on .*lengthwise export .* --recipe"):
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


def instances(folder: Path, *, passed_on: bool) -> Path:
    """Build a handful of instances, from a pool that may be passed on or may not."""
    from lengthwise.builders.multi_instance.build import build_multi_instance
    from lengthwise.builders.multi_instance.pools.generated_pools import generated_pool
    from lengthwise.builders.multi_instance.settings import InstanceSettings

    build_multi_instance(
        folder,
        ("parity",),
        pool_of=lambda task: replace(generated_pool(task, 20), redistributable=passed_on),
        settings=InstanceSettings(sizes=(2, 5), seeds=(1,)),
    )
    return folder


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    from lengthwise.builders.recipes import export_recipe

    export_recipe(instances(tmp_path / "closed", passed_on=False), tmp_path / "recipe")
    return tmp_path / "recipe"


def test_a_recipe_takes_the_place_of_rows(hub: Hub, recipe: Path, tmp_path: Path) -> None:
    push_dataset(instances(tmp_path / "open", passed_on=True), REPO)
    pushed = push_dataset(recipe, REPO)
    gone = {"parity/n2-00000-of-00001.parquet", "parity/n5-00000-of-00001.parquet", "croissant.json", "eval.yaml"}
    assert set(pushed.removed) == gone
    rows = {"parity/n2.jsonl", "parity/n5.jsonl"}
    assert on_hub(hub) == {"README.md", "card.md", "build.json", "recipe.json", *rows}
    card = hub.repositories["dataset", REPO].files()["README.md"].content.decode()
    assert "viewer: false" in card and "dataset_info:" not in card.split("---\n")[1]
    assert push_dataset(recipe, REPO).sent == ()


def test_load_dataset_of_a_recipe_says_what_to_do(hub: Hub, recipe: Path, client: Client) -> None:
    push_dataset(recipe, REPO)
    code = "import datasets\nprint(datasets.load_dataset('ORG/novels')['train'][0]['command'])\n"
    code += "try:\n  datasets.load_dataset('ORG/novels', 'parity')\nexcept ValueError as error:\n  print(error)"
    command, error = client(code).splitlines()[-2:]
    assert command.startswith("lengthwise build multi-instance --recipe RECIPE")
    assert "'parity' not found. Available: ['recipe']" in error


def test_a_recipe_is_told_from_a_damaged_build(recipe: Path) -> None:
    with pytest.raises(InputError, match=r"holds a recipe and no rows; build them by the command in its README\.md"):
        validate(recipe)


def test_a_recipe_that_was_downloaded_gives_the_rows(hub: Hub, recipe: Path, tmp_path: Path) -> None:
    from huggingface_hub import snapshot_download

    from lengthwise.builders.multi_instance.pools.generated_pools import generated_pool
    from lengthwise.builders.multi_instance.recipe import rebuild_instances

    push_dataset(recipe, REPO)
    there = snapshot_download(REPO, repo_type="dataset", local_dir=tmp_path / "there")
    digest = rebuild_instances(there, lambda task: generated_pool(task, 20), tmp_path / "again")
    assert digest == json.loads((tmp_path / "closed" / "build.json").read_text("utf-8"))["digest"]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("parity/n2.jsonl", '{"digest": "a"}\n{"digest": "b"}\n', "parity/n2 has 2 rows"),
        ("parity/n2.jsonl", "{}\n", "a row without its digest"),
        ("parity/n5.jsonl", "torn", "is no whole recipe"),
        ("recipe.json", '{"digest": "other"}', "different digests"),
    ],
)
def test_a_damaged_recipe_is_not_pushed(hub: Hub, recipe: Path, path: str, text: str, said: str) -> None:
    (recipe / path).write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        push_dataset(recipe, REPO)
    assert hub.requests == []
