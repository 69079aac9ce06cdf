"""The hook client: a whole answer comes through, anything else is a refusal (T-01 to T-04)."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff.frontends.client import exchange
from signoff.frontends.client.words import CLIENT

EVENT = b'{"tool_name": "Bash", "tool_input": {"command": "ls"}}'
ALLOW = b'{"hookSpecificOutput": {"permissionDecision": "allow"}}'
Answering = Callable[[socket.socket], None]


def response(body: bytes = ALLOW, *, status: str = "200 OK", leave: str = "0") -> bytes:
    """Return a daemon's response."""
    head = f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\nsignoff-exit: {leave}\r\n\r\n"
    return head.encode() + body


@contextlib.contextmanager
def daemon(folder: Path, answering: Answering) -> Iterator[Path]:
    """Listen on a socket; each caller is served by the function, then cut off."""
    path = folder / "d.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        stop = threading.Event()
        thread = threading.Thread(target=_serve, args=(server, answering, stop), daemon=True)
        thread.start()
        yield path
        stop.set()
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as last:
            last.connect(str(path))
        thread.join(30)
        assert not thread.is_alive(), "a caller is still being served"


def _serve(server: socket.socket, answering: Answering, stop: threading.Event) -> None:
    while True:
        link, _ = server.accept()
        with link:
            if stop.is_set():
                return
            with contextlib.suppress(OSError):
                answering(link)


def says(text: bytes) -> Answering:
    """Answer after the whole event has arrived."""

    def answering(link: socket.socket) -> None:
        got = b""
        while not got.endswith(EVENT):
            piece = link.recv(65_536)
            if not piece:
                return
            got += piece
        link.sendall(text)

    return answering


def run(
    path: Path | str,
    *,
    deadline: str = "3",
    without: str = "refuse",
    event: bytes = EVENT,
    mark: str = "",
    cwd: Path | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run the client as a host does."""
    words = [sys.executable, "-I", "-S", str(CLIENT), "claude-code", "--socket", str(path)]
    words += ["--deadline", deadline, "--without", without]
    return subprocess.run(
        [*words, *([mark, "yes"] if mark else [])],
        input=event,
        capture_output=True,
        check=False,
        timeout=60,
        cwd=cwd,
        env=environment,
    )


def outcome(done: subprocess.CompletedProcess[bytes]) -> tuple[int, bytes]:
    """Return what a host goes by."""
    return done.returncode, done.stdout


def test_an_answer_comes_through_to_the_letter(tmp_path: Path) -> None:
    """The positive control."""
    body = '{"a": "50 % \\n $HOME é"}'.encode()
    with daemon(tmp_path, says(response(body))) as path:
        done = run(path)

    assert (outcome(done), done.stderr) == ((0, body + b"\n"), b"")


def test_an_answer_in_words_and_status_comes_through(tmp_path: Path) -> None:
    """For hosts that are refused by status."""
    with daemon(tmp_path, says(response(b"refused: because", leave="2"))) as path:
        done = run(path)

    assert (outcome(done), done.stderr) == ((2, b""), b"refused: because\n")


BROKEN = {
    "nothing": b"",
    "half a head": b"HTTP/1.1 200 OK\r\ncontent-le",
    "a cut body": response()[:-5],
    "more than it says": response() + b"{}",
    "half an object": response(b'{"hookSpecificOutput":'),
    "text": response(b"allowed"),
    "a list": response(b"[]"),
    "an empty body": response(b""),
    "status 500": response(status="500 Internal Server Error"),
    "status 404": response(status="404 Not Found"),
    "a redirect": response(status="302 Found"),
    "status 2000": response(status="2000 OK"),
    "no status line": ALLOW,
    "no exit": b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
    "a strange exit": response(leave="x"),
    "no length": b"HTTP/1.1 200 OK\r\nsignoff-exit: 0\r\n\r\n{}",
    "another protocol": b"SSH-2.0-server\r\n",
    "garbage": bytes(range(256)) * 10,
    "too much": response(b"{" + b"a" * 2_000_000 + b"}"),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_answer_is_a_refusal(tmp_path: Path, text: bytes) -> None:
    """Nothing stands on stdout, and the status is 2."""
    with daemon(tmp_path, says(text)) as path:
        done = run(path)

    assert outcome(done) == (2, b"")
    assert done.stderr.startswith(b"signoff: cannot decide, so it is refused: ")


def hangs(link: socket.socket) -> None:
    """Take everything in and say nothing."""
    while link.recv(65_536):
        pass


def dribbles(link: socket.socket) -> None:
    """Answer one byte now and then, for ever."""
    for byte in response():
        link.sendall(bytes([byte]))
        time.sleep(0.2)


@pytest.mark.parametrize("answering", [hangs, dribbles])
def test_a_slow_daemon_is_a_refusal_in_time(tmp_path: Path, answering: Answering) -> None:
    """The client's own deadline comes before the host's."""
    started = time.monotonic()
    with daemon(tmp_path, answering) as path:
        done = run(path, deadline="0.5")

    assert outcome(done) == (2, b"")
    assert b"no answer within 0.5 seconds" in done.stderr
    assert time.monotonic() - started < 20


def test_an_event_that_does_not_end_is_a_refusal(tmp_path: Path) -> None:
    """A host that keeps its end open is no reason to wait for ever."""
    words = [sys.executable, "-I", "-S", str(CLIENT), "claude-code", "--socket"]
    with daemon(tmp_path, says(response())) as path:
        process = subprocess.Popen(
            [*words, str(path), "--deadline", "0.5", "--without", "refuse"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.wait(timeout=60) == 2
        process.communicate()


def test_a_blocked_alarm_still_rings(tmp_path: Path) -> None:
    """A host may have blocked signals for its children."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    try:
        with daemon(tmp_path, hangs) as path:
            done = run(path, deadline="0.5")
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})

    assert outcome(done) == (2, b"")


def test_a_large_event_is_a_refusal(tmp_path: Path) -> None:
    """Over the limit nothing is asked."""
    with daemon(tmp_path, says(response())) as path:
        assert outcome(run(path, event=b"a" * 2_000_000)) == (2, b"")


@pytest.mark.parametrize("kind", ["missing", "file", "folder", "stale"])
def test_no_socket_is_a_refusal(tmp_path: Path, kind: str) -> None:
    """Where nobody listens nothing is let through."""
    path = tmp_path / "d.sock"
    match kind:
        case "file":
            path.write_text("")
        case "folder":
            path.mkdir()
        case "stale":
            with socket.socket(socket.AF_UNIX) as gone:
                gone.bind(str(path))

    done = run(path)

    assert outcome(done) == (2, b"")
    assert b"the daemon is not running" in done.stderr


@pytest.mark.parametrize(
    "words", [[], ["claude-code"], ["claude-code", "--socket"], ["x", "--y", "z"]]
)
def test_a_command_that_was_cut_off_is_a_refusal(words: list[str]) -> None:
    """An edited or shortened entry lets nothing through."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(CLIENT), *words],
        input=EVENT,
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert outcome(done) == (2, b"")


@pytest.mark.parametrize("kept", ["", "raise SystemExit(0)", "import nothing_of_that_name", "("])
def test_a_broken_installation_is_a_refusal(tmp_path: Path, kept: str) -> None:
    """Half an upgrade lets nothing through."""
    shutil.copy(CLIENT, tmp_path)
    if kept:
        (tmp_path / "exchange.py").write_text(kept, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-I", "-S", str(tmp_path / "client.py"), "claude-code"],
        input=EVENT,
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert outcome(done) == (2, b"")


def test_a_report_never_gets_in_the_way(tmp_path: Path) -> None:
    """What decides nothing fails in silence, with or without a daemon."""
    assert outcome(run(tmp_path / "none", mark="--report")) == (0, b"")
    with daemon(tmp_path, says(b"garbage")) as path:
        assert outcome(run(path, mark="--report")) == (0, b"")


def test_a_result_that_is_not_read_says_so_to_the_model(tmp_path: Path) -> None:
    """Without a daemon, with a broken one, and for an event that is too long."""
    with daemon(tmp_path, says(b"garbage")) as path:
        for done in (
            run(tmp_path / "none", mark="--result"),
            run(path, mark="--result"),
            run(path, mark="--result", event=b" " * (2 << 20)),
        ):
            assert 2 == done.returncode
            assert b"could not check this result" in done.stderr


def test_a_long_path_is_reached(tmp_path: Path) -> None:
    """Longer than the system takes in one piece; the folder the host chose stays."""
    folder = tmp_path / ("a" * 80) / ("b" * 80)
    folder.mkdir(parents=True)
    here = os.open(".", os.O_RDONLY)
    seen: list[bytes] = []

    def answering(link: socket.socket) -> None:
        seen.append(link.recv(65_536))
        link.sendall(response())

    try:
        os.chdir(folder)
        with daemon(Path(), answering):
            done = run(folder / "d.sock", cwd=tmp_path, environment={})
    finally:
        os.fchdir(here)
        os.close(here)

    assert outcome(done) == (0, ALLOW + b"\n")
    assert f"signoff-project: {tmp_path}\r\n".encode() in seen[0]


def test_the_project_is_told_whatever_its_name(tmp_path: Path) -> None:
    """A folder's name cannot add a header."""
    seen: list[bytes] = []

    def answering(link: socket.socket) -> None:
        seen.append(link.recv(65_536))
        link.sendall(response())

    with daemon(tmp_path, answering) as path:
        run(path, environment={"CLAUDE_PROJECT_DIR": "/w/a b\r\nx: y%é"})

    assert b"signoff-project: /w/a%20b%0D%0Ax:%20y%25%C3%A9\r\n" in seen[0]


def test_the_path_of_the_call_is_told(tmp_path: Path) -> None:
    """Programs are looked for on it, and not on the daemon's own."""
    seen: list[bytes] = []

    def answering(link: socket.socket) -> None:
        seen.append(link.recv(65_536))
        link.sendall(response())

    with daemon(tmp_path, answering) as path:
        run(path, environment={"PATH": "/w/my bin:/usr/bin"})

    assert b"\r\nsignoff-path: /w/my%20bin:/usr/bin\r\n" in seen[0]


@pytest.mark.parametrize("name", ["PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT"])
def test_pythons_variables_do_not_reach_it(tmp_path: Path, name: str) -> None:
    """It runs isolated, and imports nothing that could be planted (T-57)."""
    for module in ("posix.py", "time.py", "_socket.py", "sitecustomize.py", "__future__.py"):
        (tmp_path / module).write_text("raise SystemExit(0)\n", encoding="utf-8")
    with daemon(tmp_path, says(response(b'{"a": 1}'))) as path:
        done = run(path, cwd=tmp_path, environment={name: str(tmp_path)})

    assert outcome(done) == (0, b'{"a": 1}\n')


def test_it_loads_nothing_that_costs_time() -> None:
    """Of the standard library only what is built in, and one small module."""
    code = f"""
import sys
old = set(sys.modules)
sys.path.insert(0, {str(CLIENT.parent)!r})
import client, exchange
print(*sorted(set(sys.modules) - old - {{"client", "exchange"}}))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )

    assert set(done.stdout.split()) <= {"__future__", "_socket", "time", "_signal", "posix"}


def test_a_second_daemon_judges_what_the_first_died_over(tmp_path: Path) -> None:
    """With `start` an event in the hands of a daemon that ends is asked about again."""
    calls: list[int] = []

    def answering(link: socket.socket) -> None:
        calls.append(1)
        if len(calls) > 1:
            says(response())(link)

    with daemon(tmp_path, answering) as path:
        done = run(path, without="start")

    assert (outcome(done), len(calls)) == ((0, ALLOW + b"\n"), 2)


def test_without_a_daemon_it_can_judge_in_process(tmp_path: Path) -> None:
    """Where that was chosen at installation."""
    give_patterns(tmp_path)
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    event = json.dumps({"tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}}).encode()

    done = run(
        tmp_path / "none", without="in_process", deadline="30", event=event, environment=environment
    )

    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_without_a_daemon_it_can_start_one(tmp_path: Path) -> None:
    """The first call of a day waits a moment, the next ones do not."""
    give_patterns(tmp_path)
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    config = tmp_path / ".config" / "signoff"
    config.mkdir(parents=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (config / "signoff.yaml").write_text(f"server: {{port: {port}}}", "utf-8")
    path = tmp_path / ".local" / "state" / "signoff" / "daemon.sock"
    event = json.dumps({"tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}}).encode()
    try:
        first = run(path, without="start", deadline="30", event=event, environment=environment)
        second = run(path, without="refuse", event=event, environment=environment)
    finally:
        down = [sys.executable, "-I", "-m", "signoff", "down"]
        subprocess.run(down, env=environment, check=False, timeout=30, capture_output=True)

    for done in (first, second):
        assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_daemon_that_cannot_start_is_a_refusal(tmp_path: Path) -> None:
    """Settings that are refused start nothing, and nothing is let through."""
    config = tmp_path / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text("pack: [", "utf-8")
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}

    done = run(tmp_path / "none", without="start", deadline="30", environment=environment)

    assert outcome(done) == (2, b"")
    assert b"the daemon does not start" in done.stderr
    shutil.rmtree(config)


def test_a_daemon_that_another_process_starts_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two starts at once one ends well and at once; its daemon may listen later."""
    ended, path = tmp_path / "ended", tmp_path / "d.sock"
    starter = tmp_path / "python"
    starter.write_text(f"#!/bin/sh\n: > {ended}\n", encoding="utf-8")
    starter.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(starter))
    rounds: list[bool] = []
    sleep = time.sleep
    with socket.socket(socket.AF_UNIX) as server:

        def pause(seconds: float) -> None:
            rounds.append(ended.exists())
            if rounds.count(True) == 20:
                server.bind(str(path))
                server.listen()
            sleep(seconds)

        monkeypatch.setattr(time, "sleep", pause)
        link = exchange.reach("claude-code", {"--socket": str(path), "--without": "start"})
        link.close()


def test_a_daemon_that_ends_is_heard_to_the_last(tmp_path: Path) -> None:
    """Nobody listens any more, and whoever waits is still answered on the old connection."""
    link, other = socket.socketpair()
    link.settimeout(1.5)
    ringing = threading.Timer(2, other.sendall, (ALLOW,))
    ringing.start()
    try:
        assert exchange.patient(link, 100, str(tmp_path / "none")) == ALLOW
    finally:
        ringing.join()
        link.close()
        other.close()


def test_a_daemon_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    """It lives no more, its connection stays open, and nothing comes."""
    link, other = socket.socketpair()
    link.settimeout(0.1)
    with link, other, pytest.raises(TimeoutError, match="the daemon says nothing"):
        exchange.patient(link, 100, str(tmp_path / "none"))


BUSY = b'{"hookSpecificOutput": {"permissionDecision": "deny"}}'


def busy_for(count: int) -> Answering:
    """Refuse so many callers for want of room, then answer."""
    left = [count]
    busy = response(BUSY).replace(b"\r\n\r\n", b"\r\nsignoff-busy: 1\r\n\r\n", 1)

    def answering(link: socket.socket) -> None:
        left[0] -= 1
        says(busy if left[0] >= 0 else response())(link)

    return answering


def test_a_busy_daemon_is_asked_again(tmp_path: Path) -> None:
    """It refused for want of room, which passes; the call is judged after all."""
    with daemon(tmp_path, busy_for(2)) as path:
        done = run(path, deadline="10")

    assert (0, ALLOW + b"\n") == (done.returncode, done.stdout)


def test_a_daemon_that_stays_busy_refuses_in_time(tmp_path: Path) -> None:
    """Its own refusal comes out before the deadline."""
    began = time.monotonic()
    with daemon(tmp_path, busy_for(1_000)) as path:
        done = run(path, deadline="4")

    assert (0, BUSY + b"\n") == (done.returncode, done.stdout)
    assert time.monotonic() - began < 20


def test_words_of_an_answer_do_not_make_it_busy(tmp_path: Path) -> None:
    """Only the header does."""
    body = b'{"reason": "\\r\\n\\r\\nsignoff-busy: 1"}'
    with daemon(tmp_path, says(response(body))) as path:
        done = run(path, deadline="10")

    assert (0, body + b"\n") == (done.returncode, done.stdout)
