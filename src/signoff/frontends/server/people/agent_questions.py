"""Questions of agents, put to people on a channel instead of the host's own prompt.

Whatever goes wrong here leaves the question to the host: it is a question, not an approval.
"""

from __future__ import annotations

import logging

from signoff.actions.action import Action
from signoff.challenge.words.asking import About, QuestionChannel
from signoff.errors import SignoffError
from signoff.frontends.hosts.adapter import HostAnswer, QuestionFormat
from signoff.frontends.hosts.registry import ADAPTERS

log = logging.getLogger(__name__)


def asks_its_user(action: Action) -> bool:
    """Tell whether a call is a question of the agent's to its user."""
    form = _form_of(action)
    return form is not None and form.tool == action.tool


def _form_of(action: Action) -> QuestionFormat | None:
    """Return how the host of a call asks its user, None if it is not known."""
    adapter = ADAPTERS.get(action.source)
    return adapter.questions if adapter else None


async def answer_for(
    people: QuestionChannel, action: Action, *, timeout_s: float
) -> HostAnswer | None:
    """Return the reply to the host if the call is a question that people answered."""
    form = _form_of(action)
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
