"""What the arguments of a call do without, in any language: a check, a guard, a copy, a record.

waivers_in({"vergrendeling": "overbruggen", "melding": False}, ())    guards, notices
waivers_in({"bezirk": "alle", "prüfung": "überspringen"}, ())         wide, checks
waivers_in({"sicherungskopien": "löschen"}, ())                       copies, twice: it is told
waivers_in({"status": "aus"}, ("alarm",))                             guards
waivers_in({"prüfung": "überspringen", "nur_probe": True}, ())        nothing, it is a trial
waivers_in({"confirm": False}, ())                                    nothing, it is no order
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.translations import is_look
from signoff.actions.lexicon.languages.waivers import kinds_of
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import lazy_re2

WAIVED = ("guards", "checks", "notices", "records", "undo")
_MOST = 80
_DEEPEST = 6
_LONGEST = 60  # characters: a longer value is a text
_YEARS = lazy_re2(r"\b(?:19|20)\d\d\b[^\d]{0,12}\b(?:19|20)\d\d\b")
_UNDONE = frozenset({"off", "lost"})
_Pair = tuple[tuple[str, ...], Json]


def waivers_in(arguments: Mapping[str, Json], tool: tuple[str, ...]) -> Counter[str]:
    """Return how often a call does without each kind of safeguard; nothing of a trial.

    Args:
        tool: the words of its name, which may say what its values switch.
    """
    found: Counter[str] = Counter()
    pairs = list(islice(_pairs(arguments), _MOST))
    # A list of alarms that are off only looks: `alarm_list(state="off")`, `action: "list"`.
    is_about = "guards" in kinds_of(tool) and not _looks(tool, pairs)
    for name, value in pairs:
        named = kinds_of(name)
        if "remarks" in named and named.isdisjoint(WAIVED):
            continue
        if _is_trial(named, value):
            return Counter()
        kinds = _waived(named, value)
        is_off = is_about and not kinds and isinstance(value, str) and _is_off(value)
        found.update(["guards"] if is_off else kinds)
    return found


def _looks(tool: tuple[str, ...], pairs: list[_Pair]) -> bool:
    """Tell whether the name or a value of one word says that something is only looked at."""
    told = [split_words(value) for _, value in pairs if isinstance(value, str)]
    names = [name[0] for name, _ in pairs if name]
    said = [*tool, *names, *[words[0] for words in told if words]]
    return any([VERBS.get(word) is Verb.READ or is_look(word) for word in said])


def _pairs(value: Json, name: tuple[str, ...] = (), depth: int = 0) -> Iterator[_Pair]:
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for key, inner in islice(value.items(), _MOST):
            yield from _pairs(inner, split_words(key[:_LONGEST]), depth + 1)
    elif isinstance(value, list | tuple) and depth < _DEEPEST:
        for inner in islice(value, _MOST):
            yield from _pairs(inner, name, depth + 1)
    else:
        yield name, value


def _is_trial(named: frozenset[str], value: Json) -> bool:
    if isinstance(value, str):
        return "trials" in _said(value)
    return value is True and "trials" in named


def _said(value: str) -> frozenset[str]:
    return kinds_of(split_words(value)) if len(value) <= _LONGEST else frozenset()


def _is_off(value: str) -> bool:
    """Tell a value that switches off; a short word as `af` does so alone, and is a preposition."""
    said = _said(value)
    return "off" in said or ("alone" in said and len(split_words(value)) == 1)


def _waived(named: frozenset[str], value: Json) -> list[str]:
    if isinstance(value, str):
        return _told(named, value) if len(value) <= _LONGEST else []
    if value is True:
        is_undone = not named.isdisjoint(_UNDONE)
        return [kind for kind in (*WAIVED, "copies") if kind in named and is_undone]
    if value is False:
        return _kept(named) if named.isdisjoint(_UNDONE) else []
    return ["notices"] if value == 0 and "notices" in named else []


def _kept(named: frozenset[str]) -> list[str]:
    """Return what a refusal waives; `approve: false` only orders nothing."""
    return [one for one in WAIVED if one in named and (one != "checks" or "orders" not in named)]


def _told(named: frozenset[str], value: str) -> list[str]:
    words = split_words(value)
    said = kinds_of(words)
    found = []
    if "not" in said or _is_off(value):
        found += _kept(named)
    if "lost" in said:
        found += [kind for kind in ("records", "copies", "copies") if kind in named]
    if "wide" in kinds_of(words[:1]) | kinds_of(words[-1:]):
        found.append("wide")
    if "forever" in said:
        found.append("forever")
    return [*found, "years"] if _YEARS.search(value) is not None else found
