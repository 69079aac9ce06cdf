"""What is known of a value, as marks: where it came from, and what it may hold.

source_of(x = urlopen(u))           FETCHED
source_of(p = home / ".netrc")      SECRET
source_of(f(**os.environ))          ALL_SECRETS
"""

from __future__ import annotations

from functools import lru_cache

import re2

from signoff.actions.contents.loaders import call_words as calls
from signoff.actions.contents.loaders.statements import CodeStatement, code_of
from signoff.actions.known.file_kinds import look
from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.operation import FileKind
from signoff.actions.vocabulary import words

# Bits, and no enumeration: a name's marks are joined a thousand times for a text.
NONE = 0
FETCHED = 1
DECODED = 2
SECRET = 4  # of one login
ALL_SECRETS = 8  # the whole environment, a whole store, several logins
LINE = 16  # a shell line that fetches and runs
FIRST_HALF = 32
SECOND_HALF = 64
SOCKET = 128  # a connection that was opened to another machine

Source = tuple[int, "re2._Regexp[str]"]
_SECRET_KINDS = words("credentials authorized-keys")
_ENV_OF_TESTS = words(".env.test .env.testing .env.ci")
SOURCES: tuple[Source, ...] = (
    (FETCHED, calls.FETCHES),
    (FETCHED, calls.HIDDEN_ADDRESS),
    (FETCHED | SOCKET, calls.CONNECTS),
    (DECODED, calls.DECODES),
    (DECODED, calls.SHELL_DECODES),
    (LINE, calls.WHOLE_LINE),
    (FIRST_HALF, calls.FIRST_HALF),
    (SECOND_HALF, calls.SECOND_HALF),
    (ALL_SECRETS, calls.STORES),
    (ALL_SECRETS, calls.ENVIRONMENT),
    (SECRET, calls.SECRET_FILES),
)


# What is a call only outside of texts: a scanner for such code holds the same words.
_IN_CODE = (calls.DECODES, calls.STORES, calls.ENVIRONMENT)


def source_of(statement: CodeStatement, sources: list[Source]) -> int:
    """Return the marks that a statement itself brings in."""
    value = NONE
    text = statement.text
    code = code_of(text)
    for brings, find in sources:
        if find.search(code if find in _IN_CODE else text) is None:
            continue
        if find is calls.ENVIRONMENT and find.search(without_child(text)) is None:
            continue
        if find is calls.SECRET_FILES:
            logins = [name for name in statement.names if is_secret_path(name)]
            brings = ALL_SECRETS if len(logins) > 1 else SECRET
            brings = brings if logins else NONE
        if find is calls.FETCHES and _asks_itself(text):
            continue
        if find is calls.CONNECTS and not any(map(is_foreign, find.finditer(text))):
            continue
        value |= brings
    return value & FETCHED if statement.is_import else value


def without_child(text: str) -> str:
    """Return a statement without what it gives to a child process, if it starts one.

    `env: process.env` in what is posted is no environment of a process.
    """
    code = code_of(text)
    is_only_sent = calls.SENDS.search(code) is not None and calls.STARTS.search(code) is None
    return text if is_only_sent else str(calls.TO_CHILD.sub("", text))


def _asks_itself(text: str) -> bool:
    """Whether all addresses of a statement, and there are some, are of this machine."""
    found = [next(filter(None, one.groups()), "") for one in calls.FAR_ADDRESS.finditer(text)]
    hosts = [host.rpartition(":")[0] or host for host in found]
    return bool(hosts) and all([class_of_host(one) is HostClass.LOOPBACK for one in hosts])


def is_foreign(match: re2._Match[str]) -> bool:
    """Return whether a connection goes to another machine than this one."""
    host = match.group(1) or ".".join((match.group(2) or "").replace(" ", "").split(","))
    return class_of_host(host) is not HostClass.LOOPBACK and ("." in host or host.isdigit())


@lru_cache(maxsize=512)
def is_secret_path(name: str) -> bool:
    """Return whether a path of a text, from the root or a home folder, holds secrets."""
    if "." not in name or not ("/" in name or name.startswith(".")):
        return False
    parts = [part for part in name.lower().replace("\\", "/").split("/") if part]
    at = next((n for n, part in enumerate(parts) if part.startswith(".") and part.strip(".")), None)
    if at is None:
        return False
    kind = look(("home", "user", *parts[at:]), local_from=2).kind
    return kind in _SECRET_KINDS or (kind is FileKind.ENV and parts[-1] not in _ENV_OF_TESTS)


def marks_of(names: frozenset[str], values: dict[str, int]) -> int:
    """Return all marks of some names."""
    value = NONE
    for name in names & values.keys():
        value |= values[name]
    return value
