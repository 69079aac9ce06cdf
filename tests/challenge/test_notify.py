"""Notices through Apprise to a server on loopback that takes them as ntfy does."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from signoff.assess.level import Challenge, Level
from signoff.challenge.card import Card
from signoff.challenge.channels.notify import QUEUE_LIMIT, Notice, Notifier
from signoff.challenge.pending import Context, Moment, PendingRequest, State
from signoff.effects.redact import Redactor
from signoff.errors import BadSettings
from signoff.settings import load_settings
from signoff.wiring import build_notifier

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
        code="0badc0de",
    ),
    level=Level.HIGH,
    challenge=Challenge.QUIZ,
    steps=(),
    context=Context(agent="claude", cwd="/home/dev/project"),
    state=State.PENDING,
    created_at=NOW,
    expires_at=NOW,
    created=Moment(wall_s=0.0),
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
    assert "deletes the home folder\nclaude /home/dev/project\ncode 0badc0de" == message["message"]


def test_denials_are_told(ntfy: Ntfy) -> None:
    """Whose, and how many."""
    notifier = Notifier((ntfy.url,), mask=MASK)
    notifier.alert_denials(session="s1", agent="claude", denials=5, last_tool="Bash")
    notifier.close()
    message = ntfy.messages[0]

    assert "signoff refused 5 calls of one session" == message["title"]
    assert "agent claude, session s1, last tool Bash" == message["message"]


def test_an_answer_is_not_told(ntfy: Ntfy) -> None:
    """One notice a question."""
    notifier = Notifier((ntfy.url,), mask=MASK)
    asyncio.run(notifier.update(replace(PENDING, state=State.APPROVED)))
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
    before = build_notifier(load_settings(environment=folders))
    (tmp_path / "signoff.yaml").write_text(f"notify: {{urls: ['{ntfy.url}']}}\n")
    settings = load_settings(environment=folders)

    assert (None, (ntfy.url,)) == (before, settings.notify_urls)
    assert ntfy.url not in repr(settings)
    assert build_notifier(settings) is not None


@pytest.mark.parametrize("text", ["notify:", "notify: {}", "notify: [a]", "notify: {url: [a]}"])
def test_a_wrong_section_is_refused(tmp_path: Path, text: str) -> None:
    """With its place."""
    (tmp_path / "signoff.yaml").write_text(text)
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path), "SIGNOFF_STATE_DIR": str(tmp_path / "state")}

    with pytest.raises(BadSettings, match=r"signoff\.yaml:1"):
        load_settings(environment=folders)
