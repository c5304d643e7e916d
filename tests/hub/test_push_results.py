import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from lengthwise.builders.eval_yaml import eval_yaml
from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.errors import InputError
from lengthwise.evaluators.push_results import push_results

from .hub_server import Hub
from .hub_store import File, new_repository
from .published_runs import run_of_a_model

MODEL = "Qwen/Qwen3-8B"
DATA = "ORG/predicatelongbench"


@pytest.fixture
def run(built: Path, tmp_path: Path) -> Path:
    return run_of_a_model(built, tmp_path / "run", "lex-locate", "solver")


@pytest.fixture
def model_hub(hub: Hub) -> Hub:
    hub.repositories["model", MODEL] = new_repository(private=False)
    return hub


def results_on(hub: Hub, benchmark: str = "predicatelongbench") -> Any:
    files = hub.repositories["model", MODEL].files()
    return yaml.safe_load(files[f".eval_results/{benchmark}.yaml"].content)


def test_each_cell_is_a_line_that_the_hub_reads(model_hub: Hub, run: Path) -> None:
    push_results(run, MODEL, dataset=f"{DATA}@abc")
    (line,) = results_on(model_hub)
    assert line["dataset"] == {"id": DATA, "task_id": "lex-locate-4k", "revision": "abc"}
    assert line["value"] == 100.0
    assert "accuracy, n = 3; 95 % interval 29.2 to 100.0" in line["notes"]


def test_the_clients_own_reader_takes_them(model_hub: Hub, run: Path) -> None:
    hub_client = pytest.importorskip("huggingface_hub")
    if not hasattr(hub_client, "parse_eval_result_entries"):
        pytest.skip("this huggingface_hub knows no .eval_results yet")
    push_results(run, MODEL, dataset=DATA, source_url="https://example.org/report")
    (entry,) = hub_client.parse_eval_result_entries(results_on(model_hub))
    assert (entry.dataset_id, entry.task_id, entry.value) == (DATA, "lex-locate-4k", 100.0)
    assert entry.source_url == "https://example.org/report"


def test_a_task_is_one_of_the_data_sets_own(built: Path, model_hub: Hub, run: Path) -> None:
    tasks = yaml.safe_load(eval_yaml(json.loads((built / "build.json").read_text("utf-8"))) or "")["tasks"]
    push_results(run, MODEL, dataset=DATA)
    assert results_on(model_hub)[0]["dataset"]["task_id"] in {task["id"] for task in tasks}


def test_cells_that_are_no_task_are_left_out_and_named(model_hub: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "instances"
    settings = InstanceSettings(sizes=(2,), seeds=(1, 2))
    build_multi_instance(folder, ("parity", "parity-instances"), settings=settings)
    run = run_of_a_model(folder, tmp_path / "run", "parity parity-instances", "gold")
    pushed = push_results(run, MODEL, dataset="ORG/instances")
    assert pushed.left_out == ("parity-instances/n2",)
    assert [line["dataset"]["task_id"] for line in results_on(model_hub, "multi-instance")] == ["parity-n2"]
    tables = run_of_a_model(folder, tmp_path / "tables", "parity-instances", "gold")
    with pytest.raises(InputError, match=r"parity-instances/n2 is no task of the data set's eval\.yaml"):
        push_results(tables, MODEL, dataset="ORG/instances")


def test_rows_of_one_language_are_no_task(model_hub: Hub, story_world: Path, tmp_path: Path) -> None:
    run = run_of_a_model(story_world, tmp_path / "run", "1k-en", "faithful")
    with pytest.raises(InputError, match="1k-en/test is no task"):
        push_results(run, MODEL, dataset="ORG/novels")


def test_lines_of_other_tasks_stay_and_the_same_are_replaced(model_hub: Hub, run: Path) -> None:
    other = {"dataset": {"id": DATA, "task_id": "unary-all-4k"}, "value": 1.0}
    same = {"dataset": {"id": DATA, "task_id": "lex-locate-4k"}, "value": 2.0}
    repository = model_hub.repositories["model", MODEL]
    text = yaml.safe_dump([same, other]).encode()
    repository.commit("main", {".eval_results/predicatelongbench.yaml": File.of(text, large=False)})
    push_results(run, MODEL, dataset=DATA)
    assert [line["value"] for line in results_on(model_hub)] == [1.0, 100.0]
    assert push_results(run, MODEL, dataset=DATA).sent == ()


def test_longnovel_is_known_by_its_balanced_accuracy(model_hub: Hub, story_world: Path, tmp_path: Path) -> None:
    run = run_of_a_model(story_world, tmp_path / "run", "1k", "faithful")
    push_results(run, MODEL, dataset="ORG/novels")
    (line,) = results_on(model_hub, "longnovel-storyworld")
    assert (line["dataset"]["task_id"], line["value"]) == ("1k", 50.0)
    assert "balanced_accuracy" in line["notes"]


def test_a_pull_request_on_a_model_of_someone_else(model_hub: Hub, run: Path) -> None:
    pushed = push_results(run, MODEL, dataset=DATA, pull_request=True)
    repository = model_hub.repositories["model", MODEL]
    assert pushed.pull_request
    assert ".eval_results/predicatelongbench.yaml" in repository.files("refs/pr/1")
    assert ".eval_results/predicatelongbench.yaml" not in repository.files()


def test_no_repository_is_made_for_a_model(hub: Hub, run: Path) -> None:
    with pytest.raises(InputError, match="404"):
        push_results(run, MODEL, dataset=DATA)
    assert hub.repositories == {}


def test_data_in_a_folder_have_no_place_on_the_hub(model_hub: Hub, run: Path) -> None:
    with pytest.raises(InputError, match="--dataset ORG/NAME"):
        push_results(run, MODEL)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"limit": 2}, "without --limit"),
        ({"model": {"spec": "reference:solver", "kind": "reference", "name": "solver"}}, "reference model"),
        ({"repeats": 2}, "have no reply"),
    ],
)
def test_runs_that_are_no_result(model_hub: Hub, run: Path, settings: dict[str, Any], said: str) -> None:
    about = json.loads((run / "run.json").read_text("utf-8"))
    (run / "run.json").write_text(json.dumps(about | settings), "utf-8")
    with pytest.raises(InputError, match=said):
        push_results(run, MODEL, dataset=DATA)
