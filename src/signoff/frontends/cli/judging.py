"""How the commands come by a judge, and how they end when something goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.verdict import Verdict
from signoff.challenge.visible import visible_lines
from signoff.errors import SignoffError
from signoff.settings import load_settings
from signoff.storage.memory import MemoryStore
from signoff.sync import run_now
from signoff.wiring import build_judge, build_memory, load_settings_here

Judge = Callable[[Action, Facts], Assessed]

EXIT_CODES = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


def judge_of_this_user() -> Judge:
    """Return the judge that the user's settings and rules make, wherever this is."""
    return build_judge(load_settings())


def judge_here(action: Action) -> Assessed:
    """Judge a call as the gate would in this folder: with its project, its files, no session."""
    settings = load_settings_here()
    facts = run_now(build_memory(settings, MemoryStore()).recall(action))
    return build_judge(settings)(action, facts)


class Refusal(click.ClickException):
    """An error message with the exit status of a deny."""

    exit_code = EXIT_CODES[Verdict.DENY]


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """End a command on one of our errors with its message and status 2, which is no allow."""
    try:
        yield
    except SignoffError as error:
        raise Refusal("\n".join(visible_lines(str(error)))) from error
