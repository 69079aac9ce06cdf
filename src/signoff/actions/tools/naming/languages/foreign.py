"""Calls of tools named in other languages whose arguments say more than the name.

A name that only looks is not believed where an argument orders an act (`odeslat: true`,
`akce: "smazat"`), where safeguards are switched off, or where passwords are what is looked at.

    overruled(action, tool, lead)    None for mcp__trezor__vypis {"pole": ["heslo"]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from signoff.actions.action import Action, Json
from signoff.actions.lexicon.languages.translations import (
    act_of,
    is_secret,
    names_act,
    words_of_trials,
)
from signoff.actions.lexicon.languages.waivers import kinds_of
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import NOUN_LIKE, Lead
from signoff.actions.operation import Verb
from signoff.actions.tools.flags import flagged_verb
from signoff.actions.tools.naming.effects import LOOKING
from signoff.actions.tools.naming.servers import Tool, types_at_devices
from signoff.actions.tools.naming.waivers import WAIVED, waivers_in
from signoff.values import replace

_MOST = 200
_LEAVES = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})  # a draft that is sent is none
_JOURNAL = "log"
_SHORT = 60  # characters: longer values are texts


def overruled(action: Action, tool: Tool, lead: Lead | None) -> Lead | None:
    """Return a name's verb, None where it looks in another language and the call does more."""
    own = split_words(action.tool[-_MOST:])
    if lead is not None and (_leaves_draft(action, tool) or _is_noun_set(action, lead, own)):
        return None
    if lead is not None and lead.word == "send" and types_at_devices(tool):
        return replace(lead, verb=Verb.EXECUTE)
    if lead is None or lead.word in own:
        return lead
    pairs = list(islice(_pairs(action.arguments), _MOST))
    # A journal is a thing in other languages: what is done to it stands in its arguments.
    is_journal = lead.word == _JOURNAL
    if any([_orders(name, one) or (is_journal and _is_act(one)) for name, one in pairs]):
        return None
    if lead.verb not in LOOKING:
        return lead
    words = [*own, *[word for name, value in pairs for word in _words_of(name, value)]]
    is_more = any(map(is_secret, words)) or _waives(action.arguments, own)
    return None if is_more else lead


def _leaves_draft(action: Action, tool: Tool) -> bool:
    return "draft" in tool.words and flagged_verb(action.arguments) in _LEAVES


def _is_noun_set(action: Action, lead: Lead, own: tuple[str, ...]) -> bool:
    """Tell a word that reads a name as a look, and here is what is set: `fleet_profile`."""
    is_noun = lead.word in NOUN_LIKE or lead.word in _NOUNS
    return lead.verb in LOOKING and is_noun and _is_set(action.arguments, own)


_NOUNS = vocabulary("list count recall segment status score")


def _is_set(arguments: Mapping[str, Json], tool: tuple[str, ...]) -> bool:
    """Tell a call that does without a safeguard, or is applied in live operation."""
    live = [
        value
        for name, value in arguments.items()
        if isinstance(value, str) and not _APPLIES.isdisjoint(split_words(name[:_SHORT]))
    ]
    is_live = any([folded(one[:_SHORT]) in words_of_trials("production") for one in live])
    return is_live or not waivers_in(arguments, tool).keys().isdisjoint(WAIVED)


_APPLIES = vocabulary("apply effective enforce activate")


def _waives(arguments: Mapping[str, Json], tool: tuple[str, ...]) -> bool:
    """Tell `kontrola(pravidla="vypnout")`: the noun of a check that is switched off is no look."""
    found = waivers_in(arguments, tool) if "checks" in kinds_of(tool) else {}
    return len(found) > 1 and not found.keys().isdisjoint(WAIVED)


def _orders(name: str, value: Json) -> bool:
    """Tell an argument that is switched on and named after an act, or that names the act."""
    if value is True:
        return any(map(act_of, split_words(name[:_SHORT])))
    if not isinstance(value, str) or len(value) > _SHORT:
        return False
    is_told = any(map(names_act, split_words(name[:_SHORT])))
    return is_told and any(map(act_of, split_words(value)))


def _is_act(value: Json) -> bool:
    return isinstance(value, str) and len(value) <= _SHORT and bool(act_of(value))


def _words_of(name: str, value: Json) -> tuple[str, ...]:
    told = value if isinstance(value, str) and len(value) <= _SHORT else ""
    return (*split_words(name[:_SHORT]), *split_words(told))


def _pairs(value: Json, name: str = "", depth: int = 0) -> Iterator[tuple[str, Json]]:
    if isinstance(value, Mapping) and depth < 4:
        for key, one in islice(value.items(), _MOST):
            yield from _pairs(one, key, depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, str) and depth < 4:
        for one in islice(value, _MOST):
            yield from _pairs(one, name, depth + 1)
    else:
        yield name, value
