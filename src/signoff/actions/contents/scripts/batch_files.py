"""Batch files of Windows: their lines, with the variables put in that the file sets.

@set N=D:\\old
rd /s /q "%N%"      ->  ("cmd /c 'rd /s /q \\"D:\\old\\"'",)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from shlex import quote

from signoff.actions.vocabulary import lazy_re

LINES_LIMIT = 400
LONGEST = 2_000
_SET = lazy_re(r"(?i)^set\s+(?:/\w\s+)?\"?(\w+)=([^\"]*)\"?$")
_USED = lazy_re(r"%(\w+)(?::[^%\s]*)?%|!(\w+)(?::[^!\s]*)?!")
_NO_LINE = lazy_re(r"(?i)^(?:rem\b|::|:\w|echo\b|title\b|setlocal\b|endlocal\b|\)|\()")
# What stands before the command of a line: a condition, a loop, a bracket, `call`.
_LEAD = lazy_re(
    r"(?i)^(?:@|\(|\s|else\b|do\b|call\s+(?![:\w]*\.(?:bat|cmd)\b)|start\s+(?:\"[^\"]*\"\s+)?(?:/\w+\s+)*"
    r"|if\s+(?:/i\s+)?(?:not\s+)?(?:exist\s+(?:\"[^\"]*\"|\S+)|defined\s+\S+|errorlevel\s+\d+"
    r"|(?:\"[^\"]*\"|[^\s=\"]+)\s*(?:==|equ|neq|lss|leq|gtr|geq)\s*(?:\"[^\"]*\"|\S+))\s)+"
)
_OF_SYSTEM = {"userprofile": "C:\\Users\\me", "systemdrive": "C:", "homedrive": "C:"}
_OF_SYSTEM |= {
    "systemroot": "C:\\Windows",
    "windir": "C:\\Windows",
    "programdata": "C:\\ProgramData",
}


def batch_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a batch file as calls of `cmd`, without conditions and remarks."""
    return tuple(_lines(text))


def _lines(text: str) -> Iterator[str]:
    known = dict(_OF_SYSTEM)
    lines = text.replace("\r", "").replace("^\n", " ").split("\n")
    for line in lines[:LINES_LIMIT]:
        plain = _LEAD.sub("", line[:LONGEST].strip())
        if not plain or _NO_LINE.match(plain):
            continue
        plain = _put_in(plain, known)
        if (given := _SET.match(plain)) is not None:
            known[given[1].lower()] = given[2].strip()
        else:
            yield f"cmd /c {quote(plain)}"


def _put_in(line: str, known: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        return known.get((match[1] or match[2]).lower(), match[0])

    return _USED.sub(value, line)[:LONGEST]
