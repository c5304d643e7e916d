"""`vllm:NAME`: vLLM's own engine, started for the run and gone with it; no server and no port in between."""

import asyncio
import dataclasses
import importlib.util
import itertools
import os
import signal
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from lengthwise.contracts import Ask, Message, OverlengthError, Reply, ReplyError, Request, Sampling, Usage
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Model, Notify, Window, check_timeout
from lengthwise.evaluators.providers.bodies import read_error
from lengthwise.evaluators.providers.logprobs import read_alternatives
from lengthwise.evaluators.providers.spec_options import split_options
from lengthwise.evaluators.providers.templates import template_arguments
from lengthwise.evaluators.retry import PassingError

_EXTRA = "pip install 'lengthwise[vllm]'"


class VllmModel(Model):
    """A model in an engine of its own, with the chat template of its tokenizer; prefixes are cached.

    Text comes as the model writes it: reasoning that stands in it is read as such where the reply is judged.

    Args:
        spec: see `Model`.
        name: Hub id or folder, and behind a `?` arguments of vLLM's engine, by the names of its `AsyncEngineArgs`:
            `max_model_len`, `tensor_parallel_size`, `quantization`, `dtype`, `hf_overrides` (rope), ...
        timeout: seconds for a whole reply.
        notify: told when the engine starts.

    Raises:
        InputError: see `split_options`; or a time-out that is not positive.
    """

    kind = "vllm"

    def __init__(
        self, spec: str, name: str, timeout: float = DEFAULT_TIMEOUT, notify: Notify = lambda _: None
    ) -> None:
        name, self.options = split_options(spec, name)
        check_timeout(timeout)
        super().__init__(spec, name)
        self.timeout = timeout
        self._notify = notify
        self._engine: Any = None
        self._numbers = itertools.count()
        # One at a time: a tokenizer may not be used by two threads at once.
        self._tokenizing = asyncio.Lock()

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model."""
        return {**super().describe(), "options": self.options}

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the one `ask` there is: it sees the request and nothing else."""
        return self._ask

    async def __aenter__(self) -> Self:
        """Start the engine: seconds for a small model, minutes for a large one.

        Raises:
            InputError: vLLM is not installed, has no argument of a given name, or does not start.
        """
        if importlib.util.find_spec("vllm") is None:
            raise InputError(f"--model {self.spec}: needs vLLM; {_EXTRA}")
        # Its log would tear the bar, and a run sends statistics to nobody.
        os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
        os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
        from vllm.engine.arg_utils import AsyncEngineArgs

        known = {field.name for field in dataclasses.fields(AsyncEngineArgs)}
        for option in self.options:
            if option not in known or option == "model":
                raise unknown_name("argument of vLLM's engine", option, sorted(known - {"model"}))
        arguments = {"enable_prefix_caching": True, "disable_log_stats": True, **self.options}
        self._notify(f"starting vLLM with {self.name}")
        try:
            # In a thread: that is where Ctrl-C can be kept from the processes that start here.
            self._engine = await asyncio.to_thread(_start, AsyncEngineArgs(model=self.name, **arguments))
        except (ImportError, OSError, RuntimeError, TypeError, ValueError) as error:
            said = " ".join(str(error).split())[:600]
            raise InputError(f"--model {self.spec}: vLLM does not start: {said}") from error
        if not getattr(self._engine.get_tokenizer(), "chat_template", None):
            await self._stop()
            raise InputError(f"--model {self.spec}: its tokenizer has no chat template; name a chat model")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the engine and its processes."""
        await self._stop()

    async def _stop(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            await asyncio.to_thread(engine.shutdown)

    async def window(self) -> Window:
        """Return the engine's limit, and a count by its own tokenizer and template."""

        def count(prompt: str) -> int:
            return len(self._tokens((Message("user", prompt),), Sampling()))

        return Window(self._engine.model_config.max_model_len, "the engine", count)

    def _tokens(self, messages: Sequence[Message], sampling: Sampling) -> list[int]:
        tokenizer = self._engine.get_tokenizer()
        text = tokenizer.apply_chat_template(
            [dataclasses.asdict(message) for message in messages],
            tokenize=False,
            add_generation_prompt=True,
            **template_arguments(sampling),
        )
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    async def _ask(self, request: Request) -> Reply:
        if self._engine is None:
            raise RuntimeError("a model is used within `async with`")
        async with self._tokenizing:
            tokens = await asyncio.to_thread(self._tokens, request.messages, request.sampling)
        limit = self._engine.model_config.max_model_len
        if len(tokens) >= limit:
            raise OverlengthError(f"the prompt has {len(tokens):,} tokens; the engine's max_model_len is {limit:,}")
        started = time.monotonic()
        try:
            async with asyncio.timeout(self.timeout):
                output = await self._generate(tokens, request)
        except TimeoutError as error:
            raise PassingError(f"no whole reply within {self.timeout:g} s (--timeout)", timed_out=True) from error
        return read_output(output, self.name, time.monotonic() - started)

    async def _generate(self, tokens: list[int], request: Request) -> Any:
        from vllm import SamplingParams
        from vllm.exceptions import VLLMClientError
        from vllm.inputs import tokens_input
        from vllm.sampling_params import RequestOutputKind
        from vllm.v1.engine.exceptions import EngineDeadError, EngineGenerateError

        sampling = request.sampling
        given = {
            "max_tokens": sampling.max_tokens or self._engine.model_config.max_model_len - len(tokens),
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "thinking_token_budget": sampling.thinking_tokens,
            "logprobs": request.alternatives or None,
        }
        # What is left open is as the model's makers have it in generation_config.json, as with vLLM's server.
        settings = {
            **self._engine.model_config.get_diff_sampling_param(),
            **{name: value for name, value in given.items() if value is not None},
        }
        number = f"lengthwise-{next(self._numbers)}"
        output = None
        try:
            params = SamplingParams(**settings, output_kind=RequestOutputKind.FINAL_ONLY)
            async for finished in self._engine.generate(tokens_input(tokens), params, number):
                output = finished
        except (VLLMClientError, ValueError) as error:
            # A setting that the engine refuses.
            raise read_error(400, {"message": str(error)}, None) from error
        except (EngineDeadError, EngineGenerateError) as error:
            raise ReplyError(f"vLLM's engine failed: {error!r}") from error
        return output


def _start(arguments: Any) -> Any:
    """Start the engine; Ctrl-C does not reach its processes: the run says when they go."""
    from vllm.v1.engine.async_llm import AsyncLLM

    if hasattr(signal, "pthread_sigmask"):
        # Processes have the mask of the thread that starts them.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    return AsyncLLM.from_engine_args(arguments)


def read_output(output: Any, name: str, latency: float) -> Reply:
    """Return the reply that a finished output of the engine is.

    Args:
        output: a `RequestOutput`; None where the engine gave none.
        name: of the model.
        latency: seconds.

    Raises:
        PassingError: the engine stopped before the model did.
    """
    if output is None or not output.outputs or output.outputs[0].finish_reason not in ("stop", "length"):
        raise PassingError("vLLM's engine aborted the generation")
    said = output.outputs[0]
    usage = Usage(len(output.prompt_token_ids), output.num_cached_tokens, len(said.token_ids))
    alternatives = read_alternatives({"logprobs": {"content": _logprobs(said)}}, said.text) if said.logprobs else ()
    finish = "stop" if said.finish_reason == "stop" else "length"
    return Reply(said.text, None, finish, usage, latency, model=name, alternatives=alternatives)  # type: ignore[arg-type]


def _logprobs(said: Any) -> list[Mapping[str, Any]]:
    """Return the log-probabilities of an output in the form that OpenAI's servers send."""
    places: list[Mapping[str, Any]] = []
    for token, likely in zip(said.token_ids, said.logprobs, strict=False):
        named = {number: {"token": one.decoded_token or "", "logprob": one.logprob} for number, one in likely.items()}
        places.append({**named.get(token, {"token": ""}), "top_logprobs": list(named.values())})
    return places
