"""`signoff approve` end to end: a real daemon, a real terminal, the code from elsewhere."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.ports import free_port, is_listening
from inbox_caller import ASKS_ON_THE_WEB, Person, Scene, asking_on_the_web, at_inbox
from live_daemon import LiveDaemon, Reply, wait_until
from own_terminal import on_terminal
from test_inbox_process import post

COMMAND = "docker system prune -af"
CODE = re.compile(r"code ([A-Z2-9]{4}-[A-Z2-9]{4})")
LEAST_S = 1.1  # the least time of reading in these settings


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Return the owner at the inbox of a daemon that asks on the web only."""
    with asking_on_the_web(tmp_path_factory.mktemp("home")) as daemon:
        yield at_inbox(daemon)


def asked(daemon: LiveDaemon, session: str) -> tuple[str, Reply]:
    """Have a call asked about; return the id of the request and where its answer will be."""
    waiting = daemon.act(COMMAND, session_id=session)
    assert 202 == waiting.status, waiting.body
    scene = Scene(daemon=daemon, person=Person(daemon=daemon, cookie="", token=""), session=session)
    return scene.asked(), waiting


def verdict(daemon: LiveDaemon, waiting: Reply, wait_s: int) -> tuple[str, str]:
    """Return the answer to a call, "" while there is none."""
    said = daemon.request("GET", f"{waiting.headers['location']}?wait={wait_s}").said
    return said.get("verdict") or "", said.get("decided_by") or ""


def seen(person: Person, request_id: str, token: str) -> Reply:
    """Say that the page of a request is in view, as its script does."""
    return post(person.daemon, f"/web/requests/{request_id}/seen", person.cookie, token=token)


def approve(daemon: LiveDaemon, request_id: str, code: str, prompt: str) -> str:
    """Approve a request on a terminal of its own; return what was shown."""
    with on_terminal(daemon, "approve", request_id[:8]) as terminal:
        terminal.until("type yes or no: ")
        time.sleep(LEAST_S)
        terminal.type("yes")
        terminal.until(prompt)
        terminal.type(code)
        return terminal.to_end()


def test_the_code_of_the_inbox_approves_in_a_terminal(person: Person) -> None:
    """Where only the web is a channel, the command says where the code is, and it is there."""
    request, waiting = asked(person.daemon, "by terminal")
    code = seen(person, request, person.token).said["code"]

    shown = approve(
        person.daemon,
        request,
        code,
        "Enter the confirmation code shown on this request's page in the inbox (`signoff open`): ",
    )

    assert ("allow", "terminal") == verdict(person.daemon, waiting, 10), shown


def test_a_wrong_code_approves_nothing(person: Person) -> None:
    """T-43: an agent that makes a terminal for itself does not know the code."""
    request, waiting = asked(person.daemon, "wrong code")

    with on_terminal(person.daemon, "approve", request) as terminal:
        for code in ("ABCD-EFGH", request[:8]):
            terminal.until("type yes or no: ")
            time.sleep(LEAST_S)
            terminal.shown = ""
            terminal.type("yes")
            terminal.until("(`signoff open`): ")
            terminal.type(code)
            terminal.until("wrong confirmation code")

    assert ("", "") == verdict(person.daemon, waiting, 0)


def test_a_cookie_alone_does_not_see_the_code(person: Person) -> None:
    """T-43: other servers of this machine get to see cookies; the code takes the token as well."""
    request, _ = asked(person.daemon, "cookie")
    code = seen(person, request, person.token).said["code"]
    without = [seen(person, request, token).status for token in ("", "x" * 43)]
    pages = [person.get(f"/web/{page}") for page in ("", "inbox/list", f"requests/{request}")]
    commands = [("pending",), ("show", request), ("watch", "--once"), ("status",), ("sessions",)]
    outputs = [person.daemon.signoff(*words).stdout for words in commands]

    assert [403, 403] == without
    assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}", code)
    plain = code.replace("-", "")
    assert not [text for text in (*pages, *outputs) if code in text or plain in text]


@contextlib.contextmanager
def on_its_terminal(home: Path) -> Iterator[tuple[LiveDaemon, str]]:
    """Run `signoff serve` on a terminal with settings as they come; give what it shows."""
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(ASKS_ON_THE_WEB.replace("[web]", "[terminal]"))
    daemon = LiveDaemon(home=home, port=free_port())
    with on_terminal(daemon, "serve", "--port", str(daemon.port)) as terminal:
        wait_until(lambda: is_listening(daemon.port))
        waiting = daemon.act(COMMAND, session_id="at the terminal")
        assert 202 == waiting.status, waiting.body
        terminal.until("signoff deny")
        yield daemon, terminal.shown + waiting.headers["location"]


def test_the_terminal_of_the_daemon_shows_card_and_code(home: Path) -> None:
    """`signoff serve` in the foreground asks there, and the code approves in another terminal."""
    with on_its_terminal(home) as (daemon, shown):
        code, request = CODE.search(shown), re.search(r"signoff approve (\w{8})", shown)
        assert code is not None, shown
        assert request is not None, shown
        said = approve(daemon, request[1], code[1], "the terminal `signoff serve` runs on")
        location = "/v1/actions/" + shown.rpartition("/v1/actions/")[2]
        answer = daemon.request("GET", f"{location}?wait=10").said
        status = daemon.signoff("status").stdout

    assert ("allow", "terminal") == (answer["verdict"], answer["decided_by"]), said
    assert "terminal: open" in status
