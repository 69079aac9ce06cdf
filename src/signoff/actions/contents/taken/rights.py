"""Rights that an edit widens: a condition that becomes `true`, a list that gains writing.

using (owner = auth.uid())                    -> using (true)
setPermissionRequestHandler(.. cb(p === "x")) -> cb(true)
grant select on boats to member               -> grant select, update, delete on boats
verbs: ["get", "list"]                        -> verbs: ["get", "list", "delete"]
role = "roles/storage.objectViewer"           -> "roles/storage.objectAdmin"
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.taken.changes import LineDiff, common_start
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_MOST = 60
_LONGEST = 600  # characters of a line
_TOKEN = lazy_re(r"\w+|[^\w\s]")
_TRUE = words("true 1 yes always *")
_EXPRESSION = 3  # words and signs of a condition; fewer are a value
_DECIDES = lazy_re2(
    r"(?i)\busing\s*\(|\bwith\s+check\b|permission|\ballow\b|\bpermit|\bpolicy|\bauthori[sz]|\bcan\w*\b|access|\brule\b|\bcondition\b|canActivate|isAllowed"
)
_GIVES = lazy_re2(
    r"(?i)^\W*grant\b|\bverbs\b|\bactions?\b|\ballow\b[^;]*:|\bpermissions?\b|\broles?\b|\bscopes?\b|\bprivileges?\b|\brights\b|\bmethods\b|RequireRole|has_?(?:any)?_?role"
)
_WRITES = words(
    "write update delete create insert truncate all admin owner editor patch put impersonate"
    " escalate bind secrets grant execute drop manage root superuser"
)
_LISTS = (",", '"', "'", ":", "*", "_", "-")
_FORBIDS = lazy_re2(r"(?i)\bdeny|\brevoke|\bforbid|\bfalse\b|\bexcept|\bdisallow|\bnot\b")
_LOW = lazy_re2(r"(?i)(?:viewer|reader|read_?only|guest|member|none|user|viewonly|readonlyaccess)$")
_HIGH = lazy_re2(
    r"(?i)(?:objectuser|editor|writer|contributor|owner|admin\w*|maintainer|superuser|fullaccess|poweruser\w*|administratoraccess)$"
)


def widened_right(diff: LineDiff) -> str:
    """Return the line that gives more people or more rights than before, "" if none."""
    for was, now, line in _pairs(diff):
        if _is_constant(was, now, line) or _is_longer(was, now, line) or _is_higher(was, now):
            return line
    return ""


def _pairs(diff: LineDiff) -> Iterator[tuple[list[str], list[str], str]]:
    """Yield what differs of a line, before and after, between what is the same at its ends."""
    for change in islice(diff.each, _MOST):
        for was, line in zip(change.removed, change.added, strict=False):
            before, after = _TOKEN.findall(was[:_LONGEST]), _TOKEN.findall(line[:_LONGEST])
            start = common_start(before, after)
            before, after = before[start:], after[start:]
            end = common_start(before[::-1], after[::-1])
            if start:
                yield before[: len(before) - end], after[: len(after) - end], line


def _is_constant(was: list[str], now: list[str], line: str) -> bool:
    """Whether a condition became one that always holds."""
    is_true = [one.lower() for one in now] in ([one] for one in _TRUE)
    # `allow read: if true` is found by itself.
    is_new = is_true and len(was) >= _EXPRESSION and "if true" not in line
    return is_new and _DECIDES.search(line) is not None


def _is_longer(was: list[str], now: list[str], line: str) -> bool:
    """Whether a list of what somebody may do gains more than reading."""
    if was or _GIVES.search(line) is None:
        return False
    gained = {one.lower() for one in now} & _WRITES
    is_list = "," in (*now[:2], *now[-1:]) and all([one.isalnum() or one in _LISTS for one in now])
    return bool(gained) and is_list and _FORBIDS.search(line) is None


def _is_higher(was: list[str], now: list[str]) -> bool:
    """Whether the name of a low role became that of a high one."""
    if len(was) != 1 or len(now) != 1 or _LOW.search(was[0]) is None:
        return False
    return _HIGH.search(now[0]) is not None
