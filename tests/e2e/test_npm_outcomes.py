"""Real agents from npm, a daemon and a person: what was changed is what runs, its end is noted.

Needs the agents' packages, which `scripts/try-hosts` installs; skipped without them.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from npm_hosts import NPM_HOSTS, Agent, NpmHost

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from inbox_caller import ASKS_ON_THE_WEB, Scene, at_inbox
from live_daemon import LiveDaemon, wait_until

PACKAGES = os.environ.get("TRY_HOSTS_FOLDER", "")
REPORTS = {"codex", "copilot", "gemini"}
RULES = """
version: 1
rules:
  - name: ask-first
    action: escalate
    match: {command: touch}
    reason: a test wants to be asked
"""

pytestmark = pytest.mark.skipif(
    not PACKAGES, reason="agents from npm are tried by scripts/try-hosts only"
)


@pytest.fixture(params=NPM_HOSTS, ids=lambda host: host.name)
def agent(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Agent]:
    """Return an agent before a daemon that asks in its inbox."""
    host: NpmHost = request.param
    packages = Path(PACKAGES)
    if not (packages / "node_modules" / ".bin" / host.binary).exists():
        pytest.skip(f"{host.package} could not be installed")
    project = tmp_path / "home" / "project"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True, timeout=30)
    agent = Agent(host=host, packages=packages, home=project.parent, project=project)
    daemon = daemon_of(agent)
    said = f"server: {{port: {daemon.port}}}\n{ASKS_ON_THE_WEB}"
    for name, text in (("signoff.yaml", said), ("rules.yaml", RULES)):
        (daemon.config / name).write_text(text, encoding="utf-8")
    host.configured(agent.home, "http://127.0.0.1:9")
    for words in (("install", host.name), ("up",)):
        done = agent.signoff(*words)
        assert done.returncode == 0, done.stderr
    yield agent
    agent.signoff("down")


def daemon_of(agent: Agent) -> LiveDaemon:
    """Return the daemon of an agent's home, on a port that is free the first time."""
    settings = agent.home / ".config" / "signoff" / "signoff.yaml"
    if settings.exists():
        port = int(settings.read_text(encoding="utf-8").split("port: ")[1].split("}")[0])
        return LiveDaemon(home=agent.home, port=port)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return LiveDaemon(home=agent.home, port=int(probe.getsockname()[1]))


@pytest.mark.parametrize("expected", ["asked", "changed"])
def test_what_was_approved_is_what_runs(agent: Agent, expected: str) -> None:
    """As the agent wrote it or as a person has changed it; then its end is noted, if it is told."""
    daemon = daemon_of(agent)
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="")
    with ThreadPoolExecutor() as pool:
        session = pool.submit(agent.run, "touch asked")
        wait_until(lambda: bool(scene.requests()) or session.done(), seconds=90)
        request_id = scene.asked()
        before = scene.arguments(request_id)
        after = {**before, "command": f"touch {expected}"}
        fields = {"unedited": json.dumps(before), "edited": json.dumps(after)}
        assert scene.person.answer(request_id, "approve", **fields) == 303
        output = session.result(timeout=150)

    left = [path.name for path in agent.project.iterdir() if path.name in ("asked", "changed")]
    assert left == [expected], output
    assert len(scene.requests()) == 1
    state = "done" if agent.host.name in REPORTS else "executing"
    wait_until(lambda: scene.requests()[0][1] == state)
