"""Entries of the audit log reach an OpenTelemetry collector: a real HTTP server decodes them."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

from signoff.actions.action import Json
from signoff.effects.store import RecordDraft
from signoff.errors import BadSettings
from signoff.frontends.auditing.otlp import OtlpPush, OtlpTarget
from signoff.frontends.auditing.push_kinds import build_push
from signoff.frontends.auditing.pushing import LogPush
from signoff.sections import PushFormat, PushSection
from signoff.storage.sqlite import SqliteStore


class Collector(ThreadingHTTPServer):
    """Takes logs on loopback; answers with the next status, 200 where none is left."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.records: list[LogRecord] = []
        self.resources: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.statuses: list[int] = []

    @property
    def url(self) -> str:
        """The address, as settings name it."""
        return f"otlp+http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        """Decode one request."""
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if status == 200 and self.path == "/v1/logs":
            self._take(ExportLogsServiceRequest.FromString(body))
        self.send_response(status)
        if status == 307:
            self.send_header("location", "http://127.0.0.1:9/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def _take(self, said: ExportLogsServiceRequest) -> None:
        self.server.headers.append({k.lower(): v for k, v in self.headers.items()})
        for resource in said.resource_logs:
            attributes = resource.resource.attributes
            self.server.resources.append({a.key: a.value.string_value for a in attributes})
            for scope in resource.scope_logs:
                self.server.records.extend(scope.log_records)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    """Run a collector."""
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return an audit log of one older entry."""
    store = SqliteStore(str(tmp_path / "record.db"))
    add(store, "allow", "before")
    yield store
    store.close()


def add(store: SqliteStore, verdict: str, command: str) -> None:
    """Add an entry."""
    content: dict[str, Json] = {
        **{"ts": "2026-03-01T10:00:00.250000+00:00", "host": "h1", "version": "0.1.0"},
        **{"verdict": verdict, "level": "high", "tool": "Bash", "risk": 0.5, "session": "s"},
        "action_redacted": {"command": command},
    }
    store.append_batch([RecordDraft(content=content)])


def push(store: SqliteStore, url: str, headers: str = "") -> OtlpPush:
    """Return what sends the log."""
    target = OtlpTarget.parse(url, "jsonl", headers)
    return OtlpPush(store, target, folder=str(Path(store.path).parent / "push"))


async def sent(*pushes: LogPush) -> None:
    """Send what is new with each, one after another."""
    for one in pushes:
        await one.send_new()


def test_entries_arrive_as_log_records(store: SqliteStore, collector: Collector) -> None:
    """With time, severity, body and attributes; what is older is not sent."""
    pushed = push(store, collector.url, "x-api-key: k 1\n\nx-tenant: t\n")
    asyncio.run(sent(pushed))
    add(store, "deny", "rm -rf /")
    add(store, "allow", "ls")
    asyncio.run(sent(pushed))
    first, second = collector.records
    attributes = {one.key: one.value for one in first.attributes}

    assert ("deny", 13, "signoff.decision") == (
        first.severity_text,
        first.severity_number,
        first.event_name,
    )
    assert ("allow", 9) == (second.severity_text, second.severity_number)
    assert 1_772_359_200_250_000_000 == first.time_unix_nano
    assert "rm -rf /" == json.loads(first.body.string_value)["action_redacted"]["command"]
    assert 2 == attributes["signoff.seq"].int_value
    assert ("Bash", 0.5) == (
        attributes["signoff.tool"].string_value,
        attributes["signoff.risk"].double_value,
    )
    assert ("signoff", "h1") == (
        collector.resources[0]["service.name"],
        collector.resources[0]["host.name"],
    )
    assert ("k 1", "t") == (collector.headers[0]["x-api-key"], collector.headers[0]["x-tenant"])


def test_what_a_collector_refuses_is_sent_again(store: SqliteStore, collector: Collector) -> None:
    """By the next process too, which goes on after the last entry that was taken."""
    asyncio.run(sent(push(store, collector.url)))
    add(store, "deny", "first")
    collector.statuses = [400]
    with pytest.raises(OSError, match="did not take"):
        asyncio.run(sent(push(store, collector.url)))
    add(store, "deny", "second")
    asyncio.run(sent(push(store, collector.url)))

    commands = [json.loads(one.body.string_value)["action_redacted"] for one in collector.records]
    assert [{"command": "first"}, {"command": "second"}] == commands


def test_entries_are_not_sent_where_a_collector_points_to(
    store: SqliteStore, collector: Collector
) -> None:
    """A redirect counts as not taken."""
    pushed = push(store, collector.url)
    asyncio.run(sent(pushed))
    add(store, "deny", "x")
    collector.statuses = [307]
    with pytest.raises(OSError, match="did not take"):
        asyncio.run(sent(pushed))
    assert [] == collector.records


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("otlp+https://c.example.org", "otlp+https://c.example.org:4318/v1/logs"),
        ("otlp+http://[::1]:9", "otlp+http://[::1]:9/v1/logs"),
        (
            "otlp+https://c.example.org:443/otlp/v1/logs",
            "otlp+https://c.example.org:443/otlp/v1/logs",
        ),
    ],
)
def test_an_address_is_read(url: str, name: str) -> None:
    """With the usual port and path where none is given."""
    assert name == OtlpTarget.parse(url, "ocsf").name


@pytest.mark.parametrize(
    ("url", "headers", "told"),
    [
        ("otlp+http://c.example.org:4318", "", "plain http goes to this machine only"),
        ("otlp+grpc://c.example.org:4317", "", "is no target"),
        ("otlp+https://", "", "is no target"),
        ("otlp+https://u:p@c.example.org", "", "is no target"),
        ("otlp+https://c.example.org:x", "", "is no target"),
        ("otlp+https://c.example.org", "no header", "expected lines such as"),
        ("otlp+https://c.example.org", "a b: c", "expected lines such as"),
    ],
)
def test_a_wrong_target_is_told(url: str, headers: str, told: str) -> None:
    """Before anything is sent."""
    with pytest.raises(BadSettings, match=told):
        OtlpTarget.parse(url, "ocsf", headers)


def test_settings_choose_the_push(store: SqliteStore, tmp_path: Path) -> None:
    """With headers from a file; a file that is not there is told, and syslog has none."""
    headers = tmp_path / "headers"
    headers.write_text("x-api-key: k\n")
    section = PushSection(
        url="otlp+https://c.example.org", format=PushFormat.CEF, headers_file=str(headers)
    )
    found = build_push(section, store, folder=str(tmp_path))

    assert isinstance(found, OtlpPush)
    assert ("cef", {"x-api-key": "k"}) == (found.target.form, found.target.headers)
    headers.unlink()
    with pytest.raises(BadSettings, match="there is no file"):
        build_push(section, store, folder=str(tmp_path))
    with pytest.raises(BadSettings, match="is for `otlp"):
        syslog = PushSection(url="syslog+tls://s.example.org", headers_file="x")
        build_push(syslog, store, folder=str(tmp_path))
