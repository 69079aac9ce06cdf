"""The daemon, asked by the hook client as installed: killed, hung, restarted, of another version.

What the client does without a daemon is chosen at installation: refuse, judge in a process of its
own, or start one. Each of them is a way of its own through the same faults.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

from bench.faults.calls import BENIGN, CALLS, DANGER, Observation, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.stage import Daemon, Stage, begin_client, ended_client, trial, wait_until
from bench.ports import free_port
from signoff.values import replace

NAME = "daemon"
WAYS = ("refuse", "in_process", "start")
FAMILIES = {"refuse": "refuses", "in_process": "judges by itself", "start": "starts one"}
OTHER_VERSION = """
import importlib.metadata
whole = importlib.metadata.version
importlib.metadata.version = lambda name: "0.0.1" if name == "signoff" else whole(name)
import signoff.frontends.hosts.registry as registry
registry.ADAPTERS = {}
"""


def asked(stage: Stage, without: str, *, deadline_s: float = 9) -> tuple[Trial, ...]:
    """Put every call to the daemon by the client."""
    return tuple(stage.client(call, without=without, deadline_s=deadline_s) for call in CALLS)


def after(
    fault: Callable[[Daemon], object], without: str, *, deadline_s: float = 9, evidence: str = ""
) -> Probe:
    """Return the probe of calls that come after something was done to a daemon."""

    def probe(stage: Stage) -> Observation:
        stage.write("signoff.yaml", f"server: {{port: {free_port()}}}\n")
        with stage.served() as daemon:
            before = stage.client(BENIGN)
            done = fault(daemon)
            try:
                trials = asked(stage, without, deadline_s=deadline_s)
            finally:
                stage.signoff("down")
        is_real = before.seen is BENIGN.at_most and done is not False
        return Observation(trials=trials, evidence=(evidence or str(done)) if is_real else "")

    return probe


def killed(daemon: Daemon) -> str:
    """Kill it."""
    daemon.send(signal.SIGKILL)
    return "killed by SIGKILL" if daemon.is_gone else ""


def ended(daemon: Daemon) -> str:
    """End it as `signoff down` does."""
    daemon.send(signal.SIGTERM)
    return "ended by SIGTERM" if daemon.is_gone else ""


def hung(daemon: Daemon) -> str | bool:
    """Stop it."""
    daemon.send(signal.SIGSTOP)
    return wait_until(lambda: daemon.is_stopped, 5) and "stopped by SIGSTOP"


def without_socket(daemon: Daemon) -> str:
    """Take its socket away while it runs."""
    daemon.stage.socket.unlink()
    return "its socket was removed"


def with_folder(daemon: Daemon) -> str:
    """Put a folder in the place of its socket."""
    daemon.stage.socket.unlink()
    daemon.stage.socket.mkdir()
    return "a folder took the place of its socket"


def with_file_of_lock_gone(daemon: Daemon) -> str:
    """Take away what says which process it is."""
    (daemon.stage.state / "daemon.lock").unlink()
    return "its lock file was removed"


def in_its_hands(without: str, *, then: signal.Signals) -> Probe:
    """Return the probe of calls that the daemon holds when it ends or goes on."""

    def probe(stage: Stage) -> Observation:
        stage.write("signoff.yaml", f"server: {{port: {free_port()}}}\n")
        trials = []
        with stage.served() as daemon:
            pid = daemon.pid
            daemon.send(signal.SIGSTOP)
            waiting = [begin_client(stage, call, without=without) for call in CALLS]
            time.sleep(0.6)
            is_waiting = all(process.poll() is None for process in waiting)
            daemon.send(then)
            for call, process in zip(CALLS, waiting, strict=True):
                trials.append(trial(call, ended_client(process)))
            stage.signoff("down")
        said = f"process {pid} got {then.name} with the calls in its hands"
        return Observation(trials=tuple(trials), evidence=said if is_waiting else "")

    return probe


def restarting(without: str) -> Probe:
    """Return the probe of calls that come while the daemon ends and starts again and again."""

    def probe(stage: Stage) -> Observation:
        stage.write("signoff.yaml", f"server: {{port: {free_port()}}}\n")
        over, lock = threading.Event(), stage.state / "daemon.lock"
        started: list[Daemon] = []
        restarts: list[str] = []

        def restart() -> None:
            while not over.is_set():
                if without != "start":
                    started.append(stage.start_daemon())
                over.wait(0.5)
                number = (signal.SIGTERM, signal.SIGKILL)[len(restarts) % 2]
                with contextlib.suppress(OSError, ValueError):
                    os.kill(int(lock.read_text(encoding="ascii")), number)
                    restarts.append(number.name)
            for daemon in started:
                daemon.end()

        thread = threading.Thread(target=restart)
        thread.start()
        trials = [
            stage.client(call, without=without, deadline_s=9)
            for _ in range(8)
            for call in (DANGER, BENIGN)
        ]
        over.set()
        thread.join()
        stage.signoff("down")
        said = f"restarted {len(restarts)} times meanwhile" if restarts else ""
        return Observation(trials=tuple(trials), evidence=said)

    return probe


def other_version(*, is_mended: bool) -> Probe:
    """Return the probe of a daemon left over from another version, without and with `up`."""

    def probe(stage: Stage) -> Observation:
        stage.write("signoff.yaml", f"server: {{port: {free_port()}}}\n")
        old = replace(stage, build=replace(stage.build, patch=stage.build.patch + OTHER_VERSION))
        with old.served() as daemon:
            said = _health(daemon.port)
            if is_mended:
                stage.signoff("up")
            trials = asked(stage, "refuse")
            stage.signoff("down")
        return Observation(trials=trials, evidence=said if "0.0.1" in said else "")

    return probe


def _health(port: int) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as link:
        head = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        link.sendall(head.encode())
        text = b""
        while piece := link.recv(4_096):
            text += piece
    said = json.loads(text.partition(b"\r\n\r\n")[2])
    return f"a daemon of version {said['version']}"


def never_started(stage: Stage) -> Observation:
    """Ask where no daemon ever ran."""
    return Observation(trials=asked(stage, "refuse"), evidence="no daemon was started")


def cannot_start(spoil: Callable[[Stage], str]) -> Probe:
    """Return the probe of a client that is to start a daemon which cannot start."""

    def probe(stage: Stage) -> Observation:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            stage.write("signoff.yaml", f"server: {{port: {taken.getsockname()[1]}}}\n")
            said = spoil(stage)
            trials = asked(stage, "start")
        return Observation(trials=trials, evidence=said)

    return probe


def two_daemons(stage: Stage) -> Observation:
    """Run a second daemon on the same store, behind the back of the lock."""
    with stage.served() as first:
        (stage.state / "daemon.lock").unlink()
        with stage.served() as second:
            are_both = not first.is_gone and not second.is_gone
            trials = asked(stage, "refuse")
        verified = stage.signoff("audit", "verify")
    said = "two daemons ran on one store, and the record adds up"
    return Observation(trials=trials, evidence=said if are_both and verified.status == 0 else "")


def few_files(stage: Stage) -> Observation:
    """Leave it hardly any file descriptors, and hold most of them."""
    limit = ["sh", "-c", 'ulimit -n 40; exec "$@"', "sh"]
    with stage.served(within=limit) as daemon:
        held = [socket.create_connection(("127.0.0.1", daemon.port)) for _ in range(50)]
        time.sleep(0.2)
        trials = asked(stage, "refuse", deadline_s=2)
        for link in held:
            link.close()
    return Observation(trials=trials, evidence="50 connections against 40 descriptors")


def _gone_home(stage: Stage) -> str:
    stage.state.rename(stage.folder / "moved")
    stage.state.write_text("", encoding="utf-8")
    return "a file stands where the state folder was"


def cells() -> Iterator[Cell]:
    """Yield every cell."""

    def cell(fault: str, kind: Kind, probe: Probe, *, is_quick: bool = True) -> Cell:
        return Cell(
            component=NAME, fault=fault, kind=kind, probe=probe, is_quick=is_quick, limit_s=60
        )

    yield cell("never started", Kind.DOWN, never_started)
    for way in WAYS:
        name = f"the client {FAMILIES[way]}"
        yield cell(f"killed, {name}", Kind.KILLED, after(killed, way))
        yield cell(f"ended, {name}", Kind.DOWN, after(ended, way))
        yield cell(f"hung, {name}", Kind.SLOW, after(hung, way, deadline_s=0.7))
        yield cell(f"its socket is removed, {name}", Kind.SOCKET, after(without_socket, way))
        yield cell(
            f"killed with calls in its hands, {name}",
            Kind.KILLED,
            in_its_hands(way, then=signal.SIGKILL),
        )
        yield cell(
            f"restarts again and again, {name}", Kind.RESTARTING, restarting(way),
            is_quick=way == "refuse",
        )  # fmt: skip
    yield cell("hung and goes on", Kind.SLOW, in_its_hands("refuse", then=signal.SIGCONT))
    yield cell("a folder takes its socket's place", Kind.SOCKET, after(with_folder, "refuse"))
    yield cell("its lock file is removed", Kind.RESTARTING, after(with_file_of_lock_gone, "refuse"))
    yield cell("of another version", Kind.VERSION, other_version(is_mended=False))
    yield cell("of another version, then `up`", Kind.VERSION, other_version(is_mended=True))
    yield cell("its port is taken", Kind.DOWN, cannot_start(lambda _: "the port was taken"))
    yield cell("its folder cannot be made", Kind.DOWN, cannot_start(_gone_home))
    yield cell("a second one on the same store", Kind.RESTARTING, two_daemons)
    yield cell("out of file descriptors", Kind.OVERLOAD, few_files)
