"""Questions Claude Code's agent asks its user, and how an answer given elsewhere goes back.

The tool takes its answers in its own arguments; a hook that lets the call through with them in
place answers for the user, and the host shows no prompt.

    {"questions": [{"question": "Which?", "header": "H", "multiSelect": false,
                    "options": [{"label": "A", "description": "..."}]}]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from signoff.actions.action import Action, Json
from signoff.challenge.words.asking import AgentQuestion, AnswerOption
from signoff.frontends.hosts.adapter import HostAnswer

TOOL = "AskUserQuestion"
REASON = "signoff: answered by the user on another channel"


def questions_of(action: Action) -> tuple[AgentQuestion, ...]:
    """Return the questions of a call, () if it asks none or they cannot be read."""
    asked = action.arguments.get("questions")
    if action.tool != TOOL or not isinstance(asked, Sequence) or isinstance(asked, str):
        return ()
    questions = tuple(_question(one) for one in asked)
    whole = tuple(question for question in questions if question is not None)
    return whole if len(whole) == len(questions) else ()


def answered(action: Action, answers: Sequence[str]) -> HostAnswer:
    """Say the answers, one a question."""
    texts = [question.text for question in questions_of(action)]
    fields = {**action.arguments, "answers": dict(zip(texts, answers, strict=True))}
    said: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": REASON,
        "updatedInput": fields,
    }
    return HostAnswer.of({"hookSpecificOutput": said})


def _question(said: Json) -> AgentQuestion | None:
    """Read one question."""
    if not isinstance(said, Mapping) or not isinstance(said.get("question"), str):
        return None
    options = said.get("options")
    if not isinstance(options, Sequence) or isinstance(options, str):
        return None
    read = tuple(_option(one) for one in options)
    if None in read:
        return None
    return AgentQuestion(
        text=str(said["question"]),
        header=_text(said.get("header")),
        options=tuple(option for option in read if option is not None),
        takes_many=said.get("multiSelect") is True,
    )


def _option(said: Json) -> AnswerOption | None:
    if not isinstance(said, Mapping) or not isinstance(said.get("label"), str):
        return None
    return AnswerOption(label=str(said["label"]), description=_text(said.get("description")))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
