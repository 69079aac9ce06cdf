"""What handlers do with a decision."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.finding import Finding, Severity
from signoff.assess.threat.score import ThreatScore, score_to_level
from signoff.effects.handlers.analytics import AnalyticsHandler
from signoff.effects.handlers.blocklist import BlocklistHandler
from signoff.effects.handlers.log import LogHandler
from signoff.effects.handlers.notify import HEADER, NotifyFailed, NotifyHandler, is_signed
from signoff.effects.handlers.rate_counter import RateCounterHandler
from signoff.effects.handlers.reputation import ReputationHandler
from signoff.effects.pipeline import PipelineDecision
from signoff.errors import BadSettings


def decision(score: float = 90.0, client: str = "203.0.113.7") -> PipelineDecision:
    arguments: dict[str, Json] = {"path": "/", "query": {"q": "hidden-value"}, "client_ip": client}
    found = Finding(detector="xss", category="xss.event", severity=Severity.CRITICAL)
    return PipelineDecision(
        action=Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments),
        threat=ThreatScore(score, score_to_level(score), (found,)),
        do=("block", "log"),
    )


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Hook(ThreadingHTTPServer):
    """A webhook on loopback that answers with the given statuses and keeps what it got."""

    def __init__(self, statuses: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.statuses, self.bodies = statuses, list[bytes]()
        self.signatures = list[str]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook?room=7"


class Answer(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        self.server.signatures.append(self.headers.get(HEADER, ""))
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(self.server.statuses.pop(0))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def hook() -> Iterator[Hook]:
    server = Hook([200])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_notify_posts_the_decision(hook: Hook) -> None:
    """The webhook gets score, level, things to do and categories, not the input."""
    NotifyHandler(hook.url)(decision())
    message = json.loads(hook.bodies[0])
    assert (90.0, "critical", ["block", "log"], ["xss.event"], False) == (
        message["score"],
        message["level"],
        message["do"],
        message["findings"],
        b"hidden-value" in hook.bodies[0],
    )


def test_notify_tries_again(hook: Hook) -> None:
    """A server error is tried again, up to the number of retries."""
    hook.statuses = [500, 429, 204]
    NotifyHandler(hook.url, retries=2, pause_s=0.01)(decision())
    assert 3 == len(hook.bodies)


def test_notify_gives_up_on_a_refusal(hook: Hook) -> None:
    """What the webhook refuses is not sent again; a redirect is not followed."""
    hook.statuses = [302]
    with pytest.raises(NotifyFailed, match="status 302"):
        NotifyHandler(hook.url, pause_s=0.01)(decision())
    assert 1 == len(hook.bodies)


def test_notify_fails_after_its_retries() -> None:
    """Nobody there is an error with the host's name in it."""
    with pytest.raises(NotifyFailed, match=r"127\.0\.0\.1"):
        NotifyHandler("http://127.0.0.1:9/", retries=1, pause_s=0.01, timeout_s=0.5)(decision())


SECRET = "a secret of both sides"


def test_notify_signs_what_it_sends(hook: Hook) -> None:
    """The receiver can tell its own messages from forged, changed and old ones."""
    NotifyHandler(hook.url, secret=SECRET)(decision())
    header, body, now = hook.signatures[0], hook.bodies[0], time.time()
    assert is_signed(SECRET, header, body, now=now)
    assert not any(
        (
            is_signed("another secret here", header, body, now=now),
            is_signed(SECRET, header, body + b" ", now=now),
            is_signed(SECRET, header, body, now=now + 301),
            is_signed(SECRET, header.replace("t=", "t=1"), body, now=now),
            is_signed(SECRET, "", body, now=now),
            is_signed(SECRET, "t=x,v1=", body, now=now),
            is_signed(SECRET, f"{header}\u00e9", body, now=now),
        )
    )


def test_notify_keeps_what_nobody_took(hook: Hook, tmp_path: Path) -> None:
    """A message that was given up is in the file, for its owner only; a delivered one is not."""
    path = tmp_path / "dead.jsonl"
    hook.statuses = [500, 204]
    handler = NotifyHandler(hook.url, retries=0, dead_letters=str(path))
    with pytest.raises(NotifyFailed):
        handler(decision())
    handler(decision())
    assert [90.0] == [json.loads(line)["score"] for line in path.read_text("utf-8").splitlines()]
    assert 0o600 == path.stat().st_mode & 0o777


def test_notify_refuses_a_short_secret() -> None:
    """A secret that can be guessed signs nothing."""
    with pytest.raises(BadSettings, match="secret"):
        NotifyHandler("https://a.example/", secret="short")


@pytest.mark.parametrize("url", ["ftp://a.example/", "/hook", "https:///x"])
def test_notify_refuses_what_is_no_web_address(url: str) -> None:
    """Only http and https addresses with a host are taken."""
    with pytest.raises(BadSettings):
        NotifyHandler(url)


def test_log_writes_no_input(caplog: pytest.LogCaptureFixture) -> None:
    """The line names score, level and categories and leaves the input out."""
    with caplog.at_level(logging.INFO, "signoff.threats"):
        LogHandler()(decision())
    assert (True, True, False) == (
        "threat=90.0" in caplog.text,
        "xss.event" in caplog.text,
        "hidden-value" in caplog.text,
    )


def test_blocklist_forgets_after_its_time() -> None:
    """A client is on the list for the given time."""
    clock = Clock()
    handler = BlocklistHandler(for_s=60, clock=clock)
    handler(decision())
    before = handler.has("203.0.113.7")
    clock.now += 61
    assert (True, False) == (before, handler.has("203.0.113.7"))


def test_reputation_falls_and_recovers_by_half() -> None:
    """A decision costs a share of its score; half of the loss returns each half-life."""
    clock = Clock()
    handler = ReputationHandler(share=0.5, half_life_s=100, clock=clock)
    handler(decision(score=80.0))
    fallen = handler.of("203.0.113.7")
    clock.now += 100
    assert (60.0, 80.0, 100.0) == (fallen, handler.of("203.0.113.7"), handler.of("198.51.100.1"))


def test_rate_counter_counts_its_window_only() -> None:
    """What is older than the window no longer counts."""
    clock = Clock()
    handler = RateCounterHandler(window_s=10, clock=clock)
    handler(decision())
    clock.now += 6
    handler(decision())
    both = handler.count("203.0.113.7")
    clock.now += 5
    assert (2, 1, 0) == (both, handler.count("203.0.113.7"), handler.count("nobody"))


def test_analytics_totals() -> None:
    """Decisions are counted by level and by detector."""
    handler = AnalyticsHandler()
    handler(decision())
    handler(decision(score=10.0))
    totals = handler.totals()
    assert (2, 2, {"critical": 1, "none": 1}, {"xss": 2}) == (
        totals.decisions,
        totals.blocked,
        totals.by_level,
        totals.by_detector,
    )
