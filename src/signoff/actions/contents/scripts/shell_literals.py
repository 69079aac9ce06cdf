"""Lines that a file of any format hands to a shell by name: `sh -c "line"`, in one value or more.

session optional pam_exec.so /bin/sh -c "auditctl -e 0"        PAM
command = "/bin/sh" \\n args = ["-c", "rm -rf /home/*"]         Nomad
mailbox_command = /bin/sh -c "cut -c7- | sh"                   Postfix

Rules of scanners, lists of what is refused and texts for people name such lines as data.
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_LONGEST = 4_000
_HINT = lazy_re2(r"sh[\"']?,?\s+[\"'\w\[=:,\s]{0,40}-\w{0,4}c\b")
_SHELL = r"(?:^|[\s\"'=|(\[{:,!+/-])(?:ba|z|da|a)?sh"
_LITERAL = r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>[^'\n]*)'"
_HANDED = lazy_re2(
    rf"(?m){_SHELL}[\"']?,?\s+(?:args\s*[=:]\s*)?\[?\s*(?:-\s+)?[\"']?-\w{{0,4}}c[\"']?,?\s+(?:-\s+)?(?:{_LITERAL})"
)
_IS_DATA = lazy_re2(
    r"(?i)\b(?:deny|denied|block(?:ed|list)?|forbid\w*|pattern|regexp?|match(?:es)?|detect\w*|signature|example|description|message|title|summary"
    r"|selection|condition|contains|startswith|prompt|docs?)\b|^\s*(?:#|//|--|;|<!--|/?\*)"
)
_OF_SCANNERS = lazy_re2(
    r"(?i)\.(?:yara?|sig|ndb|hdb|ioc|md|rst|adoc|txt|csv|tsv|html?|log|po|pot)$"
    r"|/(?:signatures|detections?|sigma|semgrep|falco|queries|iocs?|yara)/"
)
_ESCAPED = lazy_re2(r"\\([\"'\\$])")


def shell_literals(text: str, path: str) -> tuple[str, ...]:
    """Return the lines that a settings file hands to a shell by its name."""
    head = text[:_READ]
    if _HINT.search(head) is None or _OF_SCANNERS.search(path) is not None:
        return ()
    found = [_line(head, one) for one in islice(_HANDED.finditer(head), _MOST)]
    return tuple(dict.fromkeys([one[:_LONGEST] for one in found if one]))


def _line(text: str, match: re2._Match[str]) -> str:
    begin = text.rfind("\n", 0, match.start() + 1) + 1
    if _IS_DATA.search(text[begin : match.end()]) is not None:
        return ""
    double = match.group("double")
    if double is None:
        return str(match.group("single"))
    return str(_ESCAPED.sub(r"\1", str(double)))
