"""Reads a language's text files: sections of templates, of names, and of words by id.

A line `== name` opens a section, `#` a comment. In a section `words.*` a line is `id = form | form`, in `names.*` a
name; both are kept raw for the language's module. In all others a line is a template: literal text, slots `{name}` or
`{name.form}`, and choices `[x|y|z]`, which may hold slots and choices. Sections may be spread over files.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import NoReturn, TypeAlias

from lengthwise.errors import InputError

_MARKS = "{}[]|"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a template that an argument or a line of another section fills."""

    name: str
    form: str

    @property
    def section(self) -> str:
        """The section that fills it where no argument has its name."""
        return f"{self.name}.{self.form}" if self.form else self.name


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives, one of which is drawn."""

    options: "tuple[Parts, ...]"


Parts: TypeAlias = "tuple[str | Slot | Choice, ...]"


@dataclass(frozen=True, slots=True)
class Template:
    """A line of a section.

    Attributes:
        parts: literals, slots and choices, in order.
        origin: "pieces.txt:12".
    """

    parts: Parts
    origin: str

    def slots(self) -> Iterable[Slot]:
        """Yield its slots, those within choices too."""
        return _slots(self.parts)


@dataclass(frozen=True, slots=True)
class Grammar:
    """All text of a language; a `Vocabulary` for its module.

    Attributes:
        templates: section -> its lines, in the order of the files' names.
        words: section `words.*` -> id -> forms.
        lists: section `names.*` -> names.
        where: section -> where it is opened first ("pieces.txt:12").
    """

    templates: Mapping[str, tuple[Template, ...]]
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)

    def keyed(self, section: str) -> Mapping[str, tuple[str, ...]]:
        """Return a section `words.*`: id -> its forms.

        Raises:
            InputError: there is no such section.
        """
        if section not in self.words:
            raise InputError(f"the grammar has no section {section}; its file is missing or misspells it")
        return self.words[section]

    def names(self, section: str) -> tuple[str, ...]:
        """Return the lines of a section `names.*`.

        Raises:
            InputError: there is no such section.
        """
        if section not in self.lists:
            raise InputError(f"the grammar has no section {section}; its file is missing or misspells it")
        return self.lists[section]


def read_grammar(files: Iterable[tuple[str, str]]) -> Grammar:
    """Return the grammar of some files.

    Args:
        files: name and text of each; they add up in this order.

    Raises:
        InputError: a line cannot be read; the message names file and line.
    """
    templates: dict[str, list[Template]] = {}
    words: dict[str, dict[str, tuple[str, ...]]] = {}
    lists: dict[str, list[str]] = {}
    where: dict[str, str] = {}
    for name, text in files:
        section = ""
        for number, raw in enumerate(text.splitlines(), 1):
            line, origin = raw.strip().lstrip("\ufeff"), f"{name}:{number}"
            if not line or line.startswith("#"):
                continue
            if line.startswith("=="):
                section = line[2:].strip()
                if not section or " " in section:
                    raise InputError(f"{origin}: a section is opened by `== name`, not by {line!r}")
                where.setdefault(section, origin)
            elif not section:
                raise InputError(f"{origin}: a line before the first section")
            elif section.startswith("words."):
                _add_word(words.setdefault(section, {}), line, origin)
            elif section.startswith("names."):
                lists.setdefault(section, []).append(line)
            else:
                templates.setdefault(section, []).append(Template(parse(line, origin), origin))
    for section, origin in where.items():
        if section not in templates and section not in words and section not in lists:
            raise InputError(f"{origin}: section {section} is empty; give it a line or leave it out")
    return Grammar(
        {section: tuple(lines) for section, lines in templates.items()},
        words,
        {section: tuple(lines) for section, lines in lists.items()},
        where,
    )


def read_folder(folder: Traversable) -> Grammar:
    """Return the grammar of the `.txt` files of a folder and of its subfolders, in the order of their paths.

    Raises:
        InputError: see `read_grammar`.
    """
    return read_grammar(sorted(_texts(folder, "")))


def parse(line: str, origin: str) -> Parts:
    """Return the parts of a template.

    Raises:
        InputError: a bracket is unbalanced, or a slot's name is no name.

    >>> parse("{a} [came|went] home.", "here")[0]
    Slot(name='a', form='')
    """
    parts, end = _parse(line, 0, origin, inside=False)
    if end < len(line):
        _unbalanced(line, line[end], origin)
    return parts


def _parse(line: str, start: int, origin: str, *, inside: bool) -> tuple[Parts, int]:
    """Return the parts from `start` to the line's end, or to the "|" or "]" that ends an option, and where that is."""
    parts: list[str | Slot | Choice] = []
    at = start
    while at < len(line):
        mark = line[at]
        if mark == "{":
            close = line.find("}", at)
            if close < 0:
                _unbalanced(line, mark, origin)
            name, _, form = line[at + 1 : close].partition(".")
            # A section's name holds points, so whether `{a.b}` is a form or a section is settled by who fills it.
            if not all(piece.isidentifier() for piece in line[at + 1 : close].split(".")):
                raise InputError(f"{origin}: a slot is {{name}} or {{name.form}}, not {line[at : close + 1]}")
            parts.append(Slot(name, form))
            at = close + 1
        elif mark == "[":
            options: list[Parts] = []
            while True:
                option, at = _parse(line, at + 1, origin, inside=True)
                options.append(option)
                if at >= len(line):
                    _unbalanced(line, mark, origin)
                if line[at] == "]":
                    break
            parts.append(Choice(tuple(options)))
            at += 1
        elif mark in "]|" and inside:
            break
        elif mark in "]}|":
            _unbalanced(line, mark, origin)
        else:
            end = min((found for other in _MARKS if (found := line.find(other, at)) >= 0), default=len(line))
            parts.append(line[at:end])
            at = end
    return tuple(parts), at


def _unbalanced(line: str, mark: str, origin: str) -> NoReturn:
    raise InputError(f"{origin}: {mark!r} has no partner in {line!r}")


def _slots(parts: Parts) -> Iterable[Slot]:
    for part in parts:
        if isinstance(part, Slot):
            yield part
        elif isinstance(part, Choice):
            for option in part.options:
                yield from _slots(option)


def _add_word(section: dict[str, tuple[str, ...]], line: str, origin: str) -> None:
    key, equals, forms = line.partition("=")
    key = key.strip()
    if not equals or not key or not forms.strip():
        raise InputError(f"{origin}: a line here is `id = form | form`, not {line!r}")
    if key in section:
        raise InputError(f"{origin}: {key} is worded twice in this section")
    section[key] = tuple(form.strip() for form in forms.split("|"))


def _texts(folder: Traversable, path: str) -> Iterable[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _texts(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".txt"):
            yield f"{path}{entry.name}", entry.read_text(encoding="utf-8")
