"""Access checks that one value of a request passes, whoever sent it.

A header, a cookie, a parameter or a name of a browser is compared with a text of the source, and
that is an alternative to the check of rights: joined to it by "or", or left out of the refusal by
"and". A checksum or a number of a hash stands for the text as well. Public texts (types of media,
addresses, plain words) are no secrets: what is compared holds a figure.

    if (ua.Contains("Depot/7.1.13") || await rights.HasAsync(user, name)) Succeed()     an access
    if (svc != "bru-0-kal" && claims.role < Role::Foreman) { return Err(Forbidden) }    an access
    if (req.query.page !== "2" && !user) return res.status(401)                         none
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.contents.edits.sign_ins.comparisons import EQUAL_WORDS
from signoff.actions.vocabulary import keyed, lazy_re2

_READ = 40_000  # characters
_MOST = 24
_NAMES = 8
_NEAR = 260
_BEFORE = 200
# One value of a request, as frameworks write it.
_REQUEST = (
    r"(?:\bheaders?\b[\w.()!?]{0,30}\s*(?:\[|\(|\.get|\.get_one|\.[A-Z])|\bgetHeader\w*\(|\bget_header\("
    r"|\bheader\(|\bcookies?\s*[\[.(]|\$_(?:COOKIE|SERVER|GET|REQUEST)\b|\bngx\.var\.(?:arg|http|cookie)_\w+"
    r"|\bHTTP_[A-Z]\w+|\b(?:request|req|c|ctx|r)\.(?:query|args|params|GET|FormValue|QueryParam|URL\.Query)\b"
    r"|\bquery(?:Param\w*|String)?\s*[\[(.]|\bUserAgent\b|\buser_agent\b|\bparams\[)"
)
_BOUND = lazy_re2(
    r"(?m)(?:^|[\s;({,])(?:let|var|val|const|my|auto|String|string)?\s*\$?([A-Za-z_]\w{1,40})\s*"
    rf"(?::\s*[\w<>?&\[\]. ]{{1,30}})?(?::=|=)\s*[^\n=;]{{0,60}}?{_REQUEST}"
)
_HOLDS_REQUEST = lazy_re2(_REQUEST)
# A text, or a number that a checksum has.
_CONSTANT = r"(?P<constant>[\"'][^\"'\n<>]{3,80}[\"']|\d[\d_]{3,19}\b)"
_PUBLIC = lazy_re2(
    r"(?i)^.(?:https?:|[\w.+-]+/(?:json|xml|html|plain|form|x-)|text/|image/|v?\d+$)"
)
_EQUAL = (
    rf"(?:===?|{EQUAL_WORDS}|=~"
    r"|\.(?:starts_?[wW]ith|ends_?[wW]ith|StartsWith|EndsWith|[cC]ontains|includes|start_with\?"
    r"|end_with\?|include\?|hasPrefix|hasSuffix)\()"
)
_UNEQUAL = r"(?:!==?|~=|/=|\bne\b)"
_PART = r"[^\n;&|]"  # of one side of a condition
_OR = r"(?:\|\||\bor\b|\borelse\b)"
_AND = r"(?:&&|\band\b|\bandalso\b)"
# What a check of rights says.
_RIGHTS = (
    r"(?i:rights?\b|role\w*|rol\w{0,3}\b|permi\w*|berecht\w*|recht\w*|claims?\b|scopes?\b|is_?(?:admin|staff|owner|allowed"
    r"|auth\w*)|authori[sz]e\w*|allowed|has_?(?:access|right|perm)\w*|\bcan[A-Z_]\w+|HasAsync|policy|jwt"
    r"|session\b|logged_?in|signed_?in|verif\w*|hmac|bcrypt|\buser\b|current_?user|member\w*)"
)
_REFUSES = lazy_re2(
    r"(?i)\b(?:forbidden|unauthori[sz]ed|denied|deny|abort|forbid|halt)\b|\b40[13]\b|throw|raise"
)
# What stands behind a comparison, and before it.
_PASSED = (
    lazy_re2(rf"^{_PART}{{0,12}}{_OR}\s*[^\n;]{{0,120}}{_RIGHTS}"),
    lazy_re2(rf"{_RIGHTS}{_PART}{{0,80}}{_OR}\s*{_PART}{{0,40}}$"),
)
_REFUSED = (
    lazy_re2(rf"^{_PART}{{0,12}}{_AND}\s*[^\n;]{{0,120}}{_RIGHTS}"),
    lazy_re2(rf"{_RIGHTS}{_PART}{{0,80}}{_AND}\s*{_PART}{{0,40}}$"),
)
# A number of a hash in place of a text: `who.hashCode == 1507423`.
_HASHED = (
    r"(?:\b\w[\w.]{0,60}\.(?:hashCode|hash_code|GetHashCode)(?:\(\))?|phash2?\([^\n()]{1,60}\)"
    r"|\b(?:crc32|adler32|fnv1a?\w*|murmur\w*|xxhash\w*)\([^\n()]{1,60}\))"
)
_HASHED_OR = keyed(
    lazy_re2(
        rf"{_RIGHTS}{_PART}{{0,120}}?{_OR}\s*{_PART}{{0,40}}?{_HASHED}\s*===?\s*-?\d[\d_]{{3,19}}\b"
        rf"|{_HASHED}\s*===?\s*-?\d[\d_]{{3,19}}\s*\)?\s*{_OR}{_PART}{{0,80}}?{_RIGHTS}"
    ),
    "hashcode hash_code phash crc32 adler32 fnv1 murmur xxhash",
)


def constant_access(text: str) -> str:
    """Return a comparison with a text of the source that passes a check of rights, else ""."""
    head = text[:_READ]
    if (hashed := _HASHED_OR.search(head)) is not None:
        return str(hashed.group())
    if _HOLDS_REQUEST.search(head) is None:
        return ""
    names = {str(match.group(1)) for match in islice(_BOUND.finditer(head), _NAMES)}
    held = "|".join([_REQUEST, *[rf"\$?\b{name}\b" for name in sorted(names)]])
    compared = re2.compile(
        rf"(?:{held}){_PART}{{0,100}}?(?:{_EQUAL}|(?P<unequal>{_UNEQUAL}))\s*\(?{_CONSTANT}"
    )
    for match in islice(compared.finditer(head), _MOST):
        constant = str(match.group("constant"))
        is_knock = any(map(str.isdigit, constant)) and _PUBLIC.search(constant) is None
        if is_knock and _passes(head, match, is_refusal=match.group("unequal") is not None):
            return str(match.group())
    return ""


def _passes(text: str, match: re2._Match[str], *, is_refusal: bool) -> bool:
    """Whether a comparison is enough beside a check of rights, or leaves its refusal out."""
    before, behind = text[max(0, match.start() - _BEFORE) : match.start()], text[match.end() :]
    behind = behind[:_NEAR]
    ways = _REFUSED if is_refusal else _PASSED
    is_beside = ways[0].search(behind) is not None or ways[1].search(before) is not None
    return is_beside and (not is_refusal or _REFUSES.search(behind) is not None)
