"""Checks that stood in the old text of an edit and do not run in the new one.

Frameworks of all languages name their checks; a class of them is counted in both texts, so one
that moved or got another name of the same class is still there. A line that became a comment is
gone. Where the code behind the check goes with it, nothing is left to guard.

    AUTHORITY-CHECK OBJECT 'Z_PAY'            -> * AUTHORITY-CHECK OBJECT 'Z_PAY'
    public with sharing class Claims          -> public without sharing class Claims
    (wrap-anti-forgery {:strategy s})         -> nothing, with the rest of the chain
    halt 401 unless secure_compare(mine, sent) -> warn "differs" unless mine == sent
"""

from __future__ import annotations

import re

from signoff.actions.contents.checks.comments import split_lines
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters of each text
_VERB = r"(?:requires?|ensure|checks?|verify|verifies|validates?|assert|enforce|must)"
# The strictest first: a check of rights is one of the caller as well.
_RIGHTS = (
    r"\bauthority-check\s+object|\bwith\s+sharing\b|\bwith\s+(?:user_mode|security_enforced)\b|accesslevel\.user_mode"
    r"|\bstripinaccessible\b|\bis(?:accessible|updateable|createable|deletable)\s*\(|\bhas(?:any)?(?:role|authority|scope)s?\b"
    r"|\bhasipaddress\b|\bdenyall\b|\bpre_?authorize\b|\bpost_?authorize\b|\broles?_?allowed\b|\buse_?guards\b"
    r"|\brequire_?(?:roles?|policy|permissions?|scopes?|admin\w*|owner\w*|claims?)\b|\bdeny_?access_?unless_?granted\b"
    r"|\bis_?granted\b|\bgate::(?:authorize|allows|denies|check|any)\b|->authorize(?:resource)?\s*\(|\bauthorize!"
    r"|\babort_(?:unless|if)\b|\bcurrent_user_can\b|\bcan:\w|\brole:\w|\brow\s+level\s+security\b|\bcreate\s+policy\b"
    rf"|\b{_VERB}[_-]?(?:\w{{0,16}}[_-])?(?:roles?|permissions?|scopes?|admin\w*|owner\w*|access|privileges?|rights?|tenant)\b"
    r"|\bis_?authorized\b|\bhas_?permissions?\b|\bhas_?any_?(?:role|permission)\b|\brequires?role\b|\bpolicy_?scope\b"
    r"|@(?:hasrole|has_role|roles|permissions?|acl|access_control)\b|\bload_and_authorize_resource\b|\bdbms_rls\.add_policy\b"
)
_CALLERS = (
    r"\bwrap-(?:auth\w*|authorization|access-rules|restricted|basic-auth\w*|token|jwt)[\w-]*"
    r"|\bplug\s*\(?\s*:(?:require|ensure|auth|verify|protect|fetch_current_user)\w*|\bplug\s*\(?\s*[\w.]*(?:auth|guardian|bearer|basicauth)\w*"
    r"|:require_\w+|\bon_mount\b[^\n]{0,60}:ensure\w*|\bmiddleware\s*\(\s*\[?[\"'](?:auth|verified|signed|password\.confirm)[\w:,.]*"
    r"|\bpassport\.authenticate\b|\brequire_?(?:log_?in|auth\w*|session|user|signed_?in|mfa|2fa|otp)\b"
    rf"|\b{_VERB}[_-]?(?:\w{{0,16}}[_-])?(?:auth\w*|logged_?in|mfa|2fa|otp|totp|credentials?|api_?key|jwt)\b"
    r"|\b(?:verify|require|must)[_-]?(?:\w{0,16}[_-])?(?:login|token|session|identity|pin|expir\w*)\b"
    r"|\(restrict\s|\bauth\w*:\w+\s*\(|(?-i:\brequire[A-Z][a-z]+\w*)"
    r"|\b(?:exit|halt|abort|error|status|sendstatus|senderror|respond\w*|writeheader|response_code|status_code)\W{1,3}(?:\w+\W{1,4}){0,6}40[13]\b"
    r"|\bauth\.\w*required\b|\w*(?:login|permission|passes_?test|access|auth)\w*mixin\b"
    r"|[:(,]\s*require_(?:[a-z]{4,20})\s*[),\]]|\bredirect\w*\W{1,4}(?:\w+/)?(?:login|sign_?in)\b"
    r"|\blogin_required\b|\bis_?authenticated\b|\.authenticated\s*\(|\bauthenticate(?:_user)?!?\s*[(\"{]|\bauthenticate_user!"
    r"|\buse(?:authentication|authorization)\s*\(|\brequire_?authorization\s*\(|\bbasic_?auth\w*|\bjwt_?auth\w*"
    r"|\bmiddleware\.(?:jwt|basicauth|keyauth)\w*|\brequires_?authentication\b|\bauthprotect\b|\badmin_?auth\b|\bhttp_basic_authenticate_with\b"
    r"|\bauth_?basic\b|\bauth_?request\b|\bvalid-user\b|\brequireauthorizationlayer\b|\bvalidaterequestheaderlayer\b"
)
_SIGNATURES = (
    r"\bsecure_?compare\b|\bhash_equals\b|\bfixed_?time_?equals\b|\bmessagedigest\.isequal\b|\bhmac\.equal\b|\bconstant_?time_?(?:compare|eq\w*)\b"
    r"|\b(?:crypto|sodium|openssl|timing\w*)_?memcmp\b|\btiming_?safe_?(?:equal|eql|compare)\w*|\bcompare_?digest\b|\bct_eq\b"
    r"|\bconstruct_?event\b|\bwebhooks?\.(?:construct|verify|unwrap)\w*"
    rf"|\b{_VERB}[_-]?(?:\w{{0,16}}[_-]?)?(?:signature|hmac|mac|digest|checksum|webhook|request_?signature|sender|origin|callback|ipn|caller|source_?ip)\b"
    r"|\bjwt_?verify\b|\bjwt::decode\b|\bjwt\.(?:parse|decode|verify)\b|\bparse_?with_?claims\b|\bparse_?(?:claims_?jws|signed_?claims)\b|\bverify_?id_?token\b"
    r"|\bdecode_and_verify\b|\bopenssl_verify\b|\bverify_?(?:message|header|payload)\b|\bgpg2?\s+--verify\b|\bsha\d{3}sum\s+(?:-c|--check)\b|\bcosign\s+verify\b|\bed25519_?verify\w*"
    r"|\bcrypto\.verify\b|\bpublic_?key:verify\b|\bverify_?(?:rsa|ecdsa|ed25519)\w*"
)
_FORMS = (
    r"\bwrap-(?:anti-forgery|csrf)[\w-]*|\bprotect_from_forgery\b|\bverify_?csrf\w*|[\"':]csrf[\"']?(?:\s*[,\]}]|$)|@csrf\b|\bcsrf_(?:token|field|meta_tags)\b"
    r"|\bcsrf_?protect\w*|\bcsrf\.protect\b|\bnosurf\b|\bcsurf\s*\(|\b(?:auto)?validate_?anti_?forgery_?token\b|\buseantiforgery\s*\(|\bis_?csrf_?token_?valid\b"
    r"|\bwp_verify_nonce\b|\bcheck_(?:admin|ajax)_referer\b|\bcsrf(?:middleware|filter|guard|_?middleware|_?filter)\b|\bcheckcsrf\w*|\brequirecsrf\w*"
    r"|\bantiforgery\.validate\w*|\bcaptcha_?(?:verify|check|valid)\w*|\bverify_?(?:re)?captcha\w*"
)
_WALLS = (
    r"\b\w*sandbox\w*\b|\bsecureastcustomizer\b|\bsimpleevaluationcontext\b|\bjexlpermissions\b|\binitsafestandardobjects\b|\brestrictedpython\b"
    r"|\bliteral_eval\b|\bno_?new_?privileges\b|\bhostaccess\.none\b|\bsetfenv\b|\bclassfilter\b|\bhtml_?purifier\b|\bdompurify\b|\bsanitize_?html\b"
)
_LIMITS = (
    r"\bwrap-rate-limit[\w-]*|\bthrottle:\w|\b(?:express)?ratelimit(?:er|ing)?\w*\s*\(|\b@?throttle\s*\(|\brate_?limit\w*|\bbucket4j\b|\brack::attack\b"
    r"|\bmax_?(?:attempts|failures|tries)\b|\block_?out\w*|\bfail2ban\b"
)
_CLASSES = (
    ("rights", lazy_re2(rf"(?i){_RIGHTS}")),
    ("callers", lazy_re2(rf"(?i){_RIGHTS}|{_CALLERS}")),
    ("signatures", lazy_re2(rf"(?i){_SIGNATURES}")),
    ("forms", lazy_re2(rf"(?i){_FORMS}")),
    ("sandboxes", lazy_re2(rf"(?i){_WALLS}")),
    ("limits", lazy_re2(rf"(?i){_LIMITS}")),
)
_HINTS = (
    *("auth", "jwt", "check", "verif", "valid", "csrf", "csurf", "forgery", "role", "permission"),
    *("user_mode", "secur", "compare", "equal", "memcmp", "sandbox", "limit", "throttl", "require"),
    *("ensure", "assert", "enforce", "gran", "guard", "policy", "can:", "abort_", "accessible"),
    *("token", "nonce", "referer", "webhook", "event", "denyall", "must", "purif", "fenv"),
    *("valid-user", "sharing", "40", "restrict"),
)  # fmt: skip
# What switches a check off stands before it: `skip_before_action :verify`, `without sharing`.
_OFF_BEFORE = lazy_re2(
    r"(?i)(?:skip|disable|without|bypass|no|not|ignore|exempt)[_ :-]{0,2}\w{0,12}\W{0,2}$"
)
_OFF_BEHIND = lazy_re2(
    r"(?i)^[\w.]{0,12}[\"']?\s{0,3}(?:[:=(]|=>)\s{0,3}(?:false|off|none|0|disabled?)\b|^[.(]{0,2}disable"
)
# What refuses somebody: more of it than before is another way to check.
_REFUSES = lazy_re2(
    r"(?i)\b40[13]\b|forbidden|unauthori[sz]ed|\bdeny\b|\bdenied\b|\braise\s"
    r"|\bthrow\s|\babort\s*\(|\breject|name: [\"']login"
)
_CHECKING = lazy_re2(
    r"(?i)\b((?:verify|validate|check|require|ensure|enforce|authori[sz]e|assert|guard)\w*)\s*[(!]"
)
# What begins like a demand on a caller and is one on a value or a module.
_NO_CHECKS = (
    *("requirenonnull", "requirenotnull", "requirenonempty", "requirecontext", "requiremodule"),
    *("requirejs", "requireall", "requireindex", "requirefrom", "requirenative", "requireversion"),
)
_SHOWN = lazy_re2(
    r"(?i)\b(?:log(?:ger)?|console|print\w*|debug|import|include|using|require|use)\b[\s.(\"']"
)
_ABOUT_CHECK = lazy_re2(
    r"(?i)auth|permi|\broles?\b|signature|verif|valid|csrf|captcha|passw|\botp|\bmfa|hmac|secur|forbid|denied|sanit|escap|sandbox"
    r"|\bguard|\bcheck|throttl|rate_?limit|protect|restrict|allowed|raise|throw|\b40[13]\b|reject|assert"
)
_ENOUGH = 6  # letters of a line that says something


def dropped_check(old: str, new: str, path: str) -> str:
    """Return the check that an edit takes out of running code, "" if none."""
    low = old[:_READ].lower()
    if not any([hint in low for hint in _HINTS]):
        return ""
    was, _ = split_lines(old[:_READ], path)
    now, said = split_lines(new[:_READ], path)
    before, after = "\n".join(was), "\n".join(now)
    if len(_REFUSES.findall(after)) > len(_REFUSES.findall(before)):
        return ""
    for name, checks in _CLASSES:
        found = _counted(checks, before)
        if name not in ("rights", "callers") and _other_checks(before, after):
            continue
        if found and len(found) > len(_counted(checks, after)) and _is_left(was, now, checks):
            gone = [one for one in found if one.lower() not in after.lower()]
            return (gone or found)[0].strip()
    return _commented(was, now, said)


def _counted(checks: re.Pattern[str], text: str) -> list[str]:
    """The checks of a class in a text, without those that something switches off."""
    return [
        str(match.group())
        for match in checks.finditer(text)
        if not str(match.group()).lower().startswith(_NO_CHECKS)
        and _OFF_BEFORE.search(text[max(0, match.start() - 20) : match.start()]) is None
        and _OFF_BEHIND.search(text[match.end() : match.end() + 24]) is None
    ]


def _other_checks(before: str, after: str) -> bool:
    """Whether the new text calls a check by a name that the old one had not."""
    known = {str(one).lower() for one in _CHECKING.findall(before)}
    return any([str(one).lower() not in known for one in _CHECKING.findall(after)])


def _is_left(was: list[str], now: list[str], checks: re.Pattern[str]) -> bool:
    """Whether what the check stood before is still there, or nothing but checks was there."""
    kept = {_bare(line) for line in now}
    rest = [line for line in was if checks.search(line) is None and _says(line)]
    if not rest:
        return True
    return any([_bare(line) in kept for line in rest]) or any([_says(line) for line in now])


def _commented(was: list[str], now: list[str], said: list[str]) -> str:
    """Return a line about a check that stands in a comment now, and nowhere else."""
    running = {_bare(line) for line in now}
    new_checks = [line for line in now if _ABOUT_CHECK.search(line) is not None and line not in was]
    if new_checks:
        return ""
    quoted = {_bare(line) for line in said}
    for line in was:
        bare = _bare(line)
        is_check = _ABOUT_CHECK.search(line) is not None and _SHOWN.search(line) is None
        if is_check and bare in quoted and bare not in running:
            return line.strip()
    return ""


def _bare(line: str) -> str:
    return "".join(line.split())


def _says(line: str) -> bool:
    return sum([sign.isalpha() for sign in line]) >= _ENOUGH
