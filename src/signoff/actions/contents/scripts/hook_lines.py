"""Lines that services run at a turn of their own: rotations, devices, machines, tasks.

/var/log/x { postrotate \\n systemctl reload x \\n endscript }      logrotate
exec { 'x': command => '/usr/bin/x' }                             Puppet
ACTION=="add", RUN+="/usr/local/bin/x"                            udev
new command.local.Command("x", { create: `x` })                   Pulumi

What a file of tasks names by a variable is put in: `{{.COPIES}}` of a Taskfile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.vocabulary import lazy_re, lazy_re2

_MOST = 100
_READ = 60_000  # characters
_LONGEST = 4_000  # characters of a block
_ROTATION = lazy_re2(
    r"(?ms)^[ \t]*(?:(?:pre|post)rotate|firstaction|lastaction"
    r"|preremove)[ \t]*$(.*?)^[ \t]*endscript\b"
)
_RESOURCE = lazy_re2(
    r"(?s)\bexec\s*\{[^{}]{0,400}?\bcommand\s*=>\s*(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)')"
)
_DEVICE = lazy_re2(r"\bRUN(?:\{program\})?\+?=\"((?:[^\"\\]|\\.)*)\"")
_APPLIED = lazy_re2(
    r"(?s)\blocal\.(?:New)?Command\b.{0,400}?\b(?i:create|update|delete)\w*\s*[:=]\s*"
    r"(?:pulumi\.String\(\s*)?(?:`([^`]*)`|\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)')"
)
# The word that a text must have, and the lines of such a text.
_FORMS: tuple[tuple[str, re2._Regexp[str]], ...] = (
    ("endscript", _ROTATION),
    ("exec", _RESOURCE),
    ("RUN", _DEVICE),
    ("Command", _APPLIED),
)
_GIVEN = lazy_re(
    r"(?m)^[ \t]+([A-Za-z_]\w{0,60}):[ \t]*[\"']?([^\s\"'{|>&*\[][^\n\"'{]{0,300}?)[\"']?[ \t]*$"
)
_USED = lazy_re(r"\{\{\s*\.(\w{1,60})\s*\}\}")
_ESCAPED = lazy_re(r"\\([\"'\\$])")


def hook_lines(text: str) -> tuple[str, ...]:
    """Return the lines and blocks that services run by themselves, in the order of the forms."""
    return tuple(islice(_lines(text[:_READ]), _MOST))


def _lines(text: str) -> Iterator[str]:
    for word, form in _FORMS:
        for match in islice(form.finditer(text), _MOST) if word in text else ():
            said = str(next(filter(None, match.groups()), "")).strip()
            yield str(_ESCAPED.sub(r"\1", said) if form is not _ROTATION else said)[:_LONGEST]


def with_variables(text: str) -> str:
    """Return a file of tasks with the plain variables put in that it gives a value."""
    if "{{" not in text or _USED.search(text[:_READ]) is None:
        return text
    known = {match[1]: match[2] for match in islice(_GIVEN.finditer(text[:_READ]), _MOST)}

    def value(match: re.Match[str]) -> str:
        return known.get(match[1], match[0])

    return _USED.sub(value, text)
