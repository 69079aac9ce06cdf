"""What a call in any language does: the closed set all tables of known calls are written in.

"shutil.rmtree": Rule(Deed.DELETE_TREE)      "system": Rule(Deed.SHELL)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from signoff.actions.operation import Trait, Verb
from signoff.actions.vocabulary import Vocabulary


class Sink(Vocabulary):
    """What a known library call does with its arguments."""

    INERT = "inert"
    SHELL = "shell"  # a text for a shell, or a list of words
    SYSTEM = "system"  # one text is a shell line, several are words
    PROGRAM = "program"  # a program and its arguments
    EVALUATE = "evaluate"  # a text in the same language
    UNPICKLE = "unpickle"  # data that can bring code
    LOAD_CODE = "load-code"  # a library or script from a file
    READ = "read"
    WRITE = "write"
    APPEND = "append"
    OPEN = "open"  # path and mode
    DELETE = "delete"
    DELETE_TREE = "delete-tree"
    DELETE_EMPTY = "delete-empty"
    MAKE = "make"  # folders, empty files
    MOVE = "move"
    COPY = "copy"
    LINK = "link"
    CHANGE_MODE = "change-mode"
    WALK = "walk"  # gives the names in a folder
    CHANGE_FOLDER = "change-folder"
    FETCH = "fetch"
    DOWNLOAD = "download"  # URL and path
    SEND = "send"
    REQUEST = "request"  # method and URL
    CONNECT = "connect"
    LISTEN = "listen"
    MAIL = "mail"
    SQL = "sql"
    READ_VARIABLE = "read-variable"
    STORED_SECRET = "stored-secret"  # noqa: S105 - a name: gives what a key ring holds
    SET_VARIABLE = "set-variable"
    KILL = "kill"
    FORK = "fork"
    DUPLICATE = "duplicate"  # puts a connection in the place of standard input
    PRIVILEGE = "privilege"
    CLOUD = "cloud"
    OPAQUE = "opaque"


class CallRule(NamedTuple):
    """The rule for a library call: what it does, which argument it uses, what class it returns."""

    sink: Sink
    at: int = 0
    gives: str = ""


def rules(
    sink: Sink, names: str | Iterable[str], at: int = 0, gives: str = ""
) -> dict[str, CallRule]:
    """Return a table with the same CallRule for every name; `at` is the argument's index."""
    rule = CallRule(sink, at, gives)
    return dict.fromkeys(names.split() if isinstance(names, str) else names, rule)


_NO_TRAITS: frozenset[Trait] = frozenset()
# Sinks whose argument is one file; those with two files have a function of their own.
FILE_EFFECTS: dict[Sink, tuple[Verb, frozenset[Trait]]] = {
    Sink.DELETE: (Verb.DELETE, _NO_TRAITS),
    Sink.DELETE_TREE: (Verb.DELETE, frozenset({Trait.RECURSIVE})),
    Sink.DELETE_EMPTY: (Verb.DELETE, _NO_TRAITS),
    Sink.MAKE: (Verb.WRITE, _NO_TRAITS),
    Sink.WRITE: (Verb.WRITE, _NO_TRAITS),
    Sink.APPEND: (Verb.WRITE, _NO_TRAITS),
    Sink.LINK: (Verb.WRITE, _NO_TRAITS),
    Sink.CHANGE_MODE: (Verb.CONFIGURE, _NO_TRAITS),
}
