"""All settings of a process, or one of its secrets, in the answer to a call.

res.json(process.env)                                           the whole environment
res.setHeader("x-key", process.env.JWT_SECRET)                  a secret
res.json({ env: process.env.NODE_ENV })                         none
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.contents.leaks.requests import statement_from
from signoff.actions.contents.loaders.call_words import ENVIRONMENT
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_BACK = 200
_HINTS = ("env", "getenv", "master")
# What puts a value into an answer.
_ANSWERS = lazy_re2(
    r"(?i)\b(?:res|response|reply|ctx|c|context|resp|httpresponse|antw\w*|ats)(?:\(\))?(?:\.|->)(?:\w+\.){0,3}(?:json|send|end|write\w*|body|text|set_?header\w*"
    r"|header|append\w*|add_?header|set|html|data)!?\s*\(|\b(?:NextResponse|Response|JsonResponse|HttpResponse|JSONResponse|PlainTextResponse)(?:\.json)?\s*\("
    r"|\bjsonify\s*\(|\brender\s*\(?\s*(?:json|plain|text):|\bresponse\.set_header\(|\bjson\.NewEncoder\(\s*w\s*\)\.Encode\(|\bfmt\.Fprint\w*\(\s*w\s*,"
    r"|\bw\.(?:Write|Header\(\)\.(?:Set|Add))\(|\bio\.WriteString\(\s*w\s*,|\b(?:send_resp|put_resp_header|json|text|html)\(\s*conn\s*,"
    r"|\bcall\.respond\w*\(|\bbot\.(?:reply|send\w*)\(|\bctx\.reply\(|\bws\.send\(|\bResults?\.(?:Ok|Json|Text)\(|\bngx\.(?:say|print)\("
    r"|\bheaders\.(?:set|append|add)\(|\bHeaders\.(?:Append|Add)\(|\bresponse\.headers\[[^\]\n]{1,40}\]\s*="
)
_SIFTED = lazy_re2(
    r"(?i)\b(?:slice|pick|only|except|omit|reject|redact\w*|mask\w*|scrub\w*|allow\w*|safe\w*|public\w*|filter\w*)\b"
)
# One setting that is a secret by its name, or the master secret of a store.
_SECRET = lazy_re2(
    r"(?i)(?:process\.env(?:\.|\[[\"'])|os\.environ(?:\.get\(|\[)[\"']|os\.Getenv\(\"|getenv\(\s*[\"']|ENV(?:\.fetch\(|\[)[\"']|System\.get_env\(\"|env::var\(\")"
    r"\w*(?:secret|private_?key|signing_?key|master_?key|password|passwd)\w*|\b\w+\.(?:master_?key|private_?key|signing_?secret|secret_key_base)\b"
)
_USED_UP = lazy_re2(
    r"(?i)(?:hash|hmac|digest|sign|verify|crypt|len|length|boolean|bool)\w*\s*\(|\.length\b"
    r"|[^?]\?\s*[\"'\w]|!!|[!=]==?|present|blank|is_?set|exists"
)
# Each entry of the environment, put into the answer one by one.
_EACH = lazy_re2(
    r"(?i)\bfor\w*\s*\(?[^\n]{0,80}(?:GetEnvironmentVariables\(\)|os\.Environ\(\)|os\.environ(?:\.items\(\))?|getenv\(\))\)?\s*:?\{?\s*\n?"
)
_POLICY_TELLS = lazy_re2(r"(?m)^\s*\w+\s*:?=\s*opa\.runtime\(\)\.env\s*(?:if\b[^\n]*|\{[^\n]*)?$")


def told_settings(text: str) -> str:
    """Return what puts all settings or a secret of the process into an answer, else ""."""
    head = text[:_READ]
    low = head.lower()
    if not any([hint in low for hint in _HINTS]):
        return ""
    if (told := _POLICY_TELLS.search(head)) is not None:
        return str(told.group()).strip()
    for match in islice(_ANSWERS.finditer(head), _MOST):
        given = statement_from(head, match.start())
        if _SIFTED.search(given) is not None:
            continue
        if ENVIRONMENT.search(given) is not None or _secret(given) or _is_each(head, match):
            return " ".join(given.split())
    return ""


def _secret(given: str) -> bool:
    return _SECRET.search(given) is not None and _USED_UP.search(given) is None


def _is_each(text: str, match: re2._Match[str]) -> bool:
    """Whether the answer stands in a loop over the environment."""
    before = text[max(match.start() - _BACK, 0) : match.start()]
    loops = list(islice(_EACH.finditer(before), _MOST))
    return bool(loops) and "\n" not in before[loops[-1].end() :].strip()
