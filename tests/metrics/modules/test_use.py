"""How modules behave in other people's hands: offline, combined, after errors, in loops and pipelines."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lengthwise.metrics.modules import module_path

NO_NETWORK = """
import json, os, socket, sys
os.environ.update(HF_EVALUATE_OFFLINE="1", HF_HOME=sys.argv[1])

def poisoned(*args, **keywords):
    raise AssertionError("the network was touched")

socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = poisoned
import evaluate
from lengthwise.metrics.modules import MODULES, module_path

rows = json.loads(sys.argv[2])
print(json.dumps({name: evaluate.load(module_path(name)).compute(**rows[name]) for name in MODULES}))
"""


def test_every_module_loads_without_a_network(tmp_path: Path) -> None:
    label = {"predictions": ["Score: 1", "Score: 5"], "references": [1, 0]}
    rows = {
        "hallucination_detection": label,
        "hallucination_types": {"predictions": ["none"], "references": [[{"type": "Event"}]]},
        "sequence_match": {"predictions": ["<answer>a b</answer>"], "references": ["a b"]},
        "multi_instance": {"predictions": ['{"answer": 3}'], "references": [3]},
        "pair_accuracy": {**label, "pairs": [1, 1]},
        "paired_comparison": {
            "predictions1": label["predictions"], "predictions2": ["", ""], "references": label["references"],
        },
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK, str(tmp_path), json.dumps(rows)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["hallucination_detection"]["mcc"] == 1.0
    assert found["sequence_match"]["exact_match"] == found["multi_instance"]["success_rate"] == 1.0
    assert found["pair_accuracy"]["pair_accuracy"] == 1.0
    assert found["paired_comparison"]["accuracy"]["difference"] == 1.0


def test_a_script_is_loaded_by_its_own_path_too(load: Any) -> None:
    import evaluate

    metric = evaluate.load(str(Path(module_path("sequence_match")) / "sequence_match.py"))
    assert metric.compute(predictions=["<answer>a</answer>"], references=["a"])["exact_match"] == 1.0


@pytest.mark.parametrize(
    "bad",
    [
        {"predictions": [9], "references": [0]},
        {"predictions": [1, 2], "references": [0]},
        {"predictions": [1], "references": [2]},
        {"predictions": [1], "references": [0], "confidence_level": 7},
        {"predictions": [1], "references": [0], "no_such_option": 7},
    ],
)
def test_after_an_exception_the_next_call_neither_waits_nor_remembers(bad: dict[str, Any], load: Any) -> None:
    metric = load("hallucination_detection")
    with pytest.raises((ValueError, TypeError)):
        metric.compute(**bad)
    start = time.perf_counter()
    found = metric.compute(predictions=[1, 5], references=[1, 0])
    assert time.perf_counter() - start < 0.5
    assert (found["n"], found["mcc"]) == (2, 1.0)


def test_a_bad_batch_leaves_the_good_ones() -> None:
    import evaluate

    metric = evaluate.load(module_path("hallucination_detection"))
    metric.add_batch(predictions=[1], references=[1])
    with pytest.raises(ValueError, match=r"references\[1\]"):
        metric.add_batch(predictions=[1, 1], references=[1, 7])
    metric.add_batch(predictions=[5], references=[0])
    assert metric.compute()["n"] == 2


def test_two_at_once_do_not_wait_for_each_other(load: Any) -> None:
    one, other = load("sequence_match"), load("sequence_match")
    start = time.perf_counter()
    one.add(prediction="<answer>a</answer>", reference="a")
    other.add(prediction="<answer>b</answer>", reference="a")
    assert (one.compute()["exact_match"], other.compute()["exact_match"]) == (1.0, 0.0)
    assert time.perf_counter() - start < 0.5


def test_combined(load: Any) -> None:
    import evaluate

    both = evaluate.combine([module_path("hallucination_detection"), module_path("pair_accuracy")])
    both.add_batch(predictions=["Score: 1", None], references=[1, 0], pairs=["a", "a"])
    found = both.compute()
    assert (found["recall_hallucinated"], found["pair_accuracy"], found["invalid_rate"]) == (1.0, 0.0, 0.5)


def test_combined_by_instances_with_prefixes(load: Any) -> None:
    import evaluate

    both = evaluate.combine({"words": load("sequence_match"), "counts": load("multi_instance")}, force_prefix=True)
    found = both.compute(predictions=["<answer>5</answer> so the answer is 5."], references=["5"])
    assert found["counts_success_rate"] == 1.0
    assert found["words_n"] == 1


def test_a_comparison_refuses_an_unknown_task(load: Any) -> None:
    with pytest.raises(ValueError, match="did you mean 'sequence_match'"):
        load("paired_comparison", "sequence-match")


def test_a_comparison_of_sequences(load: Any) -> None:
    right, wrong = "<answer>a b</answer>", "<answer>b a</answer>"
    found = load("paired_comparison", "sequence_match").compute(
        predictions1=[right] * 8 + [None], predictions2=[wrong] * 8 + [right], references=["a b"] * 9
    )
    assert set(found) == {"exact_match", "set_match"}
    assert found["exact_match"]["difference"] == pytest.approx(7 / 9)
    assert found["exact_match"]["mcnemar_p_value"] == pytest.approx(0.0390625)
    assert found["exact_match"]["p_value_holm"] >= found["exact_match"]["p_value"]


def test_numpy_columns_are_taken(load: Any) -> None:
    import numpy as np

    found = load("hallucination_detection").compute(predictions=np.array([1, 5]), references=np.array([1, 0]))
    assert found["mcc"] == 1.0


def test_a_datasets_column_is_taken(load: Any) -> None:
    import datasets

    rows = datasets.Dataset.from_dict({"reply": ["<answer>a b</answer>", None], "answer_text": ["a b", "c"]})
    found = load("sequence_match").compute(predictions=rows["reply"], references=rows["answer_text"])
    assert (found["exact_match"], found["invalid_rate"]) == (0.5, 0.5)


def test_a_judges_verdicts_for_some_replies(load: Any) -> None:
    gold = [{"type": "Event", "sentence": "He fell.", "original": "He stood."}]
    found = load("hallucination_types").compute(
        predictions=["?", "Event: it says he fell"], references=[gold, gold], verdicts=[[True], None]
    )
    assert found["recall"]["event"] == 1.0


def test_options_one_a_row(load: Any) -> None:
    found = load("multi_instance").compute(
        predictions=['{"1": 1, "odd": 1}', '{"1": 2, "total": 2}', '{"answer": "3.5"}', None],
        references=[{"1": 1}, {"1": 2}, "3.5", 4],
        aggregation=[{"odd": 1}, {"total": "sum"}, None, None],
        answer_type=["integer", "integer", "decimal", "integer"],
        overlong=[False, False, False, True],
        seeds=[1, 1, 2, 2],
    )
    assert (found["success_rate"], found["failures"]["overlong"], found["n_seeds"]) == (0.75, 1, 2)


def test_in_a_loop_of_someone_elses_making(load: Any) -> None:
    """Batches of a data loader, a model that sometimes says nothing, a metric at the end of each epoch."""

    def batches() -> Iterator[dict[str, list[Any]]]:
        for start in range(0, 6, 2):
            yield {
                "text": [f"text {i}" for i in range(start, start + 2)],
                "label": [i % 2 for i in range(start, start + 2)],
            }

    def model(texts: list[str]) -> list[str | None]:
        return [None if text.endswith("0") else f"Consistency score: {5 - 4 * (int(text[-1]) % 2)}" for text in texts]

    metric = load("hallucination_detection")
    for _epoch in range(2):
        for batch in batches():
            metric.add_batch(predictions=model(batch["text"]), references=batch["label"])
        found = metric.compute()
        assert found["n"] == 6
        assert found["balanced_accuracy"] == pytest.approx((1 + 2 / 3) / 2)
        assert found["answered_balanced_accuracy"] == 1.0


def test_in_a_transformers_pipeline(load: Any) -> None:
    """A pipeline's own output goes into the metric; the model is tiny and random, so it is never right."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    tokenizers = pytest.importorskip("tokenizers")

    words = ["<eos>", "<answer>", "</answer>", "ab", "bc", "cd"]
    vocabulary = {word: place for place, word in enumerate(words)}
    core = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<eos>"))
    core.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<eos>", pad_token="<eos>")
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(words), n_positions=64, n_embd=8, n_layer=1, n_head=1, bos_token_id=0, eos_token_id=0
    )
    pipe = transformers.pipeline("text-generation", model=transformers.GPT2LMHeadModel(config), tokenizer=tokenizer)
    metric = load("sequence_match")
    for answer in ("ab bc", "bc cd"):
        outputs = pipe(f"<answer> {answer}", max_new_tokens=4, do_sample=False, return_full_text=False)
        metric.add(prediction=outputs[0]["generated_text"], reference=answer)
    found = metric.compute()
    assert (found["n"], found["exact_match"]) == (2, 0.0)


class StandIn:
    """Calls like a transformers text-generation pipeline: a list of prompts in, a list of lists of dicts out."""

    def __call__(self, prompts: list[str], **options: Any) -> list[list[dict[str, str]]]:
        return [[{"generated_text": f"{prompt.split()[0]}? <answer>{prompt}</answer>"}] for prompt in prompts]


def test_in_a_pipeline_of_that_shape(load: Any) -> None:
    outputs = StandIn()(["ab bc", "bc cd"], max_new_tokens=8)
    found = load("sequence_match").compute(
        predictions=[one[0]["generated_text"] for one in outputs], references=["ab bc", "cd"]
    )
    assert (found["exact_match"], found["precision"]) == (0.5, 0.75)


def test_a_comparison_of_pairs(load: Any) -> None:
    found = load("paired_comparison", "pair_accuracy").compute(
        predictions1=[1, 5, 1, 5], predictions2=[1, 5, 5, 5], references=[1, 0, 1, 0], pairs=["a", "a", "b", "b"]
    )
    assert (found["pair_accuracy"]["first"], found["pair_accuracy"]["second"]) == (1.0, 0.5)
    assert found["pair_accuracy"]["n"] == 2


def test_a_comparison_of_tables(load: Any) -> None:
    found = load("paired_comparison", "multi_instance").compute(
        predictions1=['{"1": 1, "2": 0, "odd": 1}', None],
        predictions2=['{"1": 1, "2": 1, "odd": 2}', '{"1": 0, "2": 0, "odd": 0}'],
        references=[{"1": 1, "2": 0}, {"1": 0, "2": 0}],
        aggregation={"odd": 1},
    )
    assert (found["success_rate"]["only_first"], found["success_rate"]["only_second"]) == (1, 1)
    assert found["per_instance_accuracy"]["difference"] == 0.5 - 0.75


def test_an_option_of_another_task_is_refused(load: Any) -> None:
    with pytest.raises(TypeError, match="pairs"):
        load("paired_comparison").compute(predictions1=[1], predictions2=[1], references=[1], pairs=["a"])


def test_gold_words_as_lists(load: Any) -> None:
    reply = "<answer>a b</answer>"
    metric = load("sequence_match")
    assert metric.compute(predictions=[reply], references=[["a", "b"]])["exact_match"] == 1.0
    assert metric.compute(predictions=[reply], references=[[["a", "b"]]])["set_match"] == 1.0
