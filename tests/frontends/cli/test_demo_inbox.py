"""`signoff demo --inbox`: the questions of the tour in an inbox, and nothing left behind."""

from __future__ import annotations

import http.client
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff.frontends.cli.demo_inbox import interrupted_by_its_end

sys.path.append(str(Path(__file__).parents[1] / "server"))
from live_daemon import LiveDaemon
from own_terminal import on_terminal
from test_inbox_process import LINK, post


def test_the_questions_of_the_tour_are_in_an_inbox(tmp_path: Path) -> None:
    """Of a daemon of its own; Control-C ends it, and neither folder nor home has a trace."""
    home, folders = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    folders.mkdir()
    give_patterns(home)
    before = sorted(path.relative_to(home) for path in home.rglob("*"))
    daemon = LiveDaemon(home=home, port=0, variables={"TMPDIR": str(folders)})
    terminal = on_terminal(daemon, "demo", "--inbox", "--no-pause")
    link = terminal.found(LINK.pattern)
    daemon.links.append(link[0])
    daemon = LiveDaemon(home=home, port=int(re.findall(r":(\d+)/", link[0])[0]), links=daemon.links)
    signed_in = post(daemon, "/web/sign-in", code=link[1])
    cookie = signed_in.headers["set-cookie"].partition(";")[0]
    terminal.until("Control-C ends")
    page = listed(daemon, cookie)
    terminal.interrupt()
    status = terminal.end()

    told = terminal.shown.rpartition("These questions")[2]
    assert 0 == status, terminal.shown
    assert all(len(line) <= 80 for line in told.splitlines())
    assert "Force-pushes" in page
    assert "deployment" in page
    assert [] == list(folders.iterdir())
    assert before == sorted(path.relative_to(home) for path in home.rglob("*"))


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_closed_terminal_is_taken_for_control_c(name: str) -> None:
    """The demo's daemon has a session of its own, and would stay."""
    kind = getattr(signal, name)
    before = signal.getsignal(kind)

    with pytest.raises(KeyboardInterrupt), interrupted_by_its_end():
        os.kill(os.getpid(), kind)
        time.sleep(5.0)
    assert before == signal.getsignal(kind)


def listed(daemon: LiveDaemon, cookie: str) -> str:
    """Return the list of what waits, as a browser gets it."""
    link = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
    try:
        link.request(
            "GET", "/web/inbox/list", headers={"Cookie": cookie, "Host": daemon.inbox_host}
        )
        return link.getresponse().read().decode()
    finally:
        link.close()
