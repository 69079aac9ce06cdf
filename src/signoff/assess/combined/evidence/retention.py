"""Evidence that a rule of retention leaves nothing: what it is for deletes it, at once or in a day.

Nobody deletes then: a service does it by itself, and old versions go as well. Every service writes
such a rule its own way, and all say a word, a number and a unit. A rule for a part (a prefix), for
logs within a day, or of a week is asked about.

    mc ilm rule add lake/scans --expire-days 1 --noncurrent-expire-days 1    leaves nothing
    kafka-configs.sh ... prod --add-config retention.ms=1000                 leaves nothing
    {"retention": {"contacts_days": 0, "mode": "hard_delete"}}               leaves nothing
    mc ilm rule add lake/uploads --prefix tmp/ --expire-days 1               a part
"""

from __future__ import annotations

import re
from itertools import islice

from signoff.actions.operation import Operation, Reach, ResourceType
from signoff.actions.programs.lexicon import is_production
from signoff.actions.understand import HOST_TOOLS
from signoff.actions.vocabulary import lazy_re, lazy_re2
from signoff.assess.combined.bulk.client_code import is_code
from signoff.assess.combined.call import (
    TEXT_LIMIT,
    TRIAL_IN_LINE,
    Call,
    cached_per_call,
)
from signoff.assess.combined.evidence.scope import told_without_remarks
from signoff.assess.combined.evidence.whole_command import whole_command
from signoff.assess.combined.facts import FAR
from signoff.assess.combined.functions import is_not_trial

_MARKS = str.maketrans(dict.fromkeys("\"'\\{}[]():=,>\n\t", " "))
# A word for how long something is kept, at most a few words, a number and its unit.
_KEPT = lazy_re(
    r"(?i)(?P<word>retention|retain|expir(?:e|es|y|ation)|delete min_?age|condition age"
    r"|older[_ -]?than)"
    r"(?P<middle>[\w.-]{0,30}(?: (?!\d)[\w.-]{1,30}){0,3}?) (?P<iso>pt?)?(?P<number>\d{1,9})"
    r" ?(?P<unit>[a-z]{0,12})"
)
_UNITS = (
    (("ms", "milli", "micro", "us", "ns"), 0.001),
    (("min", "minute"), 60.0),  # `m` alone is a month as often
    (("h", "hour"), 3600.0),
    (("d", "day"), 86_400.0),
    (("s", "sec", "second"), 1.0),
)
_IN_NAME = lazy_re2(r"(?i)(?:^|[^a-z])(ms|millis|minutes?|hours?|days?|seconds?)(?:[^a-z]|$)")
_DAY, _HOUR = 86_400.0, 3_600.0
_MOST = 20
# A key, a login and an address expire, too; what is kept in a store expires by a rule.
_OF_STORES = lazy_re2(
    r"(?i)life_?-?cycle|(?:^|[^a-z])ilm(?:[^a-z]|$)|retention|noncurrent|min_?age"
    r"|(?:polic|rule|schedul)\w*.*older[_ -]?than|older[_ -]?than.*(?:polic|rule|schedul)"
)
_OLD_ONES = lazy_re2(r"(?i)non-?_?current|versions?_?expir|keep_?table false|versioning? suspend")
_DELETES = lazy_re2(r"(?i)delet|purge|expunge|drop(?:s|ped)?\b|erase")
_OF_PART = lazy_re2(r"(?i)\bprefix ?(?:[a-z]+ ){0,2}[\w./-]*[a-z]")
# A rule that names no prefix is for everything.
_NO_PREFIX = lazy_re(r"(?i)prefix\W{0,4}[:=]\s*(?:\\?[\"']){2}")
_PASSING = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:tmp|temp|cache|scratch|session|trash|spool|logs?)(?:[^a-z]|$)"
)
_DRY = lazy_re2(r"(?i)--(?:dry-?run|check|plan|validate-only)\b")


def leaves_nothing(op: Operation, call: Call) -> bool:
    """True if a rule deletes all that a store of others holds, at once or within a day."""
    if op.thing is ResourceType.MESSAGE or not (op.reach in FAR or _is_code(call)):
        return False
    text = _text_of(op, call)
    if _OF_STORES.search(f"{op.program} {text}") is None or not _is_meant(op, call, text):
        return False
    shortest = _shortest(text)
    if shortest is None or shortest > _DAY or _OF_PART.search(text) is not None:
        return False
    deletes = _DELETES.search(text) is not None or _names_deletion(op)
    if shortest == 0 and not deletes:
        return False  # many services say by nothing that there is no end
    if shortest > _HOUR and _PASSING.search(text) is not None:
        return False
    is_live = op.reach is Reach.PRODUCTION or is_production(text[:TEXT_LIMIT])
    return is_live or _OLD_ONES.search(text) is not None or (shortest <= _HOUR and deletes)


def code_leaves_nothing(op: Operation, call: Call) -> bool:
    """True if code for a runtime sets such a rule."""
    return _is_code(call) and leaves_nothing(op, call)


def _is_meant(op: Operation, call: Call, text: str) -> bool:
    """Tell a store for tests, and a rehearsal."""
    if _DRY.search(text) is not None:
        return False
    # A file that is written runs later, and is asked about.
    if call.action.tool in HOST_TOOLS and "command" not in call.action.arguments:
        return False
    if "command" in call.action.arguments:
        return TRIAL_IN_LINE.search(f"{op.target} {text}") is None
    return is_not_trial(op, call)


def _names_deletion(op: Operation) -> bool:
    return _DELETES.search(op.program) is not None


def _text_of(op: Operation, call: Call) -> str:
    """Return what a command or call says, without marks; files that its line writes count."""
    if "command" not in call.action.arguments:
        return _given(call)
    said = _plain(whole_command(op.source, call.action.text("command")[:TEXT_LIMIT]))
    return f"{said} {_written(call)}" if "apply" in op.program else said


_is_code = cached_per_call(is_code)


@cached_per_call
def _given(call: Call) -> str:
    told = _NO_PREFIX.sub(" ", told_without_remarks(call))
    return _plain(told.replace("\\n", " "))


@cached_per_call
def _written(call: Call) -> str:
    line = call.action.text("command")[:TEXT_LIMIT]
    return _plain(line) if "<<" in line else ""


def _plain(text: str) -> str:
    return " ".join(text[:TEXT_LIMIT].translate(_MARKS).split())


def _shortest(text: str) -> float | None:
    """Return the shortest time, in seconds, that something is kept; None if no rule says one."""
    times = [_seconds(found) for found in islice(_KEPT.finditer(text), _MOST)]
    return min([time for time in times if time is not None], default=None)


def _seconds(found: re.Match[str]) -> float | None:
    number, unit = int(found["number"]), found["unit"].lower()
    named = _IN_NAME.search(f"{found['middle']} ".replace("_", " ").replace("Days", " days"))
    factor = _factor(unit) or (None if named is None else _factor(named[1].lower()))
    if number == 0:
        return 0.0
    return None if factor is None else number * factor


def _factor(unit: str) -> float | None:
    singular = unit[:-1] if len(unit) > 2 and unit.endswith("s") else unit
    return next((factor for names, factor in _UNITS if singular in names or unit in names), None)
