"""Tells whole rules of filters of requests and packets, which name the attacks they look for.

ModSecurity: a directive, what it reads, an expression, the actions. Snort and Suricata: an action,
a protocol, two sides, the options in brackets. Each quote and bracket is closed, and nothing runs.

    is_rule('SecRule ARGS "@rx (?i)union" "id:1,phase:2,deny"')               ->  True
    is_rule('alert tcp any any -> any 80 (msg:"x"; content:"../"; sid:1;)')   ->  True
    is_rule('SecRule ARGS "@rx x" "id:1,exec:/tmp/a.lua"')                    ->  False
"""

from __future__ import annotations

import re
from functools import cache
from typing import cast

import re2

from signoff.actions.vocabulary import lazy_re

TEXT_LIMIT = 16 << 10
_QUOTED = r"\"(?:[^\"\\]|\\.)*\""
_GAP = r"(?:[ \t]|\\\r?\n)+"
_SEC_RULE = rf"SecRule{_GAP}[\w|:/!&.*'$^-]+{_GAP}{_QUOTED}(?:{_GAP}{_QUOTED})?"
_SIDE = r"!?(?:\$?\w[\w.:/]*|\[[\w.:/,!$ ]*\])"
_OPTION = rf"\s*[a-z][\w.]*\s*(?::\s*(?:!?{_QUOTED}|[\w\s,.:/<>=!*|&+-])+)?;"
_OF_PACKETS = (
    r"(?:alert|drop|pass|reject|log|sdrop|block|rejectsrc|rejectdst|rejectboth)[ \t]+[a-z][\w.-]*"
    rf"[ \t]+{_SIDE}[ \t]+{_SIDE}[ \t]+(?:->|<>|=>)[ \t]+{_SIDE}[ \t]+{_SIDE}[ \t]*"
    rf"\((?:{_OPTION})+\s*\)"
)
_RULE = rf"(?s)\s*(?:(?:{_SEC_RULE}|{_OF_PACKETS}|#[^\n]*)[ \t]*(?:\r?\n\s*|\z))+"
_BEGINS = lazy_re(r"\s*(?:#|SecRule\b|[a-z]{3,10}[ \t]+[a-z][\w.-]*[ \t]+[!$\[\w])")
# Actions that start a program or load one.
_RUNS = lazy_re(r"\bexec\s*:|@inspectFile|\blua(?:jit)?\s*:|\bluaxform\s*:", re.IGNORECASE)


def is_rule(value: str) -> bool:
    """Return whether a value is whole rules that look for something and start nothing."""
    if len(value) > TEXT_LIMIT or _BEGINS.match(value) is None or _RUNS.search(value):
        return False
    return _whole().fullmatch(value) is not None


@cache
def _whole() -> re.Pattern[str]:
    return cast("re.Pattern[str]", re2.compile(_RULE))
