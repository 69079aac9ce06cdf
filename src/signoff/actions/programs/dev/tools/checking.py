"""Test runners, linters, formatters, type checkers: they read the project, some change its files.

Whatever they are told about unused, deleted or removed things is a matter of their reports.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import BUILD


def playwright(call: ProgramCall) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def node_tests(call: ProgramCall) -> Iterator[Effect]:
    """`jest`, `mocha`: `--globalSetup` and `--require` name code of the project."""
    for word in call.values("--require", "-r", "--globalSetup", "--setupFiles", "--import"):
        if word.text.startswith(("/", "~", "../")):
            yield call.on_file(Verb.EXECUTE, word)
    yield from call.perform(BUILD)
