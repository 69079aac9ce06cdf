"""How the commands come by a judge."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TypeVar

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.build.judge import build_judge, build_memory, build_programs, load_settings_here
from signoff.gate import Judge
from signoff.settings import load_settings
from signoff.storage.memory import MemoryStore
from signoff.values import replace

Result = TypeVar("Result")


def judge_of_this_user() -> Judge:
    """Return the judge that the user's settings, rules and programs make, wherever this is."""
    settings = load_settings()
    judge, programs = build_judge(settings), build_programs(settings)
    programs.current()  # bad ones are said before the first call

    def judged(action: Action, facts: Facts) -> Assessed:
        described = programs.current()
        facts = replace(facts, guard_ports=facts.guard_ports | {settings.port})
        return judge(action, replace(facts, programs=described) if described else facts)

    return judged


def judge_here(action: Action) -> Assessed:
    """Judge a call as the gate would in this folder: with its project, its files, no session."""
    settings = load_settings_here()
    facts = at_once(build_memory(settings, MemoryStore()).recall(action))
    return build_judge(settings)(action, facts)


def at_once(coroutine: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine that waits for nobody; an event loop would cost a tenth of a start.

    Raises:
        RuntimeError: it did wait.
    """
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    coroutine.close()
    raise RuntimeError("the coroutine waits for something")
