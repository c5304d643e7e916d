"""`batch:openai:NAME`, `batch:anthropic:NAME`: all calls of a run in the provider's batches, at half the price.

Before the first row is looked at, the calls of all rows are sent and waited for, for up to a day; then the run goes
over them as over any model's replies. A run that is stopped or killed meanwhile goes on waiting for the same batches.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from lengthwise.contracts import Ask, OverlengthError, Reply, ReplyError, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.anthropic import AnthropicModel
from lengthwise.evaluators.providers.base import Model, Notify, Window
from lengthwise.evaluators.providers.batch_journal import Batch, BatchJournal, custom_id
from lengthwise.evaluators.providers.batch_services import AnthropicBatches, BatchService, OpenAIBatches, State
from lengthwise.evaluators.providers.chat import ChatModel
from lengthwise.evaluators.retry import PassingError
from lengthwise.line_log import Span
from lengthwise.recording import Key

Answer = TypeVar("Answer")
Sleep: TypeAlias = Callable[[float], Awaitable[None]]

# Seconds between two questions to the provider: at first, and at most.
FIRST_WAIT = 5.0
LONGEST_WAIT = 60.0


class BatchModel(Model):
    """A model that is asked by batches; a method may ask it once for each example.

    Args:
        spec: see `Model`.
        inner: the same model, asked call by call.
        notify: told of batches that are sent and come back.

    Raises:
        InputError: the provider of `inner` has no batches that are known here.
    """

    kind = "batch"
    price_share = 0.5
    gathers = True

    def __init__(self, spec: str, inner: Model, notify: Notify = lambda _: None) -> None:
        super().__init__(spec, inner.name)
        self._service: BatchService
        if isinstance(inner, AnthropicModel):
            self._service = AnthropicBatches(inner)
        elif isinstance(inner, ChatModel) and inner.kind in ("openai", "http") and len(inner.base_urls) == 1:
            self._service = OpenAIBatches(inner)
        else:
            raise InputError(
                f"--model {spec}: has no batches; there are batch:openai:NAME, batch:anthropic:NAME and "
                "batch:http://host:port/v1#NAME, at one address"
            )
        self._inner = inner
        self._notify = notify
        # Where the result of each call stands, by its `custom_id`; for those without one, why.
        self._results: dict[str, tuple[Path, Span]] = {}
        self._without: dict[str, str] = {}
        self._gathered = False

    def check(self, sampling: Sampling) -> None:
        """Raise InputError for a setting that the provider takes no place for."""
        self._inner.check(sampling)

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model: the name of the key's variable, never the key."""
        return {**self._inner.describe(), "spec": self.spec, "kind": self.kind, "provider": self._inner.kind}

    async def window(self) -> Window:
        """Return what the provider says of the model."""
        return await self._inner.window()

    async def __aenter__(self) -> Self:
        """Read the key and open the session."""
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the session; batches that are under way stay so."""
        await self._inner.__aexit__(kind, error, trace)

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return an `ask` that gives what the batches brought; nothing is sent any more."""

        async def ask(request: Request) -> Reply:
            if not self._gathered:
                raise InputError(f"{self.spec}: batches are for the model of `lengthwise run`, and for no other part")
            name = custom_id(Key(example.id, repeat, 0, request.digest))
            if name not in self._results:
                raise ReplyError(self._without.get(name, "the batch brought no result for this call"))
            return self._read(*self._results[name])

        return ask

    def _read(self, path: Path, span: Span) -> Reply:
        """Return the reply of a result; one that may pass is final here: another try is another batch."""
        with path.open("rb") as file:
            file.seek(span[0])
            line = json.loads(file.read(span[1]))
        try:
            return self._service.read(line)
        except OverlengthError:
            raise
        except ReplyError as error:
            raise ReplyError(f"{error} (in a batch)") from error

    async def gather(self, folder: Path, calls: AsyncIterator[tuple[Key, Request]], sleep: Sleep) -> None:
        """Send the calls that no batch of this run has answered or is about to, and wait for all.

        Raises:
            InputError: the provider refuses a batch for good.
        """
        with BatchJournal(folder) as journal:
            for batch in journal.batches:
                if batch.over:
                    self._index(journal, batch)
                elif batch.id is None:
                    await self._look_for(journal, batch, sleep)
            waiting = {name for batch in journal.batches if not batch.over for name in batch.names}
            await self._send(journal, calls, waiting, sleep)
            for batch in journal.batches:
                if not batch.over:
                    await self._wait(journal, batch, sleep)
        self._gathered = True

    async def _send(
        self, journal: BatchJournal, calls: AsyncIterator[tuple[Key, Request]], waiting: set[str], sleep: Sleep
    ) -> None:
        """Send what is left to be asked, in as many batches as it takes."""
        before, between, behind = self._service.frame
        keys: list[Key] = []
        path = journal.requests(len(journal.batches))
        file = path.open("wb")
        try:
            async for key, request in calls:
                name = custom_id(key)
                if name in waiting or self._answered(name):
                    continue
                line = self._service.line(name, request)
                full = file.tell() + len(line) > self._service.most_bytes or len(keys) == self._service.most_calls
                if keys and full:
                    file.write(behind)
                    file.close()
                    await self._submit(journal, keys, path, sleep)
                    keys, path = [], journal.requests(len(journal.batches))
                    file = path.open("wb")
                file.write((between if keys else before) + line)
                keys.append(key)
            file.write(behind)
        finally:
            file.close()
        if keys:
            await self._submit(journal, keys, path, sleep)
        path.unlink(missing_ok=True)

    def _answered(self, name: str) -> bool:
        """Return whether an earlier batch brought a reply; what it brought errors for is sent again."""
        if name not in self._results:
            return False
        try:
            self._read(*self._results[name])
        except ReplyError:
            return False
        return True

    async def _submit(self, journal: BatchJournal, keys: list[Key], path: Path, sleep: Sleep) -> None:
        batch = journal.begin(keys)
        wait = FIRST_WAIT
        while batch.id is None:
            try:
                provider_id: str | None = await self._service.submit(path, batch)
            except PassingError as error:
                self._notify(f"a batch could not be sent yet: {error}")
                await sleep(max(wait, error.retry_after or 0.0))
                wait = min(2 * wait, LONGEST_WAIT)
                # It may have arrived all the same.
                provider_id = await self._patiently(lambda: self._find(journal, batch), sleep)
            except ReplyError as error:
                journal.end(batch, f"it was refused: {error}")
                raise InputError(f"--model {self.spec}: the batch is refused: {error}") from error
            if provider_id is not None:
                journal.arrived(batch, provider_id)
        path.unlink(missing_ok=True)
        self._notify(
            f"batch {batch.id}: {len(keys):,} calls are sent; it may take a day. Stop whenever you like: the same "
            "command goes on waiting"
        )

    async def _find(self, journal: BatchJournal, batch: Batch) -> str | None:
        known = frozenset(one.id for one in journal.batches if one.id is not None)
        return await self._service.find(batch, known)

    async def _look_for(self, journal: BatchJournal, batch: Batch, sleep: Sleep) -> None:
        """Find out whether a batch arrived that was being sent when the process ended."""
        provider_id = await self._patiently(lambda: self._find(journal, batch), sleep)
        if provider_id is None:
            journal.end(batch, "it never arrived")
            journal.requests(batch.number).unlink(missing_ok=True)
        else:
            self._notify(f"batch {provider_id} had arrived")
            journal.arrived(batch, provider_id)

    async def _wait(self, journal: BatchJournal, batch: Batch, sleep: Sleep) -> None:
        """Wait until a batch is over, and keep its results."""
        provider_id = batch.id
        assert provider_id is not None
        wait = FIRST_WAIT
        while not (state := await self._patiently(lambda: self._service.state(provider_id), sleep)).over:
            await sleep(wait)
            wait = min(1.5 * wait, LONGEST_WAIT)
        path = journal.results(batch)
        part = path.with_name(path.name + ".part")

        async def download(state: State = state) -> None:
            with part.open("wb") as file:
                await self._service.download(provider_id, state, file)

        await self._patiently(download, sleep)
        part.replace(path)
        journal.end(batch, state.note)
        self._index(journal, batch)
        without = sum(name not in self._results for name in batch.names)
        self._notify(
            f"batch {provider_id}: is back with {len(batch.names) - without:,} results of {len(batch.names):,}"
            + (f" ({state.note})" if state.note else "")
        )

    async def _patiently(self, question: Callable[[], Awaitable[Answer]], sleep: Sleep) -> Answer:
        """Ask the provider about a batch until it answers: hours without a network must not lose a day's batch.

        Raises:
            InputError: it refuses to answer.
        """
        wait = FIRST_WAIT
        while True:
            try:
                return await question()
            except PassingError as error:
                self._notify(f"the provider does not tell of the batch yet: {error}")
                await sleep(max(wait, error.retry_after or 0.0))
                wait = min(2 * wait, LONGEST_WAIT)
            except ReplyError as error:
                raise InputError(f"--model {self.spec}: the provider does not tell of the batch: {error}") from error

    def _index(self, journal: BatchJournal, batch: Batch) -> None:
        """Note where the results of a batch that is over stand; those of later batches take the place of earlier."""
        path = journal.results(batch)
        if batch.id is not None:
            said = f"batch {batch.id}: {batch.note or 'it brought no result for this call'}"
            self._without.update(dict.fromkeys(batch.names, said))
        if not path.exists():
            return
        known, offset = set(batch.names), 0
        with path.open("rb") as lines:
            for line in lines:
                try:
                    name = json.loads(line).get("custom_id") if line.strip() else None
                except (ValueError, AttributeError):
                    name = None
                if name in known:
                    self._results[name] = (path, (offset, len(line)))
                offset += len(line)
