"""From `signoff init` to a force push of the real Claude Code that a person denies in the inbox."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from bench.ports import free_port
from claude_code import ClaudeCode
from resident import TRUSTING, WITHIN_S, bash, sign_in_link

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from live_daemon import LiveDaemon
from test_inbox_process import post

PUSH = "git push --force origin feature/login"


@pytest.fixture
def guarded(claude: ClaudeCode) -> Iterator[tuple[ClaudeCode, LiveDaemon]]:
    """Return Claude Code as `signoff init` has found and guarded it."""
    folder = claude.home / "bin"
    folder.mkdir()
    (folder / "claude").symlink_to(claude.binary)
    port = free_port()
    config = claude.home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(f"server: {{port: {port}}}\n", encoding="utf-8")
    path = f"{folder}:/usr/bin:/bin"
    daemon = LiveDaemon(home=claude.home, port=port, variables={"PATH": path})
    done = daemon.signoff("init", "--yes", "--ask-in", "browser")
    assert done.returncode == 0, done.stderr
    assert "Claude Code" in done.stdout
    yield claude, daemon
    daemon.signoff("down")


def test_a_force_push_is_denied_in_the_inbox(guarded: tuple[ClaudeCode, LiveDaemon]) -> None:
    """The title says what it does; the agent is told what the person wrote; nothing is pushed."""
    claude, daemon = guarded
    link = sign_in_link(claude)
    daemon.links.append(link)
    signed_in = post(daemon, "/web/sign-in", code=link.partition("#")[2])
    cookie = signed_in.headers["set-cookie"].partition(";")[0]
    with ThreadPoolExecutor(1) as pool:
        session = pool.submit(claude.run, bash(PUSH), options=TRUSTING)
        path, title = waiting(daemon, cookie)
        shown = daemon.request("GET", path, headers={"Cookie": cookie}).body.decode()
        nonce = re.search(r'name="nonce" value="(\w+)"', shown)
        assert nonce is not None
        fields = {"token": signed_in.said["token"], "nonce": nonce[1], "answer": "deny"}
        post(daemon, f"{path}/answer", cookie, **fields, words="push without force")
        results = session.result(120).results

    assert "Force-pushes" in title
    assert "feature/login" in title
    assert ["push without force" in result for result in results] == [True]


def waiting(daemon: LiveDaemon, cookie: str) -> tuple[str, str]:
    """Return the path of the request that waits, and the page it is listed on."""
    deadline = time.monotonic() + WITHIN_S
    while True:
        page = daemon.request("GET", "/web/inbox/list", headers={"Cookie": cookie}).body.decode()
        if found := re.search(r"/web/requests/(\w+)", page):
            return found[0], page
        assert time.monotonic() < deadline, page
        time.sleep(0.1)
