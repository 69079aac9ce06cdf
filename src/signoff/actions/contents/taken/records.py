"""Records of who did what that an edit no longer writes, while the act is still done.

AuditEntry.objects.create(user=u, record=r)      removed before `return render(...)`
.layer(from_fn(audit::record))                   cut out of a chain
INSERT INTO audit_log(actor, ref) VALUES (...)   removed before `UPDATE payouts ...`
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.taken.changes import Change, LineDiff
from signoff.actions.vocabulary import lazy_re2

_MOST = 60
_FEW = 6  # lines that go with it: more is a function that goes as a whole
_AUDIT = lazy_re2(
    r"(?i)\b\w{0,24}audit\w{0,24}(?:[\"')\]]|\.\w+|->\w+|::\w+)*\s*(?:\(|->|\.\w+|::\w+)"
    r"|\binsert\s+into\s+[\w.\"`\[]*audit\w*|\bperform\s+\w*audit\w*|\bcall\s+\w*audit\w*"
)
_TOLD = lazy_re2(
    r"(?i)\b\w{0,24}(?:access|login|security|activity|moderation|mod|change|erasure|trade|action)_?(?:log|event|journal|trail|history)s?"
    r"(?:\.objects)?[.:>-]{1,2}(?:create|insert|append|record|write|add|push|save)\w*!?\s*\("
    r"|\binsert\s+into\s+[\w.\"`\[]*(?:access|login|security|activity|trade|change)_?(?:log|event|journal|trail|history)s?\b"
)
_NONE = lazy_re2(
    r"(?i)^(?:import|from|use|using|include|require|#include|package|export)\b|npm\s+audit|pip-?audit|cargo\s+audit|audit\s+fix"
    r"|\baudit\w*\s*\(\s*\)\s*(?:\{|:$)"
    r"|^(?:pub |public |private |async |static )*(?:def|fn|func|function|class|void)\b"
    r"|audit\w*\W{0,4}(?:disable|off\b|false|skip|ignore|exclude|delete|clear|truncate|remove)|(?:delete|clear|truncate|skip|disable)_?\w*audit"
)
_ABOUT = lazy_re2(
    r"(?i)audit|(?:access|login|security|activity|moderation|mod|change|erasure|trade|action)_?(?:log|event|journal|trail|history)"
)


def unwritten_audit(changes: LineDiff) -> str:
    """Return the audit record that is no longer written, "" if none."""
    return _gone(changes, grave=True)


def unwritten_event(changes: LineDiff) -> str:
    """Return the record of an access, a login or an action that is no longer written, else ""."""
    return _gone(changes, grave=False)


def _gone(changes: LineDiff, *, grave: bool) -> str:
    writes = _AUDIT if grave else _TOLD
    if any([_ABOUT.search(line) is not None for line in changes.added]):
        return ""  # the record is written another way
    for change in islice(changes.each, _MOST):
        for line in change.removed:
            is_written = writes.search(line) is not None and _NONE.search(line) is None
            if is_written and _is_still_done(change, changes):
                return line
    return ""


def _is_still_done(change: Change, changes: LineDiff) -> bool:
    """Whether what was recorded stays: code around it, and few lines go with it."""
    return (
        len(change.removed) <= _FEW and bool(change.ahead or change.behind) and bool(changes.kept)
    )
