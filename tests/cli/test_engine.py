import pytest

from lengthwise.cli.engine import Engine, EngineKind
from lengthwise.errors import InputError


def test_a_cluster_needs_a_number_of_shards():
    with pytest.raises(InputError, match=r"--engine ray: say into how many parts, e.g. --shards 8"):
        Engine(EngineKind.ray, None, None, None, None)


@pytest.mark.parametrize(
    ("given", "named"),
    [((4, None, None, None), "--shards 4"), ((None, "h:1", None, None), "--ray-address h:1"),
     ((None, None, 2.0, None), "--ray-cpus 2"), ((None, None, None, 0.0), "--ray-gpus 0")],
)  # fmt: skip
def test_what_is_for_a_cluster_is_refused_without_one(given, named):
    with pytest.raises(InputError, match=rf"{named}.*: is for --engine ray; one part of a run alone is --shard I/N"):
        Engine(EngineKind.here, *given)
