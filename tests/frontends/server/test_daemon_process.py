"""The daemon as a process: one a store, private, restarted, reloaded, locked."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.ports import free_port
from live_daemon import LiveDaemon, served, wait_until


@pytest.fixture
def managed(home: Path) -> Iterator[LiveDaemon]:
    """Return a home whose daemon is started and ended by commands."""
    daemon = LiveDaemon(home=home, port=free_port())
    (daemon.config / "signoff.yaml").write_text(f"server: {{port: {daemon.port}}}\n", "utf-8")
    yield daemon
    daemon.signoff("down")


def test_files_are_for_their_owner_only(home: Path) -> None:
    """Nobody else reads the token or enters the folder."""
    with served(home) as daemon:
        daemon.act("git status")
        paths = (daemon.state, *daemon.state.rglob("*"))
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths}

    assert {"token", "daemon.sock", "daemon.lock", "daemon.log", "record.db"} <= modes.keys()
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


def test_a_second_daemon_does_not_start(home: Path) -> None:
    """Two on one store would be one too many (T-50)."""
    with served(home) as daemon:
        done = daemon.signoff("serve", "--port", str(free_port()))

        assert done.returncode == 2
        assert f"another signoff server (process {daemon.pid}) runs" in done.stderr
        assert daemon.act("git status").said["verdict"] == "allow"


def test_a_taken_port_is_named(home: Path, tmp_path: Path) -> None:
    """The error says which, and how to choose another."""
    with served(home) as first:
        other = LiveDaemon(home=tmp_path / "other", port=first.port)
        other.home.mkdir()

        done = other.signoff("serve", "--port", str(first.port))

    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1:{first.port}" in done.stderr
    assert "`signoff up --port N` takes another" in done.stderr


def test_the_port_is_taken_on_all_of_loopback(home: Path) -> None:
    """Browsers try IPv6 for a name under `localhost`: nobody else may answer there."""
    port = free_port()
    with _ipv6_listener() as other:
        done = LiveDaemon(home=home, port=port).signoff("serve", "--port", str(other))

    assert done.returncode == 2
    assert f"cannot listen on ::1:{other}" in done.stderr


def test_nobody_else_can_listen_beside_the_daemon(home: Path) -> None:
    """Neither on IPv4 nor on IPv6, where the machine has it."""
    with _ipv6_listener(), served(home) as daemon, pytest.raises(OSError, match="in use"):
        socket.create_server(("::1", daemon.port), family=socket.AF_INET6)


@contextlib.contextmanager
def _ipv6_listener() -> Iterator[int]:
    """Listen on IPv6's loopback only; give the port."""
    try:
        server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with server:
        yield server.getsockname()[1]


def test_up_and_down_can_be_said_twice(managed: LiveDaemon) -> None:
    """The second time changes nothing."""
    said = [managed.signoff(*words).stdout for words in (["up"], ["up"], ["down"], ["down"])]

    assert [text.split("(")[0].strip() for text in said] == [
        "the daemon started",
        "the daemon runs already",
        "the daemon has ended",
        "the daemon was not running",
    ]
    assert not managed.socket.exists()


def test_up_on_another_port_says_one_json_value(managed: LiveDaemon) -> None:
    """What it has to say about hooks over HTTP goes to standard error."""
    managed.signoff("up")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    done = managed.signoff("up", "--port", str(port), "--json")

    assert f"port {port} from now on" in done.stderr
    assert json.loads(done.stdout)["was_running"] is False


def test_up_on_another_port_that_fails_keeps_the_old_one(managed: LiveDaemon) -> None:
    """A program that holds the daemon's place is named, and the settings stay."""
    managed.signoff("up")
    managed.signoff("down")
    settings = managed.home / ".config/signoff/signoff.yaml"
    before = settings.read_text(encoding="utf-8")
    with (
        socket.create_server(("127.0.0.1", 0)) as free,
        open(managed.state / "daemon.lock") as held,
    ):
        port = free.getsockname()[1]
        free.close()
        fcntl.flock(held, fcntl.LOCK_EX)
        done = managed.signoff("up", "--port", str(port))

    assert done.returncode != 0
    assert f"process {os.getpid()} locks" in done.stderr
    assert settings.read_text(encoding="utf-8") == before


def test_a_killed_daemon_comes_up_again(managed: LiveDaemon) -> None:
    """What it left behind is in nobody's way, and the record adds up."""
    managed.signoff("up")
    managed.act("git status")
    os.kill(managed.pid, signal.SIGKILL)

    assert managed.signoff("status").returncode == 1
    assert "started" in managed.signoff("up").stdout
    assert managed.act("git status").said["verdict"] == "allow"
    assert managed.signoff("audit", "verify").returncode == 0


def test_a_hung_daemon_is_replaced(managed: LiveDaemon) -> None:
    """A process that does not answer is ended, by force if need be."""
    managed.signoff("up")
    hung = managed.pid
    os.kill(hung, signal.SIGSTOP)

    done = managed.signoff("up")

    assert "started" in done.stdout, done.stderr
    assert managed.pid != hung
    assert managed.act("git status").said["verdict"] == "allow"


def test_sessions_and_locks_outlive_the_daemon(managed: LiveDaemon) -> None:
    """A restart forgets neither."""
    managed.signoff("up")
    managed.act("git status", session_id="long-lived")
    managed.signoff("lock", "tool", "WebFetch")
    managed.signoff("down")
    seen = managed.signoff("sessions").stdout
    managed.signoff("up")

    assert "long-lived" in seen
    assert "long-lived" in managed.signoff("sessions").stdout
    assert "tool `WebFetch` is locked" in managed.signoff("status").stdout


def test_a_lock_holds_at_once(home: Path) -> None:
    """The very next decision is refused, by the lock, in the daemon and without it."""
    with served(home) as daemon:
        assert daemon.act("git status").said["verdict"] == "allow"
        daemon.signoff("lock")
        said = daemon.act("git status").said
        alone = json.loads(_hooked(daemon, "git status"))

    assert (said["verdict"], said["decided_by"]) == ("deny", "lock")
    assert alone["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "is locked" in alone["hookSpecificOutput"]["permissionDecisionReason"]


def test_a_lock_beats_an_earlier_answer(home: Path) -> None:
    """What was allowed under an id is not allowed again once it is locked."""
    with served(home) as daemon:
        # A machine with much else to do may only take the first one in.
        wait_until(lambda: daemon.act("git status", id="a").said.get("verdict") == "allow")
        daemon.signoff("lock", "agent", "http")

        assert daemon.act("git status", id="a").said["verdict"] == "deny"


def test_only_a_person_at_a_terminal_unlocks(home: Path) -> None:
    """Without a terminal it stays locked."""
    daemon = LiveDaemon(home=home, port=free_port())
    daemon.signoff("lock")

    done = daemon.signoff("unlock")

    assert done.returncode == 2
    assert "everything is locked" in daemon.signoff("status").stdout


@pytest.mark.parametrize(("typed", "is_open"), [("unlock all", True), ("yes", False), ("", False)])
def test_unlocking_is_typed_out(home: Path, typed: str, is_open: bool) -> None:  # noqa: FBT001 - a case
    """The words, on the terminal, and nothing less."""
    daemon = LiveDaemon(home=home, port=free_port())
    daemon.signoff("lock")
    words = [sys.executable, "-I", "-m", "signoff", "unlock"]

    child, terminal = pty.fork()
    if child == 0:
        os.execve(words[0], words, daemon.environment)
    shown = b""
    with contextlib.suppress(OSError):
        while b"> " not in shown:
            shown += os.read(terminal, 4_096)
        time.sleep(0.3)
        os.write(terminal, f"{typed}\n".encode())
        while os.read(terminal, 4_096):
            pass
    os.waitpid(child, 0)
    os.close(terminal)

    assert b"everything is locked" in shown
    assert ("locked" not in daemon.signoff("status").stdout) == is_open


def test_changed_rules_hold_soon_after(home: Path) -> None:
    """A changed file is in force soon after; a broken one leaves the last good rules."""
    rules = "version: 1\nrules: [{name: no-git, action: deny, match: {command: git}}]"
    with served(home) as daemon:
        assert daemon.act("git status").said["verdict"] == "allow"
        _replace(daemon.config / "rules.yaml", rules)
        wait_until(lambda: daemon.act("git status").said["verdict"] == "deny")
        said = daemon.act("git status").said
        assert (said["verdict"], said["decided_by"], said["rule"]) == ("deny", "rule", "no-git")

        _replace(daemon.config / "rules.yaml", "rules: 7")
        wait_until(lambda: daemon.request("GET", "/v1/status").said["problems"])
        assert daemon.act("git status").said["verdict"] == "deny"


def test_own_programs_hold_soon_after(home: Path) -> None:
    """A new description is in force soon after; a broken one leaves the last good ones."""
    text = "programs: [{names: frob, does: delete cloud @remote irreversible always}]"
    with served(home) as daemon:
        assert daemon.act("frob x").said["verdict"] == "allow"
        (daemon.config / "programs").mkdir()
        _replace(daemon.config / "programs" / "frob.yaml", text)
        wait_until(lambda: daemon.act("frob x").said.get("verdict") != "allow")

        _replace(daemon.config / "programs" / "frob.yaml", "programs: [{names: frob, doez: x}]")
        wait_until(lambda: daemon.request("GET", "/v1/status").said["problems"])
        assert "frob.yaml:1:26: unknown field" in daemon.signoff("status").stdout
        assert daemon.act("frob x").said.get("verdict") != "allow"


def test_changed_settings_hold_soon_after(home: Path) -> None:
    """Stricter settings count soon; settings that cannot be read refuse everything."""
    with served(home) as daemon:
        _replace(daemon.config / "signoff.yaml", "pack: strict")
        wait_until(lambda: _pack(daemon) == "strict")

        _replace(daemon.config / "signoff.yaml", "pack: [")
        wait_until(lambda: daemon.act("git status").said["verdict"] == "deny")

        _replace(daemon.config / "signoff.yaml", "pack: balanced")
        wait_until(lambda: daemon.act("git status").said["verdict"] == "allow")


def test_a_session_keeps_the_project_it_began_in(home: Path) -> None:
    """An agent that changes its folder does not change whose rules hold."""
    (home / "strict" / ".git").mkdir(parents=True)
    rules = "version: 1\nrules: [{name: no-ls, action: deny, match: {command: ls}}]"
    (home / "strict" / ".signoff.yaml").write_text(rules, "utf-8")
    with served(home) as daemon:
        inside = daemon.act("ls -la", cwd=str(home / "strict"), session_id="s").said
        outside = daemon.act("ls -la", cwd="/", session_id="s").said
        another = daemon.act("ls -la", cwd="/", session_id="t").said

    assert [one["rule"] for one in (inside, outside, another)] == ["no-ls", "no-ls", None]
    assert another["verdict"] == "allow"


def test_a_session_that_is_refused_again_and_again_is_told_of(home: Path) -> None:
    """In the log, after the set number of refusals."""
    LiveDaemon(home=home, port=0).config.joinpath("signoff.yaml").write_text(
        "limits: {alert_after_denials: 3}", "utf-8"
    )
    with served(home) as daemon:
        for _ in range(3):
            daemon.act("rm -rf ~", session_id="stubborn")
        told = [json.loads(line) for line in _log(daemon)]
        status = daemon.request("GET", "/v1/status").said

    alerts = [one for one in told if "was denied 3 times" in one["message"]]
    assert [one["level"] for one in alerts] == ["warning"]
    assert "`stubborn`" in status["last_error"]


def test_the_log_is_json_without_secrets(home: Path) -> None:
    """What is logged may hold what an agent said."""
    secret = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zABCD"
    with served(home) as daemon:
        for _ in range(5):
            daemon.act("rm -rf ~", session_id=f"s-{secret}")
        lines = _log(daemon)

    assert all(json.loads(line)["message"] for line in lines)
    assert secret not in "".join(lines)


def test_a_record_that_cannot_be_written_refuses(home: Path) -> None:
    """An allow leaves only after it is on the record."""
    with served(home) as daemon:
        assert daemon.act("git status").said["verdict"] == "allow"
        (daemon.state / "record.db").rename(daemon.state / "moved.db")

        assert daemon.act("git status").said["verdict"] == "deny"


def _hooked(daemon: LiveDaemon, command: str) -> str:
    """Judge a call without the daemon."""
    call = {"tool_name": "Bash", "tool_input": {"command": command}, "session_id": "s"}
    return subprocess.run(
        [sys.executable, "-I", "-m", "signoff", "hook", "claude-code"],
        input=json.dumps(call),
        env=daemon.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    ).stdout


def _log(daemon: LiveDaemon) -> list[str]:
    return (daemon.state / "log" / "daemon.log").read_text("utf-8").splitlines()


def _pack(daemon: LiveDaemon) -> str:
    """Return the pack by which the last call was judged; empty while settings are read again."""
    daemon.act("git status")
    in_force = daemon.request("GET", "/v1/status").said["in_force"]
    return str(in_force[-1]["pack"]) if in_force else ""


def _replace(path: Path, text: str) -> None:
    """Write a file as editors do: aside, then into place."""
    aside = path.with_suffix(".new")
    aside.write_text(text, "utf-8")
    aside.replace(path)
