"""Tells whether a value leaves the place that an application puts it into, or reaches from there.

is_led_to(("see ../../etc/passwd",), "path.unix-file")  ->  True
is_led_to(("see /etc/passwd",), "path.unix-file")       ->  False
begins_as_address("//evil.example is it")               ->  True
"""

from __future__ import annotations

import re
from functools import lru_cache

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.languages.brackets import closes_more_than_it_opens, is_one_group
from signoff.assess.contexts.syntax import is_prose
from signoff.assess.patterns.catalogue import catalogue

LOOKED_BACK = 80
# What every entry of a directory has.
ANYBODY = lazy_re(r"\((?:objectclass|uid|cn|mail)=\*+\)", re.IGNORECASE)
CREDENTIALS = lazy_re(r"pass|pwd|token|secret|hash|login|admin|role|key", re.IGNORECASE)
# When an account was locked or its password changed: no secret, only asked whether it is there.
STATES = lazy_re(
    r"\((?:pwdAccountLockedTime|pwdChangedTime|pwdLastSuccess|pwdLastSet|passwordExpirationTime"
    r"|krbPasswordExpiration|krbLastPwdChange|shadowLastChange)[<>]?=[*\dZ.]{1,24}\)",
    re.IGNORECASE,
)
LEADING_TO_A_FILE = lazy_re(
    r"(?:\.\.|[;|&$<>\\\0]|://)[^\s]*[ \t]?\Z|\n[ \t]*\Z|[=@]\Z|[(,=]\s*['\"]\Z"
)
# A word and a blank, and no more than one folder up between them and the name.
WORD_BEFORE = lazy_re(r"[^\W\d_]{2,}[,:]? [(\"'`]?(?:\.{1,2}[\\/]?|[A-Z]:\\?|/)?\w?\Z")
BEGINS_AS_ADDRESS = lazy_re(
    r"[\s\x00-\x20\"'<>()]*(?:(?:https?|ftp|javascript|vbscript|data|file)\s*:|[/\\?&;@%.#]|j\W{0,3}a\W{0,3}v)",
    re.IGNORECASE,
)
JOINS_PATHS = lazy_re(r"\A\s*(?:/|\*[\[/|])|\|\s*/|::|\b(?:or|and)\b", re.IGNORECASE)


@lru_cache(maxsize=512)
def is_led_to(forms: tuple[str, ...], hit: str) -> bool:
    """Return whether the match of a file pattern is really part of a path.

    Args:
        forms: decodings of the value.
        hit: the pattern's id.
    """
    patterns = catalogue().of("request")
    return any(
        LEADING_TO_A_FILE.search(form[max(0, start - LOOKED_BACK) : start + 1].rstrip("/"))
        or ".." in form[start:end]
        or "/" not in form[start:end]  # a slash that is written in a way no sentence has
        for form in forms
        for start, end in patterns.spans(hit, form)
    )


@lru_cache(maxsize=512)
def is_spoken_of(forms: tuple[str, ...], hit: str) -> bool:
    """Return whether a file or a folder above is named between the words of a text."""
    patterns = catalogue().of("request")
    spans = [(form, start) for form in forms for start, _ in patterns.spans(hit, form)]
    return bool(spans) and all(
        WORD_BEFORE.search(form[max(0, start - LOOKED_BACK) : start + 1]) for form, start in spans
    )


def begins_as_address(form: str) -> bool:
    """Return whether a browser redirected to this value would read it as a URL."""
    return BEGINS_AS_ADDRESS.match(form) is not None


def leaves_a_path(form: str) -> bool:
    """Return whether a value could break out of an XPath expression."""
    return closes_more_than_it_opens(form) or JOINS_PATHS.search(form) is not None


def leaves_a_filter(form: str) -> bool:
    """Return whether a value could break out of an LDAP filter or XPath expression."""
    plain = STATES.sub("", form)
    if is_one_group(form) and not CREDENTIALS.search(plain) and not ANYBODY.search(form):
        return False
    return closes_more_than_it_opens(form) or not is_prose(form)
