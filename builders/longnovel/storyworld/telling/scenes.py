"""The state of a scene: where and when it plays, in which weather, who is in it; how a chapter is cut into scenes."""

from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.builders.longnovel.storyworld.records import Arg, Chapter, Day, Item, Person

from .decks import Draws
from .sections import HOURS, SETTINGS

# Weather -> its weight in winter, in summer, and between.
_WEATHERS = {
    "clear": (3, 5, 5), "rain": (2, 3, 5), "wind": (3, 2, 4), "fog": (3, 0, 3), "snow": (5, 0, 0), "heat": (0, 5, 0),
}  # fmt: skip
_WINTER = (12, 1, 2)
_SUMMER = (6, 7, 8)
_HOT = frozenset({"day", "dusk"})
# In how many of 100 scenes the weather of the one before has lasted.
_LASTS = 60
# Tokens of a scene: a chapter of few has long ones, at least two.
_SCENE_TOKENS = (450, 1300)
_SCENES = (2, 7)


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene's state, which does not change while it lasts.

    Attributes:
        setting: one of `SETTINGS`.
        weather: one of `WEATHERS`, fit for the season.
        hour: one of `HOURS`; no later scene of the chapter has an earlier one.
        focus: two to four of the chapter's cast, who are there.
        away: people who are alive and not in the chapter, so that letters may come from them.
        place: the chapter's place.
        date: the chapter's day.
        ends: which part of the chapter is told at its end, above 0; 1 for the last scene.
    """

    setting: str
    weather: str
    hour: str
    focus: tuple[Person, ...]
    away: tuple[Person, ...]
    place: Item
    date: Day
    ends: float

    def args(self, first: Person, second: Person, third: Person | None = None) -> dict[str, Arg]:
        """Return the arguments of a template in which `first` is in focus."""
        args: dict[str, Arg] = {"a": first, "b": second, "place": self.place, "date": self.date}
        if third is not None:
            args["c"] = third
        return args


def cut_scenes(chapter: Chapter, away: Sequence[Person], draws: Draws) -> list[Scene]:
    """Return the scenes of a chapter: two to seven, by its length.

    Two scenes in a row have different settings, and nobody is dropped for good: the cast takes turns.

    Args:
        chapter: which.
        away: people who are alive on its day, and not in its cast.
        draws: of the novel.
    """
    low, high = _SCENES
    count = min(high, max(low, chapter.tokens // draws.between(*_SCENE_TOKENS)))
    weights = [draws.between(60, 140) for _ in range(count)]
    hours = sorted(draws.below(len(HOURS)) for _ in range(count))
    settings = _settings(count, draws)
    queue = [chapter.cast[place] for place in draws.shuffled(len(chapter.cast))]
    weather, told, scenes = "", 0, []
    for place in range(count):
        told += weights[place]
        hour = HOURS[hours[place]]
        if not weather or not draws.chance(_LASTS):
            weather = _weather(chapter.day, draws)
        # No heat lies on the roofs before sunrise or at midnight.
        while weather == "heat" and hour not in _HOT:
            weather = _weather(chapter.day, draws)
        present = min(len(queue), (2, 2, 2, 3, 3, 4)[draws.below(6)])
        scenes.append(
            Scene(
                settings[place],
                weather,
                hour,
                tuple(queue[:present]),
                tuple(away),
                chapter.place,
                chapter.day,
                told / sum(weights),
            )
        )
        # One of those who were there stays on, the others go to the end of the queue.
        queue = (
            [queue[0], *queue[present:], *queue[1:present]] if draws.chance(50) else queue[present:] + queue[:present]
        )
    return scenes


def _settings(count: int, draws: Draws) -> Sequence[str]:
    order = [SETTINGS[place] for place in draws.shuffled(len(SETTINGS))]
    # Seven scenes at most: the first setting may come back once, far from where it was.
    return (order * 2)[:count]


def _weather(day: Day, draws: Draws) -> str:
    month = day.date[1]
    season = 0 if month in _WINTER else 1 if month in _SUMMER else 2
    return list(_WEATHERS)[draws.weighted([weights[season] for weights in _WEATHERS.values()])]
