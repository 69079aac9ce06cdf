"""`sudo signoff service init`: a service that asks people, and no file written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from own_terminal import OwnTerminal
from service_machine import (
    AGENT,
    APPROVER,
    LINK,
    ServiceMachine,
    ids_of,
    service_machine,
    why_not,
)

from signoff.frontends.client.service_layout import LAYOUT

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")


@pytest.fixture(scope="module")
def machine() -> Iterator[ServiceMachine]:
    """Return a machine with the service's user and folders, and nothing that was set."""
    with service_machine() as made:
        yield made


def answer(typing: OwnTerminal, question: str, line: str) -> None:
    """Answer a question once it is shown."""
    typing.until(question)
    typing.shown = ""
    typing.type(line)


def settings(machine: ServiceMachine) -> str:
    """Return the service's settings."""
    done = machine.run(["cat", f"{LAYOUT.config}/signoff.yaml"], user="root")
    return done.stdout


def test_people_and_channels_are_set_by_answers(machine: ServiceMachine) -> None:
    """What was set before stays; the approver then signs in by their own user."""
    text = settings(machine).replace("channels: [web]\n", "")
    script = f"cat > {LAYOUT.config}/signoff.yaml"
    assert machine.run(["sh", "-c", script], user="root", text=text).returncode == 0
    with machine.on_terminal("root", "service", "init") as typing:
        answer(typing, "Number", "1")
        answer(typing, "Users", APPROVER)
        answer(typing, "Do this?", "y")
        typing.confirm("add")
        assert typing.end() == 0, typing.shown

    assert "channels: [web]" in settings(machine)
    assert "server: {port:" in settings(machine)
    done = machine.run(["cat", f"{LAYOUT.config}/approvers.json"], user=LAYOUT.user)
    people = {one["id"]: one for one in json.loads(done.stdout)["approvers"]}
    assert set(people) == {"owner", APPROVER}
    assert people[APPROVER]["role"] == "approver"
    assert f"uid:{ids_of(machine, APPROVER)}" in json.dumps(people[APPROVER])
    with machine.started():
        shown = machine.at_terminal(APPROVER, "open", "--no-browser")
        assert re.search(LINK, shown), shown


def test_the_folders_stay_the_services(machine: ServiceMachine) -> None:
    """Root wrote nothing there as root."""
    found = machine.run(["find", LAYOUT.config, LAYOUT.state, "-user", "root"], user="root")

    assert (found.returncode, found.stdout) == (0, "")


@pytest.mark.parametrize(
    ("user", "words", "said"),
    [
        ("root", ["--approver", "nobody-here"], "no user `nobody-here`"),
        ("root", ["--approver", "root"], "answers with sudo already"),
        ("root", ["--approver", LAYOUT.user], "answers with sudo already"),
        (AGENT, [], "needs root"),
    ],
)
def test_who_cannot_answer_is_refused(
    machine: ServiceMachine, user: str, words: list[str], said: str
) -> None:
    """Before anything is changed."""
    before = settings(machine)
    shown = machine.at_terminal(user, "service", "init", "--ask-in", "browser", *words)

    assert said in " ".join(shown.split())
    assert settings(machine) == before


def test_a_no_changes_nothing(machine: ServiceMachine) -> None:
    """And no terminal is no yes."""
    before = settings(machine)
    words = ("service", "init", "--ask-in", "browser", "--approver", APPROVER)
    with machine.on_terminal("root", *words) as typing:
        answer(typing, "Do this?", "n")
        assert typing.end() == 2
    done = machine.signoff_as("root", *words)

    assert done.returncode == 2
    assert "asks on a terminal" in done.stderr
    assert settings(machine) == before


def test_a_messenger_that_cannot_be_set_up_is_said(machine: ServiceMachine) -> None:
    """The rest is done, and the command that tries again is named."""
    words = ("service", "init", "--ask-in", "telegram", "--approver", APPROVER)
    with machine.on_terminal("root", *words) as typing:
        answer(typing, "Do this?", "y")
        answer(typing, "BotFather", "no token")
        typing.until("`sudo signoff telegram setup` tries again")
        typing.confirm("add")
        assert typing.end() == 0, typing.shown
