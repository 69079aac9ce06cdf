"""What is known of sessions: bounded, saved, and told of when they are stubborn."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.assess.verdict import Verdict
from signoff.decide.decide import decide
from signoff.decide.decision import Decision
from signoff.frontends.hosts.adapter import Report, ReportKind
from signoff.frontends.hosts.canary import LINE, QUESTION, QUESTION_SESSIONS, SESSION
from signoff.frontends.server.sessions import SESSIONS_LIMIT, Session, Sessions
from signoff.storage.text_file import write_whole
from signoff.testing import FakeAssessment


def decided(verdict: Verdict, session: str = "s") -> Decision:
    """Make a decision about a call of a session."""
    action = Action(tool="Bash", arguments={}, session=session, source="codex", cwd="/w/shop")
    return decide(action, FakeAssessment(action=action, preliminary=verdict))


def test_calls_are_counted() -> None:
    """With the last tool, a label, and how often it was refused."""
    sessions = Sessions()
    for verdict in (Verdict.ALLOW, Verdict.DENY):
        sessions(decided(verdict))

    (one,) = sessions.listed()
    assert (one["calls"], one["denials"], one["last_tool"], one["label"]) == (2, 1, "Bash", "shop")


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (ReportKind.START, "started"),
        (ReportKind.PROMPT, "working"),
        (ReportKind.WAITING, "waiting"),
        (ReportKind.STOP, "idle"),
        (ReportKind.END, "ended"),
        (ReportKind.OTHER, "working"),
    ],
)
def test_a_report_sets_the_state(kind: ReportKind, state: str) -> None:
    """What the host tells is what is shown."""
    sessions = Sessions()

    sessions.reported("codex", Report(kind=kind, session="s"))

    assert [one["state"] for one in sessions.listed()] == [state]


def test_a_stubborn_session_is_told_of_every_so_many_refusals() -> None:
    """Not at each one."""
    told: list[int] = []
    sessions = Sessions(alert_after=3, alert=lambda session: told.append(session.denials))

    for _ in range(7):
        sessions(decided(Verdict.DENY))

    assert told == [3, 6]


def test_a_session_keeps_its_first_project() -> None:
    """Whatever is found later; a call without a session has none to keep."""
    sessions = Sessions()

    for root in ("", "/w/a"):
        assert sessions.project_of("h", "s") == ""
        assert sessions.begun_in("h", "s", root) == root

    assert sessions.project_of("h", "s") == "/w/a"
    assert sessions.begun_in("h", "", "/w/c") == "/w/c"
    assert sessions.project_of("h", "") == ""


def test_the_oldest_session_makes_room() -> None:
    """Millions of sessions fill nothing (T-58)."""
    sessions = Sessions()
    for number in range(SESSIONS_LIMIT + 5):
        sessions.reported("h", Report(kind=ReportKind.START, session=f"s{number}"))

    names = {one["session"] for one in sessions.listed()}
    assert len(names) == SESSIONS_LIMIT
    assert "s4" not in names


def test_sessions_are_known_again(tmp_path: Path) -> None:
    """In the same order, with everything."""
    path, first, second = str(tmp_path / "s.json"), Sessions(), Sessions()
    for name in ("a", "b"):
        first(decided(Verdict.DENY, name))
    write_whole(path, first.text().encode())

    second.load(path)

    assert second.listed() == first.listed()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"sessions": [{}]}', '{"sessions": [7]}', "{}"])
def test_a_damaged_file_is_nothing_known(tmp_path: Path, text: str) -> None:
    """It is no reason not to start."""
    path = tmp_path / "s.json"
    path.write_text(text, encoding="utf-8")
    sessions = Sessions()

    sessions.load(str(path))

    assert sessions.listed() == []
    assert Session(session="x").state == "working"


def test_a_session_is_told_of_an_error_so_often_and_no_more() -> None:
    """Never twice of the same call."""
    sessions = Sessions()

    told = [sessions.told_of("h", "s", call, at_most=2) for call in ("a", "a", "b", "c", "d")]

    assert [1, 0, 2, 0, 0] == told


def test_people_send_a_session_on_so_often_in_a_row() -> None:
    """Its own user's words begin a new row."""
    sessions, allowed = Sessions(), []

    for is_again in (False, True, True, True, False):
        allowed.append(sessions.may_go_on("h", "s", is_again=is_again, at_most=2))
        sessions.sent_on("h", "s")

    assert [True, True, False, False, True] == allowed


def test_how_often_a_session_was_told_is_known_over_restarts(tmp_path: Path) -> None:
    """A daemon that restarts does not begin to tell again."""
    before, after, path = Sessions(), Sessions(), str(tmp_path / "sessions.json")
    before.told_of("h", "s", "a", at_most=1)
    write_whole(path, before.text().encode())
    after.load(path)

    assert 0 == after.told_of("h", "s", "b", at_most=1)


def test_sessions_of_an_earlier_version_are_read(tmp_path: Path) -> None:
    """What it did not keep is as for a new session."""
    path = tmp_path / "sessions.json"
    path.write_text('{"version": 1, "sessions": [{"session": "s", "host": "h", "denials": 4}]}')
    sessions = Sessions()
    sessions.load(str(path))

    (one,) = sessions.listed()
    assert (4, 0) == (one["denials"], one["tries"])


def canary(command: str = LINE) -> Decision:
    """Make the refusal of a call in the doctor's session."""
    action = Action(
        tool="Bash", arguments={"command": command}, session=SESSION, source="codex", cwd="/"
    )
    return decide(action, FakeAssessment(action=action, preliminary=Verdict.DENY))


def test_the_doctors_canaries_are_no_stubborn_session() -> None:
    """However often it looks, nobody is told, and no session is shown."""
    told: list[str] = []
    sessions = Sessions(alert_after=1, alert=lambda session: told.append(session.session))
    sessions.begun_in("codex", SESSION, "/w/shop")
    for _ in range(3):
        sessions(canary())

    assert ([], []) == (told, sessions.listed())


def test_the_question_of_init_is_no_session() -> None:
    """Neither while it waits for an answer, nor after; another call of that session is one."""
    session, sessions = f"{QUESTION_SESSIONS}1a2b", Sessions()
    asked = [
        Action(tool="Bash", arguments={"command": line}, session=session, source="api", cwd="/")
        for line in (QUESTION, "git push")
    ]
    found = []
    for action in asked:
        sessions.begun_in("api", session, "/w/shop")
        with sessions.asking(action):
            found.append(len(sessions.listed()))
        sessions(decide(action, FakeAssessment(action=action, preliminary=Verdict.DENY)))
        found.append(len(sessions.listed()))

    assert [0, 0, 1, 1] == found


def test_another_call_under_the_doctors_name_counts() -> None:
    """The name of a session hides nothing."""
    told: list[str] = []
    sessions = Sessions(alert_after=1, alert=lambda session: told.append(session.session))
    sessions(canary("rm -rf ~"))

    assert [SESSION] == told
    assert [1] == [one["denials"] for one in sessions.listed()]
