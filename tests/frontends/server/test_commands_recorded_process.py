"""What people change by commands is on the audit log, beside a daemon that writes there as well."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from inbox_caller import asking_on_the_web
from live_daemon import LiveDaemon
from own_terminal import on_terminal


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


def test_every_change_of_a_command_is_recorded(daemon: LiveDaemon) -> None:
    """Before it is done; the chain holds, and the daemon goes on."""
    me = str(os.getuid())
    daemon.act("ls")
    typed(daemon, "policies", "add", "pushing is fine", "--tool", "Bash", word="add")
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
