"""What leaves by the names a command asks for: `dig $(whoami).x.example`.

Data in front of a domain reach whoever answers for that domain. A substitution that is the whole
name (`ping $(hostname)`) hands nothing to anybody who was chosen here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from signoff.actions.operation import Trait
from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.data_flow.origins import (
    ENCODES,
    FILES,
    HOST_NAME,
    NAMES,
    SECRET,
    SETTING,
    VARIABLES,
)
from signoff.actions.vocabulary import words

DNS_CLIENTS = words("dig nslookup host drill ping ping6 resolvectl getent kdig")
# Names that no server outside is asked for.
LOCAL_DOMAINS = (".local", ".localdomain", ".localhost", ".lan", ".home", ".internal", ".home.arpa")
# In the raw word: the value is unknown, the variable's name is not.
SECRET_NAMES = re.compile(
    r"(?i)\$\{?\w*(?:secret|token|password|passwd|api_?key|access_?key|private_?key|credential)"
)
UNKNOWN = "\ufffd"


def queried_names(origins: int, command: Command) -> set[Trait]:
    """Return the traits of a look-up by what is in the name it asks for."""
    # First: a secret is one whatever else is in the name, and wherever the domain is.
    if origins & SECRET or any(_holds_secret(word) for word in command.words):
        return {Trait.COVERT, Trait.SENDS_SECRET}
    if not origins & (NAMES | FILES | HOST_NAME | VARIABLES | SETTING):
        return set()
    is_directed = is_directed_by(command)
    # Data that were encoded before fit into a name: nobody does that for an ordinary look-up.
    is_packed = bool(origins & (FILES | VARIABLES)) and bool(origins & ENCODES)
    if origins & (NAMES | FILES | VARIABLES | SETTING) and (is_directed or is_packed):
        return {Trait.COVERT, Trait.SENDS_SECRET}
    return {Trait.COVERT} if is_directed or origins & VARIABLES else set()


def variables_named(names: Sequence[Word]) -> int:
    """Return what `printenv NAME` tells: a secret by its name, or one setting."""
    known = all(name.is_known for name in names)
    secret = any(SECRET_NAMES.search(f"${name.text}") is not None for name in names)
    return (SECRET if secret else SETTING) if known else VARIABLES


def is_directed_by(command: Command) -> bool:
    """Tell whether what was put into a name precedes a domain."""
    return any(_is_directed(word) for word in command.words[1:] if word.sources)


def _holds_secret(word: Word) -> bool:
    return not word.is_known and SECRET_NAMES.search(word.raw) is not None


def _is_directed(word: Word) -> bool:
    # Behind the last unknown part stands the domain, whose owner sees all that is before it.
    domain = word.text.rpartition(UNKNOWN)[2] if UNKNOWN in word.text else word.text
    return "." in domain.strip(".") and not domain.lower().rstrip(".").endswith(LOCAL_DOMAINS)
