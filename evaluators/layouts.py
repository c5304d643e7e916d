"""How a benchmark's main table is laid out: sections of rows, and which row each row is compared with."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

# What figures over all splits of a config stand under.
POOLED = "all"


@dataclass(frozen=True, slots=True)
class TableGroup:
    """A section of the paper's main table.

    Attributes:
        title: what the section shows.
        rows: its configs in order.
    """

    title: str
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a config goes that has no row of its own in the layout.

    Attributes:
        row: the config of the layout behind which it stands, and with whose reference row it is compared.
        caption: its readable name.
    """

    row: str
    caption: str


def _no_place(config: str) -> Place | None:
    return None


@dataclass(frozen=True, slots=True)
class Layout:
    """How a benchmark's main table is laid out.

    Attributes:
        name: of the benchmark, as its paper writes it.
        title: of the whole table.
        groups: its sections.
        references: the row that each config's arrow compares with; rows without one get no arrow.
        captions: a readable name per config.
        basis: what a config and its reference row share, and are paired by: one of them, in a word.
        notes: lines below the whole table.
        place: gives further configs (points of a sweep) their place; None for one that it does not know.
    """

    name: str
    title: str
    groups: tuple[TableGroup, ...]
    references: Mapping[str, str]
    captions: Mapping[str, str]
    basis: str = "list"
    place: Callable[[str], Place | None] = _no_place
    notes: tuple[str, ...] = ()

    def reference(self, config: str) -> str | None:
        """Return the reference row of a config, that of its variant for a point of a sweep; None if it has none."""
        place = None if config in self.captions else self.place(config)
        return self.references.get(config if place is None else place.row)

    def holding(self, configs: Iterable[str]) -> "Layout":
        """Return the layout with a row for each of these configs that has none yet and whose place is known.

        Args:
            configs: names of configs; new rows stand in their order.
        """
        new = (config for config in dict.fromkeys(configs) if config not in self.captions)
        placed = {config: place for config in new if (place := self.place(config)) is not None}

        def with_new(row: str) -> tuple[str, ...]:
            return (row, *(config for config, place in placed.items() if place.row == row))

        return replace(
            self,
            groups=tuple(
                replace(group, rows=tuple(config for row in group.rows for config in with_new(row)))
                for group in self.groups
            ),
            references={
                **self.references,
                **{c: self.references[place.row] for c, place in placed.items() if place.row in self.references},
            },
            captions={**self.captions, **{config: place.caption for config, place in placed.items()}},
        )
