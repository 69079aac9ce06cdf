"""Compilers, linkers, binary tools, tracers and debuggers of native code, and embedded boards.

Compilers write what `-o` names. Options that hand work to another program run that program.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.effect_presets import BUILD
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words


def compiler(call: ProgramCall) -> Iterator[Effect]:
    """`gcc -o x x.c`: builds; `-wrapper prog` and plugins are programs of their own."""
    wrapper = call.value("-wrapper")
    if wrapper is not None:
        line = rejoin(Word(text=part) for part in wrapper.text.split(","))
        yield Nested(text=line, language="shell", carrier=f"{call.name} -wrapper")
    for option in call.options:
        if option.name == "-fplugin" and option.value is not None:
            yield call.on_file(Verb.EXECUTE, option.value)
    if call.operands and call.name in LINKERS and not call.has("-o", *UNLINKED):
        yield call.on_file(Verb.WRITE, Word(text="a.out"))
    yield from call.perform(BUILD)


LINKERS = words("gcc g++ cc c++ clang clang++ tcc icc icx gfortran flang ifort nvcc mpicc mpicxx")
UNLINKED = ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-v")
