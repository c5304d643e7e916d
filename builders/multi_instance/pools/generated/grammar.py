"""Sentences from a grammar: a text file of rules, expanded with draws from one stream.

A grammar file lists rules; a rule is a line `= name` and its alternatives, one a line (a line that begins with `#` is
a remark). An alternative is text with slots:

    {town}           another rule, expanded
    {^town}          the same, its first letter a capital
    {T=town}         expanded and kept as T (an upper-case name); {T} repeats it
    {T:=town}        kept only, nothing is written
    {T.gender}       a field of what was kept
    {1850-1990}      an integer of that range; {#1000-90000} with the grammar's separator of thousands
    [very|rather]    one of these; [very] alone: it or nothing; [very||] it in one of three texts
    3* text          an alternative that counts three times

A rule with fields is a line `= town: name gender`, and its alternatives have that many parts, parted by " ; ". Written
as a slot it gives its first field. Within one text no alternative of a rule comes twice before all others have come,
so that a list repeats no word and a paragraph no sentence.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from lengthwise.errors import InputError

from .draws import Draws

_TOKEN = re.compile(r"\{([^{}]*)\}|([\[\]|])|([^\[\]{}|]+)")
_SLOT = re.compile(
    r"(?P<cap>\^)?(?:(?P<grouped>#)?(?P<low>\d+)-(?P<high>\d+)"
    r"|(?:(?P<keep>[A-Z]\w*)(?P<bind>:?=))?(?P<rule>[a-z][\w-]*)"
    r"|(?P<var>[A-Z]\w*)(?:\.(?P<field>\w+))?)"
)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A hole in an alternative; see the module's notation."""

    rule: str = ""
    keep: str = ""
    silent: bool = False
    field: str = ""
    capital: bool = False


@dataclass(frozen=True, slots=True)
class _Number:
    low: int
    high: int
    grouped: bool


@dataclass(frozen=True, slots=True)
class _Choice:
    options: "tuple[_Nodes, ...]"


_Nodes = tuple[str | _Slot | _Number | _Choice, ...]


@dataclass(frozen=True, slots=True)
class _Rule:
    fields: tuple[str, ...]
    # alternative -> field -> nodes
    alternatives: tuple[tuple[_Nodes, ...], ...]


def _slot(inner: str, line: str) -> _Slot | _Number:
    found = _SLOT.fullmatch(inner)
    if not found:
        raise InputError(f"grammar: cannot read the slot {{{inner}}} in {line!r}")
    if found["low"]:
        return _Number(int(found["low"]), int(found["high"]), bool(found["grouped"]))
    keep = found["var"] or found["keep"] or ""
    return _Slot(found["rule"] or "", keep, found["bind"] == ":=", found["field"] or "", bool(found["cap"]))


def _parse(line: str) -> _Nodes:
    """Return the nodes of one alternative."""
    # Of each bracket that is open: the options that are finished, and the one being read.
    open_options: list[list[_Nodes]] = [[]]
    nodes: list[list[str | _Slot | _Number | _Choice]] = [[]]
    at = 0
    while at < len(line):
        found = _TOKEN.match(line, at)
        if not found:
            raise InputError(f"grammar: a brace is not closed in {line!r}")
        at = found.end()
        inner, mark, text = found.groups()
        if mark is None:
            nodes[-1].append(text if inner is None else _slot(inner, line))
        elif mark == "[":
            open_options.append([])
            nodes.append([])
        elif len(nodes) == 1:
            raise InputError(f"grammar: {mark!r} outside of brackets in {line!r}")
        else:
            open_options[-1].append(tuple(nodes.pop()))
            if mark == "|":
                nodes.append([])
            else:
                options = open_options.pop()
                nodes[-1].append(_Choice((options[0], ()) if len(options) == 1 else tuple(options)))
    if len(nodes) > 1:
        raise InputError(f"grammar: a bracket is not closed in {line!r}")
    return tuple(nodes[0])


def _names(nodes: _Nodes) -> set[str]:
    """Return the rules that some nodes name."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, _Slot):
            found |= {node.rule} - {""}
        elif isinstance(node, _Choice):
            found = found.union(*map(_names, node.options))
    return found


class Grammar:
    r"""Rules read from a text; the notation is the module's.

    Args:
        source: the text.
        thousands: what parts the thousands of a number that is written with "#".

    Raises:
        InputError: a line cannot be read, or names a rule that there is none of.

    >>> from lengthwise.builders.streams import Stream
    >>> rules = "= s\n{^N=noun} or {noun}: {N}.\n= noun\nsalt\npepper"
    >>> Expansion(Grammar(rules), Draws(Stream("demo", 3))).write("s")
    'Salt or pepper: salt.'
    """

    def __init__(self, source: str, thousands: str = ",") -> None:
        self.thousands = thousands
        self.rules: dict[str, _Rule] = {}
        name, columns = "", ""
        fields: tuple[str, ...] = ("",)
        alternatives: list[tuple[_Nodes, ...]] = []
        for line in [*source.splitlines(), "= "]:
            if line.startswith("= "):
                if name:
                    self.rules[name] = _Rule(fields, tuple(alternatives))
                name, _, columns = (part.strip() for part in line[2:].partition(":"))
                fields, alternatives = tuple(columns.split()) or ("",), []
                if name in self.rules:
                    raise InputError(f"grammar: rule {name} is given twice")
            elif line.strip() and not line.startswith("#"):
                weight = re.match(r"(\d+)\* ", line)
                text = line[weight.end() :] if weight else line
                parts = text.split(" ; ") if columns else [text]
                if len(parts) != len(fields):
                    raise InputError(f"grammar: {line!r} must have {len(fields)} parts, as rule {name} has")
                alternatives += [tuple(map(_parse, parts))] * int(weight[1] if weight else 1)
        named = {found for rule in self.rules.values() for one in rule.alternatives for part in one
                 for found in _names(part)}  # fmt: skip
        if missing := sorted(named - self.rules.keys()):
            raise InputError(f"grammar: there are no rules {', '.join(missing)}")


@dataclass
class Expansion:
    """One text in the making: what it kept and what it used up is known to everything written after.

    Attributes:
        grammar: the rules.
        draws: decide every choice.
        kept: upper-case name -> field -> text; a record without fields has the one field "".
    """

    grammar: Grammar
    draws: Draws
    kept: dict[str, dict[str, str]] = field(default_factory=dict)
    _used: dict[str, int] = field(default_factory=dict)

    def write(self, rule: str) -> str:
        """Return a rule's text."""
        return next(iter(self.record(rule, first=True).values()))

    def left(self, rule: str) -> int:
        """Return how many alternatives of a rule have not been used yet."""
        return len(self.grammar.rules[rule].alternatives) - self._used.get(rule, 0).bit_count()

    def record(self, name: str, first: bool = False) -> dict[str, str]:
        """Return the fields of one alternative of a rule; of the first field only, if asked for."""
        rule = self.grammar.rules[name]
        size = len(rule.alternatives)
        used = self._used.get(name, 0)
        if used == (1 << size) - 1:
            used = 0
        at = self.draws.below(size)
        while used >> at & 1:
            at = at + 1 if at + 1 < size else 0
        self._used[name] = used | 1 << at
        parts = rule.alternatives[at]
        if first:
            return {rule.fields[0]: self._text(parts[0])}
        return {key: self._text(nodes) for key, nodes in zip(rule.fields, parts, strict=True)}

    def _text(self, nodes: _Nodes) -> str:
        return "".join([node if isinstance(node, str) else self._fill(node) for node in nodes])

    def _fill(self, node: _Slot | _Number | _Choice) -> str:
        if isinstance(node, _Choice):
            return self._text(node.options[self.draws.below(len(node.options))])
        if isinstance(node, _Number):
            number = node.low + self.draws.below(node.high - node.low + 1)
            return f"{number:,}".replace(",", self.grammar.thousands) if node.grouped else str(number)
        if not node.keep:
            text = self.write(node.rule)
        else:
            if node.rule:
                self.kept[node.keep] = self.record(node.rule)
            if node.silent:
                return ""
            record = self.kept[node.keep]
            text = record[node.field] if node.field else next(iter(record.values()))
        return text[:1].upper() + text[1:] if node.capital else text


@cache
def load(*names: str, thousands: str = ",") -> Grammar:
    """Return the grammar of the files `<name>.txt` beside this module, read as one."""
    return Grammar("\n".join((files(__package__) / f"{name}.txt").read_text("utf-8") for name in names), thousands)


_AN = re.compile(r"\b(a) (?=[aeio](?!ne\b|nce\b|u[rp])|8|1[18]\b|u(?!n[ai]|s[abeiu]|t[aeio]|r[aeiu]))", re.I)


def english(text: str) -> str:
    """Return English text with "a" and "an" set right before the next word, and runs of spaces closed up.

    >>> english("a  old union has a 11 year plan, a unusual one and a one-way road")
    'an old union has an 11 year plan, an unusual one and a one-way road'
    """
    return _AN.sub(lambda found: f"{found[1]}n ", " ".join(text.split()))
