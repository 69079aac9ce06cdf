"""Notices through Apprise to servers on loopback: one takes them as ntfy does, one speaks SMTP."""

from __future__ import annotations

import asyncio
import json
import logging
import socketserver
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from signoff.assess.level import Challenge, Level
from signoff.build.shared import SharedParts
from signoff.challenge.card import Card
from signoff.challenge.channels.notify import QUEUE_LIMIT, Notice, Notifier
from signoff.challenge.pending import ClockReading, Context, PendingRequest, RequestState
from signoff.errors import BadSettings
from signoff.redaction.redact import Redactor
from signoff.settings import load_settings
from signoff.values import replace

pytest.importorskip("apprise")

MASK = Redactor(b"tests")
SECRET = "ghp_" + "a1B2" * 9
NOW = datetime(2026, 11, 21, tzinfo=UTC)
PENDING = PendingRequest(
    id="r1",
    nonce="0" * 32,
    digest="0" * 64,
    action=b"{}",
    card=Card(
        headline="delete file ~",
        level=Level.HIGH,
        challenge=Challenge.QUIZ,
        why="deletes the home folder",
        host="claude-code",
        project="/home/dev/project",
        session="s1",
        code="0badc0de",
    ),
    level=Level.HIGH,
    challenge=Challenge.QUIZ,
    steps=(),
    context=Context(),
    state=RequestState.PENDING,
    created_at=NOW,
    expires_at=NOW,
    created=ClockReading(wall_s=0.0),
)


class Ntfy(ThreadingHTTPServer):
    """Takes messages; answers with a status."""

    daemon_threads = True
    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.messages: list[dict[str, Any]] = []
        self.gate = threading.Event()
        self.gate.set()

    @property
    def url(self) -> str:
        """The topic, as Apprise addresses it."""
        return f"ntfy://127.0.0.1:{self.server_address[1]}/topic"


class _Handler(BaseHTTPRequestHandler):
    server: Ntfy

    def do_POST(self) -> None:
        """Keep the message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.gate.wait(5)
        self.server.messages.append(json.loads(body))
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Keep still."""


class Smtp(socketserver.ThreadingTCPServer):
    """Takes mail, as far as a client that wants no encryption goes."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Mail)
        self.mails: list[tuple[list[str], EmailMessage]] = []
        self.refuses = False

    @property
    def url(self) -> str:
        """The server, as Apprise addresses it."""
        port = self.server_address[1]
        who = "from=signoff@example.org&to=ada@example.org"
        return f"mailto://example.org:{port}?smtp=127.0.0.1&{who}"


class _Mail(socketserver.StreamRequestHandler):
    server: Smtp

    def handle(self) -> None:
        """Speak SMTP until it is over."""
        self._say("220 test ESMTP")
        to: list[str] = []
        while line := self.rfile.readline().decode().strip():
            word = line.partition(" ")[0].upper()
            if word == "RCPT":
                to.append(line.partition(":")[2])
            if word == "DATA":
                self._say("354 go on")
                self._take(to)
            elif word == "MAIL" and self.server.refuses:
                self._say("550 no mail of yours")
            elif word == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 test" if word in ("EHLO", "HELO") else "250 good")

    def _take(self, to: list[str]) -> None:
        lines: list[bytes] = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b"."))
        self.server.mails.append((to, message_from_bytes(b"".join(lines), policy=policy.default)))
        self._say("250 kept")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@pytest.fixture
def smtp() -> Iterator[Smtp]:
    """Run the mail server."""
    server = Smtp()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_mail_is_told_without_secrets_and_without_links(smtp: Smtp) -> None:
    """Text only: nothing in it can be pressed, so no scanner of mail answers for anybody."""
    notifier = Notifier((smtp.url,), mask=MASK)
    card = replace(PENDING.card, headline=f"push {SECRET} to https://evil.example/x")
    asyncio.run(notifier.announce(replace(PENDING, card=card)))
    notifier.close()
    # Apprise holds mails of one sender some seconds apart.
    notifier = Notifier((smtp.url,), mask=MASK)
    notifier.alert_denials(session="s1", agent="claude-code", denials=5, last_tool="Bash")
    notifier.close()
    (to, asked), (_, denied) = smtp.mails
    bodies = [mail.get_body(("plain",)) for mail in (asked, denied)]
    said = "\n".join(body.get_content() for body in bodies if body is not None)

    assert ["<ada@example.org>"] == to
    assert "signoff asks [high] push" in asked["Subject"]
    assert "signoff denied 5 calls of one session" == denied["Subject"]
    assert "digest 0badc0de" in said
    assert "Claude Code, session s1, last tool Bash" in said
    assert SECRET not in f"{asked}{denied}"
    assert ["text/plain", "text/plain"] == [mail.get_content_type() for mail in (asked, denied)]
    assert PENDING.nonce not in f"{asked}{denied}"


def test_a_notice_names_the_page_where_there_is_a_public_address(ntfy: Ntfy) -> None:
    """Behind what is cut, and without anything that proves who follows it."""
    notifier = Notifier((ntfy.url,), mask=MASK, address="https://signoff.example.com")
    card = replace(PENDING.card, why="long " * 500)
    asyncio.run(notifier.announce(replace(PENDING, card=card)))
    notifier.close()
    (told,) = ntfy.messages

    assert told["message"].endswith(
        f"\nanswer: https://signoff.example.com/web/requests/{PENDING.id}"
    )
    assert PENDING.nonce not in told["message"]


def test_one_service_that_fails_keeps_none_from_being_told(
    smtp: Smtp, ntfy: Ntfy, caplog: pytest.LogCaptureFixture
) -> None:
    """The others have it, and the log says that one has not."""
    smtp.refuses = True
    notifier = Notifier((smtp.url, ntfy.url), mask=MASK)
    with caplog.at_level(logging.WARNING, logger="signoff"):
        notifier.tell(Notice(title="one", body="one"))
        notifier.close()
    said = [record.getMessage() for record in caplog.records if record.name.startswith("signoff")]

    assert (1, []) == (len(ntfy.messages), smtp.mails)
    assert ["a notice did not reach every service"] == said


@pytest.mark.parametrize(
    "url",
    [
        "mailto://ada:password@mail.example?to=ada@mail.example",
        "ntfy://ada:password@ntfy.example/topic",
        "json://ada:password@hook.example/x",
    ],
)
def test_a_password_does_not_go_in_the_clear(url: str) -> None:
    """Refused without showing it; the encrypted form is taken, and so is this machine."""
    with pytest.raises(BadSettings, match="in the clear") as caught:
        Notifier((url,), mask=MASK)
    scheme, _, rest = url.partition("://")
    Notifier((f"{scheme}s://{rest}",), mask=MASK)
    Notifier(("ntfy://ada:password@127.0.0.1:9/topic",), mask=MASK)

    assert "password@" not in str(caught.value)


@pytest.fixture
def ntfy() -> Iterator[Ntfy]:
    """Run the server."""
    server = Ntfy()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.gate.set()
    server.shutdown()
    server.server_close()


def test_a_question_is_told(ntfy: Ntfy) -> None:
    """What, why, where, and the code to compare."""
    notifier = Notifier((ntfy.url,), mask=MASK)
    asyncio.run(notifier.announce(PENDING))
    notifier.close()
    message = ntfy.messages[0]

    assert "topic" == message["topic"]
    assert "signoff asks [high] delete file ~" == message["title"]
    assert (
        "Claude Code in project, session s1\ndeletes the home folder\ndigest 0badc0de"
        == message["message"]
    )


def test_denials_are_told(ntfy: Ntfy) -> None:
    """Whose, and how many."""
    notifier = Notifier((ntfy.url,), mask=MASK)
    notifier.alert_denials(session="s1", agent="claude-code", denials=5, last_tool="Bash")
    notifier.close()
    message = ntfy.messages[0]

    assert "signoff denied 5 calls of one session" == message["title"]
    assert "Claude Code, session s1, last tool Bash" == message["message"]


def test_an_answer_is_not_told(ntfy: Ntfy) -> None:
    """One notice a question."""
    notifier = Notifier((ntfy.url,), mask=MASK)
    asyncio.run(notifier.update(replace(PENDING, state=RequestState.APPROVED)))
    notifier.close()

    assert [] == ntfy.messages


def test_no_secret_and_nothing_hidden_is_told(ntfy: Ntfy) -> None:
    """In title and body."""
    notifier = Notifier((ntfy.url,), mask=MASK)
    notifier.tell(Notice(title=f"t {SECRET}\n\u202e", body=f"b {SECRET}\x1b[31m"))
    notifier.close()
    told = json.dumps(ntfy.messages, ensure_ascii=False)

    assert SECRET not in told
    assert "\u202e" not in told
    assert "\\u{1B}" in json.loads(told)[0]["message"]


def test_a_long_notice_is_cut(ntfy: Ntfy) -> None:
    """A phone shows a few lines."""
    notifier = Notifier((ntfy.url,), mask=MASK)
    notifier.tell(Notice(title="t" * 5_000, body="b " * 5_000))
    notifier.close()

    assert len(ntfy.messages[0]["title"]) <= 120
    assert len(ntfy.messages[0]["message"]) <= 600


def test_a_failing_service_is_in_the_log_without_its_address(
    ntfy: Ntfy, caplog: pytest.LogCaptureFixture
) -> None:
    """And the next notice is sent all the same."""
    ntfy.status = 500
    notifier = Notifier((f"{ntfy.url}?token=tk_secret_token_value",), mask=MASK)
    with caplog.at_level(logging.WARNING, logger="signoff"):
        notifier.tell(Notice(title="one", body="one"))
        notifier.close()
    said = [record.getMessage() for record in caplog.records if record.name.startswith("signoff")]

    assert ["a notice did not reach every service"] == said


def test_what_does_not_fit_is_dropped(ntfy: Ntfy) -> None:
    """A flood of questions holds nothing up."""
    ntfy.gate.clear()
    # Apprise holds notices to ntfy some seconds apart; those to a plain JSON service it does not.
    notifier = Notifier((f"json://127.0.0.1:{ntfy.server_address[1]}",), mask=MASK)
    told = [notifier.tell(Notice(title=str(n), body="x")) for n in range(QUEUE_LIMIT * 3)]
    ntfy.gate.set()
    notifier.close()

    assert not all(told)
    assert sum(told) == len(ntfy.messages) <= QUEUE_LIMIT + 2


def test_an_unknown_address_is_refused_without_showing_it() -> None:
    """Only its scheme and its place."""
    with pytest.raises(BadSettings, match=r"address 2 \(`nonsense:") as caught:
        Notifier(("json://127.0.0.1", "nonsense://token@host"), mask=MASK)

    assert "token" not in str(caught.value)


def test_without_apprise_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an extra."""
    monkeypatch.setitem(sys.modules, "apprise", None)

    with pytest.raises(BadSettings, match=r"signoff\[notify\]"):
        Notifier(("json://127.0.0.1",), mask=MASK)


def test_the_section_is_read(tmp_path: Path, ntfy: Ntfy) -> None:
    """And built; without it there is nothing."""
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path), "SIGNOFF_STATE_DIR": str(tmp_path / "state")}
    before = SharedParts(load_settings(environment=folders)).notifier
    (tmp_path / "signoff.yaml").write_text(f"notify: {{urls: ['{ntfy.url}']}}\n")
    settings = load_settings(environment=folders)

    assert (None, (ntfy.url,)) == (before, settings.notify_urls)
    assert ntfy.url not in repr(settings)
    assert SharedParts(settings).notifier is not None


@pytest.mark.parametrize("text", ["notify:", "notify: {}", "notify: [a]", "notify: {url: [a]}"])
def test_a_wrong_section_is_refused(tmp_path: Path, text: str) -> None:
    """With its place."""
    (tmp_path / "signoff.yaml").write_text(text)
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path), "SIGNOFF_STATE_DIR": str(tmp_path / "state")}

    with pytest.raises(BadSettings, match=r"signoff\.yaml:1"):
        load_settings(environment=folders)
