"""The steps that ask models, one after the other, over a build folder: each leaves its Parquet file and its numbers.

A step is a function of the files before it and of the replies on record. Given again it asks for what is missing, and
writes the same files where nothing is; without asks it is made again from the records alone.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from lengthwise.builders.hub_folder import write_text
from lengthwise.contracts import Reply
from lengthwise.errors import InputError, unknown_name
from lengthwise.recording import read_log

from .arbitration import arbitrate
from .asking import CONCURRENCY, REPLIES_FILE, ROLES_FILE, Asks, Calls, Tally
from .compression import TOLERANCE, compress
from .entities import check_tagger, find_entities
from .injection import inject
from .own_prompts import prompts_of
from .roles import OFFLINE, SLOTS, Roles, parse_roles
from .steps_files import read_units, read_windows, write_units
from .steps_tables import write_candidates, write_injected, write_references
from .unit_summaries import summarise_units

Step: TypeAlias = Literal["summaries", "compression", "arbitration", "injection"]
STEPS: tuple[Step, ...] = get_args(Step)
_SLOT = re.compile(rf"/({'|'.join(SLOTS)})@")
# Told the step and how many things it has to make; returns what is told as each ends.
Progress: TypeAlias = Callable[[str, int], Callable[[], object]]


@dataclass(frozen=True, slots=True)
class ModelStepSettings:
    """How the steps go about it.

    Attributes:
        write_summaries: have a model summarise units that nobody has (step "summaries"); else that step is left out.
        tolerance: share of the target by which a reference may be longer or shorter (0 to 1).
        article_alone: judges do not see the reference summary.
        variants: injected summaries of each reference (>= 1).
        seed: of the draws of types and injectors.

    Raises:
        InputError: a value is out of its range.
    """

    write_summaries: bool = False
    tolerance: float = TOLERANCE
    article_alone: bool = False
    variants: int = 1
    seed: int = 42

    def __post_init__(self) -> None:
        if not 0 <= self.tolerance < 1:
            raise InputError(f"tolerance {self.tolerance}: must be at least 0 and under 1")
        if self.variants < 1:
            raise InputError(f"variants {self.variants}: must be at least 1")


async def make_model_steps(
    folder: Path,
    roles: Roles | None = None,
    asks: Asks | None = None,
    settings: ModelStepSettings | None = None,
    *,
    until: Step = "injection",
    concurrency: int = CONCURRENCY,
    progress: Progress = lambda step, total: lambda: None,
) -> list[Tally]:
    """Make the steps up to one, over a folder with units and windows.

    Args:
        folder: of the build; prompts that it holds are asked with.
        roles: None takes those on record.
        asks: of each slot; None makes the steps from their records.
        settings: see `ModelStepSettings`.
        until: the last step.
        concurrency: windows (or summaries) at a time.
        progress: told of each step.

    Returns:
        The numbers of each step; they are in `steps/<step>.json`, too. Where any `failed`, the same call goes on.

    Raises:
        InputError: a step before these is missing, nothing is to be asked and a record is missing, or another process
            is writing into the folder.
    """
    if until not in STEPS:
        raise unknown_name("step", until, STEPS)
    settings = settings or ModelStepSettings()
    prompts = prompts_of(folder)
    tallies: list[Tally] = []

    def finished(tally: Tally, **parameters: Any) -> None:
        write_text(folder / "steps" / f"{tally.step}.json", _json({**tally.to_json(), "settings": parameters}))
        tallies.append(tally)

    with Calls.open(folder, roles, asks) as calls:
        sized = list(read_units(folder))
        windows = read_windows(folder)
        tags = asks is not None and until == "injection" and calls.roles["extractor"].model == OFFLINE
        if tags and not (folder / "steps" / "entities.json").exists():
            check_tagger({window.language for window in windows})
        if settings.write_summaries:
            told = progress("summaries", len(sized))
            written, tally = await summarise_units(
                [one.unit for one in sized], calls, prompts, concurrency=concurrency, done=told
            )
            sized = [replace(one, unit=unit) for one, unit in zip(sized, written, strict=True)]
            write_units(folder, sized)
            finished(tally)
        if until == "summaries":
            return tallies
        units = {(one.unit.book, one.unit.index): one.unit for one in sized}
        told = progress("compression", len(windows))
        references, tally = await compress(
            windows, units, calls, prompts, tolerance=settings.tolerance, concurrency=concurrency, done=told
        )
        write_references(folder, references)
        finished(tally, tolerance=settings.tolerance)
        if until == "compression":
            return tallies
        known = {one.key: one for one in references}
        told = progress("arbitration", 3 * len(windows))
        candidates, tally = await arbitrate(
            windows, units, known, calls, prompts,
            article_alone=settings.article_alone, concurrency=concurrency, done=told,
        )  # fmt: skip
        write_candidates(folder, candidates)
        finished(tally, article_alone=settings.article_alone)
        if until == "arbitration":
            return tallies
        languages = {one.key: one.language for one in windows}
        told = progress("entities", len(references))
        entities, tally = await find_entities(references, languages, calls, prompts, concurrency, told)
        finished(tally)
        told = progress("injection", len(references) * settings.variants)
        injected, tally = await inject(
            references, languages, entities, calls, prompts,
            seed=settings.seed, variants=settings.variants, concurrency=concurrency, done=told,
        )  # fmt: skip
        write_injected(folder, injected)
        finished(tally, seed=settings.seed, variants=settings.variants)
    return tallies


def models_asked(folder: Path) -> dict[str, Any] | None:
    """Return which model filled which slot, as the steps noted it; None for rows that no model of ours made.

    Addresses and names of variables are of the machine that asked: they stay in `steps`.
    """
    noted = folder / ROLES_FILE
    if not noted.is_file():
        return None
    roles = parse_roles(json.loads(noted.read_text("utf-8")), str(noted))
    return {
        slot: {name: value for name, value in role.to_json().items() if name != "api_key_env"}
        | {"model": re.sub(r"^https?://\S*", "a server", role.identity)}
        for slot, role in roles.items()
    }


def step_options(folder: Path) -> list[str]:
    """Return the options of the command that made these steps, those that are not the defaults."""
    standard, found = ModelStepSettings(), []
    if (folder / "steps" / "summaries.json").is_file():
        found.append("--write-summaries")
    for step in ("compression", "arbitration", "injection"):
        path = folder / "steps" / f"{step}.json"
        settings = json.loads(path.read_text("utf-8"))["settings"] if path.is_file() else {}
        for name, value in settings.items():
            if value != getattr(standard, name) and name != "seed":
                option = f"--{name.replace('_', '-')}"
                found.append(option if value is True else f"{option} {value}")
    return found


@dataclass(frozen=True, slots=True)
class Spent:
    """What a slot's calls on record took: tokens as far as servers counted them, dollars where prices are known."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


def spent(folder: Path) -> dict[str, Spent]:
    """Return what the calls on record took, by slot, failures left out."""
    replies: dict[str, list[Reply]] = defaultdict(list)
    for record in read_log(folder / REPLIES_FILE):
        if isinstance(record.result, Reply):
            found = _SLOT.search(record.key.example)
            replies[found[1] if found else ""].append(record.result)
    return {slot: _sum(replies[slot]) for slot in SLOTS if slot in replies}


def _sum(replies: Sequence[Reply]) -> Spent:
    costs = [reply.cost for reply in replies if reply.cost is not None]
    return Spent(
        len(replies),
        sum(reply.usage.input or 0 for reply in replies),
        sum(reply.usage.output or 0 for reply in replies),
        sum(costs) if costs else None,
    )


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
