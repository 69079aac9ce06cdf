"""Names of tools that are a value to be read, in any language: `kuehlraum_temperatur`.

A noun for what is measured, kept or counted heads the name, and the arguments only say of what and
since when. A switch, a number that could be set, an act or a setting among them is no question:

    kuehlraum_temperatur {"raum": "K2", "stunden": 24}     a look
    journal_portes {"rame": "312", "jours": 90}            a look
    kuehlraum_temperatur {"raum": "K2", "grad": 12}        nothing: it may set it
    journal_configurer {"niveau": "aucun"}                 nothing: the second word is no thing
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Action, Json
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.languages.translations import (
    act_of,
    is_look,
    is_secret,
    words_of_trials,
)
from signoff.actions.lexicon.languages.waivers import kinds_of
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import VERBS, Lead
from signoff.actions.operation import Verb
from signoff.actions.tools.naming.trials.rehearsals import is_trial_switch
from signoff.actions.tools.naming.waivers import waivers_in

_READ = vocabulary("temperature pressure status balance stock version statistics history summary")
_LOGS = vocabulary("log journal")
# What a question says beside what it is about.
_ASKS = vocabulary(
    "hour day month year week date time number count limit period page from until after before"
    " start last first field sort group summary statistics filter show"
)
_SETS = vocabulary(
    "new set target value level threshold limit retain keep password next setting settings"
    " configuration parameter"
)
_NO_THINGS = vocabulary("rule control order plan")  # as often an act: `regeln`, `ordine`
_STATES = vocabulary("on off open close start stop enable disable active inactive")
_REFUSED = vocabulary("delete send publish pay update")  # what is not done besides
_MOST = 8
_LONGEST = 60


def reading_of(action: Action) -> Lead | None:
    """Return the look that a name's noun says, None if it names no value or more is told."""
    words = tuple([folded(word) for word in split_words(action.tool.rpartition("__")[2])])
    if not 0 < len(words) <= 4 or any([VERBS.get(one) not in _LOOKS for one in words]):
        return None
    at = _head(words)
    if at is None or not _only_asks(action.arguments, words):
        return None
    return Lead(Verb.READ, words[at], at)


_LOOKS = (None, Verb.READ, Verb.INERT)


def _head(words: tuple[str, ...]) -> int | None:
    """Return where the noun stands: last, or first before things that are known."""
    last = len(words) - 1
    if any([act_of(word) or is_secret(word) for word in words[:last]]):
        return None
    if _is_value(words[-1]) or _is_value("".join(words[-2:])) or words[-1] in _told("short_looks"):
        return last
    are_things = all([_is_thing(word) for word in words[1:]])
    return 0 if are_things and _is_value(words[0]) else None


def _told(kind: str) -> frozenset[str]:
    return words_of_trials(kind)


def _is_value(word: str) -> bool:
    if concept_of(word) in _READ | _LOGS or word in _told("readings"):
        return True
    least = 4 if word.isascii() else 2
    ends = [word[at:] for at in range(1, len(word) - least + 1)]
    return any([concept_of(end) in _READ | _LOGS or end in _told("readings") for end in ends])


def _is_thing(word: str) -> bool:
    concept = concept_of(word)
    return bool(concept) and concept not in VERBS and concept not in _NO_THINGS | _SETS | _ASKS


def _only_asks(arguments: Mapping[str, Json], words: tuple[str, ...]) -> bool:
    if len(arguments) > _MOST or waivers_in(arguments, words).total():
        return False
    return all([_is_question(name, value) for name, value in arguments.items()])


def _is_question(name: str, value: Json) -> bool:
    told = tuple([folded(word) for word in split_words(name[:_LONGEST])])
    said = {*told, *map(concept_of, told)} - {""}
    if isinstance(value, bool):
        return _is_harmless_switch(name, told, value=value)
    if any([is_secret(word) for word in told]) or not _SETS.isdisjoint(said - _ASKS):
        return False
    if isinstance(value, int | float) or (isinstance(value, str) and value.isdecimal()):
        is_id = told[-1:] in (("id",), ("nr",), ("no",), ("num",))
        return (
            is_id or not _ASKS.isdisjoint(said) or bool({*told, "".join(told)} & _told("asked_by"))
        )
    if isinstance(value, list):
        return all([isinstance(one, str) and _is_plain(one) for one in value])
    return isinstance(value, str) and _is_plain(value)


def _is_harmless_switch(name: str, told: tuple[str, ...], *, value: bool) -> bool:
    if is_trial_switch(name, "".join(told)):
        return value
    is_asked = all([is_look(word) or concept_of(word) in _ASKS for word in told])
    is_refused = not value and len(told) == 1 and act_of(told[0]) in _REFUSED
    return bool(told) and (is_asked or is_refused)


def _is_plain(text: str) -> bool:
    """Tell a value that names something from one that says what is done or set."""
    if len(text) > _LONGEST or "://" in text:
        return False
    words = split_words(text)
    kinds = kinds_of(words)
    is_switched = any([concept_of(folded(one)) in _STATES or one in _STATES for one in words])
    is_act = len(words) == 1 and bool(act_of(words[0]))
    return (
        not is_switched
        and not is_act
        and kinds.isdisjoint(("off", "alone", "lost", "forever"))
        and not any(map(is_secret, words))
    )
