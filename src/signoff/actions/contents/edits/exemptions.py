"""Edits after which a check covers less: paths that are exempt, a checksum that is gone.

Which paths an application has nobody can list. That a list of exemptions of a guard grows by a
whole branch of them can be read, and so can that a pinned sum is gone while the address stays.

    validateCsrfTokens(except: ['hook']) -> (except: ['hook', 'account/*'])    "account/*"
    distributionSha256Sum=a4b4... -> nothing, with a new distributionUrl       the key
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re2

_MOST = 60
_READ = 40_000  # characters
_LIST = lazy_re2(
    r"(?i)(?:except\w*|exempt\w*|ignoring\w*|permit_?all|unless_?path|skip_?paths?|public_?(?:routes?|paths?)"
    r"|unauthenticated\w*|open_?paths?|white_?list\w*|bypass\w*)[\"']?\s*(?:=>|:=|[:=(])\s*"
    r"(?:\w+\s*)?[\[({]*(?P<list>[^\])}]{0,900})"
)
_MATCHED = lazy_re2(
    r"(?i)(?:request|ant|mvc)?_?matchers?\s*\((?P<list>[^)]{0,400})\)\s*\.\s*permit_?all"
)
_ABOUT_GUARD = lazy_re2(
    r"(?i)csrf|xsrf|auth|verif|middleware|guard|secur|permit|login|jwt|session|protect|throttl"
)
_ENTRY = lazy_re2(r"[\"']([^\"'\n]{2,120}\*)[\"']")
# What others call, or everybody may see.
_MEANT = lazy_re2(
    r"(?i)hooks?\b|callback|health|static|assets|public|docs|swagger|openapi|favicon|css|images?|metrics"
)
_PIN = lazy_re2(
    r"(?im)^[ \t>\"'-]*([\w.-]*(?:sha-?\d{1,3}\w*|check_?sum\w*|integrity|digest|hash))"
    r"[\"']?\s*[:=]+\s*[\"']?(?:sha\d{3}[-:])?[A-Za-z0-9+/=]{24,}"
)
_FETCHED = lazy_re2(r"(?i)https?\\?://|\burl\b|\bversion\b|\bsource\b")


def exempted_paths(old: str, new: str) -> str:
    """Return the first branch of paths that a list of exemptions gains, else ""."""
    head = new[:_READ]
    if _ABOUT_GUARD.search(head) is None:
        return ""
    for find in (_LIST, _MATCHED):
        for match in islice(find.finditer(head), _MOST):
            for entry in islice(_ENTRY.finditer(str(match.group("list"))), _MOST):
                path = str(entry.group(1))
                if f"{path}" not in old and _MEANT.search(path) is None:
                    return path
    return ""


def dropped_pin(old: str, new: str) -> str:
    """Return the key of a checksum that is gone while something is fetched still, else ""."""
    before = [str(match.group(1)) for match in islice(_PIN.finditer(old[:_READ]), _MOST)]
    if not before or _PIN.search(new[:_READ]) is not None or _FETCHED.search(new) is None:
        return ""
    return "" if before[0].lower() in new.lower() else before[0]
