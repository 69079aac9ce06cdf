"""Chosen proofs in a real daemon: in the inbox, on a terminal, in `status` and `doctor`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from inbox_caller import Person, Scene, at_inbox
from live_daemon import Reply, served
from own_terminal import on_terminal
from test_inbox_process import post

FORCED = "git push --force"  # HIGH: a quiz, where nothing is said
RESET = "git reset --hard"  # MEDIUM: a confirmation, where nothing is said
RUIN = "rm -rf /home/somebody"  # CRITICAL, moved to `ask`
LEAST_S = 1.1
SETTINGS = """channels: [web]
limits: {min_review_s: 1}
lines: {destructive: ask}
approval:
  parties: 1
  review_s: {low: 0, medium: 0, high: 0, critical: 0}
  challenges:
    lines:
      destructive.history: confirm
      remote-change.forced-push: confirm
      destructive.uncommitted-work: quiz
"""


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Return the owner at the inbox of a daemon with chosen proofs."""
    home = tmp_path_factory.mktemp("home")
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(SETTINGS)
    with served(home) as daemon:
        yield at_inbox(daemon)


def asked(person: Person, command: str, session: str) -> tuple[str, Reply]:
    """Have a call asked about; return the id of the request and where its answer will be."""
    waiting = person.daemon.act(command, session_id=session)
    assert 202 == waiting.status, waiting.body
    scene = Scene(daemon=person.daemon, person=person, session=session)
    return scene.asked(), waiting


def answered(person: Person, waiting: Reply, wait_s: int) -> tuple[str, str]:
    """Return verdict and who decided, "" while there is none."""
    said = person.daemon.request("GET", f"{waiting.headers['location']}?wait={wait_s}").said
    return said.get("verdict") or "", said.get("decided_by") or ""


def test_a_lighter_proof_is_one_tap_in_the_inbox(person: Person) -> None:
    """The page asks no question, and Approve is enough."""
    request, waiting = asked(person, FORCED, "inbox")

    assert 'name="choice' not in person.get(f"/web/requests/{request}")
    assert 303 == person.answer(request, "approve")
    assert ("allow", "web") == answered(person, waiting, 10)


def test_a_lighter_proof_is_a_yes_on_a_terminal(person: Person) -> None:
    """`signoff approve` asks for yes and the code, and for no quiz."""
    request, waiting = asked(person, FORCED, "terminal")
    path = f"/web/requests/{request}/seen"
    code = post(person.daemon, path, person.cookie, token=person.token).said["code"]
    with on_terminal(person.daemon, "approve", request[:8]) as terminal:
        terminal.until("type yes or no: ")
        time.sleep(LEAST_S)
        terminal.type("yes")
        terminal.until("(`signoff open`): ")
        terminal.type(code)
        shown = terminal.to_end()

    assert ("allow", "terminal") == answered(person, waiting, 10), shown


def test_a_stronger_proof_is_asked_for(person: Person) -> None:
    """What takes one tap elsewhere takes a quiz here, and Approve alone does nothing."""
    request, waiting = asked(person, RESET, "stronger")

    page = person.get(f"/web/requests/{request}")
    person.answer(request, "approve")

    assert re.search(r'type="radio"', page)
    assert ("", "") == answered(person, waiting, 0)


def test_one_person_may_approve_what_is_critical(person: Person) -> None:
    """By an explanation, which a tap is not; two people are not asked for."""
    request, waiting = asked(person, RUIN, "critical")

    page = person.get(f"/web/requests/{request}")
    person.answer(request, "approve")

    assert "<textarea" in page
    assert ("", "") == answered(person, waiting, 0)


def test_status_and_doctor_say_so(person: Person) -> None:
    """Loudly: that one person is enough, and which proofs were chosen."""
    for command in ("status", "doctor"):
        said = person.daemon.signoff(command).stdout

        assert "WARNING: one person alone may approve what is CRITICAL" in said
        assert "lines.destructive.history=confirm" in said


def test_explain_names_the_proof_and_why(person: Person) -> None:
    """`signoff check --explain` says what an approval would take."""
    said = person.daemon.signoff("check", "--explain", "--", RESET).stdout

    assert "quiz: approval.challenges.lines `destructive.uncommitted-work`" in said
