"""Questions of Claude Code's agent: read whole or not at all, answered in the tool's own form."""

from __future__ import annotations

import json

import pytest

from signoff.actions.action import Action, Json
from signoff.challenge.words.asking import AgentQuestion, AnswerOption
from signoff.frontends.hosts.claude_code.adapter import answered, questions_of

ASKED: dict[str, Json] = {
    "question": "Which?",
    "header": "H",
    "options": [{"label": "A", "description": "a"}, {"label": "B"}],
    "multiSelect": True,
}


def call(questions: Json, tool: str = "AskUserQuestion") -> Action:
    """Return a call of the tool."""
    return Action(tool=tool, arguments={"questions": questions}, source="claude-code")


def test_a_question_is_read_with_its_options() -> None:
    """Labels, descriptions, and whether several may be chosen."""
    expected = AgentQuestion(
        text="Which?",
        header="H",
        options=(AnswerOption(label="A", description="a"), AnswerOption(label="B")),
        takes_many=True,
    )

    assert (expected,) == questions_of(call([ASKED]))


@pytest.mark.parametrize(
    "questions",
    [
        None,
        1,
        "x",
        {},
        [],
        [1],
        [{}],
        [{"question": 1, "options": []}],
        [{"question": "x"}],
        [{"question": "x", "options": [1]}],
    ],
    ids=repr,
)
def test_what_cannot_be_read_is_left_to_the_host(questions: Json) -> None:
    """No half of it is asked."""
    assert () == questions_of(call(questions))


def test_one_bad_question_spoils_all() -> None:
    """An answer must fit the question it stands for."""
    assert () == questions_of(call([ASKED, {}]))


def test_other_tools_ask_nothing() -> None:
    """Whatever their arguments look like."""
    assert () == questions_of(call([ASKED], tool="Bash"))


def test_answers_stand_in_the_arguments() -> None:
    """By the question's text, beside what was asked."""
    said = json.loads(answered(call([ASKED]), ["A, B"]).stdout)["hookSpecificOutput"]

    assert "allow" == said["permissionDecision"]
    assert {"questions": [ASKED], "answers": {"Which?": "A, B"}} == said["updatedInput"]
