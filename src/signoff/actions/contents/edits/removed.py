"""What an edit takes away: checks that stood in the old text and do not stand in the new one.

An added line can be read by itself; a removed check shows only beside the text it stood in. Only
edits with both texts are looked at, and only words that are checks by name count.

    removed_check("@login_required\\ndef admin(", "def admin(") -> "login_required"
"""

from __future__ import annotations

from signoff.actions.contents.text import NewText
from signoff.actions.vocabulary import lazy_re2

MAX_TEXT = 1_000_000
TOO_LONG = "of a text that is too long to be compared"
_CHECKS = lazy_re2(
    r"(?i)login_required|permission_required|is_authenticated|isauthenticated|require_?auth\w*"
    r"|ensure_?auth\w*|unauthori[sz]ed|forbidden|permissiondenied|permission_classes|@authenticated"
    r"|@preauthorize|@secured|@rolesallowed|\[authorize|authorize!"
    r"|before_action :(?:auth|requir|ensure|verify|check|admin|login)\w*"
    r"|csrf_?protect\w*|verify_csrf\w*|verify_authenticity_token|check_?permissions?\b"
    r"|has_?permissions?\b|can_access|verify_signature|jwt\.verify|compare_digest|timingsafeequal"
    r"|rate_?limit\w*|throttle_classes|escape\(|sanitize\w*\(|bcrypt\w*|argon2\w*|scrypt\w*"
    r"|validate_?token|check_password\w*|\bauthenticate\(|\w*(?:auth\w*|csrf\w*|security)middleware"
    # Any call by the name of a check: `check_ajax_referer(`, `protect_from_forgery`, `crypt(pass`.
    r"|\b(?:check|verify|validate|ensure|assert|require|confirm|enforce|protect)_?\w{0,24}(?:referr?er|nonce|csrf|forgery"
    r"|signature|passw\w*|origin|captcha|ownership|_hmac|_mac)\w*|\bcrypt\s*\(\s*\$?\w*pass\w*"
    r"|@[\w.]*\b(?:requires?\w*|\w+_required|permission\w*|roles?|role_\w+|admin_only|limit|throttle\w*"
    r"|auth(?:enticated|orized?|_\w+)?|protected)\b"
)


# A statement whose values are bound, and one that is put together with the values in its text.
_BOUND = lazy_re2(r"(?i)\bexecute\w*\s*\([^\n]*(?:%s|\?|:\w+|\$\d)[^\n]*,")
_PUT_TOGETHER = lazy_re2(
    r"(?i)\bexecute\w*\s*\(\s*(?:f[\"'][^\n]*\{|[\"'`][^\n]*(?:[\"']\s*(?:\+|%\s|\.format\()|\$\{))"
)
_SKIPS = lazy_re2(r"(?i)\b(?:skip|disable|without|bypass)_?\w{0,12}$")
_REJECTS = lazy_re2(r"(?i)reject_?$")
_FALSE = lazy_re2(r"(?i)^[\"']?\s{0,3}[:=]\s{0,3}false\b")
_COMMENTS = ("//", "# ", "--", "<!--", "/*", ";;")
# `if (true || user.isAdmin)`: the name behind the constant is compared with the old text.
_ALWAYS = lazy_re2(
    r"(?i)\b(?:true\s*\|\||true\s+or\b|1\s*\|\||false\s*&&|false\s+and\b)\s*!?(?:not\s+)?([a-z_$][\w.$>:-]*)"
)
# A condition about rights or validity, and the refusal that stands behind it.
_GUARD = lazy_re2(
    r"(?i)\bif\b[^\n]*(?:hmac|equal|compare|\botp|allow|auth|verif|valid|token|permi|owner|admin|role|signature|csrf|trusted|secret"
    r"|access|forbid)[^\n]*(?:\n[^\n]*){0,2}?(?:\braise\s|\bthrow\s|\babort\s*\(|\b40[13]\b|return\s+err\b"
    r"|httpresponseforbidden|\bdeny\b)"
)
_REFUSES = lazy_re2(
    r"(?i)\braise\s|\bthrow\s|\babort\s*\(|\b40[013]\b|return\s+err\b|forbidden|\bdeny\b|\breject"
)


def _is_too_long(old: str, new: str) -> bool:
    return max(len(old), len(new)) > MAX_TEXT


def bypassed_check(old: str, new: str) -> str:
    """Return the condition that an edit makes always true, "" if none."""
    if not old or _is_too_long(old, new):
        return ""  # `removed_check` says so
    for match in _ALWAYS.finditer(new):
        if match.group(1) in old and match.group() not in old:
            return str(match.group())
    return ""


def removed_guard(old: str, new: str) -> str:
    """Return the guard that refused before an edit and no longer does, "" if none."""
    # Any refusal left in the new text may be the same guard, written in another way.
    if not old or _is_too_long(old, new) or _REFUSES.search(_running(new)):
        return ""
    match = _GUARD.search(old)
    return str(match.group()).strip().partition("\n")[0] if match else ""


def _running(text: str) -> str:
    """Leave out the lines that are comments: a check in one checks nothing."""
    if not any([mark in text for mark in _COMMENTS]):
        return text
    lines = [line for line in text.split("\n") if not line.lstrip().startswith(_COMMENTS)]
    return "\n".join(lines)


def _was_off(old: str, start: int, end: int) -> bool:
    """Tell whether what an edit removes had switched a check off, and was none."""
    before, after = old[max(0, start - 24) : start], old[end : end + 16]
    if _SKIPS.search(before) is not None:
        return True
    return _REJECTS.search(before) is not None and _FALSE.search(after) is not None


def removed_check(old: str, new: str) -> str:
    """Return the first check that an edit removes, "" if none."""
    if not old:
        return ""
    if _is_too_long(old, new):
        return TOO_LONG
    if _BOUND.search(old) and not _BOUND.search(new) and _PUT_TOGETHER.search(new):
        return "bound values of a statement"
    # A check that was moved within the edit is still there.
    kept = {match.group().lower() for match in _CHECKS.finditer(_running(new))}
    for match in _CHECKS.finditer(old):
        # `skip_before_action :verify`, `rejectUnauthorized: false`: what goes had switched it off.
        if _was_off(old, match.start(), match.end()):
            continue
        if match.group().lower() not in kept:
            return str(match.group())
    return ""


# Marks that leave out every test of a file: of a module, of a whole class.
_ALL_OUT = lazy_re2(
    r"pytestmark\s*=\s*\[?\s*(?:pytest\.)?mark\.skip\b|allow_module_level\s*=\s*True"
    r"|@(?:unittest\.)?skip\b(?:\([^)\n]*\))?[ \t]*\n[ \t]*class\s"
    # A hook of pytest that marks every test, whatever it is.
    r"|mark\.skip\b(?s:.{0,300}?)for\s+\w+\s+in\s+items\s*:\s*\w+\.add_marker\s*\("
)
# A mark that leaves one test out, and what stands where any test begins.
_OUT = lazy_re2(r"(?i)\bskip\b|\bx(?:it|describe|test)\b|@(?:Disabled|Ignore)\b|#\[ignore\]")
_ANY_TEST = lazy_re2(
    r"\W*(?:[sb]\W*)?(?:it|test|describe|context|def test_?|func Test|@Test|fn|class Test"
    r"|@pytest\.mark\.\w+|#\[test\])\W*"
)
_MANY = 5


def leaves_all_out(text: NewText) -> bool:
    """Return whether new text excludes a file's tests: all, by a pattern, or many."""
    old = text.old or ""
    if _ALL_OUT.search(text.new) and not _ALL_OUT.search(old):
        return True
    if not old:
        return False  # a new file: what its tests wait for is told where they are left out
    added = len(_OUT.findall(text.new)) - len(_OUT.findall(old))
    return added >= _MANY or (added > 0 and _ANY_TEST.fullmatch(old) is not None)
