"""The sentence of a call, with as much of its details as there is room for.

tell(words, room=32, detail=0)
    -> "Sends an e-mail to `ada@a.example`, `bob@b.example` and 3 more: `Cutover on Friday`"
"""

from __future__ import annotations

from collections.abc import Callable

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.objects import plural
from signoff.actions.operation import CallWords
from signoff.actions.wording.calls.nouns import with_article
from signoff.actions.wording.objects import object_of
from signoff.values import replace

# From everything down to what is done, to what, and who gets it.
DETAILS = 5
_ONE_PLACE, _NO_FLAGS, _NO_TEXT, _NO_PLACE, _SHORT = 1, 2, 3, 4, 5
_LONGEST_PLACE = 40
_LONGEST_TEXT, _SHORTEST_TEXT = 40, 22
_WIDE = 60
_OF_MONEY = vocabulary(
    "payment refund payout transfer charge donation invoice credit loan transaction funds money"
)
_WITHOUT_MOVE = vocabulary(
    "coupon discount price balance budget limit cart subscription player participant student"
    " employee member user team application candidate"
)
_ATTRIBUTES = vocabulary("price salary limit budget balance fee amount rate quota threshold")
_TURNS = frozenset({"Switches off", "Switches on", "Stops"})
_CHANGES = vocabulary("Sets Changes Updates")


def moves_money(said: CallWords) -> bool:
    """Return whether money changes hands: a new coupon or price moves none."""
    return said.noun not in _WITHOUT_MOVE


def tell(said: CallWords, *, room: int, detail: int, has_text: bool = True) -> str:
    """Return what a call does.

    Args:
        room: most characters of each name.
        detail: 0 = everything, up to `DETAILS` = only what cannot be left out.
        has_text: with the first words of a message.
    """
    # Where it is says more than what is named beside it.
    if detail >= _NO_TEXT and said.place:
        said = replace(said, beside=())
    start = said.does or f"Calls {object_of(said.by, room)} on"
    has_role = detail < _NO_PLACE
    parts = [start, _object(said, room, is_short=detail >= _SHORT)]
    parts.append(f"as {object_of(said.role, room)}" if said.role and has_role else "")
    parts.extend(_receivers(said, room))
    # Where nothing is named itself, the place is what people know it by.
    is_all_known = bool(said.objects or said.receivers or said.chosen or said.beside)
    if detail < _NO_PLACE or not is_all_known:
        parts.extend(_place(said, room, most=2 if detail < _ONE_PLACE else 1))
    if said.amount and _is_set_to(said):
        parts.append(f"to {said.amount}")
    elif said.value and not said.amount:
        parts.append(f"to {object_of(said.value, room)}")
    if detail < _SHORT:
        parts.append(said.scope)
    if detail < _NO_FLAGS:
        parts.extend(said.flags)
    if said.by and said.does:
        parts.append(f"with {object_of(said.by, room)}")
    head = " ".join(filter(None, parts)).removesuffix(" on")
    is_said = has_text and said.text and detail < _NO_TEXT
    return f"{head}: {object_of(_begun(said.text, room), room)}" if is_said else head


def _begun(text: str, room: int) -> str:
    """Return the first words of a text."""
    # In a long sentence the names need the room.
    most = _LONGEST_TEXT if room >= _WIDE else max(_SHORTEST_TEXT, room - 10)
    return text if len(text) <= most else f"{text[: most - 3].rstrip()}..."


def masked_words(said: CallWords, clean: Callable[[str], str]) -> CallWords:
    """Return a copy with all that came from the call made safe to show."""
    return replace(
        said,
        noun=clean(said.noun),
        objects=tuple(map(clean, said.objects)),
        receivers=tuple(map(clean, said.receivers)),
        chosen=tuple((words, clean(value)) for words, value in said.chosen),
        beside=tuple((kind, clean(name)) for kind, name in said.beside),
        place=tuple((link, kind, clean(name)) for link, kind, name in said.place),
        by=clean(said.by),
        role=clean(said.role),
        value=clean(said.value),
        text=clean(said.text),
        amount=clean(said.amount),
    )


def _is_set_to(said: CallWords) -> bool:
    """Return whether the amount is what a price or a limit is set to."""
    return said.does in _CHANGES and said.noun.rpartition(" ")[2] in _ATTRIBUTES


def _object(said: CallWords, room: int, *, is_short: bool) -> str:
    """Return noun and object with the amount, in words."""
    named = _noun_and_names(said, room, is_short=is_short)
    if named and said.is_sent and said.does:
        named = f"to {named}"
    if said.amount and not named:
        named = said.amount
    elif said.amount and not _is_set_to(said):
        is_bare = not said.objects and said.noun.rpartition(" ")[2] in _OF_MONEY
        named = f"{named} of {said.amount}" if is_bare else f"{named} ({said.amount})"
    for kind, name in said.beside:
        shown = object_of(name, room) if name else ""
        named = f"{named} ({f'{kind} {shown}'.strip()})"
    return named.strip()


def _noun_and_names(said: CallWords, room: int, *, is_short: bool) -> str:
    noun = said.noun if said.is_own_noun else object_of(said.noun, 60)
    many = plural(noun) if said.is_own_noun else object_of(plural(said.noun), 60)
    shown = [object_of(one, room) for one in said.objects]
    count = max(said.count, len(shown))
    if shown and count == 1:
        # Two quotations side by side read as one name.
        is_foreign = noun and not said.is_own_noun
        return f"{shown[0]} ({noun})" if is_foreign else f"{noun} {shown[0]}".strip()
    if shown:
        counted = f"{count:,} {many or 'items'}"
        both = f"{many} {_listed(shown, count)}" if count == 2 and said.is_own_noun else ""
        return both or (counted if is_short else f"{counted} ({_listed(shown, count)})")
    for words, value in said.chosen:
        every = "all " if said.is_all and many else f"{said.count:,} " if said.count > 1 else ""
        words = words if many else words.replace("that match", "that matches")
        return f"{every}{many or 'everything'} {words} {object_of(value, room)}"
    if said.is_all:
        return f"all {many}" if many else "everything"
    if said.count > 1:
        return f"{said.count:,} {many or 'items'}"
    return _without_names(said, noun, many)


def _without_names(said: CallWords, noun: str, many: str) -> str:
    """Return the noun where nothing names one of its kind."""
    if not noun:
        is_said = said.is_sent or not said.does or said.receivers or said.amount
        return "" if is_said else "something"
    if not said.is_own_noun:
        return many if said.is_plural else noun
    if said.is_plural or (said.scope and not said.value):
        return many
    if said.does in _TURNS and not said.beside and not said.place:
        return f"the {noun}"
    is_of = any(link == "of" for link, _, _ in said.place)
    return noun if is_of or said.value or said.does in _CHANGES else with_article(noun)


def _listed(shown: list[str], count: int) -> str:
    """Return up to two names and how many more there are."""
    rest = count - min(len(shown), 2)
    return f"{', '.join(shown[:2])} and {rest:,} more" if rest else " and ".join(shown[:2])


def _receivers(said: CallWords, room: int) -> list[str]:
    if not said.receivers:
        return []
    shown = [object_of(one, room) for one in said.receivers]
    return [f"{said.link} {_listed(shown, said.receiver_count)}"]


def _place(said: CallWords, room: int, most: int) -> list[str]:
    """Return where it happens, the nearest first."""
    return [
        " ".join(filter(None, (link, kind, object_of(name, min(room, _LONGEST_PLACE)))))
        for link, kind, name in said.place[:most]
    ]
