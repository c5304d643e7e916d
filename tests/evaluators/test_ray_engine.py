"""What `--engine ray` does before there is a cluster; tests/ray has the rest."""

import sys
from dataclasses import replace

import pytest
from faulty_server import error
from run_helpers import write_data
from shard_cases import FAST, same_runs, varied

from lengthwise.errors import InputError
from lengthwise.evaluators.gate import Rates
from lengthwise.evaluators.ray_engine import run_on_ray
from lengthwise.evaluators.ray_options import ClusterOptions, of_one_shard
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.sharding import Shard
from lengthwise.evaluators.spending import Limits

CELLS = {"lex-locate/4k": 4, "unary-locate/4k": 4}


@pytest.fixture
def many(tmp_path):
    return write_data(tmp_path / "many", CELLS)


def run_both(about, out):
    """Run both shards of a run to where the engine has them, without it."""
    for number in (1, 2):
        shard = Shard(number, 2)
        run_benchmark(replace(about, shard=shard), out / "shards" / f"{number}-of-2", FAST)


@pytest.fixture
def no_ray(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)


def test_without_ray_it_says_what_to_install_and_writes_nothing(many, tmp_path, no_ray):
    with pytest.raises(InputError, match=r"--engine ray: needs Ray; pip install 'lengthwise\[ray\]'"):
        run_on_ray(RunSettings(str(many), "reference:gold"), tmp_path / "out", FAST, ClusterOptions(2))
    assert not (tmp_path / "out").exists()


def test_finished_shards_are_joined_and_nothing_is_started_for_them(many, server, tmp_path, no_ray):
    server.default = varied
    about = RunSettings(str(many), server.spec, limit=7)
    run_benchmark(about, tmp_path / "plain", FAST)
    run_both(about, tmp_path / "out")
    server.default = lambda body: error(500, "down")
    with pytest.raises(InputError, match="needs Ray"):
        # Some ended in an error, and would be asked again.
        run_on_ray(about, tmp_path / "out", FAST, ClusterOptions(2))
    gold = replace(about, model="reference:gold")
    run_benchmark(gold, tmp_path / "gold", FAST)
    run_both(gold, tmp_path / "all")
    run_on_ray(gold, tmp_path / "all", FAST, ClusterOptions(2))
    same_runs(tmp_path / "gold", tmp_path / "all")


def test_shards_of_another_run_are_not_taken(many, tmp_path, no_ray):
    run_both(RunSettings(str(many), "reference:gold"), tmp_path / "out")
    with pytest.raises(InputError, match=r"1-of-2: holds another run \(model.spec"):
        run_on_ray(RunSettings(str(many), "reference:solver"), tmp_path / "out", FAST, ClusterOptions(2))


def test_another_number_of_shards_is_refused(many, tmp_path, no_ray):
    about = RunSettings(str(many), "reference:gold")
    run_both(about, tmp_path / "out")
    with pytest.raises(InputError, match=r"--shards 3: .* holds [12]-of-2; go on with as many shards"):
        run_on_ray(about, tmp_path / "out", FAST, ClusterOptions(3))


@pytest.mark.parametrize(
    ("settings", "cluster", "says"),
    [
        ({"shard": Shard(1, 2)}, {"shards": 2}, "--shard 1/2: with --engine ray"),
        ({}, {"shards": 9}, "take at most 8 shards"),
        ({"model": "nonsense:x"}, {"shards": 2}, "unknown model kind"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_started(many, tmp_path, no_ray, settings, cluster, says):
    about = replace(RunSettings(str(many), "reference:gold"), **settings)
    with pytest.raises(InputError, match=says):
        run_on_ray(about, tmp_path / "out", FAST, ClusterOptions(**cluster))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("wrong", [{"shards": 0}, {"shards": 2, "cpus": -1}, {"shards": 2, "gpus": -0.5}])
def test_numbers_out_of_range(wrong):
    with pytest.raises(InputError, match="must be at least"):
        ClusterOptions(**wrong)


@pytest.mark.parametrize(
    ("model", "there", "takes"),
    [
        ("openai:gpt-5.2", 8, 0),
        ("http://a/v1#b", 8, 0),
        ("vllm:Qwen/Qwen3-8B", 0, 0),
        ("vllm:Qwen/Qwen3-8B", 8, 1),
        ("vllm:Qwen/Qwen3-8B?tensor_parallel_size=4", 8, 4),
        ("vllm:Qwen/Qwen3-8B?tensor_parallel_size=2&pipeline_parallel_size=2", 8, 4),
    ],
)
def test_a_model_that_is_loaded_takes_the_gpus_it_is_spread_over(model, there, takes):
    assert ClusterOptions(2).gpus_for(model, there) == takes
    assert ClusterOptions(2, gpus=0.5).gpus_for(model, there) == 0.5


def test_limits_and_rates_are_shared_out():
    whole = replace(FAST, limits=Limits(9.0, 900), rates=Rates(60, 6000, 5.0), progress=True)
    part = of_one_shard(whole, 3)
    assert part.limits == Limits(3.0, 300)
    assert part.rates == Rates(20, 2000, 5.0)
    assert not part.progress
    assert of_one_shard(FAST, 3).limits == Limits()
