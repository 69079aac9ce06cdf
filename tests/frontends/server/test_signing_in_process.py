"""Who is given a link: a person at a terminal, and nobody else who can reach the socket."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from inbox_caller import asking_on_the_web
from live_daemon import LiveDaemon
from test_inbox_process import LINK, at_terminal, post

from signoff.frontends.client.words import CLIENT
from signoff.serving.peer import (
    Agents,
    Peer,
    Process,
    UnknownPeer,
    peer_of,
    process_of,
    read_ps,
    terminal_of,
)
from signoff.values import replace

# The code of a link can by chance hold what looks like a short code.
SHORT_CODE = re.compile(r"(?<![\w#-])[2-9A-Z]{4}-[2-9A-Z]{4}(?![\w-])")
# Asks the daemon on the socket as any program can, and prints all that comes back.
ASKING = """
import json, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
link.sendall(b'POST /v1/sign-in-links HTTP/1.1\\r\\nHost: x\\r\\n'
             b'Content-Type: application/json\\r\\n'
             b'Content-Length: 2\\r\\nConnection: close\\r\\n\\r\\n{}')
said = b''
while piece := link.recv(9999):
    said += piece
open(sys.argv[2], 'wb').write(said)
"""
# An agent: a hook of its own first, then `signoff open` on a terminal of its own making.
AGENT = """
import json, os, pty, subprocess, sys
client, path, python = sys.argv[1:4]
event = json.dumps({"hook_event_name": "PreToolUse", "session_id": "a", "cwd": os.getcwd(),
                    "tool_name": "Bash", "tool_input": {"command": "ls"}})
subprocess.run(["sh", "-c", '"$@"; true', "x", python, "-I", "-S", client, "claude-code",
                "--socket", path, "--deadline", "20", "--without", "refuse"],
               input=event.encode(), check=True, stdout=subprocess.DEVNULL)
pty.spawn([python, "-I", "-m", "signoff", "open"])
"""


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web."""
    with asking_on_the_web(tmp_path_factory.mktemp("home")) as daemon:
        yield daemon


def run(daemon: LiveDaemon, *words: str) -> str:
    """Run a program without a terminal; return what it says."""
    done = subprocess.run(
        [sys.executable, *words],
        env=daemon.environment,
        cwd=daemon.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        start_new_session=True,
    )
    return done.stdout + done.stderr


def test_the_socket_alone_gives_no_link(inbox: LiveDaemon) -> None:
    """T-43: any program of the user reaches it; without a terminal there is nobody to show it."""
    said = inbox.home / "said"
    run(inbox, "-c", ASKING, str(inbox.socket), str(said))

    assert b" 403 " in said.read_bytes()
    assert b"terminal" in said.read_bytes()
    assert not LINK.search(said.read_text())


def test_the_answer_on_the_socket_holds_no_code(inbox: LiveDaemon) -> None:
    """The link is on the terminal, and there only."""
    said = inbox.home / "said-at-terminal"
    pid, terminal = os.forkpty()
    if pid == 0:
        words = [sys.executable, "-c", ASKING, str(inbox.socket), str(said)]
        os.execve(sys.executable, words, inbox.environment)
    shown = os.read(terminal, 4_096).decode()
    os.waitpid(pid, 0)
    os.close(terminal)
    found = LINK.search(shown)

    assert found is not None
    assert {"written": True, "page": ""} == json.loads(said.read_bytes().partition(b"\r\n\r\n")[2])
    assert found[1].encode() not in said.read_bytes()


def test_an_agent_on_a_terminal_of_its_own_gets_none(inbox: LiveDaemon) -> None:
    """T-43: whoever has called a hook, and whatever it starts, is no person."""
    said = run(inbox, "-c", AGENT, str(CLIENT), str(inbox.socket), sys.executable)

    assert "started by an agent" in said
    assert not LINK.search(said)


def test_the_same_without_a_hook_gets_one(inbox: LiveDaemon) -> None:
    """The control: the terminal as such is good enough."""
    assert LINK.search(at_terminal(inbox, "open"))


def test_the_browser_is_led_by_a_page_without_a_code(inbox: LiveDaemon) -> None:
    """T-43: the page is the owner's alone, names the host and nothing else, and goes by itself."""
    seen = inbox.home / "seen"
    browser = inbox.home / "browser"
    browser.write_text(
        f'#!/bin/sh\np="${{1#file://}}"; cp "$p" {seen}; stat -c %a "$p" >> {seen}\n'
    )
    browser.chmod(0o700)
    shown = at_terminal(replace(inbox, variables={"BROWSER": str(browser)}), "open")
    found, typed = LINK.search(shown), SHORT_CODE.search(shown)
    page = seen.read_text()

    assert found is not None
    assert typed is not None
    assert found[0].partition("#")[0] in page
    assert "\n600\n" in page
    assert not [code for code in (found[1], typed[0], typed[0].replace("-", "")) if code in page]


def test_the_short_code_signs_in(inbox: LiveDaemon) -> None:
    """For a browser that stands on the page already; once."""
    shown = at_terminal(inbox, "open", "--no-browser")
    typed = SHORT_CODE.search(shown)
    link = LINK.search(shown)
    assert typed is not None
    assert link is not None
    inbox.links.append(link[0])

    assert [200, 403, 403] == [
        post(inbox, "/web/sign-in", code=code).status for code in (typed[0], typed[0], link[1])
    ]


def test_the_route_is_on_the_socket_only(inbox: LiveDaemon) -> None:
    """Over TCP nobody can tell who asks."""
    assert 404 == inbox.request("POST", "/v1/sign-in-links", b"{}").status


def test_a_peer_is_known_on_a_unix_socket_only() -> None:
    """The system says who connected."""
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other, socket.socket() as tcp:
        assert Peer(pid=os.getpid(), uid=os.getuid()) == peer_of(one)
        assert peer_of(tcp) is None
    assert peer_of(None) is None


def test_nobody_known_is_nobody() -> None:
    """What the system does not say is no person."""
    for peer in (None, Peer(pid=-1, uid=os.getuid()), Peer(pid=os.getpid(), uid=-5)):
        with pytest.raises(UnknownPeer):
            terminal_of(peer, Agents())


def test_an_agent_is_known_by_number_and_start() -> None:
    """A later process of the same number is another one."""
    me = process_of(os.getpid())
    assert me is not None
    agents = Agents()
    child = subprocess.Popen(["sleep", "30"])
    try:
        agents.note(("claude-code", "s"), Peer(pid=child.pid, uid=os.getuid()))
        later = Process(pid=me.pid, name=me.name, parent=1, started="another time")
        assert (True, False) == (agents.started(me), agents.started(later))
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize(
    ("text", "terminal", "is_in_front"),
    [
        ("  1  77  77 ttys003 Sun Nov 22 13:35:00 2026 /bin/zsh", "/dev/ttys003", True),
        ("  1  77  78 ttys003 Sun Nov 22 13:35:00 2026 -zsh", "/dev/ttys003", False),
        ("  1  77  0 ?? Sun Nov 22 13:35:00 2026 /usr/sbin/cron", "", False),
    ],
)
def test_a_line_of_ps_is_read(text: str, terminal: str, *, is_in_front: bool) -> None:
    """Where there is no `/proc`."""
    found = read_ps(77, text)

    assert found is not None
    assert (terminal, is_in_front, 1) == (found.terminal, found.is_in_front, found.parent)


def test_what_ps_does_not_know_is_nobody() -> None:
    """An empty answer."""
    assert read_ps(77, "") is None
