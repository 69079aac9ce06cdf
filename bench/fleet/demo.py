"""What a fleet is for, step by step, without containers.

PostgreSQL and two nodes are started. An agent asks node A about a call, and people are asked. Node
A is killed. The agent asks node B with the same id; a person answers on the phone (a Bot API on
loopback in the place of Telegram); the agent is let through, once. Then the whole record is
verified, that of the dead node as well. Every step is printed, and the first that is not as it
should be ends the run with status 1.

    .venv/bin/python -m bench.fleet.demo
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL
from typing import Any

from bench.fleet.nodes import DATABASE, FleetNode

# The Bot API that the tests of the Telegram channel speak to.
sys.path.append(str(Path(__file__).parents[2] / "tests" / "channels" / "telegram"))
from fake_bot_api import ADA, CHAT, TOKEN, FakeBotApi, fake_bot_api

from postgres_server import PostgresServer
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import StoreLink

KEY = "3c" * 32
ORDINARY = {"tool_input": {"command": "git status"}, "id": "call-0"}
CALL = "kubectl rollout restart deployment/web"
REVIEW_S = 1.5  # longer than a card must be seen before an answer counts
WITHIN_S = 90.0
SETTINGS = """
limits: {min_review_s: 1}
approval: {review_s: {low: 0, medium: 0, high: 0, critical: 0}}
"""
APPROVERS = {
    "version": 1,
    "approvers": [
        {
            "id": "ada",
            "role": "admin",
            "groups": [],
            "identities": [{"channel": "telegram", "id": str(ADA)}],
        }
    ],
}
# An agent of few lines: it asks the nodes in turn, and runs each decision that lets it through.
AGENT = """
import json, sys, time, urllib.request
call, nodes, ran = json.loads(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3]

def ask(node, place="/v1/actions", body=None):
    head = {"Authorization": "Bearer " + node["token"], "Content-Type": "application/json"}
    request = urllib.request.Request(node["url"] + place, body, head)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer), answer.headers.get("location")

def decided(node):
    said, place = ask(node, body=json.dumps(call).encode())
    while said["status"] == "pending":
        said, _ = ask(node, place + "?wait=5")
    return said

for node in nodes:
    print("asks", node["name"], flush=True)
    try:
        said = decided(node)
        break
    except OSError:
        print("lost", node["name"], flush=True)
if said["verdict"] == "allow":
    with open(ran, "a+") as kept:
        kept.seek(0)
        # The same decision again: what it let through has run.
        if said["decision_id"] not in kept.read().split():
            kept.write(said["decision_id"] + "\\n")
print(json.dumps(said), flush=True)
"""


@dataclass(slots=True, kw_only=True)
class Demo:
    """Two nodes, a database, a phone and an agent.

    Args:
        shown: is given each step.
    """

    server: PostgresServer
    first: FleetNode
    second: FleetNode
    phone: FakeBotApi
    ran: Path
    shown: Callable[[str], None] = print
    within_s: float = WITHIN_S
    agents: list[subprocess.Popen[str]] = field(default_factory=list)
    call: dict[str, Any] = field(
        default_factory=lambda: {
            "tool_name": "Bash",
            "tool_input": {"command": CALL},
            "cwd": "/",
            "agent": "demo",
            "session_id": "s1",
            "id": "call-1",
        }
    )

    def run(self) -> None:
        """Go through all steps.

        Raises:
            AssertionError: one is not as it should be.
        """
        first = self._said(self._agent(self.first, call={**self.call, **ORDINARY}))
        assert first["verdict"] == "allow", first
        self.shown("node a lets an ordinary call through at once")
        agent = self._agent(self.first, self.second)
        self._see("the agent asks node a; node b lists its request", self._waiting)
        self.first.stop(SIGKILL)
        self.shown("node a is killed (SIGKILL)")
        self._see("node b takes over and shows a card on the phone", lambda: bool(self._cards()))
        time.sleep(REVIEW_S)
        self.phone.press(self._cards()[0], "Approve")
        said = self._said(agent)
        assert said["verdict"] == "allow", said
        self.shown(f"approved on the phone; node b lets the agent through: {said['decision_id']}")
        self._ask_again(said)
        self._verify([first["decision_id"], said["decision_id"]])

    def _ask_again(self, said: dict[str, Any]) -> None:
        """See that the approval was for one call."""
        again = self._said(self._agent(self.second))
        assert again == said, again
        self.shown("asked again under the same id: the same answer, the same decision")
        self.call["id"] = "call-2"
        other = self._agent(self.second)
        self._see("asked under another id: people are asked anew", lambda: len(self._cards()) > 1)
        time.sleep(REVIEW_S)
        self.phone.press(self._cards()[1], "Deny")
        assert self._said(other)["verdict"] == "deny"
        self.shown("denied on the phone: the second call is refused")

    def _verify(self, decisions: list[str]) -> None:
        """Verify every chain, the checkpoints of both nodes, and what was let through."""
        link = StoreLink(self.server.address(database=DATABASE, node="reader"))
        try:
            record = FleetRecord(link)
            for chain in record.chains():
                result = chain.verify()
                assert result.ok, result.problem
                self.shown(f"chain of node {chain.node}: {result.count} entries, verified")
            entries = [json.loads(entry.body) for entry in record.entries()]
        finally:
            link.close()
        allowed = [one["id"] for one in entries if one.get("verdict") == "allow"]
        assert sorted(decisions) == sorted(allowed), allowed
        self.shown("the record has one decision for each call that was let through")
        for node in (self.first, self.second):
            self._run(node, "audit", "verify")
            self.shown(f"`signoff audit verify` on the machine of node {node.name}: good")
        folder = self.ran.parent / "bundle"
        self._run(self.second, "audit", "export", "--format", "bundle", "-o", str(folder))
        checked = [sys.executable, "-I", str(folder / "verify.py"), str(folder)]
        subprocess.run(checked, check=True, timeout=60, capture_output=True)
        self.shown("`verify.py` of an exported bundle, without signoff: good")

    def _agent(
        self, *nodes: FleetNode, call: dict[str, Any] | None = None
    ) -> subprocess.Popen[str]:
        """Start an agent that asks these nodes in turn."""
        told = [
            {"name": one.name, "url": f"http://127.0.0.1:{one.port}", "token": _token(one)}
            for one in nodes
        ]
        words = (json.dumps(call or self.call), json.dumps(told), str(self.ran))
        started = subprocess.Popen(
            [sys.executable, "-I", "-c", AGENT, *words], stdout=subprocess.PIPE, text=True
        )
        self.agents.append(started)
        return started

    def end_agents(self) -> None:
        """End the agents that still wait."""
        for agent in self.agents:
            agent.kill()
            agent.communicate()

    def _said(self, agent: subprocess.Popen[str]) -> dict[str, Any]:
        """Return the answer an agent got in the end."""
        out, _ = agent.communicate(timeout=WITHIN_S)
        found: dict[str, Any] = json.loads(out.splitlines()[-1])
        return found

    def _waiting(self) -> bool:
        """Tell whether something waits for people, as the command line of node b lists it."""
        return bool(json.loads(self._run(self.second, "pending", "--json")))

    def _cards(self) -> list[int]:
        """Return the messages on the phone that were ever cards, oldest first."""
        sent = list(self.phone.messages.items())
        return [number for number, one in sent if CALL in one["text"]]

    def _see(self, step: str, is_so: Callable[[], bool]) -> None:
        """Wait until something is so, and say how long it took."""
        began = time.monotonic()
        while not is_so():
            assert time.monotonic() - began < self.within_s, f"did not come: {step}"
            time.sleep(0.1)
        self.shown(f"{step} ({time.monotonic() - began:.1f} s)")

    def _run(self, node: FleetNode, *words: str) -> str:
        """Run the command line of signoff on the machine of a node."""
        done = subprocess.run(
            [sys.executable, "-I", "-m", "signoff", *words],
            env=node.environment,
            check=False,
            timeout=60,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def _token(node: FleetNode) -> str:
    return (node.state / "token").read_text(encoding="ascii").strip()


@contextlib.contextmanager
def demo(
    shown: Callable[[str], None] = print, *, key: str = KEY, within_s: float = WITHIN_S
) -> Iterator[Demo]:
    """Start everything; end it with the block.

    Args:
        key: what both nodes have; "" = they do not answer for each other.
        within_s: how long a step may take.
    """
    with ExitStack() as stack:
        phone = stack.enter_context(fake_bot_api())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="signoff-demo-")))
        server = PostgresServer()
        stack.callback(server.remove)
        server.make()
        server.start()
        server.sql("postgres", f"CREATE DATABASE {DATABASE}")
        shown("PostgreSQL is started")
        nodes = []
        for name, channel in (("a", "web"), ("b", "telegram")):
            node = FleetNode(
                name=name, home=folder / name, url=server.url(DATABASE), settings=SETTINGS
            )
            node.channels = (channel,)
            _configure(node, phone, key)
            stack.callback(node.stop)
            node.start()
            nodes.append(node)
            shown(f"node {name} is started; it asks by {channel}")
        one = Demo(
            server=server,
            first=nodes[0],
            second=nodes[1],
            phone=phone,
            ran=folder / "ran",
            shown=shown,
            within_s=within_s,
        )
        stack.callback(one.end_agents)
        yield one


def _configure(node: FleetNode, phone: FakeBotApi, key: str) -> None:
    """Write the key that both nodes have, who may answer, and the bot."""
    config = node.home / ".config" / "signoff"
    config.mkdir(parents=True)
    files = {"approvers.json": json.dumps(APPROVERS), **({"store.key": key} if key else {})}
    if "telegram" in node.channels:
        files["telegram.token"] = TOKEN
        files["telegram.yaml"] = f"api: {phone.url}\nchat: {CHAT}\nusers: [{ADA}]\n"
    for name, text in files.items():
        (config / name).touch(0o600)
        (config / name).write_text(f"{text}\n", "utf-8")


def main() -> None:
    """Run from the command line."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with demo() as one:
        one.run()
        # The ordinary call and the one that was approved.
        ran = one.ran.read_text("utf-8").split()
        assert len(ran) == 2, ran
    print("each call that was let through ran once", flush=True)


if __name__ == "__main__":
    main()
