"""The real Codex, where it would ask its own user: a person is asked once for one call.

Needs its package, which `scripts/try-hosts` installs; skipped without it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fake_model_api import Call, fake_model_api
from npm_hosts import NEEDS_PACKAGES, NPM_HOSTS, TIME_LIMIT_S, Agent, fresh, trust_codex_hooks
from resident import ASK_FIRST, left_in, resident

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from inbox_caller import ASKS_ON_THE_WEB, Scene, at_inbox
from live_daemon import LiveDaemon

UNCONFINED = {"sandbox_permissions": "require_escalated", "justification": "it must be made"}
HELLO = {
    "clientInfo": {"name": "test", "title": "test", "version": "1"},
    "capabilities": {"experimentalApi": True},
}
ON_REQUEST = {"approvalPolicy": "on-request", "sandbox": "workspace-write"}
KINDS = ("sandbox_approval", "rules", "mcp_elicitations", "request_permissions", "skill_approval")
ONCE_MORE = {
    "approvalPolicy": {"granular": dict.fromkeys(KINDS, True)},
    "sandbox": "read-only",
}

pytestmark = NEEDS_PACKAGES


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[tuple[Agent, LiveDaemon]]:
    """Return Codex, its hooks trusted, before a daemon that asks in its inbox."""
    host = next(host for host in NPM_HOSTS if host.name == "codex")
    agent = fresh(host, tmp_path)
    host.configured(agent.home, "http://127.0.0.1:9")
    files = {"signoff.yaml": f"server: {{port: PORT}}\n{ASKS_ON_THE_WEB}", "rules.yaml": ASK_FIRST}
    with resident(agent, files, hooks=(host.name,)) as port:
        trust_codex_hooks(agent)
        yield agent, LiveDaemon(home=agent.home, port=port)


def turn(agent: Agent, *calls: Call, policy: Mapping[str, Any]) -> list[str]:
    """Run one turn under a policy that asks its user; return what it asked them."""
    with (
        fake_model_api(calls) as url,
        subprocess.Popen(
            [agent.host.binary, "app-server"],
            env={**agent.environment, **agent.host.configured(agent.home, url)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as server,
    ):
        timer = threading.Timer(TIME_LIMIT_S, server.kill)
        timer.start()
        try:
            return _asked(server, agent, policy)
        finally:
            timer.cancel()
            server.kill()


def _asked(server: subprocess.Popen[str], agent: Agent, policy: Mapping[str, Any]) -> list[str]:
    """Start a thread and a turn; decline and return what the user is asked until it ends."""
    stdin, stdout = server.stdin, server.stdout
    assert stdin
    assert stdout

    def send(**names: Any) -> None:  # noqa: ANN401 - any JSON value
        stdin.write(json.dumps({"jsonrpc": "2.0", **names}) + "\n")
        stdin.flush()

    send(id=1, method="initialize", params=HELLO)
    send(method="initialized")
    send(id=2, method="thread/start", params={"cwd": str(agent.project), **policy})
    asked = []
    for line in stdout:
        said = json.loads(line)
        if said.get("id") == 2 and "result" in said:
            text = {"type": "text", "text": "Go on."}
            thread = said["result"]["thread"]["id"]
            send(id=3, method="turn/start", params={"threadId": thread, "input": [text]})
        elif "id" in said and "method" in said:
            asked.append(str(said["method"]))
            send(id=said["id"], result={"decision": "decline"})
        elif said.get("method") == "turn/completed":
            return asked
    raise AssertionError("the turn did not end")


def test_a_person_is_asked_once_for_one_call(asking: tuple[Agent, LiveDaemon]) -> None:
    """By signoff and not by Codex; the same call once more is asked about once more."""
    agent, daemon = asking
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="")
    with ThreadPoolExecutor() as pool:
        call = ("exec_command", {"cmd": "touch once", **UNCONFINED})
        turns = pool.submit(turn, agent, call, call, policy=ON_REQUEST)
        for count in (1, 2):
            assert scene.person.answer(scene.asked(count), "approve") == 303
        asked = turns.result(timeout=TIME_LIMIT_S)

    tail = daemon.signoff("audit", "tail", "-n", "50", "--json").stdout
    record = [json.loads(line) for line in tail.splitlines()]
    assert [] == asked
    assert ["once"] == left_in(agent)
    assert ["web", "second_look"] * 2 == [entry["decided_by"] for entry in record]
    assert 2 == len(scene.requests())


def test_a_run_more_without_the_sandbox_is_asked_about(asking: tuple[Agent, LiveDaemon]) -> None:
    """The first one was let go, and its sandbox kept it from ending well."""
    agent, daemon = asking
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="")
    with ThreadPoolExecutor() as pool:
        call = ("exec_command", {"cmd": "touch once"})
        turns = pool.submit(turn, agent, call, policy=ONCE_MORE)
        assert scene.person.answer(scene.asked(1), "approve") == 303
        assert scene.person.answer(scene.asked(2), "deny") == 303
        asked = turns.result(timeout=TIME_LIMIT_S)

    assert ([], []) == (asked, left_in(agent))
