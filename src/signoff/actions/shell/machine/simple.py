"""Runs one simple command: words, assignments, redirections, and whatever it carries.

x=1 sudo rm $y > log    ->  Command(sudo ...), then Command(rm ...) with carriers=("sudo",)
"""

from __future__ import annotations

from signoff.actions.shell.command import Command, RedirectKind, Word
from signoff.actions.shell.machine.builtins import (
    ASSIGNMENT,
    DECLARERS,
    STATEFUL,
    Pairs,
    Shell,
    assign,
    declared,
    run_builtin,
)
from signoff.actions.shell.machine.descriptors import (
    coprocess,
    default_input,
    is_bare_exec,
    open_descriptors,
    tied,
)
from signoff.actions.shell.machine.host import Host
from signoff.actions.shell.machine.outputs import output_of
from signoff.actions.shell.machine.own_programs import alias, own_script
from signoff.actions.shell.machine.redirects import (
    NO_REDIRECTS,
    Redirects,
    file_text,
    forget_files,
    resolve,
    sent,
    written_files,
)
from signoff.actions.shell.state import (
    MAX_DEPTH,
    UNKNOWN,
    Before,
    Exhausted,
    Feed,
    Output,
    ShellFrame,
    ShellScope,
    leave,
    possible,
)
from signoff.actions.shell.syntax.tree import Simple
from signoff.actions.shell.words.expand import Expander
from signoff.actions.shell.words.literals import literal_words, without_brackets
from signoff.actions.shell.words.made_names import is_odd_name
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, inherited
from signoff.actions.shell.wrappers.shells import SHELLS
from signoff.actions.shell.wrappers.table import CARRIERS
from signoff.values import replace

_SOURCES = frozenset({".", "source"})
_ODD_STARTS = frozenset({"=", "!"})
_EMPTY_INPUTS = frozenset({"/dev/null", "/dev/tty"})
_DRINKERS = frozenset(
    {*SHELLS, "cat", "head", "tail", "tee", "sort", "uniq", "wc", "grep", "awk", "sed", "ssh"}
    | {"xargs", "dd", "tr", "cut", "python", "python3", "node", "perl", "ruby", "jq", "parallel"}
)
_LOOKED_UP = frozenset({"time", "nocorrect", "noglob"})
_TRANSPARENT = frozenset(
    {f"{shell} -c" for shell in SHELLS}
    | {*SHELLS, *_LOOKED_UP, *_SOURCES}
    | {"sudo", "doas", "env", "nohup", "nice", "timeout", "stdbuf", "command", "builtin", "eval"}
    | {"xargs", "busybox"}
)


class SimpleRunner:
    """Runs simple commands for an interpreter."""

    def __init__(self, reading: Host) -> None:
        self.reading = reading

    def expander(self, scope: ShellScope, frame: ShellFrame) -> Expander:
        """Return a word expander whose substitutions run in this simulation."""
        reading = self.reading

        def substitute(text: str, is_reader: bool) -> Output:  # noqa: FBT001 - see Substitute
            return reading.substitute(text, scope, frame, is_reader=is_reader)

        return Expander(scope, reading.fuel, substitute)

    def simple(self, node: Simple, text: str, scope: ShellScope, frame: ShellFrame) -> Output:
        """Run one node."""
        self.reading.fuel.burn(10)
        if scope.maybe:
            self._as_possible(node, text, scope, frame)
        start = len(self.reading.commands)
        raws = node.words
        n = _assignments(raws) if raws and "=" in raws[0] else 0
        if node.coprocess:
            frame = coprocess(node.coprocess, scope, frame, start)
        words, pairs, made, before = self._resolved(node, n, scope, frame)
        feed, opened_before = frame.feed, scope.descriptors
        if made.opened or opened_before or (made.stdin and is_bare_exec(words)):
            words = self._descriptors(words, made, scope)
        command = Command(
            words=tuple(words),
            assignments=pairs,
            redirects=made.files,
            stdin=made.stdin or (feed.stream if feed is not None else default_input(scope)),
            cwd=scope.folder,
            carriers=frame.carriers,
            index=len(self.reading.commands),
            parent=frame.parent,
            is_background=frame.is_background,
            source=text[node.start : min(node.end, node.start + 200)].rstrip(),
        )
        output = self.run(command, scope, frame.fed(made.stdin) if made.stdin else frame)
        if before is not None:
            before.restore(scope, raws[:n])
        if made.opened and not is_bare_exec(words):
            scope.descriptors = opened_before
        if command.index > start:
            self._tie_readers(start, command.index, output)
        if made.output is not None and output.text:
            self._tie_written(command, made, output.text)
        return sent(output, made, scope) if made.is_away else output

    def _resolved(
        self, node: Simple, n: int, scope: ShellScope, frame: ShellFrame
    ) -> tuple[list[Word], Pairs, Redirects, Before | None]:
        """Words, assignments, redirections; how things were if the `n` assignments end with it."""
        raws = node.words
        told = None if n or node.redirects else _told(raws)
        if told is not None:
            if told[0].has_glob or told[0].text[:1] in _ODD_STARTS:
                self._look_at_program(told, NO_REDIRECTS, frame)
            return told, (), NO_REDIRECTS, None
        expander = self.expander(scope, frame)
        shell = Shell(scope, expander, frame.feed, self.reading.fuel)
        words, pairs = _words(raws[n:], shell)
        made = resolve(node.redirects, expander, scope) if node.redirects else NO_REDIRECTS
        self._look_at_program(words, made, frame)
        before = Before(scope) if n and words else None
        if n:
            pairs = tuple([pair for raw in raws[:n] if (pair := assign(raw, shell))]) + pairs
        if before is not None:
            scope.exported |= frozenset([name for name, _ in pairs])
        return words, pairs, made, before

    def _descriptors(self, words: list[Word], made: Redirects, scope: ShellScope) -> list[Word]:
        """Open what the redirections open; the words that name descriptors know their content."""
        if made.stdin is not None and is_bare_exec(words):
            made.opened["0"] = made.stdin
        open_descriptors(made.opened, scope)
        return tied(words, scope)

    def _inherit(self, pairs: Pairs, scope: ShellScope, frame: ShellFrame) -> None:
        """Variables that are set for a program by what carries it."""
        for name, value in pairs:
            scope.assign(name, value)
            if name.startswith("BASH_FUNC_"):
                self._import_function(name, value, scope, frame)
        scope.exported |= frozenset(name for name, _ in pairs)

    def _import_function(
        self, name: str, value: Word, scope: ShellScope, frame: ShellFrame
    ) -> None:
        """`BASH_FUNC_x%%=() { ..; }`: bash defines `x`, and runs what follows it."""
        name = name.removeprefix("BASH_FUNC_").removesuffix("%%").removesuffix("()")
        if not value.is_known:
            self.reading.give_up("part of a function is unknown", value.text, frame)
        self.reading.run_text(f"{name} {value.text}", scope, frame)
        scope.exported |= {f"{name}()"}

    def _as_possible(self, node: Simple, text: str, scope: ShellScope, frame: ShellFrame) -> None:
        """Run a node with the values its unknown variables may hold, beside what is unknown."""
        around = frame.fed(frame.feed.stream) if frame.feed is not None else frame
        for state in possible(scope, node.words):
            self.simple(node, text, state, around)

    def _tie_written(self, command: Command, made: Redirects, text: str) -> None:
        """Say on the redirection what it writes; the command is in the reading already."""
        commands, at = self.reading.commands, command.index
        if at < len(commands) and commands[at].redirects == made.files:
            redirects = tuple(
                replace(one, text=text) if one is made.output else one for one in made.files
            )
            commands[at] = replace(commands[at], redirects=redirects)

    def _look_at_program(self, words: list[Word], made: Redirects, frame: ShellFrame) -> None:
        """A program named by a pattern, by zsh's `=name`, or from the history; `exec <file`."""
        if not words:
            return
        first = words[0]
        if first.has_glob:
            words[0] = without_brackets(first)
        elif first.text[:1] == "=" and self.reading.is_zsh:
            words[0] = replace(first, text=first.text[1:])
        elif first.text[:1] == "!" and len(first.text) > 1 and not first.is_quoted:
            self.reading.give_up("history expansion", first.text, frame)
        elif is_bare_exec(words) and made.stdin and made.stdin.path not in _EMPTY_INPUTS:
            self.reading.give_up("the shell itself reads other input", made.stdin.path, frame)

    def _tie_readers(self, start: int, end: int, output: Output) -> None:
        """Commands in `>( )` ran before the one that feeds them was known."""
        commands = self.reading.commands
        for n in range(start, end):
            stdin = commands[n].stdin
            if stdin is not None and stdin.sources == (-1,):
                commands[n] = replace(commands[n], stdin=replace(stdin, sources=output.sources))

    def run(
        self, command: Command, scope: ShellScope, frame: ShellFrame, *, is_shell_word: bool = True
    ) -> Output:
        """Emit a command, run what it carries, and apply what it does to the shell.

        Functions and aliases are in force only where the shell itself looks the word up.
        """
        words = command.words
        if not words:
            return self._wordless(command)
        name = words[0].text if words[0].is_known else ""
        body = scope.functions.get(name) if is_shell_word else None
        if body is not None and name not in frame.calls:
            return self._call(command, body, scope, frame)
        index = len(self.reading.commands)
        if body is not None:
            carriers = (*command.carriers, f"function {name}")
            command = replace(command, carriers=carriers, index=index)
        elif command.index != index:
            command = replace(command, index=index)
        if scope.files and (known := written_files(words, scope)):
            command = replace(command, known_files=known)
        self.reading.emit(command)
        if not name.isascii() and is_odd_name(name):
            self.reading.give_up("program with look-alike characters", command.source, frame)
        is_aliased = is_shell_word and words[0].text in scope.aliases
        aliased = (alias(words, scope),) if is_aliased and "alias" not in frame.carriers else ()
        return self._effects(command, name.rsplit("/", 1)[-1], aliased, scope, frame)

    def _effects(
        self,
        command: Command,
        name: str,
        aliased: tuple[Inner, ...],
        scope: ShellScope,
        frame: ShellFrame,
    ) -> Output:
        """What a command prints, carries, and changes."""
        output = output_of(command.words, name, command.stdin, scope)
        output.sources = (command.index,)
        inners = aliased + self._inners(command, name, scope)
        if scope.files:
            forget_files(command, name, scope)
        if inners:
            output = self._carried(inners, command, scope, frame)
        elif name in _SOURCES:
            scope.forget()
        if name in _DRINKERS and frame.feed is not None:
            frame.feed.rest = None
        if name in STATEFUL:
            shell = Shell(scope, self.expander(scope, frame), frame.feed, self.reading.fuel)
            run_builtin(name, command.words, shell)
        return output

    def _inners(self, command: Command, name: str, scope: ShellScope) -> tuple[Inner, ...]:
        """Everything a command runs beside itself."""
        words = command.words
        made: tuple[Inner, ...] = ()
        if (unfold := CARRIERS.get(name)) is not None:
            call = WrapperCall(
                words=words,
                stdin=command.stdin,
                name=name,
                assignments=command.assignments,
                file_text=lambda word: file_text(word, scope),
            )
            made += unfold(call)
        elif scope.files or scope.programs:
            made += own_script(words, scope)
        return made

    def _wordless(self, command: Command) -> Output:
        if not command.assignments and not command.redirects:
            return Output()
        index = self.reading.emit(replace(command, index=len(self.reading.commands)))
        if any(file.kind is RedirectKind.READ for file in command.redirects):
            # `$(<file)` is the file's text.
            text = command.stdin.text if command.stdin is not None else None
            return Output(text, (index,))
        return Output("")

    def _call(self, command: Command, body: object, scope: ShellScope, frame: ShellFrame) -> Output:
        """Run a function's body with the words of the call as its arguments."""
        name = command.words[0].text
        if frame.depth >= MAX_DEPTH:
            raise Exhausted("nested too deep")
        reading = self.reading
        node = scope.functions[name]
        reading.uncalled.pop(id(body), None)
        if command.redirects or command.assignments:
            reading.emit(replace(command, words=(), index=len(reading.commands)))
        saved, scope.parameters = scope.parameters, command.words[1:]
        hidden, scope.hidden = scope.hidden, {}
        exits, scope.exits = scope.exits, []
        inner = replace(frame, calls=(*frame.calls, name), depth=frame.depth + 1)
        output = reading.run(node, reading.texts.get(id(node), ""), scope, inner)
        leave(scope, exits)
        for shadowed, value in (scope.hidden or {}).items():
            scope.assign(shadowed, value if value is not None else UNKNOWN)
        scope.parameters, scope.hidden = saved, hidden
        return output

    def _carried(
        self, inners: tuple[Inner, ...], command: Command, scope: ShellScope, frame: ShellFrame
    ) -> Output:
        output = Output()
        for inner in inners:
            output = output.joined(self._inner(inner, command, scope, frame))
        if any(inner.input_words or inner.carrier not in _TRANSPARENT for inner in inners):
            output.text = None
        output.sources = (command.index, *output.sources)
        return output

    def _inner(
        self, inner: Inner, command: Command, scope: ShellScope, frame: ShellFrame
    ) -> Output:
        if frame.depth >= MAX_DEPTH:
            raise Exhausted("nested too deep")
        feed = frame.feed if inner.stdin is None else Feed(inner.stdin)
        around = replace(
            frame,
            carriers=(*frame.carriers, inner.carrier),
            parent=command.index,
            depth=frame.depth + 1,
            is_background=frame.is_background or inner.is_background,
            feed=feed,
        )
        child = scope.copy if inner.carrier == "trap" else scope.child
        within = scope if inner.in_shell else child()
        if inner.folder is not None:
            within.move_to(within.absolute(inner.folder) if inner.folder else "")
        if inner.why:
            self.reading.give_up(inner.why, command.source, around)
            return Output(None)
        if inner.assignments:
            self._inherit(inner.assignments, within, around)
        if inner.text is not None:
            if inner.text.is_decoded:
                self.reading.give_up("runs decoded text", command.source, around)
            if inner.carrier == "trap" and inner.text.is_known:
                self.reading.traps.append((inner.text.text, scope.copy(), around))
            is_late = inner.is_at_end and scope.awaits(inner.text.text)
            return Output(None) if is_late else self._text(inner, inner.text, within, around)
        made = Command(
            words=inner.words,
            index=len(self.reading.commands),
            assignments=inner.assignments or inherited(command.assignments),
            stdin=feed.stream if feed is not None else None,
            cwd=within.folder,
            carriers=around.carriers,
            parent=command.index,
            is_background=around.is_background,
            input_words=inner.input_words,
            source=command.source,
        )
        is_shell_word = inner.carrier in _LOOKED_UP
        return self.run(made, within, around, is_shell_word=is_shell_word)

    def _text(self, inner: Inner, text: Word, scope: ShellScope, frame: ShellFrame) -> Output:
        if not text.is_known:
            self.reading.give_up(f"part of what {inner.carrier} runs is unknown", text.text, frame)
            if inner.in_shell:
                scope.forget()
            if not text.text.strip("\ufffd \n"):
                return Output(None, text.sources)
        if not inner.in_shell:
            scope.enter(inner.parameters, inner.own_name)
        output = self.reading.run_text(text.text, scope, frame)
        output.is_decoded = output.is_decoded or text.is_decoded
        return output


def _assignments(raws: list[str]) -> int:
    """How many assignments stand before the program."""
    n = 0
    while n < len(raws) and "=" in raws[n] and ASSIGNMENT.match(raws[n]):
        n += 1
    return n


def _told(raws: list[str]) -> list[Word] | None:
    """The words, where neither they nor the program ask for the state of the shell."""
    return literal_words(raws) if raws and raws[0] not in DECLARERS else None


def _words(raws: list[str], shell: Shell) -> tuple[list[Word], Pairs]:
    """The program and its words, and what `export` and its kin assign."""
    if raws and raws[0] in DECLARERS:
        return declared(raws, shell)
    return shell.expander.all_words(raws), ()
