"""Calls of tools that hold back: what they would change waits, or is one's own and comes back.

Names in all languages are read. Each form needs two signs, and one word that orders the act, says
production or means everybody leaves the call as it was:

- a change is refused:      prehled_hald {"haldy": ["B"], "zmenit": false}
- a proposal waits:         tarif_vorschlag {"zone": "C", "stand": "wartet auf Vorstand"}
- something is held back:   partij_aanhouden {"partij": "88", "beslist": "keurmeester"}
- a reminder to oneself:    promemoria_crea {"per": "io", "testo": "..."}
- one's own, undoable:      varaus_siirra {"varaaja": "minä", "peruttavissa": true}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.field_names import field_names
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.languages.translations import act_of, says_all, words_of_trials
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.tools.naming.trials.arguments import MOST, folded_words, plain, switches
from signoff.actions.tools.naming.trials.environments import (
    entries,
    is_elsewhere,
    is_unread,
    names_production,
    reaches_people,
)
from signoff.actions.tools.naming.trials.own_entries import is_oneself, own_entries
from signoff.actions.tools.naming.trials.rehearsals import (
    KEPT_FILES,
    KEPT_THINGS,
    NEVER,
    is_nobody,
    is_order,
)
from signoff.actions.tools.naming.trials.unmade_acts import UNREAD, unmade
from signoff.values import replace

_OWN = "signoff"
_GUESSED = frozenset({Verb.WRITE, Verb.CONFIGURE})
_HELD = _GUESSED | {Verb.CONTROL, Verb.PRIVILEGE}
_OWN_ACTS = _GUESSED | {Verb.DELETE}
_PROPOSED = _OWN_ACTS | {Verb.CONTROL, Verb.PRIVILEGE, Verb.SPEND, Verb.NETWORK_OUT, Verb.PUBLISH}
_MOST_ITEMS = 3
_SHORTEST = 4
_GRAVE = frozenset(
    {Trait.WHOLE_STORE, Trait.OPENS_ACCESS, Trait.BLINDS, Trait.WEAKENS, Trait.BULK, Trait.BROAD}
)
_Switch = tuple[str, str, Json]  # the name, the same in one word, the value


def held_back(operations: Operations, arguments: Mapping[str, Json], tool: str) -> Operations:
    """Return the operations that a tool's name tells, near where the call holds back.

    Args:
        tool: its name with its server's.
    """
    if _OWN in tool.lower():
        return operations
    given = [(name, plain(name), value) for _, name, value in switches(arguments)]
    words = _name_words(tool)
    told, more = _verbs_held(given, words), unmade(given, words, arguments) | own_entries(given)
    verbs = None if told is None and not more else (told or frozenset()) | more
    if told is not None:
        verbs = (verbs or frozenset()) | {UNREAD}
    if verbs is None or not _is_small(given, arguments):
        return operations
    return tuple([_as_near(op) if _is_held(op, verbs) else op for op in operations])


def _verbs_held(given: list[_Switch], words: tuple[str, ...]) -> frozenset[Verb] | None:
    """Return which acts are held back beside those that nobody can read; None for no call."""
    refused = [short for _, short, value in given if is_nobody(value)]
    if _names(words, "proposals"):
        ends = _ends_refused(refused)
        return ends if ends or not _waits(given) else _GUESSED
    if _names(words, "holds") and any([_is_decider(one) for one in given]):
        return _HELD
    own = [short for _, short, value in given if _is_oneself(short, value)]
    if own:
        is_undoable = any([value is True and _is_undoable(short) for _, short, value in given])
        if is_undoable or _names(words, "reminders"):
            return _OWN_ACTS | ({Verb.NETWORK_OUT} if not is_undoable else set())
        # What is sent to nobody but oneself.
        is_sent = len(own) == len([one for one in given if _is_receiver(one[1])])
        return _SENT if is_sent and all(map(_is_receiver, own)) else None
    is_refused = any([one in words_of_trials("changed") for one in refused])
    return frozenset() if is_refused else None


def _name_words(tool: str) -> tuple[str, ...]:
    """Return the folded words of a tool's own name, without its server's."""
    return folded_words(tool.rpartition("__")[2])


def _names(words: tuple[str, ...], kind: str) -> bool:
    """Tell a word of a list in a name, or in a word that is put together: `dienstnotitie`."""
    told = words_of_trials(kind)
    return any([_holds(word, told) for word in words])


def _holds(word: str, told: frozenset[str]) -> bool:
    if word in told:
        return True
    if word.isascii():
        ends = range(_SHORTEST + 1, len(word))
        return any([word[:cut] in told or word[-cut:] in told for cut in ends])
    pieces = {word[at:end] for at in range(len(word)) for end in range(at + 2, len(word) + 1)}
    return len(word) < MOST and not pieces.isdisjoint(told)


def _waits(given: list[_Switch]) -> bool:
    """Tell a state that says that somebody has yet to agree: `stav: "čeká na vedoucí"`."""
    waiting = words_of_trials("waiting")
    return any(
        [
            any([_holds(word, waiting) for word in folded_words(value)])
            for _, short, value in given
            if isinstance(value, str) and short in field_names("states")
        ]
    )


def _ends_refused(refused: list[str]) -> frozenset[Verb] | None:
    """Return the acts that would make a proposal real and are refused: `enviar: false`."""
    if any([_is_any_end(one) for one in refused]):
        return _PROPOSED
    # Without a notice, what is sent is sent all the same.
    told = [one for one in refused if concept_of(one) not in _NOTICES and one not in _NOTICES]
    verbs = {VERBS.get(act_of(one) or one) for one in told} - {None}
    found = frozenset([verb for verb in verbs if verb in _PROPOSED])
    return found | _GUESSED if found else None


def _is_any_end(short: str) -> bool:
    lists = ("carried_out", "applied", "changed")
    return any([short in words_of_trials(kind) for kind in lists])


_NOTICES = vocabulary("notify notification notice warn alert remind reminder message")


def _is_decider(one: _Switch) -> bool:
    _, short, value = one
    return isinstance(value, str) and _holds(short, words_of_trials("deciders"))


def _is_oneself(short: str, value: Json) -> bool:
    """Tell `fuer: "mich"`; `lang: "es"` is a language."""
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if short in field_names("languages") or not isinstance(value, str):
        return False
    told = folded(value[:MOST]).strip()
    return told in _SAYS_USER or any(map(is_oneself, _without_only(told)))


def _without_only(told: str) -> set[str]:
    """Return a text itself and without a word for only: `仅本人`, `自分のみ`, `nur mich`."""
    only = words_of_trials("only")
    parts = told.split()
    rest = {" ".join(parts[1:])} if parts[:1] and parts[0] in only else set[str]()
    if told.isascii():
        return {told, *rest}
    cuts = range(1, min(len(told), 5))
    heads = {told[cut:] for cut in cuts if told[:cut] in only}
    return {told, *rest, *heads, *{told[:-cut] for cut in cuts if told[-cut:] in only}}


_SAYS_USER = frozenset({"current_user", "currentuser", "@me", "just_me", "only_me", "myself_only"})


def _is_receiver(short: str) -> bool:
    return short in field_names("receivers") or concept_of(short) == "recipient"


_SENT = frozenset({Verb.NETWORK_OUT})


def _is_undoable(short: str) -> bool:
    return _holds(short, words_of_trials("undoable"))


def _is_small(given: list[_Switch], arguments: Mapping[str, Json]) -> bool:
    """Tell a call that orders nothing, says neither production nor all, and reaches nobody."""
    if any([value is True and _is_ordered(name, short) for name, short, value in given]):
        return False
    if names_production(arguments) or reaches_people(arguments) or is_elsewhere(arguments):
        return False
    return not any(_too_much(arguments))


def _is_ordered(name: str, short: str) -> bool:
    verbs = {VERBS.get(word) for word in split_words(name[:MOST])}
    return is_order(name, short) or not _ORDERED.isdisjoint(verbs)


_ORDERED = _PROPOSED - _GUESSED | {Verb.EXECUTE}


def _too_much(arguments: Mapping[str, Json]) -> Iterator[bool]:
    for name, value in entries(arguments):
        if isinstance(value, str):
            yield says_all(value) or value in ("*", "%") or _says_all(value.lower())
        elif value is True:
            yield not _ALL.isdisjoint(split_words(name))
    for value in arguments.values():
        yield isinstance(value, list | tuple) and len(value) > _MOST_ITEMS


def _says_all(text: str) -> bool:
    told = text[:MOST].split()[:1]
    return any([one in _ALL or concept_of(one) in _ALL for one in (text, *told)])


_ALL = vocabulary("all every everything everyone everybody entire whole bulk")


def _is_held(op: Operation, verbs: frozenset[Verb]) -> bool:
    is_kept = op.thing in KEPT_THINGS | {ResourceType.PROTECTION} or op.file_kind in KEPT_FILES
    # A batch of payments that waits for named approvers is paid by nobody yet.
    is_batch = op.verb is Verb.SPEND and Verb.PUBLISH in verbs
    grave = _GRAVE - {Trait.BULK} if is_batch else _GRAVE
    if is_kept or not (NEVER | grave).isdisjoint(op.traits):
        return False
    is_far = op.reach in (Reach.REMOTE, Reach.UNKNOWN, Reach.NONE)
    if is_unread(op):
        return UNREAD in verbs
    return op.understood and is_far and op.verb in verbs - {UNREAD}


def _as_near(op: Operation) -> Operation:
    near = replace(op, verb=Verb.WRITE, thing=ResourceType.NOTHING, reach=Reach.LOOPBACK)
    return replace(near, understood=True, why="", reversible=True)
