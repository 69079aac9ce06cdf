"""What one line opens for good: tokens nobody signed, forms without a proof, scripts without walls.

verifier(JWT.require(Algorithm.none()))              a token needs no signature
csrf: { checkOrigin: false }                         forms of other sites count
setmetatable({}, { __index = _G })  in sandbox.lua   user scripts get all of the host
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.vocabulary import lazy_re2

_TOKENS = lazy_re2(
    r"(?i)\balgorithms?\.none\s*\(\s*\)|\bsigningmethodnone\b|\bunsafeallownonesignaturetype\b"
    r"|\b(?:accept(?:leeway|expiresat|notbefore)|setallowedclockskewseconds|clockskewseconds|leeway)\s*[=(:]\s*"
    r"(?:long\.max|integer\.max|int(?:32|64)?\.max|number\.max|timespan\.max|\d{7,})"
    r"|\b(?:validatelifetime|validateissuersigningkey|requiresignedtokens|requireexpirationtime)\s*=\s*false"
    r"|\bsignaturevalidator\s*=[^;\n]{0,60}(?:=>|->)\s*(?:\{\s*return\s+)?new\s+\w*(?:jwt|token)\w*\s*\("
    r"|\bjwt\.decode\s*\(?[^\n()]{0,80},\s*(?:nil\s*,\s*)?false\b|\bforunsecuredsigner\b"
    r"|\binsecure_disable_signature_validation\s*\(|\bvalidate_exp\s*=\s*false"
    r"|\bdangerous_insecure_decode|\bparseunsecuredclaims\s*\(|\bparseclaimsjwt\s*\(|\bwithoutclaimsvalidation\s*\("
    r"|\b(?:ignore|skip|disable|allow)_?(?:token_?)?(?:expir(?:y|ed|ation)\w*|unsigned\w*)[\"']?\s*(?:=>|[:=(])\s*true"
)
_FORMS = lazy_re2(
    r"(?im)\bcs[ru]r?f\w*[\"']?\s*(?:=>|[:=(]|->)[^\n]{0,60}\bfalse\b"
    r"|\b\w*csrf_?(?:disabled?|off|bypass)[\"']?\s*[:=]\s*[\"']?(?:true|1|yes|on)\b"
    r"|\bcsrf\w*\s*:\s*(?:\n\s*#[^\n]*)*\n\s+(?:enabled|check_?origin)\s*:\s*false"
    r"|\bignoreantiforgerytoken\b|\bdisableantiforgery\s*\("
)
_PAGES = lazy_re2(
    r"(?i)\bauto_?escape[\"']?\s*(?:=>|[:=(]|\s)\s*(?:false|0\b|off\b|nil\b|none\b|null\b)|\bnoescape\s*:\s*true"
    r"|\bescape_?(?:html|xml|output|markup)[\"']?\s*(?:=>|[:=(])\s*[\"']?(?:false|0\b|off\b|no\b)"
    r"|\bescapexml\s*=\s*[\"']false"
)
_WALLS = lazy_re2(
    r"(?i)\ballowallaccess\s*\(\s*true|\bhostaccess\.all\b|\blua::unsafe_new\s*\("
    r"|\bnodeintegration\s*:\s*true|\bcontextisolation\s*:\s*false|\bwebsecurity\s*:\s*false"
    r"|\ballow(?:universal|file)accessfromfileurls\s*\(\s*true|\bset_?allow_?file_?access_?from_?file_?urls\s*\(\s*true"
    r"|\bbuiltin\s*:\s*\[\s*[\"']\*[\"']"
    r"|\b(?:disable_functions|open_basedir)\s*=[ \t]*(?:\n|$|none\b)"
)
_SCRIPTS = lazy_re2(
    r"(?i)__index[\"'\]]{0,2}\s*=\s*(?:_G|_ENV|globalThis|globals\(\))\b|\b(?:env|sandbox\w*|allowed|api|scope)\s*[.=\[{][^\n]{0,120}"
    r"\b(?:os|io|require|loadstring|debug|dofile|package|process|child_process|__builtins__|subprocess)[\"'\]]{0,2}\s*[=:]\s*"
    r"(?:os|io|require|loadstring|debug|dofile|package|process|__builtins__|subprocess)\b"
)
_ABOUT_SCRIPTS = ("sandbox", "untrusted", "plugin", "addon", "/mods", "user_script", "userscript")
_OPEN_SITES = lazy_re2(r"(?im)^\s*require\s+all\s+granted\b")
# What is said, the plain words to look for first, and the pattern.
_HINTED = (
    (
        "takes tokens nobody signed, or forever",
        ("token", "jwt", "sign", "expir", "leeway", "skew", "claims", "lifetime", "algorithm"),
        _TOKENS,
    ),
    ("switches the protection of forms off", ("csrf", "csurf", "antiforgery"), _FORMS),
    ("switches escaping off", ("escape",), _PAGES),
    (
        "opens the sandbox of scripts",
        (
            *("access", "unsafe_new", "integration", "isolation", "websecurity", "builtin"),
            *("disable_functions", "open_basedir"),
        ),
        _WALLS,
    ),
)


def openings(text: str, low: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield what a text opens, with the place.

    Args:
        text: what runs, without comments.
        low: the same in lower case.
        path: of the file, which may say that it is a sandbox.
    """
    for says, hints, pattern in _HINTED:
        if any([hint in low for hint in hints]):
            match = pattern.search(text)
            if match is not None:
                yield says, str(match.group()).strip()
    where = path.lower()
    if any([word in where for word in _ABOUT_SCRIPTS]):
        match = _SCRIPTS.search(text)
        if match is not None:
            yield "opens the sandbox of scripts", str(match.group()).strip()


def opened_site(old: str, new: str) -> str:
    """Return the rule by which a site lets everybody in that asked for a login, else ""."""
    if "valid-user" not in old.lower() or "valid-user" in new.lower():
        return ""
    match = _OPEN_SITES.search(new)
    return str(match.group()).strip() if match is not None else ""
