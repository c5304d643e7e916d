"""The generators of arithmetic and parity, whose truth can be worked out."""

import hashlib
import statistics

import pytest

from lengthwise.builders.multi_instance.pools.generated import arithmetic, parity
from lengthwise.builders.multi_instance.pools.generated_pools import generated_pool
from lengthwise.builders.multi_instance.prompts import assemble
from lengthwise.builders.multi_instance.solver import solve_prompt
from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.errors import InputError


def test_every_surface_form_comes_up_about_as_often() -> None:
    texts = [one.text for one in arithmetic.generate(5000, 42)]
    starts = [text.split()[0] if text[0].isalpha() else "+" for text in texts]
    assert len(arithmetic.FORMS) == 21
    assert {"Work", "Add", "Put", "Sum", "Total", "What", "Calculate", "Subtract", "+"} == set(starts)


def test_every_result_is_what_an_independent_solver_finds() -> None:
    pool = generated_pool("arithmetic", 5000)
    assert len({one.text for one in pool.instances}) == 5000
    for one in pool.instances[:1500]:
        prompt = assemble(TASKS["arithmetic"], "", [one.text])
        assert solve_prompt(prompt) == f'{{"reasoning": "", "answer": "{one.label}"}}'


def test_results_have_no_trailing_zeros() -> None:
    labels = [one.label for one in arithmetic.generate(5000, 42)]
    assert not any(("." in label and label.endswith("0")) or label.endswith(".") or label == "-0" for label in labels)


def test_mean_length_is_the_papers() -> None:
    words = statistics.mean(generated_pool("arithmetic", 5000).lengths)
    assert abs(words / TASKS["arithmetic"].mean_words - 1) < 0.15


def test_half_of_the_operands_are_negative_or_have_places() -> None:
    texts = [one.text.replace("What is ", "") for one in arithmetic.generate(2500, 42)]
    assert 0.65 < sum("." in text.rstrip(".?") for text in texts) / 2500 < 0.85


def test_parity_is_that_of_the_number() -> None:
    pool = parity.generate(5000, 42)
    assert len({one.text for one in pool}) == 5000
    assert all((int(one.text) % 2 == 1) == (one.label == "odd") for one in pool)
    assert 0.45 < sum(one.label == "odd" for one in pool) / 5000 < 0.55
    assert all(parity.LOW <= int(one.text) <= parity.HIGH for one in pool)


@pytest.mark.parametrize("module", [arithmetic, parity])
def test_a_longer_pool_begins_with_a_shorter_one(module: object) -> None:
    assert module.generate(2500, 42)[:50] == module.generate(50, 42)  # type: ignore[attr-defined]
    assert module.generate(50, 42) != module.generate(50, 43)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("module", "digest"),
    [
        (arithmetic, "9cd15390cb7450eb4c3f80a8665aceb4b2cdc11089ada6bdd3ea4b51be07ba20"),
        (parity, "87e2dfc715c0ad7b9bc416e2a2286daccbe141c75f574399497456b1d6f4fa4e"),
    ],
    ids=["arithmetic", "parity"],
)
def test_the_same_instances_everywhere(module: object, digest: str) -> None:
    lines = "\n".join(f"{one.text}\t{one.label}" for one in module.generate(200, 42))  # type: ignore[attr-defined]
    assert hashlib.sha256(lines.encode()).hexdigest() == digest


def test_more_than_there_are_is_refused() -> None:
    with pytest.raises(InputError, match="not so many different"):
        generated_pool("parity", 100_000)
