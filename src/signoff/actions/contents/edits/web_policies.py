"""Policies of web pages that an edit opens: which scripts may run, which origins may ask.

A content security policy is a text of its own grammar wherever it stands: a header file, a proxy,
a manifest, the code of a program. So is a list of origins. Counted are the openings that the
old text has not; a whole new file is only told if its policy allows everything.

    script-src 'self'                 -> script-src 'self' 'unsafe-eval'
    "webOrigins": ["https://a"]       -> "webOrigins": ["*"]
    allow_origins=settings.origins    -> allow_origin_regex=r"https?://.*"
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.text import NewText
from signoff.actions.vocabulary import lazy_re2

_READ = 40_000  # characters
_MOST = 60
# A directive about code, with its values up to its end.
_DIRECTIVE = lazy_re2(
    r"(?i)\b(default|script|connect|object|worker)[-_]src(?:[-_](?:elem|attr))?\b\"?'?\s*[:,=]?([^;\n]{1,400})"
)
_OPENING = lazy_re2(
    r"(?i)(?:^|[^-\w])'?:?(unsafe[-_](?:inline|eval))|(?:^|[\s'\"\[,(:])(\*|data:|https?:|https?://\*)(?:$|[\s;'\"\],)`])"
)
_WHOLE = ("*", "unsafe-eval", "unsafe_eval")
_ANY_ORIGIN = lazy_re2(
    r"(?i)[\w.-]*(?:origins?|redirect_?ur[il]s?)(?:_?(?:regex|patterns?|list))?[\"']?\s*(?:=>|:=|[:=(,])\s*[\[({]*\s*"
    r"r?[\"'`/]?(\^?\(?(?:https?\??(?::|\\:)(?://|\\/\\/))?(?:\.\*|\.\+|\*)(?:[/:]\*)?\)?\$?)[\"'`/\s,\])};]"
)
_WILD_HOST = lazy_re2(
    r"(?i)redirect_?ur[il]s?[\"']?\s*[:=]>?\s*[\[(]*\s*[\"'](https?://\*[^\"'\n]*)"
)


def opened_policy(text: NewText) -> str:
    """Return what an edit opens in a policy of pages, else ""."""
    new, old = text.new[:_READ], (text.old or "")[:_READ]
    before = _openings(old)
    for directive, value in _openings(new):
        is_told = text.old is not None or (value in _WHOLE and directive != "connect")
        if is_told and (directive, value) not in before:
            return f"{directive}-src {value}"
    for find in (_ANY_ORIGIN, _WILD_HOST):
        for match in islice(find.finditer(new), _MOST):
            if text.old is not None and match.group() not in old:
                return str(match.group())
    return ""


def _openings(text: str) -> dict[tuple[str, str], None]:
    found: dict[tuple[str, str], None] = {}
    for match in islice(_DIRECTIVE.finditer(text), _MOST):
        for one in islice(_OPENING.finditer(str(match.group(2))), _MOST):
            value = str(one.group(1) or one.group(2)).lower()
            found[(str(match.group(1)).lower(), value)] = None
    return found
