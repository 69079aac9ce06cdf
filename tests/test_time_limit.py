"""Work on the event loop's thread ends, whatever a call makes it do."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop
from bench.redteam.broken_build import broken_build

from signoff.serving.time_limit import TooLong, end_endless_work, limited

sys.path.append(str(Path(__file__).parent / "frontends" / "server"))
from live_daemon import LiveDaemon, served

LIMIT_S = 0.2


@pytest.fixture
def _watched() -> Iterator[None]:
    before = signal.getsignal(signal.SIGVTALRM)
    end_endless_work()
    yield
    signal.signal(signal.SIGVTALRM, before)


def spin(seconds: float = 5.0) -> str:
    """Keep the processor busy."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return "done"


@pytest.mark.usefixtures("_watched")
def test_endless_work_is_ended_and_the_next_is_not() -> None:
    """Under the loop the daemon uses; work within the limit is left alone."""

    async def scene() -> list[str]:
        with pytest.raises(TooLong):
            limited(spin, limit_s=LIMIT_S)()
        said = [limited(spin, limit_s=5.0)(0.01)]
        spin(2 * LIMIT_S)  # nothing is left that would end it
        return [*said, await asyncio.to_thread(limited(spin, limit_s=LIMIT_S), 2 * LIMIT_S)]

    assert uvloop.run(scene()) == ["done", "done"]


@pytest.mark.usefixtures("_watched")
def test_work_that_hides_the_error_is_ended_again() -> None:
    """A detector's error is a finding, and the next detector may be as slow."""

    def hides() -> int:
        ended = 0
        for _ in range(3):
            try:
                spin(3.0)
            except TooLong:
                ended += 1
        return ended

    assert limited(hides, limit_s=LIMIT_S)() == 3


def test_without_a_watch_there_is_no_limit_and_no_signal() -> None:
    """Else the signal would end the process."""
    code = textwrap.dedent(
        """
        import time
        from signoff.serving.time_limit import limited
        def spin():
            until = time.process_time() + 0.5
            while time.process_time() < until: pass
            return "done"
        print(limited(spin, limit_s=0.1)())
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "done\n")


def refuse_first(daemon: LiveDaemon) -> None:
    """Have a call of the session refused."""
    assert daemon.act("rm -rf ~", session_id="s").said["verdict"] == "deny"


def test_a_judgement_that_does_not_end_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real daemon of a build whose search for a folder does not end: T-66."""
    broken = broken_build(
        "assess/detectors/workaround.py",
        "for folder in folders_from(path) if",
        'for folder in iter(lambda: "//", "") if',
    )
    with broken as python:
        monkeypatch.setattr(sys, "executable", python)
        with served(tmp_path) as daemon:
            refuse_first(daemon)
            said: dict[str, str] = {}

            def ask(line: str, session: str) -> None:
                said[line] = str(daemon.act(line, session_id=session).said["verdict"])

            stuck = threading.Thread(target=ask, args=("rm //a", "s"))
            stuck.start()
            ask("ls", "o")
            stuck.join(60)
    assert said == {"rm //a": "deny", "ls": "allow"}
