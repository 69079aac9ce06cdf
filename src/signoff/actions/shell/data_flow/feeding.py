"""Which commands of a line feed which: through pipes, substitutions and variables."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.programs.registry import find
from signoff.actions.shell.command import Command, RedirectKind
from signoff.actions.vocabulary import words
from signoff.values import replace


def is_connected(command: Command) -> bool:
    """Return whether a command has standard input, or words from other commands' output."""
    return command.stdin is not None or has_sources(command)


def has_sources(command: Command) -> bool:
    """Return whether a word of a command comes from other commands' output."""
    for word in command.words:  # noqa: SIM110 - a generator costs more than the test
        if word.sources:
            return True
    return False


def direct_sources(command: Command) -> list[int]:
    """Return the indexes of the commands whose output reaches this one directly; -1 = unknown."""
    direct: list[int] = list(command.stdin.sources) if command.stdin else []
    for word in command.words:
        if word.sources:
            direct.extend(word.sources)
    for _, value in command.assignments:
        direct.extend(value.sources)
    return direct


def upstream_of(at: int, commands: Sequence[Command]) -> set[int]:
    """Return the indexes of all commands whose output reaches the one at index `at`."""
    seen: set[int] = set()
    todo = [at]
    while todo:
        for source in direct_sources(commands[todo.pop()]):
            # Two `>( )` may feed each other; -1 stands for one that is not known.
            if source not in seen and 0 <= source < len(commands) and source != at:
                seen.add(source)
                todo.append(source)
    return seen


def _runs_input(command: Command, *, is_described: bool) -> bool:
    """Return whether a program evaluates its standard input: `guix repl`, `gs -q -`.

    Args:
        is_described: its program is known, and is one that runs code.
    """
    if command.stdin is None:
        return False
    operands = [word.text for word in command.words[1:] if word.text == "-" or word.text[:1] != "-"]
    named = [text for text in operands if text not in ("-", "/dev/stdin")]
    if not named:
        return (is_described and len(operands) == 1) or command.program in _REPLS
    if operands[-1] in ("-", "/dev/stdin"):
        return is_described and _RUNS.issuperset(named)
    return named[-1].rpartition(":")[2] in _EVALUATES and len(named) <= _FEW_WORDS


_FEW_WORDS = 3  # of a line such as `docker-compose run app console`
_RUNS = words("run exec eval script runner")
_EVALUATES = words(
    "repl eval evaluate interactive ghci irb pry shell shell_plus dbshell tinker console psysh"
    " sqlc sql-cli cli"
)
# Interpreters and clients that without a file run what they read.
_REPLS = words(
    "tsx ts-node esno ipython ipython3 ptpython bpython xonsh ghci irb pry jshell evcxr gore yaegi"
    " iex erl clj clojure bb amm scala spark-shell pyspark sparkR groovysh psysh hy racket guile"
    " csi gst ocaml utop swipl elvish escript ed ex"
)


def evaluated(operations: list[Operation], command: Command) -> list[Operation]:
    """Mark a program that evaluates its input, which comes from the network here."""
    runs = any([op.verb is Verb.EXECUTE and op.thing is ResourceType.CODE for op in operations])
    is_described = runs and find(command.program) is not None
    if not operations or not _runs_input(command, is_described=is_described):
        return operations
    run = replace(
        operations[0],
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        traits=operations[0].traits | {Trait.REMOTE_CODE},
        reversible=False,
    )
    return [run, *operations[1:]]


def fed_line(text: str, command: Command) -> str:
    """Return the line that a command runs, reading what the command itself is given as input.

    `curl ... | python manage.py shell`: the inner program evaluates what comes from the network.
    Only a single program can be told to: in a longer line nobody knows which of them reads.
    """
    stream = command.stdin
    if stream is None or not _MARKS.isdisjoint(text):
        return text
    if stream.text is not None:
        return f"{text} <<< {shlex.quote(stream.text)}" if stream.text else text
    return f"{text} < {shlex.quote(stream.path or '/dev/stdin')}"


_MARKS = frozenset("|;&<>\n(`$")


class Reaching:
    """Finds whose output reaches the commands of a line; results are cached."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self._commands = commands
        self._known: dict[int, AbstractSet[int]] = {}

    def of(self, at: int, direct: Sequence[int]) -> AbstractSet[int]:
        """Return the indexes of a command and of all whose output reaches it.

        Args:
            direct: its direct sources.
        """
        for source in direct:
            known = self._known.get(source)
            # It reaches what feeds it, so all that reach either reach both.
            if known is not None and at in known:
                break
        else:
            known = frozenset({at, *upstream_of(at, self._commands)})
            for source in known.intersection(direct):
                if at in direct_sources(self._commands[source]):  # they feed each other
                    self._known[source] = known
        self._known[at] = known
        return known


def wrapped_by(at: int, commands: Sequence[Command]) -> list[int]:
    """Return the indexes of commands inside the one at `at` that print to its output, sorted."""
    inside = {at}
    for command in commands[at + 1 :]:
        if command.parent in inside and not _prints_elsewhere(command):
            inside.add(command.index)
    inside.discard(at)
    return sorted(inside)


def _prints_elsewhere(command: Command) -> bool:
    return any([one.kind is not RedirectKind.READ for one in command.redirects])
