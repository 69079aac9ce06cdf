"""Every error signoff raises, in one tree.

    SignoffError
    ├── Denied            an action may not go on; carries the Decision
    ├── BadFile           a file is refused; carries file, line and column
    │   ├── BadProgram      a program description
    │   ├── BadRules        a rules file
    │   └── BadSettings     a settings file, or a variable
    ├── BadPayload        a call from outside cannot be read
    ├── BrokenReader      a reader does not read a known text as it must: nothing is judged
    └── StoreError        the record cannot be written or read
        ├── TamperedRecord  the record fails verification
        └── WrongTenant     the database would not keep this node to its tenant

A message says what, where, what was expected and what to do: lower case, no full stop, user
input in backticks.
"""

from __future__ import annotations

import sys

__all__ = [
    "BadFile",
    "BadPayload",
    "BadProgram",
    "BadRules",
    "BadSettings",
    "BrokenReader",
    "Denied",
    "SignoffError",
    "StoreError",
    "TamperedRecord",
    "WrongTenant",
]


class SignoffError(Exception):
    """Base class of every error signoff raises."""


class Denied(SignoffError):
    """An action must not run. `decision` has the reason and everything it is based on."""

    def __init__(self, reason: str, *, decision: object = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.decision = decision


class BadPayload(SignoffError):
    """A payload from a host or an API client cannot be parsed."""


class BadFile(SignoffError):
    """A file is refused.

    Args:
        file: "" where there is none; `message` then stands alone.
        line, column: from one; 0 = not known.
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0) -> None:
        self.file, self.line, self.column = file, line, column
        self.message = message
        super().__init__(f"{self.where}: {message}" if file else message)

    @property
    def where(self) -> str:
        """The place in the file, as `file:line:column`."""
        return f"{self.file}:{self.line}:{self.column}"


class BadProgram(BadFile):
    """A program description is not valid. The message begins with `file:line:column`."""


class BadRules(BadFile):
    """A rules file is not valid. The message begins with `file:line:column`."""


class BadSettings(BadFile):
    """A settings file or environment variable is not valid; the message says where and why."""


class BrokenReader(SignoffError):
    """A parser failed its self-test on this Python, so no judgement of it can be trusted.

    Args:
        reader: what it parses: `shell`, `sql`, or a language.
        found: how it parsed the test text.
        expected: how it should have.
    """

    def __init__(self, reader: str, text: str, *, found: object, expected: object) -> None:
        self.reader = reader
        version = ".".join(map(str, sys.version_info[:3]))
        super().__init__(
            f"self-test of the {reader} reader failed on Python {version}: it reads `{text}` as"
            f" {found!r}, expected {expected!r}; reinstall signoff, or run it with another Python"
            " (CPython 3.11 to 3.14)"
        )


class StoreError(SignoffError):
    """The audit log or the database cannot be written or read."""


class TamperedRecord(StoreError):
    """The record fails verification. `seq` is the first entry that is wrong."""

    def __init__(self, message: str, *, seq: int = 0) -> None:
        super().__init__(message)
        self.seq = seq


class WrongTenant(StoreError):
    """The role a node connects with works for another tenant, or would see more than one."""
