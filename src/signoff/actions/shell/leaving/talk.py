"""What a line has given to version control and to clients of stores, and what of it leaves.

Talk(place, written).followed(command, operations, origins)    with the consequences
"""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.data_flow.origins import HOLDING, SECRET
from signoff.actions.shell.data_flow.secrets import DATA_CLIENTS, marked_copies
from signoff.actions.shell.data_flow.staged import (
    BEGINNING,
    HOLD,
    TOLD_TO,
    Index,
    begins,
    events_of,
    root_of,
    with_secrets,
)
from signoff.actions.shell.left_behind.given_remotes import given_remotes, is_given, remotes_given
from signoff.actions.shell.origins.marks import WrittenFiles
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

BRINGS_COMMITS = words("bundle archive format-patch fast-export diff show log")
TALKING = DATA_CLIENTS | {"git"}
HOST_OPTIONS = words("-h --host -H -b -S")
HOST_AND_PORT = lazy_re(r"[\w.-]+\.[\w-]+:\d+(?:/.*)?")
_SENT = frozenset({Trait.SENDS_SECRET})


class Talk:
    """What a line has given to version control and network clients so far."""

    def __init__(self, place: Place, written: WrittenFiles | None = None) -> None:
        self._place = place
        self._written = WrittenFiles() if written is None else written
        self._seen = 0  # changes of the written files that `_place` knows
        self._indexes: dict[str, Index] = {}
        self._remotes = given_remotes(place.facts.created)

    def _now(self) -> Place:
        """Return the place with the copies of secrets that the line made so far."""
        if self._seen != self._written.changes:
            self._seen = self._written.changes
            copies = {path for path, bits in self._written.items() if bits & HOLDING}
            self._place = with_secrets(self._place, copies)
        return self._place

    def followed(
        self, command: Command, operations: list[Operation], origins: int
    ) -> list[Operation]:
        """Add the consequences: a push publishes staged secrets, a client sends its input."""
        if command.program == "git":
            self._remotes.update(remotes_given(command))
            if is_given(command, self._remotes):
                operations = [
                    replace(op, reversible=False) if op.verb is Verb.PUBLISH else op
                    for op in operations
                ]
            return self._versioned(command, operations, is_told=bool(origins & HOLDING))
        host = _outside_host(command) if origins & HOLDING else ""
        return [*operations, _sent_data(command, host)] if host else operations

    def _versioned(
        self, command: Command, operations: list[Operation], *, is_told: bool
    ) -> list[Operation]:
        place, texts = self._now(), [word.text for word in command.words]
        is_clean = not (self._indexes or place.facts.secrets_read or is_told)
        if is_clean and BEGINNING.isdisjoint(texts):
            return operations
        events = events_of(command, place)
        if is_told and not TOLD_TO.isdisjoint(texts[1:4]):
            events, operations = [*events, HOLD], marked_copies(operations, SECRET)
        if is_clean and not begins(events):
            return operations
        root = root_of(command, place)
        index = self._indexes.get(root)
        if index is None:
            index = self._indexes[root] = Index(root, place.facts.secrets_read)
        for event in events:
            index.take(event)
        if "push" in texts[1:4]:
            at = texts.index("push") + 1
            is_named = is_told and any([_names_source(word) for word in command.words[at:]])
            return _pushed(operations) if is_named or index.leaves(texts[at:]) else operations
        if index.is_held and not BRINGS_COMMITS.isdisjoint(texts[1:4]):
            return marked_copies(operations, SECRET)
        return operations


def _names_source(word: Word) -> bool:
    """Tell `HEAD:$(base64 .env)`; a token in an address logs in."""
    return bool(word.sources) and "://" not in word.raw


def _pushed(operations: list[Operation]) -> list[Operation]:
    return [
        replace(op, traits=op.traits | _SENT) if op.verb is Verb.PUBLISH else op
        for op in operations
    ]


def _outside_host(command: Command) -> str:
    """The other machine that a client of a store or a service is told to talk to, or ``""``."""
    before = ""
    for word in command.words[1:]:
        text = word.text
        is_host = before in HOST_OPTIONS or "://" in text
        if is_host or HOST_AND_PORT.fullmatch(text):
            host = look_at_url(text if "://" in text else f"x://{text}")
            if host.host_class.value in {"public", "unknown"}:
                return text
        before = text
    return ""


def _sent_data(command: Command, host: str) -> Operation:
    return Operation(
        verb=Verb.NETWORK_OUT,
        thing=ResourceType.URL,
        target=host,
        reach=Reach.REMOTE,
        traits=_SENT,
        reversible=False,
        program=command.program,
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )
