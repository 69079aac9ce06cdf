"""The inbox of a real daemon: the link a person gets at a terminal, a request, and its answer."""

from __future__ import annotations

import http.client
import os
import pty
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from live_daemon import LiveDaemon, Reply, served, wait_until

LINK = re.compile(r"http://[0-9a-f]{32}\.signoff-[0-9a-f]{16}\.localhost:\d+/web/sign-in#(\S+)")


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web."""
    home = tmp_path_factory.mktemp("home")
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text("channels: [web]\nlimits: {min_review_s: 1}\n")
    with served(home) as running:
        yield running


def at_terminal(daemon: LiveDaemon, *words: str) -> str:
    """Run our command line on a terminal of its own; return what it wrote there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(
            sys.executable, [sys.executable, "-I", "-m", "signoff", *words], daemon.environment
        )
    said, deadline = b"", time.monotonic() + 30
    while time.monotonic() < deadline and select.select([terminal], [], [], 30)[0]:
        try:
            piece = os.read(terminal, 4_096)
        except OSError:
            break
        said += piece
        if not piece:
            break
    os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode()


def post(daemon: LiveDaemon, path: str, cookie: str = "", **fields: str) -> Reply:
    """Send a form as the page does."""
    link = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Host": daemon.inbox_host,
        "Origin": f"http://{daemon.inbox_host}",
        "Cookie": cookie,
    }
    try:
        link.request("POST", path, urlencode(fields), headers)
        answer = link.getresponse()
        return Reply(status=answer.status, headers=dict(answer.headers), body=answer.read())
    finally:
        link.close()


def new_code(daemon: LiveDaemon) -> str:
    """Return the code of a new link from the terminal; the daemon's inbox has its address now."""
    found = LINK.search(at_terminal(daemon, "open", "--port", str(daemon.port)))
    assert found is not None
    daemon.links.append(found[0])
    return found[1]


def signed_in(daemon: LiveDaemon) -> tuple[str, str]:
    """Sign in as the owner by a link from the terminal; return cookie and token."""
    reply = post(daemon, "/web/sign-in", code=new_code(daemon))
    assert reply.status == 200, reply
    return reply.headers["set-cookie"].partition(";")[0], reply.said["token"]


def test_a_link_is_given_at_a_terminal_only(inbox: LiveDaemon) -> None:
    """Nothing that reads the output of commands gets one."""
    done = inbox.signoff("open", "--port", str(inbox.port))

    assert (2, "") == (done.returncode, done.stdout)
    assert "terminal" in done.stderr


def test_the_plain_name_is_served_where_it_is_asked_for(tmp_path: Path) -> None:
    """For browsers that know no names under `localhost`; before that it shows no page."""
    home = tmp_path / "home"
    home.mkdir()
    with served(home) as daemon:
        plain = {"Host": f"localhost:{daemon.port}"}
        before = daemon.request("GET", "/web/sign-in", headers=plain)
        said = at_terminal(daemon, "open", "--localhost")
        after = daemon.request("GET", "/web/sign-in", headers=plain)

    assert (403, 200) == (before.status, after.status)
    assert b"signoff open" in before.body
    assert f"http://localhost:{daemon.port}/web/sign-in#" in said


def test_nobody_unknown_is_signed_in(inbox: LiveDaemon) -> None:
    """The names there are, are told."""
    said = at_terminal(inbox, "open", "--as", "eve", "--port", str(inbox.port))

    assert "no approver `eve`, only owner" in said


def listed(inbox: LiveDaemon, cookie: str) -> str:
    """Wait until a request is listed; return the path of its page."""
    pages: list[str] = []

    def is_listed() -> bool:
        page = inbox.request("GET", "/web/inbox/list", headers={"Cookie": cookie}).body.decode()
        pages[:] = re.findall(r"/web/requests/\w+", page)
        return bool(pages)

    wait_until(is_listed)
    return pages[0]


def test_a_call_waits_for_its_answer_in_the_inbox(inbox: LiveDaemon) -> None:
    """And goes on once it is approved; exactly that one."""
    cookie, token = signed_in(inbox)
    command = "docker system prune -af"
    waiting = inbox.act(command)
    place = listed(inbox, cookie)
    shown = inbox.request("GET", place, headers={"Cookie": cookie}).body.decode()
    nonce = re.search(r'name="nonce" value="(\w+)"', shown)
    assert nonce is not None
    post(inbox, f"{place}/seen", cookie, token=token)
    time.sleep(3.1)
    answered = post(inbox, f"{place}/answer", cookie, token=token, nonce=nonce[1], answer="approve")
    said = inbox.request("GET", f"{waiting.headers['location']}?wait=10").said

    assert (202, 303) == (waiting.status, answered.status)
    assert ("allow", "web") == (said["verdict"], said["decided_by"])


def test_a_daemon_with_listeners_ends_at_once(tmp_path: Path) -> None:
    """Pages that listen are let go; they come back to the next daemon."""
    home = tmp_path / "home"
    home.mkdir()
    with served(home) as daemon:
        cookie, _ = signed_in(daemon)
        link = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
        headers = {"Host": daemon.inbox_host, "Cookie": cookie}
        link.request("GET", "/web/events", headers=headers)
        first = link.getresponse().readline()
        started = time.monotonic()
        subprocess.run(["kill", str(daemon.pid)], check=True)
        while daemon.socket.exists() and time.monotonic() < started + 30:
            time.sleep(0.02)
        took_s = time.monotonic() - started
        link.close()

    assert b"retry: 2000\n" == first
    assert took_s < 10


def test_pages_are_not_served_over_the_unix_socket(inbox: LiveDaemon) -> None:
    """There is no origin there to check, and no browser comes that way."""
    link = http.client.HTTPConnection("localhost", timeout=60)
    link.sock = socket.socket(socket.AF_UNIX)
    link.sock.connect(str(inbox.socket))
    link.request("GET", "/web/sign-in")

    assert 404 == link.getresponse().status
    link.close()
