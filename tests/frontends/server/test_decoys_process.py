"""Decoys and a real daemon: shown after a real answer, refused by what is kept, told at once."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from bench.ports import free_port, is_listening
from bench.warm_home import give_patterns
from inbox_caller import ASKS_ON_THE_WEB, Person, Scene, at_inbox, said_by
from live_daemon import LiveDaemon, wait_until
from test_inbox_process import post
from test_terminal_approval_process import LEAST_S, approve

from signoff.frontends.client.places import Places
from signoff.frontends.server.control import ask

ASKED = "docker system prune -af"
SHOWN = "decoys: {share: 1, per_day: 2, hours: '00:00-23:59'}\n"
# One tap approves all of them, or the test would have to solve quizzes.
BY_TAP = ASKS_ON_THE_WEB.replace(
    "approval: {", "approval: {challenges: {levels: {high: confirm}}, "
)
# The same daemon, but for one thing: a decoy follows an answer at once, and not minutes later.
AT_ONCE = (
    "from signoff.frontends.server.people.decoys import Decoys\n"
    "Decoys.__init__.__kwdefaults__['delay_s'] = (0.0, 0.1)\n"
    "from signoff.__main__ import main\n"
    "main()\n"
)


@contextlib.contextmanager
def showing_decoys(home: Path, settings: str = SHOWN) -> Iterator[LiveDaemon]:
    """Run a daemon that shows a decoy after each answer, as far as its settings let it."""
    give_patterns(home)
    daemon = LiveDaemon(home=home, port=free_port())
    (daemon.config / "signoff.yaml").write_text(BY_TAP + settings, "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", AT_ONCE, "serve", "--port", str(daemon.port)],
        env=daemon.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: is_listening(daemon.port))
        yield daemon
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=60)
        finally:
            process.kill()
            process.wait()


def entries(daemon: LiveDaemon) -> list[dict[str, Any]]:
    """Return the newest entries of the audit log."""
    tail = daemon.signoff("audit", "tail", "-n", "50", "--json").stdout
    return [json.loads(line) for line in tail.splitlines()]


def decoys(daemon: LiveDaemon) -> list[dict[str, Any]]:
    """Return what the audit log says of decoys."""
    return [one["decoy"] for one in entries(daemon) if one.get("kind") == "decoy"]


def scene_of(daemon: LiveDaemon) -> Scene:
    """Return an agent's session, and the person who is asked."""
    return Scene(daemon=daemon, person=at_inbox(daemon), session="s1")


def tables(daemon: LiveDaemon) -> str:
    """Return everything that stands in the file of the requests."""
    path = daemon.state / "approvals.db"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as db:
        return "\n".join(db.iterdump())


def code_of(person: Person, id: str) -> str:
    """Return the code of a request, as its page shows it."""
    reply = post(person.daemon, f"/web/requests/{id}/seen", person.cookie, token=person.token)
    code: str = reply.said["code"]
    return code


def answers_and_decoys(scene: Scene) -> tuple[str, str, list[str]]:
    """Approve a call and the decoy after it, deny a call and its decoy, deny one more call.

    Returns the two decoys, and what their pages say after the answer.
    """
    scene.approved(ASKED)
    approved = scene.asked(2)
    scene.person.answer(approved, "approve", policy="always allow it")
    told = [scene.person.get(f"/web/requests/{approved}")]
    wait_until(lambda: len(decoys(scene.daemon)) == 1)
    denied = scene.hook(ASKED, "toolu_2")
    scene.person.answer(scene.asked(3), "deny")
    assert "deny" == said_by(denied)["permissionDecision"]
    refused = scene.asked(4)
    scene.person.answer(refused, "deny")
    told.append(scene.person.get(f"/web/requests/{refused}"))
    wait_until(lambda: len(decoys(scene.daemon)) == 2)
    # Two a day, so this answer is followed by none.
    last = scene.hook("npm publish", "toolu_3")
    scene.person.answer(scene.asked(5), "deny")
    said_by(last)
    time.sleep(1)
    return approved, refused, told


def test_decoys_from_start_to_end(home: Path) -> None:
    """One is approved, one refused: both are denials, and who answered is told at once."""
    with showing_decoys(home) as daemon:
        scene = scene_of(daemon)
        approved, refused, told = answers_and_decoys(scene)
        states = dict(scene.requests())
        policies = daemon.signoff("policies", "list").stdout
        verified = daemon.signoff("audit", "verify")
        found = [one["answer"] for one in decoys(daemon)]
        check_figures(scene)

    assert ("denied", "denied", 5) == (states[approved], states[refused], len(states))
    assert "this was a test" in told[0] and "refused, rightly" in told[1]
    assert ["approved", "denied"] == found
    assert "always allow it" not in policies
    assert 0 == verified.returncode, verified.stdout


def check_figures(scene: Scene) -> None:
    """Check that decoys count for the person, and neither as calls nor as questions."""
    daemon = scene.daemon
    figures: Any = ask(Places(str(daemon.state)), "/v1/oversight")
    (person,) = figures["approvers"]
    stats = json.loads(daemon.signoff("audit", "stats", "--json").stdout)
    shown = daemon.signoff("audit", "oversight").stdout
    page, csv = scene.person.get("/web/oversight"), scene.person.get("/web/oversight.csv")

    assert (1, 1) == (person["decoys_approved"], person["decoys_refused"])
    assert (2, 3, 3) == (figures["decoys"], figures["calls"], figures["asked"])
    assert (1, 2) == (person["approved"], person["denied"])
    assert "denied 1 of 2 test requests" in shown
    assert "1 of 2" in page and "test requests refused" in csv
    assert 3 == stats["decisions"]


def test_who_reads_the_files_sees_no_decoy(home: Path) -> None:
    """While one is open, nothing on disk and nothing that commands show tells it."""
    with showing_decoys(home) as daemon:
        scene = scene_of(daemon)
        scene.approved(ASKED)
        open_one = scene.asked(2)
        shown = [daemon.signoff(*words).stdout for words in (("pending",), ("show", open_one))]
        page = scene.person.get(f"/web/requests/{open_one}")
        files = [path for path in daemon.state.rglob("*") if path.is_file()]
        kept = [path.read_bytes() for path in files] + [tables(daemon).encode()]

        assert open_one[:8] in shown[0]
        for text in (*shown, page):
            assert not re.search("decoy|test request|a test", text, re.IGNORECASE), text
        assert not [1 for data in kept if re.search(b"decoy", data, re.IGNORECASE)]


def test_signoff_approve_cannot_tell_and_approves_nothing(home: Path) -> None:
    """Its approval is ended by the daemon, with every grant; nothing is alarmed about."""
    with showing_decoys(home) as daemon:
        scene = scene_of(daemon)
        scene.approved(ASKED)
        decoy = scene.asked(2)
        code = code_of(scene.person, decoy)
        time.sleep(LEAST_S)
        shown = approve(daemon, decoy, code, "(`signoff open`): ")
        wait_until(lambda: len(decoys(daemon)) == 1)
        states, said = dict(scene.requests()), daemon.signoff("status").stdout

    assert "approved" in shown
    assert "expired" == states[decoy]
    # Who types the code has proved no name, so it counts for nobody.
    assert [("approved", "")] == [(one["answer"], one["approver"]) for one in decoys(daemon)]
    assert "TAMPERING" not in said


@pytest.mark.parametrize("is_killed", [True, False])
def test_a_restart_leaves_no_decoy_that_lets_anything_through(
    home: Path, *, is_killed: bool
) -> None:
    """Ended orderly it is withdrawn; after a kill it is one request more, which is of no call."""
    with showing_decoys(home) as daemon:
        scene = scene_of(daemon)
        scene.approved(ASKED)
        decoy = scene.asked(2)
        if is_killed:
            os.kill(daemon.pid, signal.SIGKILL)
    with showing_decoys(home, "") as daemon:
        scene = scene_of(daemon)
        states = dict(scene.requests())
        if is_killed:
            scene.person.answer(decoy, "approve", scope="session")
        command = scene.arguments(decoy)["command"]
        hook = scene.hook(command, "toolu_9")
        real = scene.asked(3)
        scene.person.answer(real, "deny")
        said = said_by(hook)

    assert ("pending" if is_killed else "withdrawn") == states[decoy]
    assert real != decoy
    assert "deny" == said["permissionDecision"]


@pytest.mark.parametrize(
    "settings",
    ["", SHOWN.replace("00:00-23:59", "00:00-00:00"), SHOWN.replace("share: 1,", "share: 0,")],
)
def test_none_is_shown_unless_it_is_wanted(home: Path, settings: str) -> None:
    """Off as it comes, at no share, and outside the hours."""
    with showing_decoys(home, settings) as daemon:
        scene = scene_of(daemon)
        scene.approved(ASKED)
        time.sleep(1)

        assert 1 == len(scene.requests())
