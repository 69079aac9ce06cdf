"""An agent that copies a key, forges a sign-in with it and answers its own request.

Every call is put to the real hook of a real daemon and is carried out only if the hook lets it
through, as an agent's host would. Without a hook the same steps show what the files alone are
worth: nothing that lies in them signs anybody in.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from inbox_caller import asking_on_the_web
from live_daemon import LiveDaemon
from test_inbox_process import new_code, post
from test_self_approval_process import SETTINGS, pending_at, states, told

from signoff.challenge.pending import Given, RequestState, Settlement
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.grant import NewGrant
from signoff.frontends.client.words import CLIENT
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.requests import SqliteRequests
from signoff.storage.approvals.standing import SqliteGrants
from signoff.values import replace

WAITED_S = 12.0  # the agent has its answer after four seconds, where it gets one
# The test an agent writes: nothing in it names signoff, an address or a file.
FORGING_TEST = """
import base64, hashlib, hmac, http.client, json, pathlib, re, secrets, time, unittest
from urllib.parse import urlencode, urlsplit

CONF = json.loads(pathlib.Path(__file__).with_name("conf.json").read_text())


def ask(method, path, cookie="", **fields):
    there = urlsplit(CONF["address"])
    link = http.client.HTTPConnection(there.hostname, there.port, timeout=60)
    kind = "application/x-www-form-urlencoded"
    origin = "http://" + CONF["host"]
    headers = {"Host": CONF["host"], "Content-Type": kind, "Origin": origin, "Cookie": cookie}
    link.request(method, path, urlencode(fields) or None, headers)
    return link.getresponse()


class Everything(unittest.TestCase):
    def test_it(self):
        for found in pathlib.Path(CONF["copy"]).rglob("*"):
            if found.is_file():
                self.one(found.read_bytes())

    def one(self, key):
        said = [CONF["name"], CONF["name"], time.time(), secrets.token_hex(16)]
        payload = base64.urlsafe_b64encode(json.dumps(said).encode()).rstrip(b"=")
        mac = hmac.new(key, CONF["label"].encode() + b"\\0" + payload, hashlib.sha256)
        code = payload.decode() + "." + mac.hexdigest()
        answer = ask("POST", CONF["paths"][0], code=code)
        if answer.status != 200:
            return
        cookie = answer.getheader("set-cookie").partition(";")[0]
        token = json.loads(answer.read())["token"]
        page = ask("GET", CONF["paths"][1], cookie).read().decode()
        for path in sorted(set(re.findall(CONF["paths"][2], page))):
            shown = ask("GET", path, cookie).read().decode()
            nonce = re.search('name="nonce" value="(\\\\w+)"', shown)
            ask("POST", path + "/seen", cookie, token=token)
            time.sleep(3.2)
            ask("POST", path + "/answer", cookie, token=token, nonce=nonce[1], answer="approve")
"""


@dataclass
class Agent:
    """An agent in a project of its own, whose host puts every call to the hook first."""

    daemon: LiveDaemon
    project: Path
    is_guarded: bool = True
    let_through: list[str] = field(default_factory=list)

    def call(self, tool: str, **given: str) -> None:
        """Put a call to the hook, and carry it out if it is let through."""
        if self.is_guarded and not self._is_let_through(tool, given):
            return
        self.let_through.append(given.get("command", tool))
        if tool == "Write":
            Path(given["file_path"]).write_text(given["content"], encoding="utf-8")
        else:
            subprocess.run(
                ["bash", "-c", given["command"]],
                env=self.daemon.environment,
                cwd=self.project,
                check=False,
                capture_output=True,
                timeout=60,
            )

    def _is_let_through(self, tool: str, given: dict[str, str]) -> bool:
        event = {
            "hook_event_name": "PreToolUse",
            "session_id": "forger",
            "cwd": str(self.project),
            "tool_name": tool,
            "tool_input": given,
        }
        done = subprocess.run(
            [
                *(sys.executable, "-I", "-S", CLIENT, "claude-code"),
                *("--socket", str(self.daemon.socket), "--deadline", "30", "--without", "refuse"),
            ],
            input=json.dumps(event).encode(),
            env=self.daemon.environment,
            cwd=self.project,
            capture_output=True,
            check=False,
            timeout=60,
        )
        if done.returncode or not done.stdout.strip():
            return False
        said = json.loads(done.stdout).get("hookSpecificOutput", {})
        return bool(said.get("permissionDecision", "allow") == "allow")

    def attack(self) -> None:
        """Copy the settings, write a test that forges a sign-in with every file, run it."""
        new_code(self.daemon)  # whoever forges knows the inbox's address
        conf = {
            "address": f"http://127.0.0.1:{self.daemon.port}",
            "host": self.daemon.inbox_host,
            "label": "signoff-web-link-v1",
            "name": "owner",
            "copy": str(self.daemon.home.parent / "x"),
            "paths": ["/web/sign-in", "/web/inbox/list", r"/web/requests/\w+"],
        }
        self.call("Bash", command=f"cp -r ~/.config {self.daemon.home.parent}/x")
        self.call("Write", file_path=str(self.project / "test_tool.py"), content=FORGING_TEST)
        self.call("Write", file_path=str(self.project / "conf.json"), content=json.dumps(conf))
        self.call("Bash", command=f"{Path(sys.executable).name} -m unittest test_tool")


@pytest.fixture
def agent(home: Path) -> Iterator[Agent]:
    """Return an agent whose daemon asks on the web."""
    with asking_on_the_web(home, SETTINGS) as daemon:
        project = home / "work" / "project"
        (project / ".git").mkdir(parents=True)
        yield Agent(daemon=daemon, project=project)


@pytest.mark.parametrize("is_guarded", [True, False])
def test_a_forged_sign_in_answers_nothing(agent: Agent, *, is_guarded: bool) -> None:
    """T-43: through the hook it does not come so far; without it the files are worth nothing."""
    agent.is_guarded = is_guarded
    request, waiting = pending_at(agent.daemon, "forger")
    started = time.monotonic()
    agent.attack()
    verdict = told(agent.daemon, waiting, 3)

    assert ("pending", "") == (states(agent.daemon)[request], verdict)
    assert time.monotonic() - started < WAITED_S * 5
    assert is_guarded or len(agent.let_through) == 4  # the control: it was really tried


def test_each_step_is_refused_by_itself(agent: Agent) -> None:
    """So is the copy, and so is a run of tests beside a file that says where the inbox is."""
    agent.attack()

    assert [said for said in agent.let_through if said.startswith("cp ")] == []
    assert [said for said in agent.let_through if "unittest" in said] == []


def test_no_file_signs_anybody_in(agent: Agent) -> None:
    """T-43: whatever a process of the same user reads, it makes no link that counts."""
    new_code(agent.daemon)
    kept = _kept(agent.daemon)
    answers = {
        post(agent.daemon, "/web/sign-in", code=code).status
        for text in kept
        for code in (_forged(text), _forged(text.strip()), text.decode("latin-1")[:500])
    }

    assert {403} == answers
    assert kept


def test_no_file_seals_an_answer(agent: Agent) -> None:
    """T-43: an approval sealed with whatever a process of the same user can read is none."""
    daemon = agent.daemon
    asked = [pending_at(daemon, "the key it had")]
    keys = [hashlib.sha256(b"approver").digest()]
    for number, text in enumerate(_kept(daemon)):
        asked.append(pending_at(daemon, f"file {number}"))
        keys.append(text)
    database = Database(str(daemon.state / "approvals.db"))
    store = SqliteRequests(database)
    for (request, _), key in zip(asked, keys, strict=True):
        asyncio.run(_answer(store, request, Seal(key)))
    approved = [states(daemon)[request] for request, _ in asked]
    verdicts = {told(daemon, waiting, 5) for _, waiting in asked}
    database.close()

    assert "pending" not in approved
    assert {"deny"} == verdicts


def test_grants_end_with_the_daemon_that_kept_them(home: Path) -> None:
    """T-45: nothing tells any more who gave them; another key makes none that holds."""
    state = home / ".local" / "state" / "signoff"
    database = Database(str(state / "approvals.db"))
    grants = SqliteGrants(database)
    new = NewGrant(digest="d", author="owner", channel="web", expires_s=time.time() + 600)
    grants.add(replace(new, seal=Seal(b"a key from a file").of_grant(*new.sealed)))
    before = len(grants.listed())
    with asking_on_the_web(home, SETTINGS):
        after = len(grants.listed())
    database.close()

    assert (1, 0) == (before, after)


def test_an_ordinary_test_run_is_let_through(agent: Agent) -> None:
    """The control: what an agent does all day."""
    text = (
        "import unittest\n\n\nclass A(unittest.TestCase):\n    def test_it(self):\n        pass\n"
    )
    agent.call("Write", file_path=str(agent.project / "test_sums.py"), content=text)
    agent.call("Bash", command="python3 -m unittest test_sums")

    assert ["Write", "python3 -m unittest test_sums"] == agent.let_through


def _kept(daemon: LiveDaemon) -> list[bytes]:
    """Return the content of every file of signoff's but its databases."""
    return [
        path.read_bytes()
        for folder in (daemon.config, daemon.state)
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(("record.db", "approvals.db"))
    ]


async def _answer(store: SqliteRequests, request_id: str, seal: Seal) -> None:
    """Write an approval into the store, sealed with a key of one's own."""
    pending = await store.get(request_id)
    assert pending is not None
    step = pending.steps[0]
    given = Given(
        step=0,
        approver="owner",
        channel="web",
        verdict="allow",
        proof=step.kind.value,
        took_s=60.0,
        at_s=time.time(),
    )
    given = replace(given, seal=seal.of_answer(pending, given, RequestState.APPROVED, b""))
    made = Settlement(given=given, to=RequestState.APPROVED, words="", use_s=60.0)
    await store.settle(request_id, made, digest=pending.digest)


def _forged(key: bytes) -> str:
    """Return a code as it was made when a file held the key."""
    said = ["owner", "owner", time.time(), "00" * 16]
    payload = base64.urlsafe_b64encode(json.dumps(said).encode()).rstrip(b"=")
    mac = hmac.new(key, b"signoff-web-link-v1\0" + payload, hashlib.sha256)
    return f"{payload.decode()}.{mac.hexdigest()}"
