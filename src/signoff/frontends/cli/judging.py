"""How the commands come by a judge."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TypeVar

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.build.judge import (
    Trust,
    build_judge,
    build_memory,
    build_programs,
    build_rules,
    guard_install,
    guard_paths,
    guard_tree,
    load_settings_here,
    no_trust,
)
from signoff.build.scoring import build_profile
from signoff.frontends.cli.shaping import Shaping
from signoff.gate import Judge
from signoff.settings import Settings, load_settings
from signoff.storage.memory import MemoryStore
from signoff.values import replace

Result = TypeVar("Result")


def judge_of_this_user() -> Judge:
    """Return the judge made of the user's settings, rules and programs, without a project."""
    settings = load_settings()
    judge, programs = build_judge(settings), build_programs(settings)
    programs.current()  # bad ones are said before the first call

    def judged(action: Action, facts: Facts) -> Assessed:
        described = programs.current()
        # So that a call to the daemon's port, files or installation is known as one.
        facts = replace(
            facts,
            guard_ports=facts.guard_ports | {settings.port},
            guard_paths=facts.guard_paths or guard_paths(settings),
            guard_install=facts.guard_install or guard_install(),
            guard_tree=facts.guard_tree or guard_tree(),
        )
        return judge(action, replace(facts, programs=described) if described else facts)

    return judged


def judge_here(action: Action) -> Assessed:
    """Judge a call as the gate would in this folder, without a session."""
    return judge_and_explain(action).assessed


class JudgedHere(Struct, frozen=True):
    """An assessment, and the settings it was made with."""

    assessed: Assessed
    shaping: Shaping


def judge_and_explain(action: Action, *, agent: str = "") -> JudgedHere:
    """Judge a call as the gate would in this folder.

    Args:
        agent: whose trust counts, where trust is used; "" = nobody's.
    """
    settings = load_settings_here()
    trust = _trust_in_record(settings) if agent and settings.uses_trust else no_trust
    memory = build_memory(settings, MemoryStore(), trust=lambda _: trust(agent))
    facts = at_once(memory.recall(action))
    rules = build_rules(settings)
    assessed = build_judge(settings, rules=rules)(action, facts)
    shaping = Shaping(
        settings=settings, rules=rules.current(), profile=build_profile(settings), agent=agent
    )
    return JudgedHere(assessed, shaping)


def _trust_in_record(settings: Settings) -> Trust:
    """Return what tells the trust in an agent, from the audit log."""
    from signoff.build.gate import (  # noqa: PLC0415 - only who asks for trust pays for the gate
        build_trust,
        sealed_enforcement,
    )
    from signoff.build.stores import build_store  # noqa: PLC0415 - see above

    book = build_trust(settings, build_store(settings), sealed_enforcement(settings).trust)
    return book.of if book else no_trust


def at_once(coroutine: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine that never waits, without an event loop, whose start takes long.

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
