"""`lengthwise build longnovel --source storyworld`: a thin shell over `build_storyworld`."""

import os
from collections.abc import Sequence
from pathlib import Path

import typer

from lengthwise.cli.options import parse_shard
from lengthwise.errors import InputError, unknown_name

SOURCE = "storyworld"
# Options of `build longnovel` that are for generated novels, and those that are for both.
STORY_OPTIONS = ("examples", "train", "validation", "workers", "shard")
COMMON_OPTIONS = ("configs", "source", "out", "language", "seed", "tokenizer", "quiet")


def is_storyworld(source: Sequence[str], out: Path, given: Sequence[str]) -> bool:
    """Return whether a call of `build longnovel` asks for generated novels.

    Args:
        source: the sources; none means generated novels, unless something that is for books alone is asked for.
        out: where to; a folder with the steps of a build from books goes on with them.
        given: names of the options that were given.

    Raises:
        InputError: sources, or options, are for both kinds.
    """
    if SOURCE in source and len(source) > 1:
        raise InputError(f"--source {SOURCE}: stands alone; build the others into another folder")
    of_story = [name for name in given if name in STORY_OPTIONS]
    of_books = [name for name in given if name not in (*STORY_OPTIONS, *COMMON_OPTIONS)]
    if SOURCE in source or (not source and not of_books and not (out / "steps" / "plan.json").is_file()):
        if of_books:
            raise InputError(
                f"{_option(of_books[0])}: does not apply to --source {SOURCE}, which needs no books and no models; "
                "leave it out"
            )
        return True
    if of_story:
        raise InputError(f"{_option(of_story[0])}: applies to --source {SOURCE} alone; leave it out, or the books")
    return False


def build_stories(
    out: Path,
    configs: tuple[str, ...],
    *,
    examples: int,
    train: int,
    validation: int,
    language: str | None,
    seed: int,
    tokenizer: str,
    workers: int | None,
    shard: str | None,
    quiet: bool,
) -> None:
    """Build generated novels and print what was built; the arguments are the options of the command."""
    from lengthwise.builders.longnovel.records import LANGUAGES
    from lengthwise.builders.longnovel.storyworld.build import build_storyworld
    from lengthwise.builders.longnovel.storyworld.settings import StorySettings

    languages = tuple(one for one in LANGUAGES if language in (None, one))
    if not languages:
        raise unknown_name("language", str(language), LANGUAGES)
    settings = StorySettings(
        configs or StorySettings().scales, examples, train, validation, languages, seed, tokenizer
    )
    try:
        result = build_storyworld(
            out,
            settings,
            workers=(os.cpu_count() or 1) if workers is None else workers,
            shard=parse_shard(shard),
            progress=not quiet,
        )
    except KeyboardInterrupt:
        typer.echo(f"stopped; the same command goes on with what is in {out}", err=True)
        raise typer.Exit(130) from None
    for line in result.lines():
        typer.echo(line)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
