"""What is known of a value: where it came from, and what it may hold.

source_of(x = urlopen(u))           FETCHED
source_of(p = home / ".netrc")      SECRET
source_of(f(**os.environ))          ALL_SECRETS
"""

from __future__ import annotations

from enum import Flag, auto

import re2

from signoff.actions.contents.loaders import call_words as calls
from signoff.actions.contents.loaders.statements import CodeStatement, code_of
from signoff.actions.known.file_kinds import look
from signoff.actions.vocabulary import words


class Provenance(Flag):
    """What is known of a name's value."""

    NONE = 0
    FETCHED = auto()
    DECODED = auto()
    SECRET = auto()  # of one login
    ALL_SECRETS = auto()  # the whole environment, a whole store, several logins
    LINE = auto()  # a shell line that fetches and runs
    FIRST_HALF = auto()
    SECOND_HALF = auto()


Source = tuple[Provenance, "re2._Regexp[str]"]
_SECRET_KINDS = words("credentials authorized-keys")
SOURCES: tuple[Source, ...] = (
    (Provenance.FETCHED, calls.FETCHES),
    (Provenance.DECODED, calls.DECODES),
    (Provenance.DECODED, calls.SHELL_DECODES),
    (Provenance.LINE, calls.WHOLE_LINE),
    (Provenance.FIRST_HALF, calls.FIRST_HALF),
    (Provenance.SECOND_HALF, calls.SECOND_HALF),
    (Provenance.ALL_SECRETS, calls.STORES),
    (Provenance.ALL_SECRETS, calls.ENVIRONMENT),
    (Provenance.SECRET, calls.SECRET_FILES),
)


# What is a call only outside of texts: a scanner for such code holds the same words.
_IN_CODE = (calls.DECODES, calls.STORES, calls.ENVIRONMENT)


def source_of(statement: CodeStatement, sources: list[Source]) -> Provenance:
    """What a statement itself brings in."""
    value = Provenance.NONE
    text = statement.text
    code = code_of(text)
    for brings, find in sources:
        if find.search(code if find in _IN_CODE else text) is None:
            continue
        if find is calls.ENVIRONMENT and find.search(calls.TO_CHILD.sub("", text)) is None:
            continue
        if find is calls.SECRET_FILES:
            logins = [name for name in statement.names if is_secret_path(name)]
            brings = Provenance.ALL_SECRETS if len(logins) > 1 else Provenance.SECRET
            brings = brings if logins else Provenance.NONE
        value |= brings
    return value & Provenance.FETCHED if statement.is_import else value


def is_secret_path(name: str) -> bool:
    """Return whether a path of a text, from the root or a home folder, holds secrets."""
    if "." not in name or not ("/" in name or name.startswith(".")):
        return False
    parts = [part for part in name.lower().replace("\\", "/").split("/") if part]
    at = next((n for n, part in enumerate(parts) if part.startswith(".") and part.strip(".")), None)
    if at is None:
        return False
    return look(("home", "user", *parts[at:]), local_from=2).kind in _SECRET_KINDS


def value_of(names: frozenset[str], values: dict[str, Provenance]) -> Provenance:
    value = Provenance.NONE
    for name in names & values.keys():
        value |= values[name]
    return value
