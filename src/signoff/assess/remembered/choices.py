"""What a session chose for later calls: contexts, saved plans, files of production elsewhere."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator

from signoff.actions.facts import next_number
from signoff.actions.operation import Operation
from signoff.actions.shell.choices.remembered import (
    DESTROYS,
    PLAN,
    PREFIX,
    choices_of,
    made_choices,
    may_choose,
)
from signoff.actions.shell.reader import read_shell
from signoff.actions.understand import place_of
from signoff.assess.combined.call import Call

MOST = 8  # choices of one call
TEXT_LIMIT = 4_096


def choice_marks(call: Call, known: Collection[str]) -> Iterator[str]:
    """Yield a mark for each thing that a shell line chooses for later calls.

    Args:
        known: what the session remembers; a choice is numbered behind those of before.
    """
    line = call.action.text("command")[:TEXT_LIMIT]
    if not line or not may_choose(line):
        return
    place = place_of(call.action, call.facts)
    commands = read_shell(line, cwd=place.cwd, variables={"HOME": place.home}).commands
    number = next_number(known, PREFIX)
    chosen = choices_of(known)
    for what, value in [*made_choices(commands)][:MOST]:
        # Nothing is remembered of an ordinary copy, unless it replaces one of production.
        if value or chosen.get(what):
            yield f"{PREFIX}{number}:{what}:{value}"
            number += 1


def applies_destroying_plan(op: Operation, call: Call) -> bool:
    """Return whether a saved plan is applied that an earlier call made to destroy everything."""
    if not op.program.endswith(" apply"):
        return False
    chosen = choices_of(call.facts.created)
    folder = call.action.cwd or "/"
    paths = [posixpath.normpath(posixpath.join(folder, one)) for one in op.source.split()]
    return any([chosen.get(f"{PLAN}{path}") == DESTROYS for path in paths])
