"""What people change by commands is on the audit log, beside a daemon that writes there as well."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from inbox_caller import Scene, asking_on_the_web, at_inbox
from live_daemon import LiveDaemon
from own_terminal import on_terminal, typed_code


@pytest.fixture
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web."""
    with asking_on_the_web(tmp_path_factory.mktemp("home")) as running:
        yield running


def typed(daemon: LiveDaemon, *words: str, word: str) -> str:
    """Run a command on a terminal, type its word, and let the daemon's code be."""
    with on_terminal(daemon, *words) as terminal:
        terminal.confirm(word)
        terminal.found(r"inbox.*:\s+> ")
        terminal.type("")
        return terminal.to_end()


def coded(daemon: LiveDaemon, *words: str, typed: str = "") -> tuple[int, str]:
    """Run a command that shows a code; type it, or something else."""
    return typed_code(daemon, *words, after=r"code for [^\n]*", typed=typed)


def test_every_change_of_a_command_is_recorded(daemon: LiveDaemon) -> None:
    """Before it is done; the chain holds, and the daemon goes on."""
    me = str(os.getuid())
    daemon.act("ls")
    coded(daemon, "policies", "add", "pushing is fine", "--tool", "Bash")
    typed(daemon, "approvers", "add", "ada", "--identity", "telegram:4711", word="add")
    typed(daemon, "mode", "local", word="local")
    assert daemon.signoff("lock", "tool", "Write").returncode == 0
    typed(daemon, "unlock", "tool", "Write", word="unlock tool Write")
    told = [(act, how) for act, _, _, how in daemon.acts()]

    assert ("policy.add", "for Bash") in told
    assert ("approver.add", "ada: approver, telegram:4711") in told
    assert ("mode.set", "local") in told
    assert ("lock.remove", "unlock tool Write") in told
    assert any(act == "lock.add" and "Write" in how for act, how in told)
    assert {by for _, by, _, _ in daemon.acts()} == {"owner", f"terminal:uid:{me}"}
    assert daemon.signoff("audit", "verify").returncode == 0
    assert daemon.act("ls").status == 200


def test_nothing_is_changed_that_cannot_be_recorded(daemon: LiveDaemon) -> None:
    """What makes things stricter is done all the same, and says so."""
    daemon.act("ls")
    record = daemon.state / "record.db"
    record.rename(record.with_suffix(".away"))
    record.mkdir()
    try:
        with on_terminal(daemon, "mode", "local") as terminal:
            terminal.confirm("local")
            said = terminal.to_end()
        locked = daemon.signoff("lock", "tool", "Write")
    finally:
        record.rmdir()
        record.with_suffix(".away").rename(record)

    assert "record.db" in said
    assert "remote" in daemon.signoff("mode").stdout
    assert locked.returncode == 0
    assert "not on the audit log" in locked.stderr


def test_a_policy_of_a_command_holds_at_once_and_warns_nobody(daemon: LiveDaemon) -> None:
    """The daemon changes it itself, so that no file has changed behind its back."""
    status, said = coded(daemon, "policies", "add", "pushing is fine", "--tool", "Bash")
    assert (0, True) == (status, "kept as pol_0" in said), said
    assert "CHANGED OUTSIDE" not in daemon.signoff("status").stdout
    assert 0 == coded(daemon, "policies", "edit", "pol_0", "ask me first")[0]
    assert "ask me first (applies to: Bash)" in daemon.signoff("policies", "list").stdout

    refused, _ = coded(daemon, "policies", "remove", "pol_0", typed="AAAAAA")
    assert (2, True) == (refused, "pol_0" in daemon.signoff("policies", "list").stdout)
    assert 0 == coded(daemon, "policies", "remove", "pol_0")[0]
    assert "there are no policies" in daemon.signoff("policies", "list").stdout

    assert ["policy.add", "policy.edit", "policy.remove"] == [act for act, *_ in daemon.acts()]


def test_no_policy_comes_from_elsewhere(daemon: LiveDaemon) -> None:
    """Without a terminal there is no code, and over HTTP no such route."""
    piped = daemon.signoff("policies", "add", "everything is fine")

    assert 2 == piped.returncode
    assert 404 == daemon.request("POST", "/v1/policies", b'{"add": "everything is fine"}').status
    assert "there are no policies" in daemon.signoff("policies", "list").stdout


def test_a_policy_that_comes_with_an_answer_is_recorded(daemon: LiveDaemon) -> None:
    """With who gave it, where, and with which answer; its text may hold anything."""
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="s1")
    hook = scene.hook("docker system prune -af")
    asked = scene.asked()
    scene.person.answer(asked, "approve", policy="publishing is fine")
    hook.communicate(timeout=60)

    assert "publishing is fine" in daemon.signoff("policies", "list").stdout
    assert ("policy.add", "owner", "web", f"for Bash, with the answer to {asked}") in daemon.acts()
    assert 0 == daemon.signoff("audit", "verify").returncode
