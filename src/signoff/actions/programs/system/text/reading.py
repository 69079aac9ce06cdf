"""Programs that only read: they print files, list names, show the state of the machine.

Three kinds: those that copy out what a file holds, those that list names and sizes (which leaves
secrets unread), and those that look at no file at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.scripts import run_unread
from signoff.actions.programs.system.operands import files_given, listed
from signoff.actions.shell.command import Word

ENDLESS = frozenset({"/dev/zero", "/dev/urandom", "/dev/random"})
# `head` ends by itself; dumps of bytes are looked at and interrupted.
BOUNDED = frozenset({"head", "ghead", "od", "hexdump", "xxd"})


def loads_builtin(call: ProgramCall) -> Iterator[Effect]:
    """`enable -f file name`: the shell loads a shared object; else builtins go on and off."""
    loaded = call.value("-f")
    yield (
        call.operation(Verb.INERT, ResourceType.NOTHING)
        if loaded is None
        else run_unread(call, loaded)
    )


def contents(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cat`, `tail` and others that copy their operands out."""
    given = files_given(call)
    for word in given:
        # A bare `-` is standard input.
        if word.text not in {"-", "--"}:
            yield call.on_file(Verb.READ, word)
    if _never_ends(call):
        yield call.operation(Verb.WRITE, ResourceType.FILE, traits=(Trait.EXHAUSTS,))
    elif not given:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _never_ends(call: ProgramCall) -> bool:
    """Whether a file without an end is copied without a bound, to where it is kept."""
    if not any([word.text in ENDLESS for word in call.operands]):
        return False
    if call.name in BOUNDED or call.has("-c", "-n", "--bytes"):
        return False
    # tail keeps all it reads in memory until the end comes; others fill the disk they write to.
    return call.name == "tail" or any(r.kind.value != "read" for r in call.command.redirects)


def pager(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `less +COMMAND FILE`: a command behind `+` may run a line."""
    for word in call.operands:
        # less(1): `+!LINE` runs a shell line before the first screen.
        if word.text[:1] == "+" and "!" in word.text:
            line = word.text.partition("!")[2]
            yield Nested(text=line, language="shell", carrier=call.name, is_known=word.is_known)
    kept = tuple(w for w in call.operands if w.text[:1] != "+")
    yield from contents(_with(call, kept))


def names(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ls`, `stat`, `du`: names and sizes, not what files hold."""
    # `ls` alone lists the folder in force.
    for word in files_given(call) or (Word(text="."),):
        yield listed(call, word)


def query(call: ProgramCall) -> Iterator[Effect]:
    """`jq`, `yq`: the first operand is an expression unless a file gives it; `-i` writes back."""
    # The expression is data: `.env` in it is a field and no file.
    files = call.operands if call.has("-f", "--from-file") else call.operands[1:]
    in_place = call.has("-i", "--inplace", "--in-place")
    for word in files:
        yield call.on_file(Verb.WRITE if in_place else Verb.READ, word)
    if not files:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def hex_dump(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `xxd IN OUT` writes its second operand."""
    yield from contents(_with(call, call.operands[:1]))
    for word in call.operands[1:2]:
        yield call.on_file(Verb.WRITE, word)


def _with(call: ProgramCall, operands: tuple[Word, ...]) -> ProgramCall:
    return ProgramCall(
        name=call.name,
        options=call.options,
        operands=operands,
        traits=call.traits,
        command=call.command,
        place=call.place,
    )
