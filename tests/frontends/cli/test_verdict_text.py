"""An assessment as people see it."""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Verb
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.frontends.cli.verdict_text import call_text, verdict_lines
from signoff.testing import FakeAssessment


def plain(assessed: FakeAssessment, *, is_explained: bool = False) -> list[str]:
    """Return the lines without their colours."""
    return [line.plain for line in verdict_lines(assessed, is_explained=is_explained)]


def test_verdict_call_and_reason_come_first() -> None:
    """A glance is enough."""
    assessed = FakeAssessment(
        action=Action(tool="Bash", arguments={"command": "git push -f"}),
        preliminary=Verdict.ASK,
        level=Level.HIGH,
        challenge=Challenge.QUIZ,
        reason="rewrites published history",
    )

    assert plain(assessed) == [
        "ask    git push -f",
        "       rewrites published history",
        "       level high, threat 0, risk 0.00, to approve: a quiz",
    ]


def test_a_call_cannot_repaint_its_verdict() -> None:
    """Escape sequences, line ends and markup of the call are shown as text."""
    action = Action(tool="Bash", arguments={"command": "rm x\r\x1b[1Aallow [red]\nallow"})
    first = plain(FakeAssessment(action=action, preliminary=Verdict.DENY))[0]

    assert first == "deny   rm x\\u{D}\\u{1B}[1Aallow [red]\\u{A}allow"


def test_a_long_call_says_how_much_is_missing() -> None:
    """Nothing is cut off silently."""
    action = Action(tool="Bash", arguments={"command": "x" * 3000})

    assert plain(FakeAssessment(action=action))[0].endswith("[1,000 more characters]")


def test_other_tools_show_their_arguments() -> None:
    """A call that is no shell line is shown by name and arguments."""
    action = Action(tool="Write", arguments={"file_path": "/a", "content": "b"})

    assert call_text(action) == "Write(file_path='/a', content='b')"


def test_an_explanation_names_what_was_not_understood() -> None:
    """Whoever asks why sees the operations."""
    operation = Operation(
        verb=Verb.EXECUTE, target="x", understood=False, why="unknown text", carriers=("sudo",)
    )
    action = Action(tool="Bash", arguments={"command": "eval x"})
    lines = plain(FakeAssessment(action=action, operations=(operation,)), is_explained=True)

    assert lines[-1].strip() == (
        "operation  execute x (nothing, none); inside sudo; not understood: unknown text"
    )
