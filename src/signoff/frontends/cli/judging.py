"""How the commands come by a judge."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TypeVar

from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.gate import Judge
from signoff.judgement import build_judge, build_memory, load_settings_here
from signoff.settings import load_settings
from signoff.storage.memory import MemoryStore

Result = TypeVar("Result")


def judge_of_this_user() -> Judge:
    """Return the judge that the user's settings and rules make, wherever this is."""
    return build_judge(load_settings())


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
