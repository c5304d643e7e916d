"""`reference:NAME`: a benchmark's reference models, answering through the same `ask` as any model."""

from lengthwise.contracts import Ask, Reply, Request
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.benchmarks import BENCHMARKS, find_benchmark
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.base import Model, Window


class ReferenceModel(Model):
    """A reference model: answers at once, at no cost, whatever the length.

    Raises:
        InputError: no benchmark has such a reference.
    """

    kind = "reference"

    def __init__(self, spec: str, name: str) -> None:
        known = dict.fromkeys(reference for benchmark in BENCHMARKS.values() for reference in benchmark.references)
        if name not in known:
            raise unknown_name("reference model", name, known)
        super().__init__(spec, name)

    def check_benchmark(self, benchmark: str) -> None:
        """Raise InputError where the benchmark has no such reference."""
        known = find_benchmark(benchmark).references
        if self.name not in known:
            raise InputError(f"--model {self.spec}: {benchmark} has no such reference; it has {', '.join(known)}")

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return an `ask` that answers for this example."""
        answer = find_benchmark(example.benchmark).references[self.name].answer

        async def ask(request: Request) -> Reply:
            return Reply(answer(example, repeat, request.messages[-1].content), model=self.spec)

        return ask

    async def window(self) -> Window:
        """Return a window without a limit."""
        return Window(None, "a reference model")
