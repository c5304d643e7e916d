"""What a language brings to the teller beside its text files: the forms of its words, and how sentences are joined.

A language is a folder of text files and one module with a function `make_language(vocabulary) -> Language`
(`english.py`, `chinese.py`). The engine draws templates and fills their slots; it knows no word of any language. The
module knows no scene and draws nothing: the same argument and form are always told in the same words.

The engine itself sees to these, so that no module has to:

- `{agent}` of a person asks for the form "full" where the name is the first in its chapter, where two people of the
  world share a given name, and in every summary; else for the form "".
- A slot that is no argument is a section, one of whose lines is drawn and filled.
- `[x|y]` is drawn before `finish` sees the text.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from lengthwise.builders.longnovel.storyworld.records import Arg

# Kinds of arguments: "person" is told of a Person or a Marked, the rest of the record of that name.
ArgKind: TypeAlias = Literal["person", "item", "word", "count", "day", "deed", "truth"]


class Vocabulary(Protocol):
    """The part of the text files that is no template: read by the language's module, never by the engine."""

    def keyed(self, section: str) -> Mapping[str, tuple[str, ...]]:
        """Return a section `words.*`: id -> its forms, which " | " parts in the file.

        A form is raw text: a slot in it (`repaired {object}`) is for the module to fill.

        Raises:
            InputError: there is no such section.
        """
        ...

    def names(self, section: str) -> tuple[str, ...]:
        """Return the lines of a section `names.*` (`names.women`, `names.places`), raw, in the order of the file.

        Raises:
            InputError: there is no such section.
        """
        ...


class Language(Protocol):
    """The forms of a language. All methods are pure."""

    def forms(self, kind: ArgKind) -> frozenset[str]:
        """Return the forms that slots may ask of an argument of this kind; "" is that of a bare `{name}`.

        Persons of any language have at least "" and "full".
        """
        ...

    def word(self, arg: Arg, form: str) -> str:
        """Return the words of an argument in a form, as they stand within a sentence (no capital for the start).

        A name beyond the end of its table is an error of the ledger, so an IndexError may pass.

        Raises:
            InputError: the form is none of this argument's (a "his" of a day).
        """
        ...

    def finish(self, text: str) -> str:
        """Return the text of a filled template as it is to stand on the page.

        It may hold several sentences. English settles a(n), and gives each sentence its capital letter; Chinese has
        nothing to do, or repairs marks that meet at a slot's edge. Titles of chapters pass through here too.
        """
        ...

    def join(self, sentences: Sequence[str]) -> str:
        """Return finished sentences as one paragraph: with a space between in English, with none in Chinese."""
        ...

    def quote(self, words: str, tag: str = "", *, before: bool = False) -> str:
        r"""Return spoken words with their quotation marks, and who says them.

        Args:
            words: finished, with the mark at their end ("It rained.", "你来了？"); they may hold several sentences.
            tag: a filled line of `tag.before` or `tag.after`, not finished; a mark at its end is not counted on
                (“said Ada”, “said Ada.” and “Ada said,” are all right), so strip it first. "" for words alone.
            before: whether the tag stands before the words: `Ada said, “It rained.”`, `林木说：“下雨了。”`; else
                behind: `“It rained,” said Ada.`, `“下雨了。”林木说。`
        """
        ...

    def letter(self, sentences: Sequence[str]) -> str:
        """Return the words of a letter or diary, as one paragraph in quotation marks; the sentences are finished."""
        ...


MakeLanguage: TypeAlias = Callable[[Vocabulary], Language]
