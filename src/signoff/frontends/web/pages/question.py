"""One question of an agent's, or an agent that has stopped: read and answered.

The form needs no script but for the token every change shows. An answer given here is the user's
words to the agent; it approves nothing.
"""

from __future__ import annotations

from starlette.responses import Response

from signoff.challenge.words.asking import AgentQuestion
from signoff.errors import BadPayload
from signoff.frontends.web.forms import FormData
from signoff.frontends.web.questions import WaitingQuestion
from signoff.frontends.web.visit import Visit, go

WORDS_LIMIT = 8_000
LATE = "Nobody waits for this answer any more: it was answered, or its time is over."


async def show(visit: Visit) -> Response:
    """GET /web/questions/{id}: an agent's question and its options."""
    waiting = _found(visit)
    return _over(visit, 404) if waiting is None else _draw(visit, waiting)


async def take(visit: Visit) -> Response:
    """POST /web/questions/{id}/answer: answer with one or more options, or with text."""
    waiting = _found(visit)
    if waiting is None:
        return _over(visit, 410)
    try:
        words = _words(visit.form, waiting)
    except BadPayload as error:
        return _draw(visit, waiting, wrong=str(error), status=422)
    if not visit.parts.questions.answer(waiting.id, words):
        return _over(visit, 410)
    visit.visitor.notice = "The agent stops." if not words else "The agent is told."
    return go("/web/")


def _found(visit: Visit) -> WaitingQuestion | None:
    return visit.parts.questions.find(visit.request.path_params["id"])


def _over(visit: Visit, status: int) -> Response:
    return visit.draw("said.html", page="", title="No such question", words=LATE, status=status)


def _draw(
    visit: Visit, waiting: WaitingQuestion, *, wrong: str = "", status: int = 200
) -> Response:
    return visit.draw(
        "question.html",
        page="question",
        title=waiting.headline,
        waiting=waiting,
        wrong=wrong,
        typed=visit.form.text("words", limit=WORDS_LIMIT) if wrong else "",
        limit=WORDS_LIMIT,
        status=status,
    )


def _words(form: FormData, waiting: WaitingQuestion) -> str:
    """Return what was answered, "" where the agent is to stop.

    Raises:
        BadPayload: nothing was, or an option that is none.
    """
    words = form.text("words", limit=WORDS_LIMIT)
    if waiting.is_stop and form.text("stop"):
        return ""
    chosen = _chosen(form, waiting.question)
    if not chosen and not words:
        raise BadPayload("choose an option, or write something")
    return ", ".join((*chosen, words) if words else chosen)


def _chosen(form: FormData, question: AgentQuestion) -> tuple[str, ...]:
    """Return the labels of the options that were chosen."""
    if question.takes_many:
        places = [at for at in range(len(question.options)) if form.text(f"option{at}")]
    else:
        at = form.number("option", low=0, high=max(0, len(question.options) - 1), default=-1)
        places = [at] if 0 <= at < len(question.options) else []
    return tuple(question.options[at].label for at in places)
