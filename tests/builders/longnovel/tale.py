"""Small books whose every sentence is told once, and windows over them."""

from lengthwise.builders.longnovel.records import Language, Unit, Window, WindowKey

_NAMES = ("Ahab", "Ishmael", "Queequeg", "Starbuck", "Stubb", "Flask", "Pip", "Elijah", "Bildad", "Peleg", "Fedallah")
_PLACES = ("Nantucket", "New Bedford", "London", "Manila", "Java", "Bombay", "Lima")
_ZH_NAMES = ("林黛玉", "贾宝玉", "薛宝钗", "王熙凤", "刘姥姥", "史湘云", "贾政")
_ZH_PLACES = ("苏州", "金陵", "荣国府", "扬州", "京城")
# Of 4,000 tokens, the shortest scale: what is asked for are 220 words.
SCALE = "4k"


def sentence(language: Language, number: int) -> str:
    """Return a sentence that no other number gives."""
    if language == "zh":
        name, other = _ZH_NAMES[number % 7], _ZH_NAMES[(number + 1 + number // 7) % 7]
        return f"第{number + 2}天，{name}从{_ZH_PLACES[number % 5]}来，带着{number + 3}封信去见{other}。"
    name, other = _NAMES[number % 11], _NAMES[(number + 1 + number // 11) % 11]
    place = _PLACES[number % 7]
    return f"On day {number + 2} {name} sailed from {place} with {number + 3} letters and met {other} before night."


def tale(language: Language, units: int, sentences: int, book: str = "tale") -> dict[tuple[str, int], Unit]:
    """Return a book; each unit's summary has that many sentences, its text two for each of them."""
    space = "" if language == "zh" else " "
    made = {}
    for index in range(1, units + 1):
        told = [sentence(language, (index - 1) * sentences + i) for i in range(sentences)]
        text = "\n".join(f"{one}{space}{sentence(language, 500 + n)}" for n, one in enumerate(told))
        made[book, index] = Unit(book, index, language, f"Chapter {index}", text, space.join(told), "human:us")
    return made


def windows_of(units: dict[tuple[str, int], Unit], size: int = 2) -> list[Window]:
    """Return a window over each `size` units."""
    keys = sorted(units)
    return [
        Window(WindowKey(SCALE, book, index, index + size - 1), units[book, index].language, 4000)
        for book, index in keys
        if index % size == 1 and (book, index + size - 1) in units
    ]
