"""A machine of its own for the service, with users of its own: a copy of `/etc`, empty folders.

It takes root: everything runs in a mount namespace, and what is installed or made there, users
too, is gone with it. Outside nothing changes.

    with service_machine() as machine:
        machine.run(["id"], user="agent")
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.ports import free_port
from bench.warm_home import give_patterns
from live_daemon import LiveDaemon, wait_until
from own_terminal import OwnTerminal

from signoff.frontends.client.service_layout import LAYOUT

SIGNOFF = [sys.executable, "-I", "-m", "signoff"]
NEEDED = ("unshare", "nsenter", "setpriv", "useradd", "mount")
AGENT, OTHER, STRANGER, APPROVER, SECOND = "agent", "other", "eve", "ada", "bob"


def why_not() -> str:
    """Return why this machine cannot have another one in it, "" if it can."""
    if os.geteuid() != 0:
        return "it takes root to make users and start the service as its own"
    if missing := [name for name in NEEDED if shutil.which(name) is None]:
        return f"not installed here: {', '.join(missing)}"
    made = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return "" if made.returncode == 0 else "mount namespaces are not allowed here"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceMachine(LiveDaemon):
    """The machine, with the service installed, running or not."""

    holder: int

    @property
    def root(self) -> Path:
        """Its file system, as this process reaches it."""
        return Path(f"/proc/{self.holder}/root")

    @property
    def state(self) -> Path:
        """The service's state folder, for root's eyes."""
        return self.root / LAYOUT.state.lstrip("/")

    @property
    def token(self) -> str:
        """Not told to users of the machine."""
        return "none"

    def words(self, command: Sequence[str], user: str) -> list[str]:
        """Return the command that runs something there as this user."""
        inside = ["nsenter", f"--mount=/proc/{self.holder}/ns/mnt", "--"]
        become = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", "--reset-env"]
        return [*inside, *(become if user != "root" else []), *command]

    def run(
        self, command: Sequence[str], *, user: str, text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run something there as this user, without a terminal."""
        return subprocess.run(
            self.words(command, user),
            env={"PATH": os.environ["PATH"], "HOME": f"/home/{user}"},
            cwd="/",
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            start_new_session=True,
        )

    def signoff_as(self, user: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run our command line there as this user."""
        return self.run([*SIGNOFF, *words], user=user)

    def on_terminal(self, user: str, *words: str) -> OwnTerminal:
        """Run our command line there as this user, on a terminal of its own."""
        environment = {"PATH": os.environ["PATH"], "HOME": f"/home/{user}"}
        return OwnTerminal(self.words([*SIGNOFF, *words], user), environment)

    def at_terminal(self, user: str, *words: str) -> str:
        """Return all that our command line shows this user there."""
        with self.on_terminal(user, *words) as terminal:
            return terminal.to_end()

    @contextlib.contextmanager
    def started(self, passed: Sequence[socket.socket] = ()) -> Iterator[subprocess.Popen[bytes]]:
        """Run what the unit starts, as its user and with its limits, as systemd would.

        Args:
            passed: sockets that are handed over, as those of a socket unit are.
        """
        unit = (self.root / LAYOUT.unit.lstrip("/")).read_text(encoding="utf-8")
        process = subprocess.Popen(
            [*handed_over(passed), *self.words(as_systemd(unit, passed), "root")],
            pass_fds=[one.fileno() for one in passed],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            wait_until(lambda: self._is_up(process) or process.poll() is not None)
            assert process.poll() is None, process.stderr and process.stderr.read()
            yield process
        finally:
            process.terminate()
            process.communicate(timeout=60)

    def _is_up(self, process: subprocess.Popen[bytes]) -> bool:
        # A socket that is passed takes connections before anybody answers: ask who does.
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        with contextlib.closing(link), contextlib.suppress(OSError, http.client.HTTPException):
            link.request("GET", "/healthz")
            return link.getresponse().status == 200
        return process.poll() is not None


HANDING_OVER = """
import os, sys
numbers = [int(one) for one in sys.argv[1].split(",")]
# Aside first: a target may be one of the sources.
for aside, number in enumerate(numbers): os.dup2(number, 100 + aside)
for aside in range(len(numbers)): os.dup2(100 + aside, 3 + aside)
os.closerange(3 + len(numbers), 200)
os.execvp(sys.argv[2], sys.argv[2:])
"""


def handed_over(passed: Sequence[socket.socket]) -> list[str]:
    """Return the words before a command that give it these sockets from descriptor 3 on."""
    numbers = ",".join(str(one.fileno()) for one in passed)
    return [sys.executable, "-c", HANDING_OVER, numbers] if passed else []


def as_systemd(unit: str, passed: Sequence[socket.socket] = ()) -> list[str]:
    """Return the command of a unit, with user, variables and capabilities as it says."""
    said = [line.split("=", 1) for line in unit.splitlines() if "=" in line]
    user = next(value for name, value in said if name == "User")
    variables = [shlex.split(value)[0] for name, value in said if name == "Environment"]
    (kept,) = (value for name, value in said if name == "AmbientCapabilities")
    kept = kept.lower().removeprefix("cap_")
    assert "NoNewPrivileges=yes" in unit
    (command,) = (shlex.split(value) for name, value in said if name == "ExecStart")
    limits = [f"--inh-caps=-all,+{kept}", f"--ambient-caps=-all,+{kept}", "--no-new-privs"]
    limits += [f"--bounding-set=-all,+{kept}"]
    become = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", *limits]
    bare = ["env", "-i", f"PATH={os.defpath}", *variables]
    if not passed:
        return [*become, *bare, *command]
    # Each of them runs the next in its own place, so `$$` is the number of what is started.
    told = f"LISTEN_PID=$$ LISTEN_FDS={len(passed)}"
    return [*become, "sh", "-c", f"exec {shlex.join(bare)} {told} {shlex.join(command)}"]


def _setup(folder: Path, homes: Path) -> str:
    """Return the shell lines that make the machine inside a new mount namespace."""
    lines = [
        "set -e",
        f"cp -a /etc {folder}/etc",
        f"mount --bind {folder}/etc /etc",
        f"mkdir {folder}/lib && mount --bind {folder}/lib /var/lib",
        "mount -t tmpfs -o mode=755 tmpfs /run",
        f"mount --bind {homes} /home",
        *_opened(folder),
    ]
    for user in (AGENT, OTHER, STRANGER, APPROVER, SECOND):
        lines.append(f"useradd --create-home --home-dir /home/{user} --user-group {user}")
    return "\n".join([*lines, "echo ready", "exec sleep 900"])


def _opened(folder: Path) -> Iterator[str]:
    """Yield what lets other users reach the interpreter, where a folder above it is closed."""
    base = Path(sys.base_prefix)
    closed = [one for one in [*reversed(base.parents), base] if not one.stat().st_mode & 0o001]
    if not closed:
        return
    shown = folder / "open"
    inside = shown / base.relative_to(closed[0])
    yield f"mkdir -p {inside} && mount --bind {base} {inside} && mount --rbind {shown} {closed[0]}"


@contextlib.contextmanager
def service_machine() -> Iterator[ServiceMachine]:
    """Make a machine and install the service there; it does not run yet."""
    with tempfile.TemporaryDirectory(prefix="signoff-machine-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        homes = folder / "homes"
        homes.mkdir(mode=0o755)
        holder = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", _setup(folder, homes)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert holder.stdout is not None
            said = ""
            while "ready" not in said.splitlines():
                line = holder.stdout.readline()
                assert line, said
                said += line
            yield _installed(ServiceMachine(home=homes, port=free_port(), holder=holder.pid))
        finally:
            holder.kill()
            holder.communicate()


def _installed(machine: ServiceMachine) -> ServiceMachine:
    done = machine.signoff_as("root", "service", "install")
    assert done.returncode == 0, done.stdout + done.stderr
    warm = machine.home / "warm"
    give_patterns(warm)
    for name in ("patterns", "redaction.key"):
        found = warm / ".local" / "state" / "signoff" / name
        words = ["cp", "-r", str(found), LAYOUT.state]
        assert machine.run(words, user="root").returncode == 0
    settings = (
        f"channels: [web]\nserver: {{port: {machine.port}}}\nlimits: {{min_review_s: 1}}\n"
        "approval:\n"
        "  recheck: true\n"
        "  too_fast: mark\n"
        "  review_s: {low: 0, medium: 0, high: 0, critical: 0}\n"
        "  challenges: {lines: {remote-change.forced-push: multi-party}}\n"
    )
    script = f"cat > {LAYOUT.config}/signoff.yaml && chown -R {LAYOUT.user}: {LAYOUT.state}"
    done = machine.run(["sh", "-c", script], user="root", text=settings)
    assert done.returncode == 0, done.stderr
    return machine


def ids_of(machine: ServiceMachine, user: str) -> int:
    """Return the number of a user of the machine."""
    return int(machine.run(["id", "-u", user], user="root").stdout)


LINK = re.compile(r"http://[0-9a-f]{32}\.signoff-[0-9a-f]{16}\.localhost:\d+/web/sign-in#(\S+)")
