"""Finds what is wrong with a language's text files before anything is told from them, all of it at once."""

from collections.abc import Iterator

from .grammar import Grammar, Slot, Template
from .language import ArgKind, Language
from .sections import LISTS, WORDS, Params, called, welcome


def missing_words(grammar: Grammar) -> list[str]:
    """Return what the language's module will look for in vain: sections, ids without words, short lists of names."""
    faults = []
    for section, ids in WORDS.items():
        worded = grammar.words.get(section)
        if worded is None:
            faults.append(f"no section {section}, which words {ids[0]} and {len(ids) - 1} others")
            continue
        where = grammar.where[section]
        faults += [f"{where}: {section} has no words for {key}" for key in ids if key not in worded]
    for section, size in LISTS.items():
        names = grammar.lists.get(section)
        if names is None:
            faults.append(f"no section {section} with at least {size} names")
            continue
        where, different = grammar.where[section], len(set(names))
        if different < size:
            faults.append(f"{where}: {section} has {different} different names, not {size} or more")
        if different < len(names):
            faults.append(f"{where}: {section} has {len(names) - different} names twice")
    return faults


def check_grammar(grammar: Grammar, language: Language | None, *, unused: bool = True) -> list[str]:
    """Return all faults of a grammar, each with file and line where it has one; an empty list if there is none.

    Faults are: words that are missing, sections that the teller calls and nobody wrote, slots that are neither an
    argument there nor a section, forms that an argument has not got, sections that call themselves, sections that
    nobody calls (they harm nothing, so that `unused` may leave them out). Without a language, forms are not looked at.
    """
    faults = missing_words(grammar)
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for section, params in (*called(), *welcome(grammar.templates)):
        if section not in grammar.templates:
            faults.append(f"no section {section}, which the teller calls with {', '.join(params) or 'no argument'}")
            continue
        faults += _section_faults(grammar, language, section, params, seen, ())
    reached = {section for section, _ in seen}
    faults += [
        f"{grammar.where[section]}: nobody calls section {section}; is its name misspelt?"
        for section in grammar.templates
        if unused and section not in reached
    ]
    # Sections with many callers are gone through with the arguments of each, which may find the same fault again.
    return list(dict.fromkeys(faults))


def _section_faults(
    grammar: Grammar,
    language: Language | None,
    section: str,
    params: Params,
    seen: set[tuple[str, tuple[str, ...]]],
    callers: tuple[str, ...],
) -> Iterator[str]:
    if (section, tuple(params)) in seen:
        return
    seen.add((section, tuple(params)))
    for template in grammar.templates[section]:
        for slot in template.slots():
            if slot.name in params:
                if language is None:
                    continue
                yield from _form_faults(language, template, slot, params[slot.name])
            elif slot.section == section or slot.section in callers:
                yield f"{template.origin}: {{{slot.section}}} leads back to itself"
            elif slot.section in grammar.templates:
                yield from _section_faults(grammar, language, slot.section, params, seen, (*callers, section))
            else:
                known = ", ".join(params) or "none"
                yield f"{template.origin}: {{{slot.section}}} is no section, and no argument of {section} ({known})"


def _form_faults(language: Language, template: Template, slot: Slot, kinds: tuple[ArgKind, ...]) -> Iterator[str]:
    for kind in kinds:
        forms = language.forms(kind)
        if slot.form not in forms:
            known = ", ".join(sorted(form or "(none)" for form in forms))
            yield f"{template.origin}: {{{slot.section}}}: a {kind} has no form {slot.form!r}, only {known}"
