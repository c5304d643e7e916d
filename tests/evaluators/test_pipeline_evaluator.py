"""`lengthwise.evaluators.evaluator`: the shape of `evaluate.Evaluator`, with functions and a real pipeline."""

import importlib.util
import inspect
import json
import os
import sys
from pathlib import Path

import pytest
from novel_cases import write_novels

from lengthwise.errors import InputError
from lengthwise.evaluators import evaluator
from lengthwise.evaluators.examples import ids_by_cell, open_data

TIMES = ("total_time_in_seconds", "samples_per_second", "latency_in_seconds")


@pytest.fixture(scope="module")
def novels(tmp_path_factory):
    return write_novels(tmp_path_factory.mktemp("novels"), pairs=4)


@pytest.fixture(scope="module")
def rows(novels):
    """The rows by their prompts."""
    data, cells = open_data(str(novels))
    return {one.prompt: one.columns for one in data.stream(ids_by_cell(data.short_columns(cells)))}


@pytest.fixture(scope="module")
def half_right(rows):
    """A function that is right about faithful summaries alone."""
    return lambda prompts: [json.dumps({"score": 5, "reason": ""}) for prompt in prompts if prompt in rows]


def test_the_signature_is_evaluates():
    from evaluate import Evaluator

    own, theirs = (inspect.signature(one.compute).parameters for one in (type(evaluator("longnovel")), Evaluator))
    assert list(own)[: len(theirs)] == list(theirs)


def test_a_folder_and_the_benchmarks_own_metric(novels, half_right):
    found = evaluator("longnovel").compute(half_right, data=str(novels))
    figures = {name: found[name] for name in ("balanced_accuracy", "recall_non_hallucinated", "mcc", "n")}
    assert figures == {"balanced_accuracy": 0.5, "recall_non_hallucinated": 1.0, "mcc": None, "n": 16}
    assert found["samples_per_second"] == pytest.approx(16 / found["total_time_in_seconds"])
    assert found["latency_in_seconds"] == pytest.approx(found["total_time_in_seconds"] / 16)


def test_a_path_a_subset_and_a_split(novels, half_right):
    found = evaluator("longnovel").compute(half_right, data=novels, subset="s", split="test")
    assert found["n"] == 16


def test_a_dataset_whose_prompts_are_made_of_its_columns(novels, half_right):
    from datasets import Dataset

    data = Dataset.from_parquet(str(next(novels.glob("s/*.parquet"))), keep_in_memory=True)
    found = evaluator("longnovel").compute(half_right, data=data)
    assert {name: found[name] for name in ("balanced_accuracy", "n")} == {"balanced_accuracy": 0.5, "n": 16}


def test_a_loaded_metric_columns_and_a_mapping():
    import evaluate

    from lengthwise.metrics.modules import module_path

    metric = evaluate.load(module_path("hallucination_detection"))
    data = [{"text": "one", "label": "yes"}, {"text": "two", "label": "no"}]
    found = evaluator("longnovel").compute(
        lambda prompts: ["0" if prompt == "one" else "5" for prompt in prompts],
        data=data, metric=metric, input_column="text", label_column="label", label_mapping={"yes": 1, "no": 0},
        metric_kwargs={"confidence_level": 0.9, "n_resamples": 20},
    )  # fmt: skip
    assert (found["balanced_accuracy"], found["mcc"]) == (1.0, 1.0)
    assert len(found["balanced_accuracy_ci"]) == 2


def test_bootstrap(novels, half_right):
    found, again = (
        evaluator("longnovel").compute(
            half_right, data=novels, strategy="bootstrap", n_resamples=60, confidence_level=0.8, random_state=3
        )
        for _ in range(2)
    )
    share = found["invalid_rate"], found["recall_non_hallucinated"]
    assert [one["score"] for one in share] == [0.0, 1.0]
    assert found["balanced_accuracy"]["confidence_interval"] == (0.5, 0.5)
    assert found["balanced_accuracy"]["standard_error"] == 0.0
    assert found["mcc"] is None and found["confusion_matrix"]["true_negative"] == 8
    assert {name: one for name, one in again.items() if name not in TIMES} == {
        name: one for name, one in found.items() if name not in TIMES
    }


def test_bootstrap_intervals_hold_the_score():
    data = [{"prompt": str(number), "hallucinated": number % 2} for number in range(40)]
    found = evaluator("storyworld").compute(
        lambda prompts: ["1" if int(prompt) % 3 else "5" for prompt in prompts],
        data=data, strategy="bootstrap", n_resamples=80, random_state=1,
    )["balanced_accuracy"]  # fmt: skip
    low, high = found["confidence_interval"]
    assert low < found["score"] < high and found["standard_error"] > 0


def test_tables_of_instances_and_aggregates(tmp_path):
    from lengthwise.builders.multi_instance.build import build_multi_instance
    from lengthwise.builders.multi_instance.settings import InstanceSettings

    build_multi_instance(
        tmp_path / "mip", ("parity", "arithmetic", "arithmetic-instances"), settings=InstanceSettings((2,), (1, 2))
    )
    data, cells = open_data(str(tmp_path / "mip"))
    gold = {one.prompt: one.columns["answer_text"] for one in data.stream(ids_by_cell(data.short_columns(cells)))}
    found = evaluator("mip").compute(lambda prompts: [gold[one] for one in prompts], data=tmp_path / "mip")
    assert (found["success_rate"], found["n"], found["n_seeds"]) == (1.0, 6, 2)


def test_sequences_of_words():
    data = [{"prompt": "p", "answer_text": "ab bc"}, {"prompt": "q", "answer_text": "cd de"}]
    found = evaluator("predicate").compute(lambda prompts: ["<answer>ab bc</answer>"] * 2, data=data)
    assert found["exact_match"] == 0.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model_or_pipeline": None}, "model_or_pipeline is missing"),
        ({"model_or_pipeline": lambda prompts: "5"}, "for a function of one prompt"),
        ({"model_or_pipeline": lambda prompts: ["5", "5"]}, "2 replies to 1 prompts"),
        ({"model_or_pipeline": lambda prompts: [7]}, "a reply is text"),
        ({"data": None}, "data is missing"),
        ({"data": []}, "no rows"),
        ({"data": [{"hallucinated": 0}]}, "none can be made of it"),
        ({"data": "./nowhere"}, "no such folder"),
        ({"input_column": "text"}, "input_column='text'"),
        ({"label_column": "label"}, "label_column: a row has no column 'label'"),
        ({"strategy": "jackknife"}, "must be 'simple' or 'bootstrap'"),
        ({"strategy": "bootstrap", "confidence_level": 95}, "must be in"),
        ({"feature_extractor": object()}, "feature_extractor"),
    ],
)
def test_what_cannot_be_meant(given, message):
    row = {"prompt": "p", "hallucinated": 0}
    with pytest.raises(InputError, match=message):
        evaluator("longnovel").compute(**({"model_or_pipeline": lambda prompts: ["5"], "data": [row]} | given))


def test_data_of_another_benchmark(novels):
    with pytest.raises(InputError, match="is of longnovel, not of multi-instance"):
        evaluator("mip").compute(lambda prompts: prompts, data=novels)


def test_a_pipeline_of_another_task():
    class Classifier:
        task = "text-classification"

        def __call__(self, prompts):
            return prompts

    with pytest.raises(InputError, match="'text-classification'"):
        evaluator("longnovel").compute(Classifier(), data=[{"prompt": "p", "hallucinated": 0}])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A chat model with random weights that answers every prompt alike, with one word in an <answer> block."""
    missing = [name for name in ("torch", "transformers", "safetensors") if importlib.util.find_spec(name) is None]
    if missing:
        assert os.environ.get("LENGTHWISE_REQUIRE_TORCH") != "1", f"{missing} must be here"
        pytest.skip(f"not installed: {', '.join(missing)}")
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vllm"))
    from tiny_model import make_model

    return make_model(tmp_path_factory.mktemp("models") / "tiny", 2_048)


# torch and transformers warn of their own functions.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("as_name", [True, False])
def test_a_transformers_pipeline(tiny, as_name):
    """It gets the chat template, without which the model would not come to its one reply."""
    from transformers import pipeline

    data = [{"prompt": "Words: q r s\n\nWhich?", "answer_text": "q"}, {"prompt": "Words: r", "answer_text": "r"}]
    model = str(tiny) if as_name else pipeline("text-generation", model=str(tiny), device="cpu")
    found = evaluator("predicate").compute(
        model, data=data, generation_kwargs={"max_new_tokens": 20}, device="cpu" if as_name else None
    )
    assert (found["exact_match"], found["invalid_rate"], found["n"]) == (0.5, 0.0, 2)
    assert found["latency_in_seconds"] > 0
