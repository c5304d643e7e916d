import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.errors import InputError
from lengthwise.evaluators.every_eval_ever import SCHEMA_VERSION, export_every_eval_ever

from .published_runs import run_of_a_model


@pytest.fixture(scope="module")
def runs(built: Path, story_world: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    first = run_of_a_model(built, folder / "lists", "lex-locate", "solver")
    second = run_of_a_model(story_world, folder / "novels", "1k", "random")
    data = json.loads((second / "run.json").read_text("utf-8"))
    from_hub = {**data, "data": {**data["data"], "source": "ORG/novels", "revision": "0" * 40}}
    (second / "run.json").write_text(json.dumps(from_hub), "utf-8")
    instances = folder / "instances"
    settings = InstanceSettings(sizes=(2, 5), seeds=(1, 2))
    build_multi_instance(instances, ("parity", "parity-instances"), settings=settings)
    third = run_of_a_model(instances, folder / "tables", "parity parity-instances", "random", "--repeats", "2")
    return [first, second, third]


def exported(run: Path, out: Path, **options: Any) -> dict[str, Any]:
    path = export_every_eval_ever(run, out, organization="Someone", **options)
    return dict(json.loads(path.read_text("utf-8")))


def test_the_place_and_the_name_of_the_file(runs: list[Path], tmp_path: Path) -> None:
    first = export_every_eval_ever(runs[0], tmp_path, organization="Someone")
    assert first.parent == tmp_path / "data" / "predicatelongbench" / "Qwen" / "Qwen3-8B"
    assert export_every_eval_ever(runs[0], tmp_path, organization="Someone") == first


def test_a_score_with_its_interval_and_its_rows(runs: list[Path], tmp_path: Path) -> None:
    (result,) = exported(runs[0], tmp_path)["evaluation_results"]
    assert result["score_details"]["score"] == 1.0
    assert result["score_details"]["uncertainty"]["confidence_interval"]["upper"] == 1.0
    assert result["score_details"]["details"]["correct"] == "3"
    assert len(result["source_data"]["additional_details"]["content_digest"]) == 64


def test_data_from_the_hub_are_named(runs: list[Path], tmp_path: Path) -> None:
    (result,) = exported(runs[1], tmp_path)["evaluation_results"]
    assert (result["source_data"]["source_type"], result["source_data"]["hf_repo"]) == ("hf_dataset", "ORG/novels")
    assert result["metric_config"]["metric_id"] == "balanced_accuracy"


def test_every_cell_has_its_result_tables_of_instances_too(runs: list[Path], tmp_path: Path) -> None:
    results = exported(runs[2], tmp_path)["evaluation_results"]
    assert [one["evaluation_result_id"] for one in results] == [
        f"{config}/{split}/accuracy" for config in ("parity", "parity-instances") for split in ("n2", "n5")
    ]
    assert results[0]["generation_config"]["additional_details"]["repeats"] == "2"


def test_who_made_the_model_must_be_known(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="DEVELOPER/MODEL"):
        exported(runs[0], tmp_path, model="gpt")
    assert exported(runs[0], tmp_path, model="openai/gpt")["model_info"]["developer"] == "openai"


def test_an_unknown_relationship(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="first_party"):
        exported(runs[0], tmp_path, relationship="friend")


@pytest.mark.slow
def test_records_are_of_the_published_schema(runs: list[Path], tmp_path: Path) -> None:
    """The schema is read out of the database's own package, which cannot be installed beside the newest Hub client."""
    jsonschema = pytest.importorskip("jsonschema")
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--python-version",
         "3.13", "--dest", str(tmp_path), f"every-eval-ever=={SCHEMA_VERSION}"],
        check=True, timeout=300,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        schema = json.loads(archive.read("every_eval_ever/schemas/eval.schema.json"))
    assert schema["version"] == SCHEMA_VERSION
    for run in runs:
        jsonschema.validate(exported(run, tmp_path), schema)
