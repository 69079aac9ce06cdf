"""What selects the objects of a call, and of what it takes all.

selections(call, fields, found)  ->  (("with status", "open"),)
scope_of(call, years="all")      ->  "for all years"
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.objects import plural
from signoff.actions.wording.calls.fields import Field
from signoff.actions.wording.calls.named_call import (
    CHANGING,
    LONGEST_NAME,
    MAKES,
    SENDS,
    NamedCall,
    kind_of,
)
from signoff.actions.wording.calls.nouns import plain

_MATCHING = vocabulary(
    "soql filter filters query where pattern selector match matches search criteria q"
    " jql expression condition conditions prefix"
)
_GENERAL = _MATCHING | vocabulary("scope range selection")
_STATES = vocabulary("state status")
_UNITS = vocabulary("days hours minutes weeks months years")


def selections(call: NamedCall, free: Iterable[Field], found: Field) -> tuple[tuple[str, str], ...]:
    """Return what selects the objects, as words and value; what is made is not selected."""
    if call.word in MAKES or (found.texts and not found.is_everything):
        return ()
    is_new_state = call.word in CHANGING
    rows = [
        (_selecting(one), _selected(one))
        for one in free
        if one.is_selection
        and not one.is_amount
        and one.count == 1
        and not (is_new_state and one.has(_STATES))
    ]
    return tuple(
        (words, value[:LONGEST_NAME]) for words, value in rows if words and not _is_wide(value)
    )[:1]


def _is_wide(value: str) -> bool:
    return Field(("x",), (value,)).is_everything


def _selecting(one: Field) -> str:
    """Return the words before the value of a selection."""
    if one.has(_MATCHING):
        return "that match"
    if "older" in one.words:
        return "older than"
    for word in ("since", "before"):
        if word in one.words:
            return word
    return f"with {plain(tuple(sorted(one.core))[-1:])}" if one.core else ""


def _selected(one: Field) -> str:
    unit = one.words[-1] if one.words[-1] in _UNITS else ""
    return f"{one.texts[0]} {unit}".strip() if "older" in one.words else one.texts[0]


def is_of_noun(call: NamedCall, one: Field) -> bool:
    """Return whether `all` of an argument is all of what the noun names."""
    core = one.core
    wanted = frozenset(call.noun.words)
    return not core or core <= wanted or one.has(_GENERAL) or one.is_about or one.is_role


def takes_all(call: NamedCall, wide: Iterable[Field]) -> bool:
    """Return whether all of what the noun names is meant."""
    own = frozenset(call.noun.words)
    named = (one for one in wide if not one.core or one.core <= own or one.has(_GENERAL))
    is_on = any(one.is_on and one.is_everything for one in call.fields)
    return call.noun.is_all or is_on or any(True for _ in named)


def scope_of(call: NamedCall, one: Field) -> str:
    """Return `all` of what an argument names: `years="all"`."""
    kind = kind_of(call, one)
    link = "to" if one.is_room and call.op.verb in SENDS else "for"
    return f"{link} all {plural(kind)}" if kind else ""
