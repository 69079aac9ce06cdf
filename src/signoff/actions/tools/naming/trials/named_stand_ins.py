"""Things of a call that are nothing but stand-ins, by the names they are given in any language.

One value that can name nothing real is enough; of words that may, two values must tell it:

    {"sluis": "schaalmodel"}                        a scale model
    {"pumpe": "P3", "anlage": "schulungsstand"}     a stand for training
    {"urna": "pruebas", "consulta": "ENSAYO"}       told twice
    {"kurs": "Training"}                            nothing: a course is real

What the call says, asks for or is filed under names no place: a text, a reason, a kind, a filter.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.languages.translations import words_of_trials
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.tools.naming.trials.arguments import MOST, folded_words, plain, switches
from signoff.actions.tools.naming.trials.rehearsals import MODES

# Arguments whose values speak of something, and are not what the call is done to.
CONTENTS = vocabulary(
    "text body content contents message note notes comment description reason title subject name"
    " query filter where condition selection search label tag tags type kind category topic lang"
    " language path file url link image role prompt art course kurs class plan purpose dataset"
    " split skill event recipe format article field template document"
)
_ID = 48  # characters of an id at most
_LEAST = 6  # letters of a stem in Latin letters


def stand_ins_named(arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the names of the arguments that say that a call acts on a stand-in; () if too few."""
    given = [
        (name, value)
        for _, name, value in switches(arguments)
        if isinstance(value, str) and len(value) <= _ID and not _speaks(name)
    ]
    sure = tuple([name for name, value in given if _is_sure(value)])
    told = tuple([name for name, value in given if name in sure or _is_told(value)])
    return told if sure or len(told) > 1 else ()


def _speaks(name: str) -> bool:
    """Tell what names nothing that is acted on; the mode of a machine may be what is set."""
    return plain(name) in MODES or is_content(name)


def is_content(name: str) -> bool:
    """Return whether an argument of this name speaks of something: `texto`, `grund`, `filter`."""
    told = split_words(name[:MOST])
    if told[-1:] == ("id",):
        return False
    said = [*told, *map(concept_of, told), *map(concept_of, map(folded, told))]
    return not CONTENTS.isdisjoint(said)


def _is_sure(value: str) -> bool:
    stems, told = words_of_trials("models"), folded_words(value)
    return any([_begins(word, stems) for word in (*told, "".join(told))])


def _begins(word: str, stems: frozenset[str]) -> bool:
    if word.isascii():
        return any([word[:cut] in stems for cut in range(_LEAST, len(word) + 1)])
    ends = range(2, len(word) + 1)
    return any([word[at:end] in stems for end in ends for at in range(end - 1)])


def _is_told(value: str) -> bool:
    stand_ins = words_of_trials("stand_ins")
    return any([word in stand_ins or concept_of(word) in _TOLD for word in folded_words(value)])


_TOLD = vocabulary("sandbox trial mock demo simulation fictitious test development")
