"""Where the shards of a run on a Ray cluster are run, and what of the whole run's options is each one's."""

from dataclasses import dataclass, replace

from lengthwise.errors import InputError
from lengthwise.evaluators.gate import Rates
from lengthwise.evaluators.providers.spec_options import split_options
from lengthwise.evaluators.runner import RunOptions
from lengthwise.evaluators.spending import Limits

# Kinds of models that are loaded in each actor, and want a GPU where there is one.
_LOADED = ("vllm", "hf-local")


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """Where the shards of a run are run.

    Attributes:
        shards: how many (>= 1); the cluster works on as many together as it has room for.
        address: of the cluster, as `ray.init` takes it; None takes the one that runs on this machine, or starts one.
        cpus: processors that each shard takes of its node (>= 0).
        gpus: GPUs likewise; a fraction where several shards share one. None takes, for a model that is loaded in each
            shard, one or as many as it is spread over, if the cluster has any; and none otherwise.
        restarts: how often a shard is started again that is lost before it has got any further (>= 0).
    """

    shards: int
    address: str | None = None
    cpus: float = 1.0
    gpus: float | None = None
    restarts: int = 3

    def __post_init__(self) -> None:
        """Refuse numbers out of their range."""
        if self.shards < 1:
            raise InputError(f"--shards {self.shards}: must be at least 1")
        for name, value in (("cpus", self.cpus), ("gpus", self.gpus)):
            if value is not None and value < 0:
                raise InputError(f"--ray-{name} {value:g}: must be at least 0")

    def gpus_for(self, model: str, there: float) -> float:
        """Return the GPUs that each shard takes, given the spec of the model and how many the cluster has."""
        if self.gpus is not None:
            return self.gpus
        kind, _, rest = model.partition(":")
        if kind not in _LOADED or not there:
            return 0.0
        _, options = split_options(model, rest)
        return float(options.get("tensor_parallel_size", 1) * options.get("pipeline_parallel_size", 1))


def of_one_shard(options: RunOptions, count: int) -> RunOptions:
    """Return the options of each shard: its part of what the whole run may take, and nothing that shows anything."""
    limits, rates = options.limits, options.rates
    return replace(
        options,
        limits=Limits(
            None if limits.cost is None else limits.cost / count,
            None if limits.tokens is None else max(1, limits.tokens // count),
        ),
        rates=Rates(
            None if rates.requests is None else max(1, rates.requests // count),
            None if rates.tokens is None else max(1, rates.tokens // count),
            rates.patience,
        ),
        prices=None if options.prices is None else options.prices.absolute(),
        progress=False,
        notify=_silent,
        watch=None,
    )


def _silent(note: str) -> None:
    pass
