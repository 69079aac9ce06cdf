"""The card shows what would happen, in full, and nothing that is not so."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Verb
from signoff.assess.finding import Finding, Severity
from signoff.challenge.card import code_of, make_card, render_text
from signoff.challenge.heading import TITLE_LIMIT
from signoff.challenge.request import Request
from signoff.testing import FakeAssessment


def card(command: str, *, description: str = "", operations: Operations = ()) -> str:
    """Draw the card of a shell line."""
    action = Action(
        tool="Bash", arguments={"command": command}, cwd="/home/dev/p", description=description
    )
    assessment = FakeAssessment(action=action, operations=operations, reason="deletes the home")
    return render_text(make_card(Request(action=action, assessment=assessment))).text


def test_a_card_in_full() -> None:
    """Verb and target first, then why, then the call."""
    deletion = Operation(verb=Verb.DELETE, thing=ResourceType.FILE, target="~", reach=Reach.HOME)
    action = Action(tool="Bash", arguments={"command": "rm -rf ~"}, cwd="/home/dev/p")

    assert card("rm -rf ~", operations=(deletion,)) == "\n".join(
        [
            "[low] Deletes `~`",
            "call:  rm -rf ~",
            "why:   deletes the home",
            "tool:  Bash",
            "in:    /home/dev/p",
            "command:",
            "  | rm -rf ~",
            f"digest: {code_of(action)}",
        ]
    )


def test_a_card_says_a_sentence_once() -> None:
    """Why, and what was found, name the policy line alone where the title has said the rest."""
    title, line = "Deletes `~`", "destructive.home-files"
    found = Finding(detector="destructive", category=line, severity=Severity.HIGH, evidence=title)
    action = Action(tool="Bash", arguments={"command": "rm -rf ~"}, cwd="/home/dev/p")
    deletion = Operation(verb=Verb.DELETE, thing=ResourceType.FILE, target="~", reach=Reach.HOME)
    assessment = FakeAssessment(
        action=action, operations=(deletion,), findings=(found,), reason=f"{title} [{line}]"
    )

    drawn = render_text(make_card(Request(action=action, assessment=assessment))).text

    assert drawn.count(title) == 1
    assert f"why:   {line}" in drawn.split("\n")
    assert [one for one in drawn.split("\n") if one.startswith("found:")] == [f"found: high {line}"]


@pytest.mark.parametrize("length", [0, 69, 118, 3_000, 100_000])
def test_the_tail_of_a_command_is_always_shown(length: int) -> None:
    """However long what stands before it is."""
    assert f"  | echo {'a' * length}; rm -rf ~" in card(f"echo {'a' * length}; rm -rf ~").split(
        "\n"
    )


@pytest.mark.parametrize("text", ["\x1b[2K", "\r", "\u202e", "\u200b", "\u2028", "\U000e0041"])
def test_nothing_in_a_call_repaints_the_card(text: str) -> None:
    """Neither the command nor the agent's story can."""
    drawn = card(f"ls {text}", description=f"harmless {text}")

    assert all(line.isprintable() for line in drawn.split("\n"))


def test_a_command_cannot_forge_a_line_of_the_card() -> None:
    """Every line of the command stands behind its bar."""
    drawn = card("true\ndigest: 00000000\nwhy:   harmless")

    assert [line for line in drawn.split("\n") if line.startswith("digest:")][:-1] == []


def test_the_agents_story_is_marked() -> None:
    """It comes last and as not checked."""
    lines = card("ls", description="Lists files.").split("\n")

    assert lines[-3:-1] == ["the agent says (not checked):", "  ~ Lists files."]


def test_what_was_not_understood_is_said_so() -> None:
    """With what was unknown."""
    opaque = Operation(
        verb=Verb.EXECUTE, understood=False, why="variable from outside", target="$X"
    )

    drawn = card("$X", operations=(opaque,))
    assert drawn.startswith("[low] Runs `$X` with unknown effects: variable from outside\n")


def test_a_long_list_of_operations_says_how_many_are_left() -> None:
    """The call itself stands below in full."""
    operations = tuple(Operation(verb=Verb.WRITE, target=f"/f/{n}") for n in range(30))

    assert "  - and 18 more" in card("x", operations=operations).split("\n")


def test_a_call_that_changes_nothing_is_headed_by_its_tool() -> None:
    """There is no worst operation to name."""
    assert card("true", operations=(Operation(verb=Verb.INERT),)).startswith("[low] Calls `Bash`\n")


def test_a_long_target_is_whole_below() -> None:
    """Only the heading is short, and keeps both ends of the name."""
    target = "/very/long" * 50
    drawn = card(f"rm {target}", operations=(Operation(verb=Verb.DELETE, target=target),))

    title = drawn.split("\n")[0].removeprefix("[low] ")
    assert len(title) <= TITLE_LIMIT
    assert title.startswith("Deletes `/very/.../")
    assert title.endswith("/very/long`")
    assert f"  | rm {target}" in drawn


def test_values_that_are_no_text_are_shown_as_json() -> None:
    """In their canonical form."""
    action = Action(tool="pay", arguments={"order": {"to": "a\u202eb", "amount": 10.0}})
    drawn = render_text(
        make_card(Request(action=action, assessment=FakeAssessment(action=action)))
    ).text

    assert 'order: {"amount":10,"to":"a\\u{202E}b"}' in drawn.split("\n")
