"""`signoff demo --inbox`: the inbox with the calls of the tour, in a daemon and folders of its own.

Nothing of this user's installation is read or written, and no call is run. Control-C, or closing
the terminal, ends it and removes the folders.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from signoff.actions.action import Action, Json
from signoff.frontends.cli.exits import Refusal
from signoff.frontends.cli.open import open_inbox
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import echo_wrapped
from signoff.frontends.client.places import Places
from signoff.frontends.doctor.port import free_port
from signoff.frontends.server.control import command, is_healthy, stop, tell
from signoff.settings import CONFIG_DIR, STATE_DIR, USER_FILE
from signoff.system.processes import APART

START_WITHIN_S = 30.0
POLL_S = 0.05
SETTINGS = "channels: [web]\nlimits: {{answer_timeout_s: 3600}}\nserver: {{port: {port}}}\n"
ENDS = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
TEXT = (
    "These questions are of the demo's own daemon: approve or deny them, nothing is run. Control-C"
    " ends the demo and removes everything it has written."
)


def show_inbox(calls: Sequence[Action]) -> None:
    """Start a separate daemon, ask it about the calls, open its inbox, and wait.

    Raises:
        Refusal: there is no terminal, or the daemon does not start.
        NotRunning: the daemon does not answer.
    """
    with interrupted_by_its_end(), _daemon() as places:
        with progress("asking about the calls"):
            for number, action in enumerate(calls):
                tell(places, "/v1/actions", _payload(action, number))
        open_inbox(places)
        echo_wrapped(TEXT)
        try:
            while is_healthy(places):
                time.sleep(1.0)
        except KeyboardInterrupt:
            with suppress(OSError):  # a closed terminal takes no more words
                click.echo()


@contextmanager
def interrupted_by_its_end() -> Iterator[None]:
    """Take a closed terminal and a request to end for Control-C, so that nothing stays behind."""
    kinds = [kind for name in ENDS if (kind := getattr(signal, name, None)) is not None]
    before = {kind: signal.signal(kind, signal.default_int_handler) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


@contextmanager
def _daemon() -> Iterator[Places]:
    """Run a daemon in folders of its own; end it and remove them."""
    folder = Path(tempfile.mkdtemp(prefix="signoff-demo-"))
    config, state = folder / "config", folder / "state"
    places, process = Places(str(state)), None
    try:
        config.mkdir()
        (config / USER_FILE).write_text(SETTINGS.format(port=free_port() or 0), encoding="utf-8")
        places.make()
        process = _started(config, state)
        with progress("starting a daemon for the demo"):
            _wait_for(places, process)
        yield places
    finally:
        stop(places)
        if process is not None:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _started(config: Path, state: Path) -> subprocess.Popen[bytes]:
    folders = (f"{CONFIG_DIR}={config}", f"{STATE_DIR}={state}")
    return subprocess.Popen(  # noqa: S603 - our own command
        ["/usr/bin/env", *folders, *command()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=state,
        start_new_session=True,
        creationflags=APART,
    )


def _wait_for(places: Places, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_WITHIN_S
    while not is_healthy(places):
        if process.poll() is not None or time.monotonic() > deadline:
            raise Refusal("the demo's daemon does not start")
        time.sleep(POLL_S)


def _payload(action: Action, number: int) -> dict[str, Json]:
    return {
        "tool_name": action.tool,
        "tool_input": dict(action.arguments),
        "agent_id": "demo agent",
        "session_id": "demo",
        "cwd": action.cwd,
        "id": f"demo-{number}",
    }
