"""Calls of tools about what is the caller's alone: small, single, and easily made again.

Whoever was talked into something can write `owner: "me"` as well. So a claim excuses only one
entry that reaches nobody, or that takes access away: never many, money, rights of others or what
is published. `held_back` asks for all of that besides.

- a text for oneself:            paaminnelse {"til": "meg", "tekst": "ring havnevakten"}
- seen by oneself alone:         marker_add {"asset": "A-3", "visibility": "only_me"}
- the note field of one record:  zaznam_upravit {"zaznam": "Z-7", "pole": "moje_poznamka", ...}
- an own link, taken back:       lien {"lien": "lk-7", "createur": "moi", "action": "revoquer"}
- an own entry, never sent:      slet {"sag": "A-5", "oprettet_af": "mig", "sendt": false}
"""

from __future__ import annotations

from functools import cache

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.field_names import field_names
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.languages.translations import act_of, words_of_trials
from signoff.actions.lexicon.languages.waivers import kinds_of
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import Verb
from signoff.actions.tools.naming.trials.arguments import MOST, folded_words
from signoff.actions.tools.naming.trials.rehearsals import is_nobody

_UNREAD = Verb.EXECUTE  # stands for an act that no name tells
_NOTED = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.PERSIST, Verb.NETWORK_OUT})
_SEEN = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.NETWORK_OUT})
_EDITED = frozenset({Verb.WRITE, Verb.CONFIGURE})
_TAKEN_BACK = _SEEN | {Verb.PRIVILEGE, _UNREAD}
_UNSENT = frozenset({Verb.WRITE, Verb.DELETE, _UNREAD})
_GRAVE = frozenset(
    {Verb.DELETE, Verb.SPEND, Verb.PRIVILEGE, Verb.PUBLISH, Verb.CONTROL, Verb.INSTALL}
)
_MOST_ARGUMENTS = 5
_TEXT = 3  # words of a text for somebody
_SHORT = 48  # characters of a name, a state or an act
_REVOKES = vocabulary("revoke revoked withdraw withdrawn unshare unshared")
_CLOSES = vocabulary("disable close stop cancel deactivate block off")
_ACCESS = vocabulary("link share access delegate delegation webhook subscription invitation")
# What others go by or come in with, whoever made it.
_OF_OTHERS = vocabulary(
    "certificate certificates ca role roles account user users admin license licence key token"
    " permission member membership contract policy rule"
)
_ENDS = vocabulary(
    "send submit publish sign use sent submitted published signed used issued confirmed"
)
_UNENDED = vocabulary("unsent unsubmitted unpublished unsigned unused uncommitted")
_Switch = tuple[str, str, Json]  # the name, the same in one word, the value


def own_entries(given: list[_Switch]) -> frozenset[Verb]:
    """Return the acts that are done to an entry of the caller's alone; () for none."""
    if len(given) > _MOST_ARGUMENTS or not all([_is_plain(value) for _, _, value in given]):
        return frozenset()
    if _is_of_others(given):
        return frozenset()
    found = frozenset[Verb]().union(_taken_back(given), _unsent(given))
    if any([_is_grave(value) for _, _, value in given]):
        return found
    is_told = any([_is_text(value) and not _is_reason(name) for name, _, value in given])
    is_seen = any([_is_only_oneself(value) for _, _, value in given])
    found = found.union(
        _NOTED if is_told and _is_addressed(given) else (),
        _SEEN if is_seen else (),
        _EDITED if _is_note_field(given) else (),
    )
    # What nobody reads may give a role: then nothing else is said but a time and an id.
    is_bare = is_told and all([_is_bare(name, value) for name, _, value in given])
    return found | {_UNREAD} if is_bare and found & _NOTED else found


def _is_bare(name: str, value: Json) -> bool:
    is_said = is_oneself(value) or _is_only_oneself(value) or _is_text(value)
    return is_said or not isinstance(value, str) or any([char.isdecimal() for char in value])


def is_oneself(value: Json) -> bool:
    """Return whether a value names the caller: `me`, `ich`, `["jaz"]`."""
    if isinstance(value, list | tuple) and len(value) == 1:
        return is_oneself(value[0])
    return isinstance(value, str) and folded(value[:MOST]).strip() in words_of_trials("oneself")


def _is_of_others(given: list[_Switch]) -> bool:
    short = [value for _, _, value in given if isinstance(value, str) and not _is_text(value)]
    told = [word for one in (*[name for name, _, _ in given], *short) for word in folded_words(one)]
    return not _OF_OTHERS.isdisjoint([*told, *map(concept_of, told)])


def _is_plain(value: Json) -> bool:
    if isinstance(value, list | tuple):
        return len(value) <= 1 and all([isinstance(one, str) for one in value])
    return value is None or isinstance(value, str | int | float)


def _is_grave(value: Json) -> bool:
    """Tell an act of one or two words that is asked for, and an order."""
    if value is True:
        return True
    if not isinstance(value, str) or len(value) > _SHORT:
        return False
    words = split_words(value)
    return len(words) <= 2 and any([VERBS.get(one) in _GRAVE for one in map(_act, words)])


def _act(word: str) -> str:
    plain = folded(word)
    return act_of(plain) or (concept_of(plain) if concept_of(plain) in VERBS else plain)


def _is_addressed(given: list[_Switch]) -> bool:
    """Tell a call in which the caller is named under a name that is no author's."""
    told = [short for _, short, value in given if is_oneself(value)]
    languages = field_names("languages")
    return any([not _is_author(short) and short not in languages for short in told])


def _is_author(short: str) -> bool:
    stems = words_of_trials("authors")
    least = 4 if short.isascii() else 2
    return short in stems or any([short[:cut] in stems for cut in range(least, len(short) + 1)])


def _is_own(given: list[_Switch]) -> bool:
    return any([is_oneself(value) and _is_author(short) for _, short, value in given])


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and len(value.split()) >= _TEXT


def _is_reason(name: str) -> bool:
    return not _REASONS.isdisjoint(split_words(name[:MOST]))


_REASONS = vocabulary("reason comment purpose motive")


def _is_only_oneself(value: Json) -> bool:
    """Tell `only_me`, `csak_en`, `personal`."""
    told = folded_words(value) if isinstance(value, str) and len(value) <= _SHORT else ()
    is_only = len(told) == 2 and (told[0] == "only" or told[0] in words_of_trials("only"))
    return is_only and told[1] in words_of_trials("oneself")


def _is_note_field(given: list[_Switch]) -> bool:
    """Tell one record whose private note is written: its id, the field, the text."""
    texts = [value for _, _, value in given if isinstance(value, str)]
    is_one = 2 < len(texts) == len(given) and any([_is_id(one) for one in texts])
    return is_one and any([_is_note(one) for one in texts])


def _is_id(text: str) -> bool:
    return len(text.split()) == 1 and any([char.isdecimal() for char in text]) and "*" not in text


def _is_note(text: str) -> bool:
    told = folded_words(text) if len(text) <= _SHORT else ()
    if not 1 < len(told) <= 3 or " " in text.strip():
        return False
    is_note = not words_of_trials("reminders").isdisjoint(told) or "remarks" in kinds_of(told)
    return is_note and not _private_names().isdisjoint(told)


@cache
def _private_names() -> frozenset[str]:
    return frozenset(map(folded, field_names("private")))


def _taken_back(given: list[_Switch]) -> frozenset[Verb]:
    """Tell an own link or delegation that is revoked or closed."""
    if not _is_own(given):
        return frozenset()
    told = [
        word
        for name, _, value in given
        if isinstance(value, str) and not is_oneself(value) and len(value) <= _SHORT
        for word in folded_words(value)
    ]
    names = [word for name, _, _ in given for word in folded_words(name)]
    is_access = not _ACCESS.isdisjoint(map(concept_of, names)) or not _ACCESS.isdisjoint(names)
    acts = {*told, *map(concept_of, told), *map(act_of, told)}
    is_shut = is_access and (
        not _CLOSES.isdisjoint(acts)
        or any([is_nobody(value) or "off" in _kinds(value) for _, _, value in given])
    )
    return _TAKEN_BACK if is_shut or not _REVOKES.isdisjoint(acts) else frozenset()


def _kinds(value: Json) -> frozenset[str]:
    is_word = isinstance(value, str) and len(value) <= _SHORT
    return kinds_of(split_words(value)) if is_word and isinstance(value, str) else frozenset()


def _unsent(given: list[_Switch]) -> frozenset[Verb]:
    """Tell one own entry that was never sent, published, signed or used."""
    is_one = any([isinstance(value, str) and _is_id(value) for _, _, value in given])
    is_kept = _is_own(given) and is_one and any([_says_unsent(one) for one in given])
    return _UNSENT if is_kept else frozenset()


def _says_unsent(one: _Switch) -> bool:
    name, _, value = one
    if value is False:
        return _ends(folded_words(name))
    told = folded_words(value if isinstance(value, str) else name if value is True else "")
    if not 0 < len(told) <= 3:
        return False
    is_not = bool({"not"} & kinds_of(told)) and _ends(told)
    return is_not or "".join(told) in _UNENDED


def _ends(told: tuple[str, ...]) -> bool:
    said = {*told, *map(concept_of, told), *map(act_of, told)}
    return not _ENDS.isdisjoint(said)
