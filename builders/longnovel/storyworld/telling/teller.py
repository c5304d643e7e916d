"""A language ready to tell: its text files, its module, and the check that they have words for everything."""

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType

from lengthwise.errors import InputError, unknown_name

from .checks import check_grammar, missing_words
from .grammar import Grammar, read_folder
from .language import Language, MakeLanguage

# Language -> its module beside this one; its text files are in the folder of the language's name.
MODULES = MappingProxyType({"en": "english", "zh": "chinese"})
# More faults than these are not worth reading at once.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Teller:
    """What tells a world in one language."""

    code: str
    grammar: Grammar
    language: Language


def teller_of(language: str | Teller) -> Teller:
    """Return a teller as it is, or that of a language; see `load_teller`."""
    return language if isinstance(language, Teller) else load_teller(language)


@lru_cache(maxsize=8)
def load_teller(code: str) -> Teller:
    """Return the teller of a language, "en" or "zh"; it is made once.

    Raises:
        InputError: there is none, or its text files have faults; the message names them with file and line.
    """
    grammar = _grammar(code)
    found = missing_words(grammar)
    language = None if found else _language(code, grammar)
    faults = found if language is None else check_grammar(grammar, language, unused=False)
    if language is None or faults:
        more = f"\n... and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise InputError(f"the text files of {code} have faults:\n" + "\n".join(faults[:_SHOWN]) + more)
    return Teller(code, grammar, language)


def faults(code: str) -> list[str]:
    """Return everything that is wrong with a language's text files, for their authors.

    Raises:
        InputError: there is no such language, or a line of its files cannot be read.
    """
    grammar = _grammar(code)
    try:
        return check_grammar(grammar, _language(code, grammar))
    except (InputError, ModuleNotFoundError) as error:
        return [str(error), *check_grammar(grammar, None)]


def _grammar(code: str) -> Grammar:
    if code not in MODULES:
        raise unknown_name("language", code, tuple(MODULES))
    return read_folder(files(__package__) / code)


def _language(code: str, grammar: Grammar) -> Language:
    make: MakeLanguage = import_module(f"{__package__}.{MODULES[code]}").make_language
    return make(grammar)
