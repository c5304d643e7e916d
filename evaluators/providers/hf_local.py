"""`hf-local:NAME`: a `transformers` pipeline in this process, one request at a time; for small models and odd ones."""

import asyncio
import importlib.util
import inspect
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

from lengthwise.contracts import Ask, FinishReason, Message, OverlengthError, Reply, Request, Sampling, Usage
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Model, Notify, Window, check_timeout
from lengthwise.evaluators.providers.spec_options import split_options
from lengthwise.evaluators.providers.templates import template_arguments
from lengthwise.evaluators.retry import PassingError

# Tokenizers that know no limit say so by a number beyond all windows.
_NO_LIMIT = 10**9


class PipelineModel(Model):
    """A model in a text-generation pipeline, with the chat template of its tokenizer.

    Text comes as the model writes it: reasoning that stands in it is read as such where the reply is judged. There are
    no log-probabilities.

    Args:
        spec: see `Model`.
        name: Hub id or folder, and behind a `?` arguments of `transformers.pipeline`: `device`, `dtype`, `revision`...
        timeout: seconds for a whole reply.
        notify: told when the model is loaded.

    Raises:
        InputError: see `split_options`; or a time-out that is not positive.
    """

    kind = "hf-local"

    def __init__(
        self, spec: str, name: str, timeout: float = DEFAULT_TIMEOUT, notify: Notify = lambda _: None
    ) -> None:
        name, self.options = split_options(spec, name)
        check_timeout(timeout)
        super().__init__(spec, name)
        self.timeout = timeout
        self._notify = notify
        self._pipeline: Any = None
        self._limit: int | None = None
        self._one_at_a_time = asyncio.Lock()

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model."""
        return {**super().describe(), "options": self.options}

    def check(self, sampling: Sampling) -> None:
        """Raise InputError for a budget of reasoning: a pipeline has no place for it."""
        if sampling.thinking_tokens is not None:
            raise InputError("--thinking-tokens: hf-local: takes no such setting; leave it out")

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the one `ask` there is: it sees the request and nothing else."""
        return self._ask

    async def __aenter__(self) -> Self:
        """Load the model.

        Raises:
            InputError: transformers or torch is not installed, there is no argument of a given name, or the model
                cannot be loaded or has no chat template.
        """
        for package in ("transformers", "torch"):
            if importlib.util.find_spec(package) is None:
                raise InputError(f"--model {self.spec}: needs {package}; pip install 'lengthwise[hf]' torch")
        os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
        from transformers import pipeline

        known = set(inspect.signature(pipeline).parameters) - {"task", "model", "kwargs"}
        for option in self.options:
            if option not in known:
                raise unknown_name("argument of transformers.pipeline", option, sorted(known))
        self._notify(f"loading {self.name}")
        try:
            self._pipeline = await asyncio.to_thread(pipeline, "text-generation", self.name, **self.options)
        except (AttributeError, ImportError, OSError, RuntimeError, TypeError, ValueError) as error:
            said = " ".join(str(error).split())[:600]
            raise InputError(f"--model {self.spec}: cannot be loaded: {said}") from error
        if not getattr(self._pipeline.tokenizer, "chat_template", None):
            self._pipeline = None
            raise InputError(f"--model {self.spec}: its tokenizer has no chat template; name a chat model")
        self._limit = _limit(self._pipeline)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the model."""
        self._pipeline = None

    async def window(self) -> Window:
        """Return the positions that the model's configuration allows, and a count by its own template."""

        def count(prompt: str) -> int:
            return len(self._tokens(self._text((Message("user", prompt),), Sampling())))

        return Window(self._limit, "the model's configuration", count)

    def _text(self, messages: Sequence[Message], sampling: Sampling) -> str:
        text = self._pipeline.tokenizer.apply_chat_template(
            [asdict(message) for message in messages],
            tokenize=False,
            add_generation_prompt=True,
            **template_arguments(sampling),
        )
        return str(text)

    def _tokens(self, text: str) -> list[int]:
        return list(self._pipeline.tokenizer(text, add_special_tokens=False)["input_ids"])

    async def _ask(self, request: Request) -> Reply:
        if self._pipeline is None:
            raise RuntimeError("a model is used within `async with`")
        async with self._one_at_a_time:
            given_up = threading.Event()
            started = time.monotonic()
            working = asyncio.create_task(asyncio.to_thread(self._generate, request, given_up))
            try:
                # Shielded: a thread ends by itself alone, and the model is its own until then.
                async with asyncio.timeout(self.timeout):
                    text, finish, usage = await asyncio.shield(working)
            except TimeoutError as error:
                raise PassingError(f"no whole reply within {self.timeout:g} s (--timeout)", timed_out=True) from error
            finally:
                given_up.set()
                await asyncio.wait([working])
        return Reply(text, None, finish, usage, time.monotonic() - started, model=self.name)

    def _generate(self, request: Request, given_up: threading.Event) -> tuple[str, FinishReason, Usage]:
        import torch

        text = self._text(request.messages, request.sampling)
        count = len(self._tokens(text))
        if self._limit is not None and count >= self._limit:
            raise OverlengthError(f"the prompt has {count:,} tokens; the model's configuration allows {self._limit:,}")

        def stop(tokens: Any, scores: Any, **_: Any) -> Any:
            return torch.full((len(tokens),), given_up.is_set(), device=tokens.device)

        (found,) = self._pipeline(
            text,
            return_tensors=True,
            add_special_tokens=False,
            batch_size=1,
            stopping_criteria=[stop],
            **self._settings(request.sampling, count),
        )
        tokens = [int(token) for token in found["generated_token_ids"]][count:]
        ended = bool(tokens) and tokens[-1] in _ends(self._pipeline)
        said = self._pipeline.tokenizer.decode(tokens, skip_special_tokens=True)
        return said, "stop" if ended else "length", Usage(input=count, output=len(tokens))

    def _settings(self, sampling: Sampling, count: int) -> dict[str, Any]:
        """Return the arguments of `generate`; what is None is left to the model's generation_config.json."""
        own = self._pipeline.model.generation_config
        room = None if self._limit is None else self._limit - count
        budget = min(one for one in (sampling.max_tokens, room, _NO_LIMIT) if one is not None)
        settings: dict[str, Any] = {"max_new_tokens": budget, "max_length": None}
        if own.pad_token_id is None:
            settings["pad_token_id"] = min(_ends(self._pipeline), default=0)
        if sampling.temperature == 0:
            return {**settings, "do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        given = {"temperature": sampling.temperature, "top_p": sampling.top_p}
        settings |= {name: value for name, value in given.items() if value is not None}
        if settings.keys() & given.keys():
            settings["do_sample"] = True
            # The library's default cuts all but 50 tokens; the model's own is meant.
            settings["top_k"] = own.to_diff_dict().get("top_k", 0)
        return settings


def _limit(pipeline: Any) -> int | None:
    config = pipeline.model.config
    config = getattr(config, "text_config", config)
    places = getattr(config, "max_position_embeddings", None)
    told = getattr(pipeline.tokenizer, "model_max_length", None)
    limits = [one for one in (places, told) if isinstance(one, int) and 0 < one < _NO_LIMIT]
    return min(limits, default=None)


def _ends(pipeline: Any) -> set[int]:
    """Return the tokens that end a reply."""
    ends = pipeline.model.generation_config.eos_token_id
    ends = ends if isinstance(ends, list) else [ends]
    return {one for one in (*ends, pipeline.tokenizer.eos_token_id) if one is not None}
