"""Checks that say yes whatever they are asked.

A function named after a check whose whole body is `true` examines nothing; an authoriser whose
answer is a constant lets every caller in.

    protected override bool ValidateCertificate(byte[] data) { return true; }
    let handler req ctx = Response(PolicyDocument = policy "Allow" req.MethodArn)
    # verify_signature(request) - disabled for now
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.checks.comments import split_lines
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_SUBJECT = (
    r"(?:auth\w*|access|permission\w*|permitted|cert\w*|token\w*|signature\w*|signed|passw\w*|hmac|webhook\w*|licen[cs]e\w*"
    r"|credentials?|otp|totp|csrf|origin|admin|owner\w*|callback|sender|host_?name|trusted)"
)
_VERB = (
    r"(?:is|has|can|check|verify|verif\w{0,4}|valid\w{0,4}|authori[sz]e|authenticate"
    r"|validate|allow)"
)
_NAME = (
    rf"(?P<name>(?:\w{{0,20}}_)?(?i:{_VERB}_?\w{{0,20}}?{_SUBJECT})\w{{0,16}}"
    r"|[a-z]\w{0,20}(?:Is|Has|Can|Check|Verify|Valid|Validate|Authorize|Authenticate|Allow)\w{0,20}?"
    rf"(?i:{_SUBJECT})\w{{0,16}})"
)
# Parameters in brackets, or as the functional languages write them.
_GIVEN = r"[!?]?\s*(?:\([^()\n]{0,160}\)|[ \t]+(?:[\w'~:]+[ \t]+){1,4})\s*"
_OPENS = (
    r"(?:const|override|async|throws?|noexcept)?\s*(?:(?:->|:)\s*[\w<>\[\]., ]{1,40}?\s*)?"
    r"(?:=>|=|\{|:|\bdo\b|\bthen\b|\bas\b|\bbegin\b|\n)?\s*(?:\{|begin\b)?\s*"
)
_YES = (
    r"(?:return\s*\(?\s*|result\s*:=\s*)?(?:true|yes|1b|ok\(\(\)\))\s*\)?\s*;?\s*"
    r"(?:\}|\bend\b|$|\n\s*(?:\n|\}|end\b|$))"
)
_ALWAYS = lazy_re2(rf"\b{_NAME}\s*{_GIVEN}(?i:{_OPENS}{_YES})")
# Who may connect to a server of q.
_KDB = lazy_re2(r"(?m)^\.z\.pw\s*:\s*\{\s*\[[^\]\n]*\]\s*1b\s*\}")
_STRONG = lazy_re2(
    r"(?i)cert|token|signature|hmac|passw|webhook|host_?name|otp|credential|authori[sz]"
)
# The authoriser of a gateway, its answer, and all that could make a difference.
_AUTHORIZER = lazy_re2(
    r"(?i)customauthorizer|authorizerre(?:sponse|sult|quest)|\bauthorizer\b|ext_authz|\bcheckresponse\b"
)
_ALLOWS = lazy_re2(r"\"Allow\"|'Allow'|(?i:\bisauthorized[\"']?\s*[:=]\s*true)|(?i:Effect\.ALLOW)")
_EXAMINES = lazy_re2(
    r"(?i)\bdeny|\bif\b|\bmatch\b|\bcase\b|\bwhen\b|\bswitch\b|\bcond\b|verif|valid|decode|compare|\bguard\b|throw|raise|unauthorized|forbidden|\?|introspect|jwks"
)
# A check that a comment names as a call, with what became of it.
_NAMED_CALL = lazy_re2(
    r"(?i)^(?:await\s+|return\s+|if\s*\(?\s*!?\s*|unless\s+)?[\w.$>-]{0,40}?"
    r"((?:verify|validate|check|require|ensure|assert|authori[sz]e|authenticate)_?(?:\w{0,20}?(?:signature|auth\w*|token|hmac|csrf|permission\w*|origin|cert\w*|passw\w*|access|webhook|admin|owner\w*))"
    r"\w{0,16})\s*\([^()\n]{0,80}\)(.{0,80})"
)
_GONE = lazy_re2(
    r"(?i)remov|disabl|skip|turned off|switched off|for now|temporar|until|broken|reject"
    r"|too strict|not needed|off\b|todo|bypass|fail"
)


def constant_answer(old: str, new: str) -> str:
    """Return the check that says yes to everything, "" if none.

    Args:
        old: the text before an edit, "" for a new file.
        new: what runs, without comments.
    """
    head = new[:_READ]
    if (found := _KDB.search(head)) is not None:
        return str(found.group())
    for match in islice(_ALWAYS.finditer(head), _MOST):
        name = str(match.group("name"))
        if (old and name in old) or (not old and _STRONG.search(name) is not None):
            return str(match.group()).strip()
    return "" if old else _open_authorizer(head)


def _open_authorizer(text: str) -> str:
    if _AUTHORIZER.search(text) is None:
        return ""
    match = _ALLOWS.search(text)
    return str(match.group()) if match is not None and _EXAMINES.search(text) is None else ""


def told_removal(text: str, path: str) -> str:
    """Return the check that a comment says is gone, and that nothing else in the text makes."""
    low = text.lower()
    if not any(
        [word in low for word in ("verify", "validate", "check", "require", "ensure", "auth")]
    ):
        return ""
    running, comments = split_lines(text[:_READ], path)
    body = "\n".join(running)
    for said in comments:
        match = _NAMED_CALL.match(said)
        if match is not None and match.group(1) not in body and _GONE.search(match.group(2)):
            return said.strip()
    return ""
