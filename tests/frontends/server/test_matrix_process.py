"""A real daemon and the installed hook before a Matrix room: asked, answered, and told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_caller import ASKS_ON_THE_WEB, answer_until_taken, hook_client, said_by
from live_daemon import LiveDaemon, served, wait_until

sys.path.append(str(Path(__file__).parents[2] / "channels" / "matrix"))
from homeserver import ADA, EVE, ROOM, TOKEN, Homeserver, homeserver

CALL = "docker system prune -af"


@pytest.fixture(scope="module")
def room() -> Iterator[Homeserver]:
    """Return a homeserver."""
    with homeserver() as server:
        yield server


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, room: Homeserver) -> Iterator[LiveDaemon]:
    """Return a daemon that asks in a room."""
    home = tmp_path_factory.mktemp("home")
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    identity = {"channel": "matrix", "id": ADA}
    ada = {"id": "ada", "role": "admin", "identities": [identity]}
    files = {
        "signoff.yaml": ASKS_ON_THE_WEB.replace("[web]", "[matrix]"),
        "matrix.yaml": f"homeserver: {room.url}\nroom: '{ROOM}'\nusers: ['{ADA}']\n",
        "matrix.token": TOKEN,
        "approvers.json": json.dumps({"version": 1, "approvers": [ada]}),
    }
    for name, text in files.items():
        (config / name).write_text(text, encoding="utf-8")
        (config / name).chmod(0o600)
    with served(home) as running:
        connected = "channel   matrix: connected as @signoff:test"
        wait_until(lambda: connected in running.signoff("status").stdout)
        yield running


def cards(room: Homeserver, state: str = "asks") -> list[str]:
    """Return the cards that stand in this state, oldest first."""
    shown = room.texts().items()
    return [message for message, text in shown if text.startswith(f"signoff {state}")]


def hook(daemon: LiveDaemon, command: str) -> subprocess.Popen[str]:
    """Have the hook ask about a command, as Claude Code does."""
    call = {
        "hook_event_name": "PreToolUse",
        "session_id": "s1",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "cwd": str(daemon.home),
    }
    return hook_client(daemon, call)


def told(process: subprocess.Popen[str]) -> str:
    """Return the decision the hook printed."""
    return str(said_by(process)["permissionDecision"])


@pytest.mark.parametrize(("reply", "decision"), [("approve", "allow"), ("deny: no", "deny")])
def test_a_reply_in_the_room_decides_the_call(
    daemon: LiveDaemon, room: Homeserver, reply: str, decision: str
) -> None:
    """The hook waits, the card comes, a stranger is ignored, and the answer is the host's."""
    process = hook(daemon, f"{CALL} --filter label={decision}")
    wait_until(lambda: bool(cards(room)))
    card = cards(room)[-1]

    def answer() -> None:
        room.say(EVE, "approve", reply_to=card)
        room.say(ADA, reply, reply_to=card)

    answer_until_taken(answer, lambda: card not in cards(room))
    assert decision == told(process)


def test_for_this_session_lets_the_next_one_through(daemon: LiveDaemon, room: Homeserver) -> None:
    """By a reaction; the second call is asked about nowhere."""
    first = hook(daemon, "chmod 600 a.txt")
    wait_until(lambda: bool(cards(room)))
    card = cards(room)[-1]
    assert "for this session covers" in room.texts()[card]
    circle = "\N{CLOCKWISE RIGHTWARDS AND LEFTWARDS OPEN CIRCLE ARROWS}"
    answer_until_taken(lambda: room.react(ADA, circle, card), lambda: card not in cards(room))
    before = len(room.texts())

    assert ("allow", "allow") == (told(first), told(hook(daemon, "chmod 600 b.txt")))
    assert [] == cards(room)
    assert before + 1 >= len(room.texts())


def test_an_admin_confirms_a_change_in_the_room(daemon: LiveDaemon, room: Homeserver) -> None:
    """T-63: with the code, in a reply to what was told; a stranger with it does not."""
    identities = [{"channel": "matrix", "id": name} for name in (ADA, "@bob:test")]
    people = [{"id": one["id"][1:4], "role": "admin", "identities": [one]} for one in identities]
    path = daemon.config / "approvers.json"
    path.write_text(json.dumps({"version": 1, "approvers": people}), encoding="utf-8")

    def told() -> list[tuple[str, str]]:
        return [(id, text) for id, text in room.texts().items() if "CHANGED OUTSIDE" in text]

    wait_until(lambda: bool(told()))
    message, text = told()[-1]
    found = re.search(r"Code: (\w{4}-\w{4})", text)
    assert found is not None, text
    room.say(EVE, f"confirm {found[1]}", reply_to=message)
    room.say(ADA, "confirm AAAA-AAAA", reply_to=message)
    time.sleep(1.0)
    problems = daemon.request("GET", "/v1/status").said["problems"]
    room.say(ADA, f"confirm {found[1]}", reply_to=message)

    assert any("CHANGED OUTSIDE" in problem for problem in problems)
    wait_until(lambda: any("in force now" in text for text in room.texts().values()))
    assert [] == daemon.request("GET", "/v1/status").said["problems"]
