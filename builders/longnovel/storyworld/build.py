"""`lengthwise build longnovel --source storyworld`: from settings to a folder that is ready for the Hub."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...folder_build import Built, FolderBuild
from ...hub_folder import SplitFacts
from ...parts import Cell
from ..export import Exported, enter_split, read_short, write_prompts
from ..prompt_texts import load_prompts
from ..records import LANGUAGES, Language
from ..schema import SCHEMA
from ..splits import SPLITS
from .card import finish_folder
from .plan import cost, describe, make_rows, story_tasks, try_out
from .settings import StorySettings

# Below so many tokens of novels in all, starting worker processes costs more than it saves.
_WORTH_WORKERS = 150_000


def build_storyworld(
    out: str | os.PathLike[str],
    settings: StorySettings | None = None,
    *,
    workers: int = 1,
    shard: tuple[int, int] | None = None,
    progress: bool = False,
) -> Built:
    """Build LongNovel's task on generated novels: Parquet per config and split, a card, and `build.json`.

    The same arguments give the same rows on any machine and in any number of processes. A build that was stopped goes
    on where it was; one that is finished is recognised and left as it is.

    Args:
        out: folder; new, empty, or holding this very build, finished or not.
        settings: which lengths, how many rows, which languages.
        workers: processes.
        shard: (I, N) to build only part I of N, 1-based; the call without it makes what is missing and finishes.
        progress: show a bar on stderr.

    Raises:
        InputError: an argument cannot be used; nothing is half written.
        OSError: the disk is full or `out` cannot be written.
    """
    settings = settings or StorySettings()
    folder = Path(out)
    plan = describe(settings)

    def finish(facts: Mapping[Cell, SplitFacts]) -> str:
        written = _entered(settings, facts)
        for scale, split in list(written.facts):
            written.kept[scale, split] = read_short(folder, (scale, split))
            if split == "test":
                write_prompts(folder, scale, {one: load_prompts(one) for one in LANGUAGES}, written)
        return finish_folder(folder, settings, plan, written)

    build = FolderBuild(
        folder,
        plan,
        story_tasks(settings),
        make_rows,
        SCHEMA,
        finish,
        check=partial(try_out, settings.tokenizer),
        cost=cost,
        worth_workers=_WORTH_WORKERS,
    )
    done = build.run(Built(folder), workers, shard, progress)
    return done if done.splits is None else replace(done, splits=_entered(settings, done.splits).facts)


def _entered(settings: StorySettings, facts: Mapping[Cell, SplitFacts]) -> Exported:
    """Put the files of the languages together, by scale and split."""
    out = Exported()
    for scale in settings.scales:
        for split in SPLITS:
            written: dict[Language, SplitFacts] = {
                one: facts[scale, f"{split}-{one}"] for one in LANGUAGES if (scale, f"{split}-{one}") in facts
            }
            if written:
                enter_split(scale, split, written, out)
    return out
