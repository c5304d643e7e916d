"""How many rows of which kind each split is to have: tables like the paper's Table 7."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from lengthwise.errors import InputError

from .labels import canonical_types
from .records import LANGUAGES, Language, Origin, scale_tokens
from .splits import SPLITS, Split, splits_of

# Origin and class of a row: the four kinds that there are.
Kind: TypeAlias = tuple[Origin, bool]
KINDS: tuple[Kind, ...] = (("erhg", True), ("original", False), ("mma", True), ("mma", False))
_ORIGINS = ("original", "erhg", "mma")
_COLUMNS = ("split", "scale", "zh", "en", *_ORIGINS, "hallucinated")


@dataclass(frozen=True)
class Request:
    """The rows that one split of one scale is to have.

    Attributes:
        split: which.
        scale: which.
        languages: rows of each.
        origins: rows of each.
        hallucinated: rows of the positive class.
        types: least number of rows that hold a type, by its canonical name; types that are not named are evened out.

    Raises:
        InputError: the numbers do not add up, or ask for a kind that cannot be: a reference that is hallucinated, or
            an injected summary that is not.
    """

    split: Split
    scale: str
    languages: Mapping[Language, int]
    origins: Mapping[Origin, int]
    hallucinated: int
    types: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        numbers = [*self.languages.values(), *self.origins.values(), *self.types.values(), self.hallucinated]
        if min(numbers) < 0:
            raise InputError(f"{self.name}: a number of rows is negative")
        by_language, by_origin = sum(self.languages.values()), sum(self.origins.values())
        if by_language != by_origin:
            raise InputError(f"{self.name}: the languages add up to {by_language} and the origins to {by_origin}")
        if min(self.kinds.values()) < 0:
            raise InputError(
                f"{self.name}: hallucinated {self.hallucinated} of {self.total}, where all erhg "
                f"({self.origins.get('erhg', 0)}) and no original ({self.origins.get('original', 0)}) are"
            )
        if self.scale and self.split not in splits_of(self.scale):
            raise InputError(f"{self.name}: {self.scale} has {', '.join(splits_of(self.scale))} only")

    @property
    def name(self) -> str:
        """The split and scale, for messages."""
        return f"{self.split} {self.scale}"

    @property
    def total(self) -> int:
        """Rows in all."""
        return sum(self.origins.values())

    @property
    def kinds(self) -> Mapping[Kind, int]:
        """Rows of each kind: they follow, since original is never hallucinated and erhg always."""
        erhg, original = self.origins.get("erhg", 0), self.origins.get("original", 0)
        positive = self.hallucinated - erhg
        return {
            ("erhg", True): erhg,
            ("original", False): original,
            ("mma", True): positive,
            ("mma", False): self.origins.get("mma", 0) - positive,
        }


def _paper(split: Split, scale: str, zh: int, en: int, original: int, erhg: int, mma: int, positive: int) -> Request:
    languages: Mapping[Language, int] = MappingProxyType({"zh": zh, "en": en})
    origins: Mapping[Origin, int] = MappingProxyType({"original": original, "erhg": erhg, "mma": mma})
    return Request(split, scale, languages, origins, positive)


# Table 7.
PAPER_REQUESTS: tuple[Request, ...] = (
    _paper("train", "s", 1230, 1654, 814, 963, 1107, 1454),
    _paper("train", "m", 1091, 1379, 734, 937, 799, 1292),
    _paper("validation", "s", 100, 100, 60, 40, 100, 100),
    _paper("validation", "m", 100, 100, 60, 40, 100, 100),
    _paper("test", "s", 100, 100, 64, 48, 88, 100),
    _paper("test", "m", 100, 100, 69, 61, 70, 100),
    _paper("test", "l", 50, 50, 41, 27, 32, 50),
    _paper("test", "xl", 54, 46, 38, 20, 42, 50),
)


def read_requests(path: Path) -> tuple[Request, ...]:
    """Return the requests of a tab-separated table.

    Its head is `split scale zh en original erhg mma hallucinated`, and any types behind them; a line for each split of
    each scale.

    Raises:
        InputError: the file is not there, has other columns, or a line does not add up.
    """
    if not path.is_file():
        raise InputError(f"there is no file {str(path)!r}; name a table of requested rows, or `paper`")
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t")
        head = tuple(reader.fieldnames or ())
        if head[: len(_COLUMNS)] != _COLUMNS:
            raise InputError(f"{path}: the columns must be {', '.join(_COLUMNS)}, and types behind them")
        canonical_types(head[len(_COLUMNS) :])
        return tuple(_request(path, number, line) for number, line in enumerate(reader, 2))


def _request(path: Path, number: int, line: Mapping[str, str]) -> Request:
    split = next((one for one in SPLITS if one == line["split"]), None)
    if split is None:
        raise InputError(f"{path}, line {number}: the split {line['split']!r} is none of {', '.join(SPLITS)}")
    try:
        counts = {name: int(line[name]) for name in line if name not in ("split", "scale")}
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}, line {number}: every column behind scale is a whole number ({error})") from None
    scale_tokens(line["scale"])
    types = {canonical_types([name])[0]: count for name, count in counts.items() if name not in _COLUMNS}
    languages = {language: counts[language] for language in LANGUAGES}
    origins: dict[Origin, int] = {"original": counts["original"], "erhg": counts["erhg"], "mma": counts["mma"]}
    return Request(split, line["scale"], languages, origins, counts["hallucinated"], types)
