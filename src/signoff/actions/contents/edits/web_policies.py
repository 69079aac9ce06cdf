"""Policies of web pages that an edit opens: which scripts may run, which origins may ask.

A content security policy is a text of its own grammar wherever it stands: a header file, a proxy,
a manifest, the code of a program. So is a list of origins. Counted are the openings that the
old text has not; a whole new file is only told if its policy allows everything.

    script-src 'self'                 -> script-src 'self' 'unsafe-eval'
    "webOrigins": ["https://a"]       -> "webOrigins": ["*"]
    add_header X-Frame-Options DENY;  -> nothing in its place
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
_HEADER = lazy_re2(
    r"(?i)\b(x[-_]frame[-_]options|content[-_]security[-_]policy|strict[-_]transport[-_]security"
    r"|x[-_]content[-_]type[-_]options|permissions[-_]policy|cross[-_]origin[-_](?:opener"
    r"|embedder|resource)[-_]policy"
    r"|frame[-_]?ancestors|helmet(?:\.\w+)?\s*\(|talisman\s*\(|secure_?headers\b|hsts)"
)
_NAMED_HEADERS = lazy_re2(r"(?i)\b(?:sec(?:ure|urity)?|csp|hardening|protective)_?headers?\b")
_NOTHING = lazy_re2(r"\[\s*\]|\{\s*\}|\b(?i:none|null|nil)\b")
_FRAMED_BY_ALL = lazy_re2(r"(?i)frame[-_]?ancestors\b[\"']?\s*[:,=]?[\s\[(\"']*\*")
_FRAMED = lazy_re2(r"(?i)frame[-_]?ancestors")
_COMES_INSTEAD = ("content-security-policy", "frame-ancestors")  # of X-Frame-Options


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
    return lost_header(old, new) if text.old else ""


def lost_header(old: str, new: str) -> str:
    """Return the protecting header that an edit takes from pages or empties, else ""."""
    framed = _FRAMED_BY_ALL.search(new)
    if framed is not None and _FRAMED.search(old) and _FRAMED_BY_ALL.search(old) is None:
        return str(framed.group())
    now = {_named(str(match.group(1))) for match in islice(_HEADER.finditer(new), _MOST)}
    for match in islice(_HEADER.finditer(old), _MOST):
        name = _named(str(match.group(1)))
        is_replaced = name == "x-frame-options" and not now.isdisjoint(_COMES_INSTEAD)
        if name not in now and not is_replaced:
            return name
    named = _NAMED_HEADERS.search(old)
    is_gone = named is not None and _NAMED_HEADERS.search(new) is None
    if named is not None and is_gone and len(_NOTHING.findall(new)) > len(_NOTHING.findall(old)):
        return str(named.group())
    return ""


def _named(header: str) -> str:
    name = header.lower().replace("_", "-").rstrip("( ")
    return "frame-ancestors" if name == "frameancestors" else name.partition(".")[0]


def _openings(text: str) -> dict[tuple[str, str], None]:
    found: dict[tuple[str, str], None] = {}
    for match in islice(_DIRECTIVE.finditer(text), _MOST):
        for one in islice(_OPENING.finditer(str(match.group(2))), _MOST):
            value = str(one.group(1) or one.group(2)).lower()
            found[(str(match.group(1)).lower(), value)] = None
    return found
