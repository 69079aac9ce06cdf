"""Conditions that an edit shortens so that they refuse less, or let more through.

A refusal behind `a or b` refuses less without `b`; one behind `unless a and b` as well, and so does
an act that needed both. What `a and b` refused, `a` refuses more: that is stricter.

    if a.by == "" || a.by == a.maker { return E }   -> if a.by == "" { return E }        weaker
    return unless r.approved? && r.at < limit       -> return unless r.approved?          weaker
    if (big && !approved) throw                     -> if (big) throw                    stricter
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.taken.changes import Change, LineDiff
from signoff.actions.contents.taken.refusals import TELLING
from signoff.actions.vocabulary import lazy_re, lazy_re2

_MOST = 60
_LONGEST = 400  # characters of a line
_HEAD = lazy_re2(
    r"(?i)(?:^|[^\w.$-])(?P<word>if|unless|guard|elsif|elif|when|require|ensure|assert)!?[ (]\s*"
    r"(?P<condition>.+)$"
)
_OUT = lazy_re2(
    r"(?i)\b(?:return|raise|throw|abort|continue|next|exit|die|panic|halt|fail\w*|reject\w*|bail"
    r"|forbidden|unauthori[sz]ed)\b|\b40[0-9]\b"
)
_END = lazy_re(r"\s*(?:\{.*|\bthen\b.*|\belse\b.*|:\s*$|\)\s*(?:return|throw|raise)\b.*)$")
_JOINS = lazy_re(r"\s*(\|\||&&|\bor\b|\band\b|\bOR\b|\bAND\b|\borelse\b|\bandalso\b)\s*")
_SPACES = " \t()!;:{}"
_ALWAYS = frozenset({"guard", "unless", "require", "ensure", "assert"})
_EMPTY = lazy_re2(
    r"(?i)(?:===?|\bis|!==?)\s*(?:not\s+)?(?:null|none|nil|undefined)\b|^\W*[\w.$]{1,30}\W*$|empty|blank|isset|(?:count|length|size|len)\W{0,4}\s*[<>!=]{1,3}\s*[01]\b"
)


def shortened_condition(changes: LineDiff) -> str:
    """Return the condition that lost a part and refuses less, "" if none."""
    for change in islice(changes.each, _MOST):
        heads = [_parts(line) for line in change.removed]
        for now in (_parts(line) for line in change.added):
            for was in heads:
                if found := _lost(was, now, change):
                    return found
    return ""


def _lost(was: _Parts | None, now: _Parts | None, change: Change) -> str:
    if was is None or now is None or was.word != now.word:
        return ""
    left = [one for one in was.clauses if one not in now.clauses]
    is_less = bool(left) and bool(now.clauses) and all([one in was.clauses for one in now.clauses])
    if not is_less or len(was.joins) != 1:
        return ""
    refuses = _OUT.search(" ".join((now.line, *change.behind[:1], *change.added))) is not None
    joined = "and" if (was.word in _ALWAYS or not refuses) else "or"
    if was.joins != {joined}:
        return ""
    said = " ".join(left)
    is_telling = TELLING.search(said) is not None or (refuses and _is_compared(said))
    return was.line if is_telling and not _is_empty(said) else ""


def _is_compared(said: str) -> bool:
    """Whether a value is compared with another one, and not with nothing."""
    return any([sign in said for sign in ("==", "!=", "<", ">", " in ")])


def _is_empty(said: str) -> bool:
    return _EMPTY.search(said) is not None and TELLING.search(said) is None


class _Parts:
    """The parts of one condition, and the words that join them."""

    def __init__(self, line: str, word: str, condition: str) -> None:
        self.line, self.word = line, word
        pieces = _JOINS.split(condition)
        self.clauses = [one.strip(_SPACES) for one in pieces[::2] if one.strip(_SPACES)]
        self.joins = {
            "or" if one.lower() in ("||", "or", "orelse") else "and" for one in pieces[1::2]
        }
        if word == "guard" and not self.joins and ", " in condition:
            self.clauses = [one.strip(_SPACES) for one in condition.split(", ")]
            self.joins = {"and"}


def _parts(line: str) -> _Parts | None:
    match = _HEAD.search(line[:_LONGEST])
    if match is None:
        return None
    condition = _END.sub("", str(match.group("condition")))
    return _Parts(line, str(match.group("word")).lower(), condition)
