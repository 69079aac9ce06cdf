"""Questions of agents, put to people on a channel instead of the host's own prompt.

Whatever goes wrong here leaves the question to the host: it is a question, not an approval.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from signoff.actions.action import Action
from signoff.challenge.words.asking import About, AgentQuestion, QuestionChannel
from signoff.errors import SignoffError
from signoff.frontends.hosts.adapter import HostAnswer
from signoff.frontends.hosts.claude_code import questions as claude_code

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QuestionFormat:
    """How a host's questions are read and their answers told."""

    tool: str
    questions_of: Callable[[Action], tuple[AgentQuestion, ...]]
    answered: Callable[[Action, Sequence[str]], HostAnswer]


FORMS: Mapping[str, QuestionFormat] = {
    "claude-code": QuestionFormat(claude_code.TOOL, claude_code.questions_of, claude_code.answered),
}


def asks_its_user(action: Action) -> bool:
    """Tell whether a call is a question of the agent's to its user."""
    form = FORMS.get(action.source)
    return form is not None and form.tool == action.tool


async def answer_for(
    people: QuestionChannel, action: Action, *, timeout_s: float
) -> HostAnswer | None:
    """Return what the host is told where the call is a question that people answered."""
    form = FORMS.get(action.source)
    questions = form.questions_of(action) if form else ()
    if form is None or not questions:
        return None
    about = About(host=action.source, agent=action.agent, session=action.session, cwd=action.cwd)
    try:
        answers = await people.ask(questions, about=about, timeout_s=timeout_s)
    except SignoffError as error:
        log.warning("a question is left to the host: %s", error)
        return None
    return None if answers is None else form.answered(action, answers)
