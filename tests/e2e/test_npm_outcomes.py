"""Real agents from npm, a daemon and a person: what was changed is what runs, its end is noted.

Needs the agents' packages, which `scripts/try-hosts` installs; skipped without them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from npm_hosts import NEEDS_PACKAGES, NPM_HOSTS, Agent, NpmHost, fresh
from resident import ASK_FIRST, resident

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from inbox_caller import ASKS_ON_THE_WEB, Scene, at_inbox
from live_daemon import LiveDaemon, wait_until

REPORTS = {"codex", "copilot", "gemini"}
pytestmark = NEEDS_PACKAGES


@pytest.fixture(params=NPM_HOSTS, ids=lambda host: host.name)
def asking(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Agent, LiveDaemon]]:
    """Return an agent before a daemon that asks in its inbox."""
    host: NpmHost = request.param
    agent = fresh(host, tmp_path)
    host.configured(agent.home, "http://127.0.0.1:9")
    files = {"signoff.yaml": f"server: {{port: PORT}}\n{ASKS_ON_THE_WEB}", "rules.yaml": ASK_FIRST}
    with resident(agent, files, hooks=(host.name,)) as port:
        yield agent, LiveDaemon(home=agent.home, port=port)


@pytest.mark.parametrize("expected", ["asked", "changed"])
def test_what_was_approved_is_what_runs(asking: tuple[Agent, LiveDaemon], expected: str) -> None:
    """As the agent wrote it or as a person has changed it; then its end is noted, if it is told."""
    agent, daemon = asking
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
