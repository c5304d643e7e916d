import json

import pytest
from run_helpers import write_data

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.settings import RunSettings, prepare, settings_from


@pytest.fixture
def run_json(data):
    """What a run of six rows would write."""
    settings = RunSettings(str(data), "http://h/v1#m", limit=4, seed=2, repeats=3, api_key_env="MY_KEY")
    model = make_model(settings.model)
    return prepare(settings).run_json(model, {}, (), {}) | {"model": {**model.describe(), "api_key_env": "MY_KEY"}}


def read(run_json, tmp_path, **data):
    content = {**run_json, "data": {**run_json["data"], **data}}
    (tmp_path / "run.json").write_text(json.dumps(content))
    return settings_from(tmp_path / "run.json")


def test_settings_come_back_from_a_run_json(run_json, data, tmp_path):
    settings = read(run_json, tmp_path)
    assert (settings.data, settings.model) == (str(data), "http://h/v1#m")
    assert (settings.limit, settings.seed, settings.repeats, settings.api_key_env) == (4, 2, 3, "MY_KEY")
    assert settings.sampling == Sampling(16_000, 1.0, 1.0)
    assert prepare(settings).origin == "paper"


@pytest.mark.parametrize(("known", "factor"), [("given", 4.0), ("inferred: the server allows 131,072", None)])
def test_a_given_rope_factor_comes_back_and_an_inferred_one_is_found_anew(run_json, tmp_path, known, factor):
    rope = {"method": "yarn", "factor": 4.0, "known": known}
    run_json["model"]["rope"] = rope
    assert read(run_json, tmp_path).rope_factor == factor


def test_a_relative_path_from_elsewhere_is_found(run_json, data, tmp_path):
    assert read(run_json, tmp_path, source="./not-here").data == str(data)


def test_a_hub_data_set_is_pinned_to_its_revision(run_json, tmp_path):
    assert read(run_json, tmp_path, source="org/plb", revision="abc").data == "org/plb@abc"
    assert read(run_json, tmp_path, source="org/plb@main", revision="abc").data == "org/plb@abc"


def test_a_run_json_that_lacks_something_says_what(run_json, tmp_path):
    del run_json["repeats"]
    with pytest.raises(InputError, match=r"lacks what a run is repeated by.*repeats"):
        read(run_json, tmp_path)


def test_the_excluded_rows_are_not_counted(data):
    prepared = prepare(RunSettings(str(data), "reference:gold"))
    content = prepared.run_json(make_model("reference:gold"), {}, (), {"lex-locate/4k": 2})
    assert content["n_examples"] == 4


def test_a_data_set_of_an_unknown_benchmark_is_refused(tmp_path):
    folder = write_data(tmp_path / "other", {"lex-locate/4k": 1})
    build = json.loads((folder / "build.json").read_text())
    (folder / "build.json").write_text(json.dumps({**build, "benchmark": "predicatelong"}))
    with pytest.raises(InputError, match="unknown benchmark 'predicatelong': did you mean 'predicatelongbench'"):
        prepare(RunSettings(str(folder), "reference:gold"))
