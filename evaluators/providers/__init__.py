"""Where replies come from: one file a kind of model, one table of kinds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Model, Notify
from lengthwise.evaluators.providers.hosts import ANY_HOST, HOSTS, Host

__all__ = ["EMBEDDER_KINDS", "MODEL_KINDS", "Model", "ModelKind", "ModelOptions", "make_embedder", "make_model"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What a model is made with besides its spec.

    Attributes:
        api_key_env: environment variable with the key, for a host that is not in `HOSTS`.
        timeout: seconds for one reply (> 0).
        notify: told about downloads.
    """

    api_key_env: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    notify: Notify = lambda _: None


@dataclass(frozen=True, slots=True)
class ModelKind:
    """An entry of `MODEL_KINDS`: a line for `lengthwise list models`, and what makes (spec, rest of spec, options)."""

    about: str
    make: Callable[[str, str, ModelOptions], Model]


def _host(kind: str, options: ModelOptions) -> tuple[Host, str]:
    """Return a known host and its address; its key goes to it alone, and no other key does."""
    host = HOSTS[kind]
    assert host.base_url is not None
    if options.api_key_env not in (None, host.key_env):
        raise InputError(f"--api-key-env: leave it out; {kind}: takes its key from {host.key_env}, and no other")
    return host, host.base_url


def _known_host(kind: str) -> Callable[[str, str, ModelOptions], Model]:
    def make(spec: str, name: str, options: ModelOptions) -> Model:
        from lengthwise.evaluators.providers.chat import ChatModel

        host, base_url = _host(kind, options)
        return ChatModel(spec, kind, base_url, name, host, host.key_env, options.timeout)

    return make


def _address(option: str, spec: str) -> tuple[str, str]:
    """Return the address and the model's name of a spec, `http://host:port/v1#name`.

    Raises:
        InputError: the name is missing.
    """
    base_url, _, name = spec.partition("#")
    if not name:
        raise InputError(f"{option} {spec}: the model's name is missing; write http://host:port/v1#name")
    return base_url, name


def _any_host(spec: str, rest: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.chat import ChatModel

    return ChatModel(
        spec, "http", *_address("--model", spec), ANY_HOST, options.api_key_env, options.timeout, options.notify
    )


def _anthropic(spec: str, name: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.anthropic import AnthropicModel

    return AnthropicModel(spec, "anthropic", name, options.api_key_env, options.timeout)


def _batch(spec: str, rest: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.batch import BatchModel

    if rest.partition(":")[0] == "batch":
        raise InputError(f"--model {spec}: names batch twice")
    return BatchModel(spec, make_model(rest, options), options.notify)


def _local(spec: str, name: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.local import LocalModel

    return LocalModel(spec, name, options.timeout, options.notify)


def _vllm(spec: str, name: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.vllm import VllmModel

    return VllmModel(spec, name, options.timeout, options.notify)


def _pipeline(spec: str, name: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.hf_local import PipelineModel

    return PipelineModel(spec, name, options.timeout, options.notify)


def _reference(spec: str, name: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.reference import ReferenceModel

    return ReferenceModel(spec, name)


MODEL_KINDS: Mapping[str, ModelKind] = MappingProxyType(
    {
        "http": ModelKind(ANY_HOST.about, _any_host),
        "https": ModelKind("the same over TLS", _any_host),
        **{kind: ModelKind(host.about, _known_host(kind)) for kind, host in HOSTS.items()},
        "anthropic": ModelKind(
            "Anthropic's own messages endpoint, prompts cached, e.g. anthropic:claude-sonnet-5-5 (key: "
            "ANTHROPIC_API_KEY); another server's: anthropic:http://host:port#name",
            _anthropic,
        ),
        "batch": ModelKind(
            "the provider's batches at half the price, in up to a day, for methods of one call: batch:openai:NAME, "
            "batch:anthropic:NAME, batch:http://host:port/v1#NAME",
            _batch,
        ),
        "vllm": ModelKind(
            "vLLM's engine in this process, e.g. vllm:Qwen/Qwen3-8B?max_model_len=40960&tensor_parallel_size=2 (needs "
            "lengthwise[vllm])",
            _vllm,
        ),
        "hf-local": ModelKind(
            "a transformers pipeline in this process, one request at a time, e.g. "
            "hf-local:Qwen/Qwen3-0.6B?device=cuda (needs lengthwise[hf] and torch)",
            _pipeline,
        ),
        "local": ModelKind(
            "a real small model on this CPU, e.g. local:smollm2-135m (needs lengthwise[local])", _local
        ),
        "reference": ModelKind(
            "ceiling and floor: reference:solver, :gold, :random; also :first-window (predicate), :constant "
            "(multi-instance)",
            _reference,
        ),
    }
)


def _embedding_host(kind: str) -> Callable[[str, str, ModelOptions], Model]:
    def make(spec: str, name: str, options: ModelOptions) -> Model:
        from lengthwise.evaluators.providers.embedding import EmbeddingModel

        host, base_url = _host(kind, options)
        return EmbeddingModel(spec, kind, base_url, name, host, host.key_env, options.timeout)

    return make


def _any_embedding_host(spec: str, rest: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.embedding import EmbeddingModel

    return EmbeddingModel(
        spec, "http", *_address("--embed", spec), ANY_HOST, options.api_key_env, options.timeout, options.notify
    )


def _sentence(spec: str, name: str, options: ModelOptions) -> Model:
    from lengthwise.evaluators.providers.sentence import DEFAULT_EMBEDDER, SentenceModel

    return SentenceModel(spec, name or DEFAULT_EMBEDDER, options.notify)


EMBEDDER_KINDS: Mapping[str, ModelKind] = MappingProxyType(
    {
        "http": ModelKind(
            "any server with /v1/embeddings, e.g. http://localhost:8000/v1#BAAI/bge-m3", _any_embedding_host
        ),
        "https": ModelKind("the same over TLS", _any_embedding_host),
        "openai": ModelKind(
            "OpenAI, e.g. openai:text-embedding-3-large (key: OPENAI_API_KEY)", _embedding_host("openai")
        ),
        "sentence-transformers": ModelKind(
            "a model in this process; BAAI/bge-m3 where none is named (needs lengthwise[rag])", _sentence
        ),
    }
)


def make_embedder(spec: str, options: ModelOptions | None = None) -> Model:
    """Return the model of embeddings that a spec names; see `make_model`.

    Args:
        spec: `http(s)://host:port/v1#name`, or `kind:name` with a kind of `EMBEDDER_KINDS`; `sentence-transformers`
            alone means BAAI/bge-m3.
        options: see `ModelOptions`.

    Raises:
        InputError: an unknown kind, or no name where one is needed.
    """
    kind, _, rest = spec.partition(":")
    if kind not in EMBEDDER_KINDS:
        raise unknown_name("kind of embedder", kind, EMBEDDER_KINDS)
    if not rest and kind != "sentence-transformers":
        raise InputError(f"--embed {spec}: the name is missing; {EMBEDDER_KINDS[kind].about}")
    return EMBEDDER_KINDS[kind].make(spec, rest, options or ModelOptions())


def make_model(spec: str, options: ModelOptions | None = None) -> Model:
    """Return the model that a spec names.

    Before it is entered nothing is asked, started or fetched, and no key is read.

    Args:
        spec: `http(s)://host:port/v1#name`, or `kind:name` with a kind of `MODEL_KINDS`.
        options: see `ModelOptions`.

    Raises:
        InputError: an unknown kind, no name, or a name that the kind does not know.
    """
    kind, _, rest = spec.partition(":")
    if kind not in MODEL_KINDS:
        raise unknown_name("model kind", kind, MODEL_KINDS)
    if not rest:
        raise InputError(f"--model {spec}: the name is missing; {MODEL_KINDS[kind].about}")
    return MODEL_KINDS[kind].make(spec, rest, options or ModelOptions())
