"""Hooks over HTTP where signoff is a service: each is its own user's, whoever shows its token."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from service_machine import AGENT, OTHER, ServiceMachine, service_machine, why_not
from test_kept_sign_ins_process import held
from test_service_process import event

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")
POST = (
    "import http.client, json, sys\n"
    "port, path, token, body = sys.argv[1:]\n"
    "link = http.client.HTTPConnection('127.0.0.1', int(port), timeout=40)\n"
    "head = {'Content-Type': 'application/json', 'Authorization': token}\n"
    "link.request('POST', path, body, head)\n"
    "answer = link.getresponse()\n"
    "print(answer.status, answer.read().decode())\n"
)
HOOK = "/hooks/claude-code"


@pytest.fixture(scope="module")
def machine() -> Iterator[ServiceMachine]:
    """Return a machine on which the service runs, its port kept by the system."""
    with service_machine() as made, held(made) as passed, made.started(passed):
        yield made


def installed(machine: ServiceMachine, user: str) -> dict[str, Any]:
    """Install the hook as a user; return it."""
    done = machine.signoff_as(user, "install", "claude-code", "--kind", "http")
    assert done.returncode == 0, done.stderr
    path = machine.home / user / ".claude" / "settings.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    found: dict[str, Any] = said["hooks"]["PreToolUse"][0]["hooks"][0]
    return found


def answered(
    machine: ServiceMachine, user: str, token: str, *, path: str = HOOK, body: str = ""
) -> tuple[int, str]:
    """Post an event as a user; return status and body."""
    words = [sys.executable, "-I", "-c", POST, str(machine.port), path, token]
    done = machine.run([*words, body or event("rm -rf ~")], user=user)
    assert done.stdout, done.stderr
    status, _, said = done.stdout.partition(" ")
    return int(status), said


def test_a_hook_is_judged_as_its_users(machine: ServiceMachine) -> None:
    """With their home folder, and in a session under their name."""
    hook = installed(machine, AGENT)
    token = hook["headers"]["Authorization"]

    assert hook["url"] == f"http://127.0.0.1:{machine.port}{HOOK}"
    assert hook["onFailure"] == "block"
    assert '"allow"' in answered(machine, AGENT, token, body=event("ls"))[1]
    status, said = answered(machine, AGENT, token, body=event("rm -rf ~", session="by-http"))
    assert status == 200
    assert f"/home/{AGENT}" in said
    assert f"by-http@{AGENT}" in machine.signoff_as("root", "sessions").stdout


def test_two_users_have_two_tokens_and_the_same_user_one(machine: ServiceMachine) -> None:
    """So that `doctor` knows it again."""
    first = installed(machine, AGENT)["headers"]

    assert first == installed(machine, AGENT)["headers"]
    assert first != installed(machine, OTHER)["headers"]


def test_another_users_token_is_of_no_use(machine: ServiceMachine) -> None:
    """The system says whose the connection is."""
    token = installed(machine, AGENT)["headers"]["Authorization"]

    for thief in (OTHER, "root"):
        _, said = answered(machine, thief, token, body=event("ls"))
        assert "no good token" in said
        assert '"allow"' not in said


def test_a_token_is_good_for_one_hook(machine: ServiceMachine) -> None:
    """Neither another host's, nor with another number, nor for anything else of the API."""
    token = installed(machine, AGENT)["headers"]["Authorization"]
    _, number, secret = token.split("-")

    for path, shown in (
        ("/hooks/codex", token),
        ("/v1/actions", token),
        (HOOK, f"Bearer user-0-{secret}"),
        (HOOK, f"Bearer user-{number}-{'0' * 64}"),
        (HOOK, f"Bearer user-0{number}-{secret}"),
    ):
        _, said = answered(machine, AGENT, shown, path=path, body=event("ls"))
        assert "no good token" in said, (path, shown)
        assert '"allow"' not in said


def test_no_token_for_the_services_own_user_and_none_for_a_project(machine: ServiceMachine) -> None:
    """Agents of that user are not guarded; a project's file is shared."""
    asked = (
        "from signoff.frontends.client.hook_tokens import wanted_token as w\n"
        "w('/run/signoff/daemon.sock', 'claude-code')"
    )
    own = machine.run([sys.executable, "-I", "-c", asked], user="signoff")
    words = ("install", "claude-code", "--kind", "http", "--project")
    project = machine.signoff_as(AGENT, *words)

    assert "are not guarded" in own.stderr
    assert project.returncode != 0
    assert "your own" in project.stderr


def test_no_token_while_others_could_take_the_port() -> None:
    """Without the socket unit a program could answer in the service's place while it is down."""
    with service_machine() as machine, machine.started():
        done = machine.signoff_as(AGENT, "install", "claude-code", "--kind", "http")

    assert done.returncode != 0
    assert "take the service's port" in done.stderr
