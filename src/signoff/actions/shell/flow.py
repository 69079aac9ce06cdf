"""Data flow inside one line: what reaches an interpreter or the network, and from where.

Sources are followed backwards from a command through its standard input and through the
substitutions in its words. Files written in the line connect the writer with a later runner.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from typing import NamedTuple

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.shell.bare_shell import is_open_shell, joined_shell
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.dumps import COPIERS, dumped_by, is_kept, mints_secret
from signoff.actions.shell.data_flow.feeding import (
    Reaching,
    direct_sources,
    evaluated,
    is_connected,
    upstream_of,
    wrapped_by,
)
from signoff.actions.shell.data_flow.inputs import marked_start_up
from signoff.actions.shell.data_flow.listed import marked_listed
from signoff.actions.shell.data_flow.origins import (
    DECODES,
    ENCODES,
    FETCHES,
    FILES,
    HOST_NAME,
    NAMES,
    NO_ORIGINS,
    OPEN_SHELL,
    SECRET,
    UNPACKS,
    VARIABLES,
)
from signoff.actions.shell.data_flow.secrets import (
    ENVIRONMENT_DUMPERS,
    SEARCHERS,
    Sent,
    copies_secret,
    held_by,
    marked_copies,
    printed_environment,
    searches_keys,
)
from signoff.actions.shell.data_flow.taken_along import (
    NOTHING_OWN,
    carried_traits,
    own_of,
    reads_local_data,
    sends_secret,
    to_own_service,
    variables_named,
)
from signoff.actions.shell.leaving.handed import handed_over
from signoff.actions.shell.leaving.talk import TALKING, Talk
from signoff.actions.shell.origins.decoding import (
    COMPRESSORS,
    DECODERS,
    ENCODERS,
    RUNS_DECODED,
    decoded_program,
    decodes,
    is_decoded,
    loads_dump,
)
from signoff.actions.shell.origins.foreign import prints_foreign
from signoff.actions.shell.origins.marks import (
    CARRYING,
    WrittenFiles,
    decoded_before,
    fetches,
    is_fetched,
)
from signoff.actions.shell.origins.provenance import (
    CHOOSING,
    VERSIONING,
    fetched_paths,
    marked,
    marked_writes,
    note_chosen,
    origin_of,
    search_folders,
    with_origins,
)
from signoff.actions.vocabulary import words
from signoff.values import replace

SHELLS = words("sh bash zsh dash ksh ash fish python python3 perl ruby powershell pwsh")
IDENTITY = words("whoami id uname ifconfig history fc")
MACHINE = words("hostname hostnamectl")
ENVIRONMENT = words("env printenv set export declare")
_TELLS = {
    **dict.fromkeys(IDENTITY, NAMES),
    **dict.fromkeys(MACHINE, HOST_NAME),
    **dict.fromkeys(ENVIRONMENT, VARIABLES),
    **dict.fromkeys(ENCODERS - DECODERS, ENCODES),
}
_PACKS = dict.fromkeys(ENCODERS & DECODERS, ENCODES)
_SPEAKING = frozenset({"git", *ENVIRONMENT_DUMPERS, *SEARCHERS, *COPIERS})  # words say it
MOVING = CARRYING | {Verb.EXECUTE, Verb.INSTALL, Verb.PUBLISH, Verb.PERSIST}
STREAMS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")  # files that stand for another's output
SENDING = CARRYING | {Verb.PUBLISH}
# Asked of every operation: a member costs more to find than to compare.
_DELETE, _EXECUTE, _READ, _WRITE = Verb.DELETE, Verb.EXECUTE, Verb.READ, Verb.WRITE
_SECRETS = frozenset({Trait.READS_SECRET, Trait.HOLDS_SECRET})


class _Line(NamedTuple):
    """A whole line: its commands, its place, and the files it wrote so far."""

    commands: Sequence[Command]
    place: Place
    written: WrittenFiles


def follow_flow(
    commands: Sequence[Command], by_command: list[list[Operation]], place: Place, depth: int
) -> None:
    """Add to the operations, in place, what the data flow between commands shows."""
    if depth == 0 and len(commands) == 1 and not is_connected(commands[0]):
        by_command[0] = _single(commands, by_command[0], place)
        return
    written = decoded_before(place.facts.created)
    upstream = _Upstream(_Line(commands, place, written), by_command)
    searched: tuple[str, ...] = ()
    for at, command in enumerate(commands):
        verbs = {op.verb for op in by_command[at]}
        if command.assignments:
            searched += search_folders(command, place)
        by_command[at] = operations = upstream.followed(at, verbs, searched)
        if command.program in CHOOSING:
            note_chosen(command, written)
        if _WRITE in verbs and any([op.verb is _WRITE and op.path for op in operations]):
            through = upstream.printed(at)
            through |= DECODES if through & UNPACKS else NO_ORIGINS
            operations = marked_writes(command, operations, through, place, written)
            operations = marked_copies(operations, through)
            by_command[at] = marked_start_up(operations, is_fetched=bool(through & FETCHES))


def _single(
    commands: Sequence[Command], operations: list[Operation], place: Place
) -> list[Operation]:
    verbs = {op.verb for op in operations}
    if not MOVING.isdisjoint(verbs):
        operations = _own_flow(
            operations, NO_ORIGINS, _Line(commands, place, WrittenFiles()), 0, verbs
        )
    operations = handed_over(commands[0], operations, place, {}, NO_ORIGINS)
    return _alone(commands[0], operations, place)


def _alone(command: Command, operations: list[Operation], place: Place) -> list[Operation]:
    """Follow the flow of a line with a single command: through the session's files alone."""
    facts, program = place.facts, command.program
    decoded = decoded_before(facts.created)
    if facts.built or decoded or command.assignments:
        searched = search_folders(command, place) if command.assignments else ()
        operations = marked(command, operations, place, decoded, searched)
    if facts.downloaded:
        operations = with_origins(command, operations, NO_ORIGINS, place, WrittenFiles())
    if program == "git":
        operations = Talk(place).followed(command, operations, NO_ORIGINS)
    for op in operations:
        if op.verb is _WRITE and op.path:
            through = FETCHES if any(map(fetches, operations)) else NO_ORIGINS
            if program == "git" and prints_foreign(command, place, facts.downloaded):
                through |= FETCHES
            through |= printed_environment(command) | dumped_by(command)
            operations = marked_start_up(operations, is_fetched=bool(through))
            held = SECRET if copies_secret(operations) else held_by(operations, {}, place)
            operations = marked_copies(operations, held | through)
            return marked_writes(command, operations, through, place, WrittenFiles())
    return operations


class _Upstream:
    """What is upstream of each command, worked out once a command, in their order."""

    def __init__(self, line: _Line, by_command: list[list[Operation]]) -> None:
        self.line = line
        self.commands, self.place, self.written = line
        self.by_command = by_command
        self.talk = Talk(line.place, line.written)
        self.known: list[int] = []
        self.parents = {command.parent for command in self.commands}
        self.passed: dict[int, int] = {}
        self.reaching = Reaching(self.commands)
        self.own: dict[int, tuple[list[Operation], int, int]] = {}

    def followed(
        self, at: int, verbs: AbstractSet[Verb], searched: Sequence[str]
    ) -> list[Operation]:
        """Add what flow tells of the operations of the next command."""
        command, operations = self.commands[at], self.by_command[at]
        place, written, program = self.place, self.written, command.program
        origins = self.origins(at)
        if not MOVING.isdisjoint(verbs):
            operations = _own_flow(operations, origins, self.line, at, verbs)
            operations = self._at_home(at, operations)
        operations = evaluated(operations, command) if origins & FETCHES else operations
        operations = handed_over(command, operations, place, written, origins)
        if origins & OPEN_SHELL:
            operations = joined_shell(command, operations, origins)
        if command.words and command.words[0].is_decoded:
            operations = [*operations, decoded_program(command)]
        if written or searched or place.facts.built:
            operations = marked(command, operations, place, written, searched)
        if written or place.facts.downloaded or program in VERSIONING:
            operations = with_origins(command, operations, origins, place, written)
        if _DELETE in verbs:
            operations = marked_listed(command, operations, partial(_feeding, self.line, at))
        if program in TALKING:
            operations = self.talk.followed(command, operations, origins)
        return operations

    def _at_home(self, at: int, operations: list[Operation]) -> list[Operation]:
        """Take the leak away where only the login of a tool reaches its own service."""
        others = self.known[at] & ~(SECRET | FILES | FETCHES)
        if not sends_secret(operations) or self.written or others:
            return operations
        sources = (at, *upstream_of(at, self.commands))
        if any([self._told(self.commands[one]) for one in sources]):
            return operations
        read = chain.from_iterable([self.by_command[one] for one in sources])
        return to_own_service(operations, read)

    def origins(self, at: int) -> int:
        """Return the origin bits of all that reaches a command; ask once each, in their order."""
        command = self.commands[at]
        found = NO_ORIGINS
        if command.assignments or is_connected(command):
            direct = direct_sources(command)
            if max(direct, default=-1) > at:  # it is fed by a later command: `>( )`
                for source in self.reaching.of(at, direct):
                    if source != at:
                        found |= self._own(source)
            else:
                for source in direct:
                    if 0 <= source < at:
                        found |= self.through(source)
        self.known.append(found)
        return found

    def through(self, at: int) -> int:
        """Return the origin bits of the output of an earlier command, its input's included."""
        passed = self.passed.get(at)
        if passed is None:
            passed = self.passed[at] = self._own(at) | self.known[at]
        return passed

    def printed(self, at: int) -> int:
        """Return the origin bits of the output of a command and of those inside it."""
        found = self.through(at)
        if at in self.parents and self.commands[at].redirects:
            for inner in wrapped_by(at, self.commands):
                found |= self._own(inner)
        return found

    def _own(self, at: int) -> int:
        """What one command puts out by itself; worked out again after a change alone."""
        state = (self.by_command[at], self.written.changes)
        known = self.own.get(at)
        if known is None or known[0] is not state[0] or known[1] != state[1]:
            known = self.own[at] = (*state, self._puts_out(at))
        return known[2]

    def _puts_out(self, at: int) -> int:
        command, operations = self.commands[at], self.by_command[at]
        program, found = command.program, _TELLS.get(command.program, NO_ORIGINS)
        if program == "printenv" and len(command.words) > 1:
            found = variables_named(command.words[1:])
        found |= held_by(operations, self.written, self.place)
        found |= dumped_by(command)
        if program in _SPEAKING:
            found |= printed_environment(command) | self._told(command)
        if program in DECODERS:
            opened = UNPACKS if program in COMPRESSORS else DECODES
            found |= opened if decodes(command) else _PACKS.get(program, NO_ORIGINS)
        if program in SHELLS and is_open_shell(command, operations):
            found |= OPEN_SHELL
        return found | self._read(operations)

    def _read(self, operations: Sequence[Operation]) -> int:
        """What the files and addresses hold that a command reads."""
        found = NO_ORIGINS
        for op in operations:
            if not _SECRETS.isdisjoint(op.traits):
                found |= SECRET
            if reads_local_data(op):
                found |= FILES | (FETCHES if self._reads_fetched(op) else NO_ORIGINS)
            elif fetches(op) or self._reads_fetched(op):
                found |= FETCHES
        return found

    def _told(self, command: Command) -> int:
        """What a command prints beside files: a secret, a file of a repository of others."""
        found = SECRET if mints_secret(command) or searches_keys(command) else NO_ORIGINS
        if command.program == "git":
            known = fetched_paths(self.place, self.written)
            found |= FETCHES if prints_foreign(command, self.place, known) else NO_ORIGINS
        return found

    def _reads_fetched(self, op: Operation) -> bool:
        """Whether an operation reads what an earlier command or call fetched."""
        if op.verb is not _READ or not (self.written or self.place.facts.downloaded):
            return False
        return bool(origin_of(op.path, self.place, self.written) & FETCHES)


def _own_flow(
    operations: list[Operation],
    origins: int,
    line: _Line,
    at: int,
    verbs: AbstractSet[Verb],
) -> list[Operation]:
    command, place, written = line.commands[at], line.place, line.written
    own = NOTHING_OWN if CARRYING.isdisjoint(verbs) else own_of(operations, origins, command)
    holds = bool(held_by(operations, written, place))
    decoded = bool(origins & DECODES) or (
        not loads_dump(command) if origins & UNPACKS else is_decoded(command)
    )
    sent = None if verbs.isdisjoint(SENDING) else _sent(line, at)
    out: list[Operation] = []
    for op in operations:
        more, verb = set[Trait](), op.verb
        if verb is Verb.EXECUTE or verb is Verb.INSTALL:
            more |= _code_traits(op, origins, decoded=decoded, place=place)
        elif verb in CARRYING:
            is_leak = own.secret or (holds and not is_kept(op, command))
            carried = carried_traits(op, origins, command, own=own._replace(secret=is_leak))
            carried |= sent.along(op) if sent is not None and (is_leak or not holds) else set()
            if carried and verb is Verb.NETWORK_IN and op.reach is not Reach.LOOPBACK:
                verb = Verb.NETWORK_OUT
            more |= carried
        elif verb is Verb.PERSIST and origins & FETCHES:
            more.add(Trait.REMOTE_CODE)  # jobs arrive on its standard input
        elif verb is Verb.PUBLISH:
            more |= sent.along(op) if sent is not None else set()
        out.append(replace(op, verb=verb, traits=op.traits | more) if more else op)
    return out


def _sent(line: _Line, at: int) -> Sent:
    """What one command may take along, by its own words and by what feeds it."""
    return Sent.by(line.commands[at], line.place, line.written, _feeding(line, at))


def _feeding(line: _Line, at: int) -> list[Command]:
    """The commands whose output reaches one of the line."""
    return [line.commands[source] for source in upstream_of(at, line.commands)]


def _code_traits(op: Operation, origins: int, *, decoded: bool, place: Place) -> set[Trait]:
    more, is_fed = set[Trait](), op.target.startswith(STREAMS)
    if is_fed or (op.verb is _EXECUTE and (not op.understood or op.reach is Reach.UNKNOWN)):
        if origins & FETCHES:
            more.add(Trait.REMOTE_CODE)
        if decoded and op.why != RUNS_DECODED:
            more.add(Trait.DECODED)
    if op.path and is_fetched(op.path, place):
        more.add(Trait.REMOTE_CODE)
    elif op.path and op.path in place.facts.written:
        more.add(Trait.WRITTEN_NOW)
    return more
