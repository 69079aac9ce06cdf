"""The contract of handlers: each one that ships keeps it, and a broken one is named."""

from __future__ import annotations

import copy
import inspect
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import cast

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.assess.finding import Finding, Severity
from signoff.assess.threat.score import ThreatScore, score_to_level
from signoff.effects.handlers.registry import HANDLERS
from signoff.effects.pipeline import PipelineDecision

PAGE = Path(__file__).parents[2] / "docs" / "pipelines" / "handlers.md"
SECRET = "hunter2-hidden-value"
Handler = Callable[[PipelineDecision], None]


class Webhook(BaseHTTPRequestHandler):
    """Takes whatever is posted."""

    def do_POST(self) -> None:
        """Read the body and say yes."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """Give the address of a webhook on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Webhook) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/hook"
        server.shutdown()
        thread.join()


def built(kind: type[Handler], url: str, folder: Path) -> Handler:
    """Build a handler; it may need the address it posts to, or a file that it writes."""
    needed = {
        name
        for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind is not parameter.VAR_KEYWORD
        and parameter.kind is not parameter.VAR_POSITIONAL
    }
    build = cast("Callable[..., Handler]", kind)
    file = str(folder / "alarms.jsonl")
    return build(**{name: file if name == "file" else url for name in needed})


def decision(score: float, do: tuple[str, ...]) -> PipelineDecision:
    """Make a decision about a request with a secret in it."""
    finding = Finding(detector="xss", category="xss.event", severity=Severity.CRITICAL)
    return PipelineDecision(
        action=Action(
            tool="http",
            kind=ActionKind.HTTP_REQUEST,
            arguments={"path": "/", "query": {"token": SECRET}, "client_ip": "203.0.113.7"},
        ),
        threat=ThreatScore(score, score_to_level(score), (finding,) if score else ()),
        do=do,
    )


DECISIONS = (decision(0.0, ("proceed",)), decision(90.0, ("block", "log")))


def broken_terms(name: str, kind: type[Handler], page: str) -> set[str]:
    """Return the terms about names and docs that a handler does not keep."""
    module = inspect.getmodule(kind)
    text = (module.__doc__ or "") if module else ""
    terms = {
        "its file has the name it is listed under": kind.__module__.rpartition(".")[2] == name,
        "its module begins with `Handler NAME:`": text.startswith(f"Handler `{name}`:"),
        "its module shows how it is used": ".on(" in text and f"{kind.__name__}(" in text,
        "docs/pipelines/handlers.md names it": f"`{kind.__name__}" in page,
    }
    return {term for term, is_kept in terms.items() if not is_kept}


@pytest.mark.parametrize("name", HANDLERS)
def test_a_handler_can_be_found(name: str) -> None:
    """File, docstring and docs go by the same name."""
    assert set() == broken_terms(name, HANDLERS[name], PAGE.read_text("utf-8"))


@pytest.mark.parametrize("name", HANDLERS)
def test_many_threads_may_call_a_handler(name: str, url: str, tmp_path: Path) -> None:
    """Nothing is raised, and no decision changes."""
    handler = built(HANDLERS[name], url, tmp_path)
    before = copy.deepcopy(DECISIONS)

    with ThreadPoolExecutor(4) as threads:
        assert [None] * 40 == list(threads.map(handler, DECISIONS * 20))
    assert before == DECISIONS


@pytest.mark.parametrize("name", HANDLERS)
def test_a_handler_logs_no_input(
    name: str, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The input may hold secrets."""
    with caplog.at_level(logging.DEBUG):
        for one in DECISIONS:
            built(HANDLERS[name], url, tmp_path)(one)

    assert SECRET not in caplog.text


def test_a_broken_handler_is_named() -> None:
    """The contract can fail: a handler under another name that no page names."""

    class NovelHandler:
        """Does nothing."""

        def __call__(self, decision: PipelineDecision) -> None:
            """Do nothing."""

    assert len(broken_terms("novel", NovelHandler, "")) == 4
