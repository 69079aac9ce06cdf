"""Runs a tree without running anything: emits the commands it would come to.

Control flow is followed as far as it is certain; where either way is possible both are taken
and what they leave behind is merged. Loops over known lists run once an item, others as often
as it takes for their variables to settle.

    Interpreter(fuel).run_text("a=x; rm $a | cat", scope, Frame())
        commands:  (a=x), rm x, cat with stdin from command 1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from signoff.actions.known.secret_owners import secrets_in
from signoff.actions.shell.command import Command, Opaque, Redirect, RedirectKind, Stream, Word
from signoff.actions.shell.machine.descriptors import open_descriptors
from signoff.actions.shell.machine.outputs import ALWAYS_THERE, CERTAIN
from signoff.actions.shell.machine.own_programs import shadowing
from signoff.actions.shell.machine.redirects import resolve, sent
from signoff.actions.shell.machine.simple import SimpleRunner
from signoff.actions.shell.state import (
    MAX_DEPTH,
    Exhausted,
    Feed,
    Lines,
    Output,
    ShellFrame,
    ShellScope,
    differs,
    leave,
    unknown,
)
from signoff.actions.shell.syntax import tree
from signoff.actions.shell.syntax.grammar import parse
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.syntax.tree import Unreadable
from signoff.actions.shell.words.expand import Expander
from signoff.values import replace

MAX_COMMANDS = 450  # beyond them the rest of the line is not understood
MAX_ROUNDS = 16  # of a loop over known words or lines; the others are taken for unknown ones

_TESTS = frozenset({"[", "test", "false", "grep"})


class Interpreter:
    """Simulates one shell line; `commands` and `opaque` are the result."""

    def __init__(self, fuel: Fuel, *, is_zsh: bool = False) -> None:
        self.fuel = fuel
        self.is_zsh = is_zsh
        self.commands: list[Command] = []
        self.opaque: list[Opaque] = []
        self.uncalled: dict[int, tuple[tree.Node, ShellScope]] = {}
        self.texts: dict[int, str] = {}  # of functions, by body: what they were read from
        self.traps: list[tuple[str, ShellScope, ShellFrame]] = []
        self.runner = SimpleRunner(self)

    def emit(self, command: Command) -> int:
        """Add a command to the result; return its index.

        Raises:
            Exhausted: they are too many.
        """
        if len(self.commands) >= MAX_COMMANDS:
            raise Exhausted("too many commands")
        self.commands.append(command)
        return command.index

    def give_up(self, why: str, source: str, frame: ShellFrame) -> None:
        """Record a part that cannot be analysed."""
        self.opaque.append(Opaque(why=why, source=source[:200], carriers=frame.carriers))

    def run_text(self, text: str, scope: ShellScope, frame: ShellFrame) -> Output:
        """Parse and run a text within the line; what cannot be parsed becomes an `Opaque`."""
        try:
            if frame.depth >= MAX_DEPTH:
                raise Exhausted("nested too deep")
            text = text.replace("\r\n", "\n")
            return self.run(parse(text, self.fuel), text, scope, frame)
        except Exhausted:
            raise
        except Unreadable as error:
            self.give_up(error.why, text, frame)
            return Output(None)

    def run(self, node: tree.Node, text: str, scope: ShellScope, frame: ShellFrame) -> Output:
        """Run a syntax tree parsed from `text`."""
        return _Walk(self, text).node(node, scope, frame)

    def run_rest(self, end: ShellScope, frame: ShellFrame) -> None:
        """Run what may run later: traps, and functions that were not called."""
        for text, then, around in self.traps:
            is_late = then.awaits(text)
            if is_late or end.variables != then.variables or end.folder != then.folder:
                self.run_text(text, end.copy(), around)
        while self.uncalled:
            _, (node, scope) = self.uncalled.popitem()
            scope.parameters = (unknown(),)
            self.run(node, self.texts.get(id(node), ""), scope, frame)

    def substitute(
        self, text: str, scope: ShellScope, frame: ShellFrame, *, is_reader: bool
    ) -> Output:
        """Run the content of a command substitution, in a copy of the shell."""
        self.fuel.burn(20)
        start = len(self.commands)
        feed = Feed(Stream(sources=(-1,))) if is_reader else frame.feed
        inner = replace(frame, depth=frame.depth + 1, feed=feed)
        output = self.run_text(text, scope.copy(), inner)
        output.sources = tuple(range(start, len(self.commands)))
        return output


class _Walk:
    """Runs the syntax tree of one text."""

    __slots__ = ("reading", "text")

    def __init__(self, reading: Interpreter, text: str) -> None:
        self.reading = reading
        self.text = text

    def node(self, node: tree.Node, scope: ShellScope, frame: ShellFrame) -> Output:
        if isinstance(node, tree.Simple):
            return self.reading.runner.simple(node, self.text, scope, frame)
        return _RUNS[type(node)](self, node, scope, frame)

    def group(self, node: tree.Group, scope: ShellScope, frame: ShellFrame) -> Output:
        return self.sequence(node.body, scope.copy() if node.is_subshell else scope, frame)

    def function(self, node: tree.Function, scope: ShellScope, frame: ShellFrame) -> Output:
        scope.functions[node.name] = node.body
        self.reading.texts[id(node.body)] = self.text
        self.reading.uncalled[id(node.body)] = (node.body, scope.copy())
        if words := shadowing(node.name):
            self._inert(f"{node.name}()", scope, frame, words)
        return Output()

    def arithmetic(self, node: tree.Arithmetic, scope: ShellScope, frame: ShellFrame) -> Output:
        self.expander(scope, frame).quoted(f"$(({node.text}))")
        return self._inert(f"(({node.text}))", scope, frame)

    def _inert(
        self, source: str, scope: ShellScope, frame: ShellFrame, words: tuple[Word, ...] = ()
    ) -> Output:
        """A command without words: a reading with nothing in it means that nothing was read."""
        self.reading.emit(
            Command(
                words=words,
                cwd=scope.folder,
                carriers=frame.carriers,
                index=len(self.reading.commands),
                parent=frame.parent,
                is_background=frame.is_background,
                source=source[:200],
            )
        )
        return Output()

    def expander(self, scope: ShellScope, frame: ShellFrame) -> Expander:
        return self.reading.runner.expander(scope, frame)

    def sequence(self, node: tree.Sequence, scope: ShellScope, frame: ShellFrame) -> Output:
        if len(node.entries) == 1 and not node.entries[0].is_background:
            return self.node(node.entries[0].node, scope, frame)
        output = Output()
        for entry in node.entries:
            if entry.is_background:
                made = self.node(entry.node, scope.copy(), replace(frame, is_background=True))
            else:
                made = self.node(entry.node, scope, frame)
            output = output.joined(made)
        return output

    def and_or(self, node: tree.AndOr, scope: ShellScope, frame: ShellFrame) -> Output:
        """Run every item. What follows a failure that may not happen is merged at the end."""
        output = self.node(node.items[0], scope, frame)
        before: ShellScope | None = None
        keeps_folder = True
        for last, operator, item in zip(node.items, node.operators, node.items[1:], strict=False):
            if operator == "&&" and _is_certain(last):
                output = output.joined(self.node(item, scope, frame))
                continue
            if before is None:
                before = scope.copy()
            elif operator == "||":
                scope.merge(before, keeps_folder=keeps_folder)
            keeps_folder = keeps_folder and operator == "&&" and not _is_test(last)
            lines = Lines(frame.feed)
            output = _perhaps(output, self.node(item, scope, frame))
            lines.put_back()
            lines.settle()
        if before is not None:
            scope.merge(before, keeps_folder=keeps_folder)
        return output

    def pipeline(self, node: tree.ShellPipeline, scope: ShellScope, frame: ShellFrame) -> Output:
        output = Output()
        for n, stage in enumerate(node.stages):
            inner = frame.fed(output.stream) if n else frame
            is_here = self.reading.is_zsh and n == len(node.stages) - 1
            output = self.node(stage, scope if is_here else scope.copy(), inner)
        return output

    # -- compound commands

    def redirected(self, node: tree.Redirected, scope: ShellScope, frame: ShellFrame) -> Output:
        expander = self.expander(scope, frame)
        made = resolve(node.redirects, expander, scope)
        before = open_descriptors(made.opened, scope)
        stdin = made.stdin
        read = tuple(file for file in made.files if file.kind is RedirectKind.READ)
        written = tuple(file for file in made.files if file.kind is not RedirectKind.READ)
        if read:
            if stdin is not None:
                stdin = replace(stdin, sources=(*stdin.sources, len(self.reading.commands)))
            self._emit_redirects(read, made.stdin, scope, frame)
        output = self.node(node.node, scope, frame.fed(stdin) if stdin is not None else frame)
        scope.descriptors = before
        if written:
            self._emit_redirects(written, output.stream, scope, frame)
        return sent(output, made, scope)

    def _emit_redirects(
        self,
        files: tuple[Redirect, ...],
        stdin: Stream | None,
        scope: ShellScope,
        frame: ShellFrame,
    ) -> None:
        """A group's redirections, as a command without words; files written are fed by it."""
        self.reading.emit(
            Command(
                words=(),
                redirects=files,
                stdin=stdin,
                cwd=scope.folder,
                carriers=frame.carriers,
                index=len(self.reading.commands),
                parent=frame.parent,
                is_background=frame.is_background,
                source=" ".join(file.target.raw or file.target.text for file in files)[:200],
            )
        )

    def branches(self, node: tree.If, scope: ShellScope, frame: ShellFrame) -> Output:
        output = Output()
        ends: list[ShellScope] = []
        lines = Lines(frame.feed)
        for n, (condition, body) in enumerate(node.branches):
            if condition is not None:
                output = output.joined(self.sequence(condition, scope, frame))
                lines.kept(is_certain=n == 0)
            branch = scope.copy()
            output = _perhaps(output, self.sequence(body, branch, frame))
            lines.put_back()
            ends.append(branch)
        lines.settle()
        if node.branches[-1][0] is None and not node.branches[-1][1].entries:
            return output
        self._merge_ends(node, ends, scope)
        return output

    def _merge_ends(self, node: tree.If, ends: list[ShellScope], scope: ShellScope) -> None:
        if node.branches[-1][0] is None:
            last = ends.pop()
            scope.variables, scope.arrays = last.variables, last.arrays
            scope.parameters, scope.functions = last.parameters, last.functions
            scope.aliases, scope.folder = last.aliases, last.folder
        for end in ends:
            scope.merge(end)

    def case(self, node: tree.CaseCommand, scope: ShellScope, frame: ShellFrame) -> Output:
        expander = self.expander(scope, frame)
        expander.word(node.word)
        lines = Lines(frame.feed)
        output = Output()
        ends: list[ShellScope] = []
        for patterns, body in node.items:
            for pattern in patterns:
                expander.word(pattern)
            branch = scope.copy()
            output = _perhaps(output, self.sequence(body, branch, frame))
            lines.put_back()
            ends.append(branch)
        lines.settle()
        for end in ends:
            scope.merge(end)
        return output

    def test(self, node: tree.Test, scope: ShellScope, frame: ShellFrame) -> Output:
        expander = self.expander(scope, frame)
        for raw in node.words:
            word = expander.word(raw)
            if "[" in word.text and ("$" in word.text or "`" in word.text):
                # `[[ 'a[$(x)]' -eq 0 ]]` and `-v` evaluate subscripts.
                expander.quoted(word.text)
        return self._inert(f"[[ {' '.join(node.words)} ]]", scope, frame)

    # -- loops

    def loop(self, node: tree.Loop, scope: ShellScope, frame: ShellFrame) -> Output:
        exits, scope.exits = scope.exits, []
        output = self._rounds(node, scope, frame)
        leave(scope, exits)
        return output

    def _rounds(self, node: tree.Loop, scope: ShellScope, frame: ShellFrame) -> Output:
        feed = frame.feed
        rest = feed.rest if feed is not None else None
        before = scope.copy()
        output = self.sequence(node.condition, scope, frame)
        takes_lines = feed is not None and rest is not None and feed.rest != rest
        output = _perhaps(output, self.sequence(node.body, scope, frame))
        rounds = 1
        while takes_lines and feed is not None and feed.rest and rounds < MAX_ROUNDS:
            self.sequence(node.condition, scope, frame)
            output = _perhaps(output, self.sequence(node.body, scope, frame))
            rounds += 1
        is_done = takes_lines and feed is not None and feed.rest == ""
        scope.merge(before)
        if not is_done and (takes_lines or differs(scope, before)):
            if feed is not None and feed.rest != rest:
                feed.rest = None
            self.sequence(node.condition, scope, frame)
            output = _perhaps(output, self.sequence(node.body, scope, frame))
            scope.merge(before)
        return output

    def for_each(self, node: tree.For, scope: ShellScope, frame: ShellFrame) -> Output:
        head = node.head
        expander = self.expander(scope, frame)
        if head.arithmetic:
            for part in head.arithmetic.split(";"):
                expander.quoted(f"$(({part}))")
            return self.loop(tree.Loop(tree.Sequence([]), node.body), scope, frame)
        if head.words is None:
            words = list(scope.parameters)
        else:
            words = [word for raw in head.words for word in expander.words(raw)]
        if len(words) > MAX_ROUNDS or any(not word.is_known for word in words):
            sources = tuple(source for word in words for source in word.sources)
            kept = [word for word in words if word.is_known][:MAX_ROUNDS]
            given = [word for word in words if not word.is_known] if head.words is None else []
            secrets = "".join([secrets_in(word.raw) for word in words if not word.is_known])
            words = kept + (given[:1] or [unknown(tuple(dict.fromkeys(sources)), secrets)])
        before = scope.copy()
        output = Output()
        exits, scope.exits = scope.exits, []
        for word in words or [unknown()]:
            scope.assign(head.name, word)
            output = output.joined(self.sequence(node.body, scope, frame))
        leave(scope, exits)
        if not words or not all(word.is_known for word in words):
            scope.merge(before)
            output.text = None
        return output


_RUNS: dict[type[tree.Node], Callable[[_Walk, Any, ShellScope, ShellFrame], Output]] = {
    tree.Sequence: _Walk.sequence,
    tree.AndOr: _Walk.and_or,
    tree.ShellPipeline: _Walk.pipeline,
    tree.Group: _Walk.group,
    tree.If: _Walk.branches,
    tree.Loop: _Walk.loop,
    tree.For: _Walk.for_each,
    tree.CaseCommand: _Walk.case,
    tree.Function: _Walk.function,
    tree.Redirected: _Walk.redirected,
    tree.Arithmetic: _Walk.arithmetic,
    tree.Test: _Walk.test,
}


def _perhaps(output: Output, more: Output) -> Output:
    """Output that may or may not be followed by more."""
    made = output.joined(more)
    if more.text != "":
        made.text = None
    return made


def _is_certain(node: tree.Node) -> bool:
    """Return whether a node certainly succeeds."""
    if isinstance(node, tree.Simple) and not node.redirects and not node.is_negated:
        words = node.words
        if words and (words[0] in CERTAIN or tuple(words) in ALWAYS_THERE):
            return True
        return all(["=" in word and "$" not in word and "`" not in word for word in words])
    return False


def _is_test(node: tree.Node) -> bool:
    if isinstance(node, tree.Simple):
        return bool(node.words) and node.words[0] in _TESTS
    return isinstance(node, tree.Test | tree.Arithmetic)
