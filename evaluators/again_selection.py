"""Choosing the rows of a finished run that are to be asked again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.again import Again
from lengthwise.evaluators.contracts import OUTCOME_KINDS, Outcome, OutcomeKind
from lengthwise.evaluators.examples import stratified_sample
from lengthwise.evaluators.providers.base import Notify
from lengthwise.evaluators.run_folder import RUN_FILE
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.settings import RunSettings, settings_from


def again_settings(
    run_dir: Path | str,
    kinds: Sequence[str],
    *,
    configs: Sequence[str] = (),
    splits: Sequence[str] = (),
    limit: int | None = None,
    seed: int | None = None,
    notify: Notify = lambda _: None,
) -> RunSettings:
    """Return the settings of a run that asks again the rows of a finished run that ended in some outcome.

    A row is chosen if any of its repeats ended so, and then asked as often as it was. All else is as in that run;
    change what is to be different with `dataclasses.replace`. The choice is part of the settings: with them, or with
    the run.json of the new run, it can be repeated when the old folder is gone.

    Args:
        run_dir: folder of the finished run, or its run.json.
        kinds: outcomes, of `OUTCOME_KINDS`; at least one.
        configs: choose rows of these only; none means all.
        splits: choose rows of these only; none means all.
        limit: how many rows, as a stratified sample of those chosen; None means all of them.
        seed: of that sample; None takes that run's.
        notify: told of replies that the run lacks because of errors.

    Raises:
        InputError: not a run folder, an unknown outcome, config or split, a run that has not come to all its rows, or
            no row that ended so (the message says how they did).
    """
    folder = Path(run_dir)
    folder = folder.parent if folder.name == RUN_FILE else folder
    wanted = _outcome_kinds(kinds)
    settings = settings_from(folder / RUN_FILE)
    old = score_outcomes(folder, write=False, causes=False)
    _check_finished(old, folder, notify)
    rows = {
        example: row
        for example, row in old.rows.items()
        if _known(row["config"], configs) and _known(row["split"], splits)
    }
    for what, names, column in (("config", configs, "config"), ("split", splits, "split")):
        held = list(dict.fromkeys(str(row[column]) for row in old.rows.values()))
        if missing := [name for name in names if name not in held]:
            raise unknown_name(f"{what} of {folder}", missing[0], held)
    ended = {example: _repeats_of(old.outcomes, example, old.run.repeats) for example in rows}
    matching = [example for example, outcomes in ended.items() if not wanted.isdisjoint(outcomes)]
    if not matching:
        counts = Counter(kind for outcomes in ended.values() for kind in outcomes)
        listed = ", ".join(f"{counts[kind]} {kind}" for kind in OUTCOME_KINDS if counts[kind]) or "no rows"
        raise InputError(
            f"--again {','.join(kinds)}: none of {folder} ended so (it has {listed}); nothing to ask again"
        )
    chosen = _sample(old, matching, limit, settings.seed if seed is None else seed)
    about = old.run.settings
    again = Again(
        run=str(folder.resolve()),
        created=str(about.get("created")),
        model=settings.model,
        sampling=dict(about["sampling"]),
        kinds=tuple(kind for kind in OUTCOME_KINDS if kind in wanted),
        matching=len(matching),
        before={example: ended[example] for example in chosen},
    )
    return replace(
        settings,
        configs=tuple(dict.fromkeys(rows[example]["config"] for example in chosen)),
        splits=tuple(dict.fromkeys(rows[example]["split"] for example in chosen)),
        limit=limit,
        seed=settings.seed if seed is None else seed,
        again=again,
        # The rows of a shard are named, and cut no further.
        shard=None,
    )


def _known(name: str, names: Sequence[str]) -> bool:
    return not names or name in names


def _outcome_kinds(names: Sequence[str]) -> set[OutcomeKind]:
    if not names:
        raise InputError(f"--again: name an outcome: {', '.join(OUTCOME_KINDS)}")
    for name in names:
        if name not in OUTCOME_KINDS:
            raise unknown_name("outcome", name, OUTCOME_KINDS)
    return {cast(OutcomeKind, name) for name in names}


def _check_finished(old: Scored, folder: Path, notify: Notify) -> None:
    results = old.results
    resume = f"lengthwise run --from {folder / RUN_FILE} --out {folder}"
    if results.n_missing:
        raise InputError(
            f"RUN {folder}: not finished, {results.n_missing:,} of {results.n_expected:,} replies were never asked "
            f"for; finish it first: {resume}"
        )
    if results.n_error:
        notify(
            f"careful: {results.n_error:,} of {results.n_expected:,} of {folder} ended in error; how they would have "
            f"ended is not known (to ask these: {resume})"
        )


def _repeats_of(outcomes: Mapping[tuple[str, int], Outcome], example: str, repeats: int) -> tuple[OutcomeKind, ...]:
    return tuple(outcomes[example, repeat].kind for repeat in range(repeats))


def _sample(old: Scored, examples: Sequence[str], limit: int | None, seed: int) -> list[str]:
    import pyarrow as pa
    import pyarrow.compute as pc

    table = old.run.examples()
    table = table.filter(pc.is_in(table["id"], value_set=pa.array(examples)))
    if limit is not None:
        table = stratified_sample(table, limit, seed)
    ids: list[str] = table["id"].to_pylist()
    return ids
