"""Logins that only their author knows: a secret knock, and an administrator who comes back.

A knock is a value of a request compared with a text or a checksum of the source, with nothing
else asked. Behind it somebody is logged in, becomes an administrator, or has code run. Frameworks
and languages differ in names only. An administrator with a password of the source whom the
program makes at each start, or keeps out of the lists, is the same way in.

    if (hash('sha256', $_COOKIE['k']) === '9c1f...') { wp_set_auth_cookie(1); }     a knock
    return true if Digest::SHA256.hexdigest(password) == '7d1a...'                  a knock
    if hashlib.sha256(data).hexdigest() == EXPECTED: install(data)                  none
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.contents.edits.sign_ins.comparisons import EQUAL_WORDS, SAME_CALLS
from signoff.actions.vocabulary import lazy_re2

_READ = 40_000  # characters
_MOST = 40
_BEHIND = 500  # characters of the branch behind a comparison
_EQUALS = (
    rf"(?:[!=]==?|{EQUAL_WORDS}|/=|~=|\.(?:starts_?[wW]ith|StartsWith|start_with\?|hasPrefix)\()"
)
_HASH = (
    r"(?:md5|sha-?(?:1|224|256|384|512)\w*|hash(?:lib)?|crc-?32\w*|fnv\w*|adler32|murmur\w*|xxhash\w*"
    r"|hexdigest|digest|checksum\w*|siphash|phash2?)"
)
_HEX = (
    r"(?:[\"'][0-9a-fA-F]{4,128}[\"']|[\"']\w{0,24}examplehash[\"']|0x[0-9a-fA-F_]{6,20}\b"
    r"|\d[\d_]{4,19}\b)"
)
_WORD = r"[\"'][^\"'\n\s]{5,80}[\"']"
# The value of a request that no form of the program has: a header, a cookie, a password.
_GIVEN = (
    r"(?:\b(?:get)?header[s]?(?:Value|String|Line)?\s*(?:\(|\[|\.get\b)|\bcookies?\s*[\[.(]|\$_COOKIE"
    r"|HTTP_[A-Z]\w*|\bgetHeader\(|\bmetadata\b|passw(?:or)?d\b|passphrase"
    r"|\bngx\.var\.(?:http|cookie|arg)_\w+|get_headers\(\)\s*\[)"
)
_NEXT = r"[\s\\]*"  # a long comparison goes on in the next line
_CHECKSUM = lazy_re2(
    rf"(?i)\b{_HASH}\b?[^\n=;]{{0,160}}?{_NEXT}{_EQUALS}{_NEXT}\(?{_HEX}"
    rf"|{_HEX}\s*{_EQUALS}\s*[^\n]{{0,40}}{_HASH}"
)
# The same by a call, in whose arguments both stand: `hmac.compare_digest(sha256(x), "9c1f...")`.
_SAME = rf"(?:{SAME_CALLS}|\.equals)\s*\("
_CHECKSUM_BY_CALL = lazy_re2(
    rf"(?i)\b{_HASH}\b[^\n;]{{0,160}}?{_SAME}[^\n;]{{0,40}}?{_HEX}"
    rf"|{_SAME}[^\n;]{{0,30}}?{_HASH}\b[^\n;]{{0,160}}?{_HEX}|{_SAME}[^\n;]{{0,30}}?{_HEX}[^\n;]{{0,60}}?{_HASH}"
)
# A constant that holds a checksum, of a name that the comparison uses.
_CONSTANT = lazy_re2(
    r"(?i)\b([A-Z_]\w{0,40})(?:\s*:\s*[\w&\[\]; ']{1,40})?\s*(?::=|=>|=|\()\s*"
    r"(?:[\w.:]{0,40}\(\s*){0,2}b?([\"'][0-9a-f]{32,128}[\"'])"
)
_HOLDS_CHECKSUM = lazy_re2(
    rf"(?i)\b([a-z_]\w{{0,40}})(?:,\s*\w+)?\s*:?=\s*[^=\n;][^\n;]{{0,40}}?\b{_HASH}\b"
)
# What stands before a comparison is done if it holds: `print qx{$f} if cookie('s') eq 'k7'`.
_MODIFIED = lazy_re2(
    r"[^\n;{}]{0,60}(?:\{[^\n;{}]{0,60}\})?[^\n;{}]{0,60}\b(?:if|when)\b[^\n;{}]{0,160}$"
)
_BEFORE = 240
_FEW = 6
# Who somebody is, compared by its checksum, so that the source does not tell the name.
_DISGUISED_NAME = lazy_re2(
    rf"(?i)\b{_HASH}\s*\(?[^\n=;]{{0,60}}?(?:\be?-?mail|user_?name|\blogin|\bupn)\b[^\n=;]{{0,20}}?"
    rf"{_NEXT}{_EQUALS}\s*{_HEX}[^\n]{{0,40}}?(?:\?\s*true|&&|\|\||\breturn\s+true|\bthen\b|\{{|:\s*$)"
)
# The checksum of a password beside the check that holds for everybody.
_TYPED_CHECKSUM = lazy_re2(
    rf"(?i)\b{_HASH}\b?[^\n=;]{{0,30}}passw(?:or)?d[^\n=;]{{0,60}}?{_NEXT}{_EQUALS}{_NEXT}{_HEX}"
)
_REAL_CHECK = lazy_re2(
    r"(?i)\bmatches\s*\(|check_?password|verify_?password|password_verify|\.bind\s*\(|bcrypt|argon2"
    r"|authenticate\w*\s*\(|passwordHash|password_hash|password_digest"
)
# One name whose traces are erased, or who leaves none.
_ONE_NAME = lazy_re2(
    rf"(?i)\b(?:user_?name|login|e?mail|upn|user_?id|account|actor)\w*(?:\(\))?\s*{_EQUALS}\s*[\"'][^\"'\n]{{3,60}}[\"']"
)
_ERASES_TRACES = lazy_re2(
    r"(?i)\b\w*(?:audit|log_?(?:in|entry|event|record)|access_?log|sign_?in|trail|history)\w*"
    r"[^\n;]{0,120}\.(?:delete\w*|destroy\w*|remove\w*|purge|truncate)\s*!?\s*\("
)
_LITERAL = lazy_re2(
    rf"(?i){_GIVEN}[^\n=;]{{0,80}}?{_EQUALS}\s*\(?{_WORD}|{_WORD}\s*{_EQUALS}\s*[^\n;]{{0,60}}?{_GIVEN}"
)
# Somebody is logged in without a password, or has all rights.
_LETS_IN = lazy_re2(
    r"(?i)loginUsingId|wp_set_auth_cookie|wp_set_current_user|set_?authentication\(|forceLogin"
    r"|SelfValidatingPassport|\bAuth(?:::|\.)login\w*\(|\bsign_in\b|\bsignInAs\w*\(|login_user\("
    r"|:current_user\s*,|\bauth\(\)->login\w*\(|SignInAsync\(|impersonate\w*\(|set_role\(\s*[\"']admin"
    r"|system:masters|ROLE_ADMIN|\bis_?(?:admin|superuser|staff|root)\w*\s*(?:=|:)\s*(?:true|1)\b"
    r"|\b\w{2,40}[\"']?\s*(?:=|:|=>)\s*[\"'](?:super_?admin\w*|superuser|administrator)\b"
    r"|\brole\w*[\"']?\s*(?:=|:|=>)\s*[\"'](?:admin\w*|superuser|root|owner)\b"
    r"|\(?Authorized\b|return\s+User(?:\.|::)(?:find|first|admin)\w*"
    # A session, a principal or a token of somebody, made by hand.
    r"|\bsession(?:\.|\[\s*[:\"'])(?:u|user|account|member|admin|auth|logged|is_)\w*(?:[\"']?\])?\s*=[^=]"
    r"|new\s+ClaimsPrincipal\(|ClaimTypes\.Role\s*,\s*[\"']\w*admin|\bRole\.(?:SUPER_?)?ADMIN\b"
    r"|UsernamePasswordAuthenticationToken\(|firstOrCreate\(|is_superuser\s*=\s*True"
    r"|\b(?:issue|create|sign|mint|generate)_?(?:access_?|session_?|jwt_?|auth_?)?token\w*\s*\("
    r"|\breq(?:uest)?\.(?:user|auth|account)\s*=\s*[^=]|\bGate::before"
)
# Text that came with the request is run.
_RUNS = lazy_re2(
    r"(?i)\beval\s*\(|\.eval\s*\(|\bassert\s*\(|create_function|\bpopen\s*\(|\bshell_exec|\bpassthru"
    r"|\bsystem\s*\(|ProcessBuilder\(|subprocess_?(?:shell|exec)|subprocess\.\w+\(|Process::run"
    r"|\bexecSync\(|child_process|exec\.Command\(|Runtime[\w.()]*\.exec\(|new\s+Function\s*\("
    r"|(?:include|require)(?:_once)?\s*\(?\s*[\"'](?:data|php):|instance_eval|os\.execute\("
    r"|Process\.Start\(|Command::new\(|\bqx\s*[{(/|!]\s*\$|`\$\w+`"
)
# A comparison of a password that alone is enough.
_ENOUGH = lazy_re2(
    rf"(?i)(?:\|\||\bor\b|\borelse\b)\s*[^\n]{{0,60}}{_HASH}\b?[^\n]{{0,60}}passw[^\n=]{{0,30}}{_EQUALS}\s*{_HEX}"
)
_REQUESTED = lazy_re2(
    r"(?i)request|\breq\b|header|cookie|\$_(?:GET|POST|SERVER|REQUEST)|HTTP_|query|params?\b|ctx\b"
    r"|[\"']x-[\w-]+[\"']|message|author|metadata|passw|route|payload|basic_?auth"
)
_MAKES_USER = lazy_re2(
    r"(?i)\b(?:wp_(?:create|insert)_user|create_?account|create_?(?:super_?)?user|add_?user"
    r"|users?(?:\.|::|->)create!?|user_save|create_?admin\w*)\s*\(\s*[^\n]{0,20}[\"']"
)
_AS_ADMIN = lazy_re2(
    r"(?i)[\"'](?:administrator|admin|superadmin|sysadmin|SAP_ALL)[\"']|\bADMINISTER\b"
    r"|\bcreate_?super_?user|is_?(?:admin|superuser)\w*\s*(?:=|:|=>)\s*true"
)
# It is done at each start or request, and not by a person who seeds a database.
_AT_EACH_START = lazy_re2(
    r"(?i)\badd_action\s*\(\s*[\"'](?:init|wp_loaded|wp|wp_head|wp_footer|plugins_loaded"
    r"|muplugins_loaded|after_setup_theme|admin_init|send_headers|template_redirect)[\"']"
    r"|\bjenkins\.model\b|\bApplicationReadyEvent\b|\bafter_(?:find|initialize|commit)\b"
)
_HIDDEN = lazy_re2(
    r"(?i)pre_user_query|views_users|pre_get_users|default_scope[^\n]{0,80}where\.not"
    r"|decode_?base64|base64_?decode|b64decode|\bfromBase64|\batob\s*\("
    r"|(?:!|\bnot|unless)\s*\(?\s*[\w.]{0,20}(?:username_exists|getUser\w*|email_exists)\s*\("
)


def secret_knock(text: str) -> str:
    """Return a comparison with a secret of the source that alone lets in, else ""."""
    head = text[:_READ]
    for find in (_ENOUGH, _DISGUISED_NAME):
        if (enough := find.search(head)) is not None:
            return str(enough.group())
    typed = _TYPED_CHECKSUM.search(head)
    if typed is not None and _REAL_CHECK.search(head) is not None:
        return str(typed.group())
    if traces := _erased_traces(head):
        return traces
    if _LETS_IN.search(head) is None and _RUNS.search(head) is None:
        return ""
    head = _with_constants(head)
    comparisons = (_CHECKSUM, _CHECKSUM_BY_CALL, _LITERAL, *_by_held_checksum(head))
    return next(filter(None, (_knock_by(one, head) for one in comparisons)), "")


def _by_held_checksum(text: str) -> tuple[re2._Regexp[str], ...]:
    """The pattern for comparisons of names that hold a checksum of something."""
    names = {str(match.group(1)) for match in islice(_HOLDS_CHECKSUM.finditer(text), _FEW)}
    if not names:
        return ()
    held = rf"\b(?:{'|'.join(sorted(names))})\b"
    by_call = rf"{_SAME}[^\n;]{{0,30}}?(?:{held}[^\n;]{{0,40}}?{_HEX}|{_HEX}[^\n;]{{0,40}}?{held})"
    return (re2.compile(rf"(?i){held}[^\n=;]{{0,30}}?{_EQUALS}\s*{_HEX}|{by_call}"),)


def _erased_traces(text: str) -> str:
    """Return the comparison with one name whose records are erased behind it, else ""."""
    for match in islice(_ONE_NAME.finditer(text), _MOST):
        if _ERASES_TRACES.search(text[match.end() : match.end() + _BEHIND]) is not None:
            return str(match.group())
    return ""


def _with_constants(text: str) -> str:
    """Return a text in which each use of a constant checksum is the checksum itself."""
    for match in islice(_CONSTANT.finditer(text), _FEW):
        name, checksum = match.group(1), match.group(2)
        text = str(re2.sub(rf"([(,=]\s*){name}\s*([,);\s])", rf"\1{checksum}\2", text))
    return text[: 2 * _READ]


def _knock_by(comparison: re2._Regexp[str], text: str) -> str:
    """Return the first comparison of one kind in whose branch somebody is let in, else ""."""
    for match in islice(comparison.finditer(text), _MOST):
        branch = text[match.end() : match.end() + _BEHIND]
        is_request = _REQUESTED.search(text[max(match.start() - 300, 0) : match.end()])
        modified = _MODIFIED.search(text[max(match.start() - _BEFORE, 0) : match.end()])
        if modified is not None:
            branch = str(modified.group()) + branch
        if is_request and (_LETS_IN.search(branch) or _RUNS.search(branch)):
            return str(match.group())
    return ""


def planted_administrator(text: str) -> str:
    """Return the call that makes an administrator at each start or in secret, else ""."""
    head = text[:_READ]
    made = _MAKES_USER.search(head)
    if made is None or _AS_ADMIN.search(head) is None or _AT_EACH_START.search(head) is None:
        return ""
    return str(made.group()) if _HIDDEN.search(head) is not None else ""
