"""Traces of a real daemon at a real collector: from the hook's client to the durable entry."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from live_daemon import LiveDaemon, served, wait_until
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from signoff.frontends.client.words import CLIENT

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SECRET = "hunter2-in-a-file-name"


class TraceCollector(ThreadingHTTPServer):
    """Takes spans on loopback."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.spans: list[Span] = []
        self.bodies = b""

    def named(self, name: str) -> list[Span]:
        """Return the spans of this name."""
        return [one for one in self.spans if one.name == name]


class _Handler(BaseHTTPRequestHandler):
    server: TraceCollector

    def do_POST(self) -> None:
        """Decode one request."""
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.bodies += body
        if self.path == "/v1/traces":
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    self.server.spans.extend(scope.spans)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def collector() -> Iterator[TraceCollector]:
    """Run a collector."""
    with TraceCollector() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def settings(home: Path, text: str) -> None:
    """Write the user's settings."""
    folder = home / ".config" / "signoff"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "signoff.yaml").write_text(text)


def hook(daemon: LiveDaemon, command: str, **variables: str) -> dict[str, object]:
    """Ask by the real client of a hook, which runs within a trace; return its answer."""
    event = {
        "session_id": "s1",
        "cwd": str(daemon.home),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "t1",
    }
    where = ["--socket", str(daemon.socket), "--deadline", "30", "--without", "refuse"]
    done = subprocess.run(
        [sys.executable, "-I", "-S", CLIENT, "claude-code", *where],
        input=json.dumps(event).encode(),
        env={**daemon.environment, **variables},
        capture_output=True,
        check=False,
        timeout=60,
    )
    return dict(json.loads(done.stdout))


def test_a_call_is_one_trace_from_its_hook_to_its_durable_entry(
    tmp_path: Path, collector: TraceCollector
) -> None:
    """Within the trace of whoever started the hook; no span says what the call said."""
    url = f"otlp+http://127.0.0.1:{collector.server_address[1]}"
    settings(tmp_path, f"traces: {{url: '{url}'}}\nlog: {{decisions: true}}\n")
    with served(tmp_path) as daemon:
        hook(daemon, f"cat {SECRET}", TRACEPARENT=f"00-{TRACE}-{PARENT}-01")
        wait_until(lambda: collector.named("hook"))
        log = (daemon.state / "log" / "daemon.log").read_text()
    (root,), (request,) = collector.named("hook"), collector.named("POST /hooks/claude-code")
    inner = [one for name in ("recall", "judge", "record") for one in collector.named(name)]
    said = {one.key: one.value.string_value or one.value.int_value for one in request.attributes}
    (seq,) = [one.value.int_value for one in inner[-1].attributes if one.key == "signoff.seq"]

    assert {TRACE} == {one.trace_id.hex() for one in (root, request, *inner)}
    assert (PARENT, root.span_id) == (root.parent_span_id.hex(), request.parent_span_id)
    assert [request.span_id] * 3 == [one.parent_span_id for one in inner]
    assert root.start_time_unix_nano < request.start_time_unix_nano
    assert inner[-1].end_time_unix_nano <= request.end_time_unix_nano
    assert (1, "allow") == (seq, said["signoff.verdict"])
    assert SECRET.encode() not in collector.bodies
    decided = [json.loads(line) for line in log.splitlines() if '"decided"' in line]
    assert [(TRACE, said["signoff.decision.id"])] == [
        (one["trace_id"], one["id"]) for one in decided
    ]
    assert SECRET not in log


def test_a_collector_that_is_gone_stops_no_call(tmp_path: Path) -> None:
    """Spans are dropped; a bad trace of a caller is as none."""
    settings(tmp_path, "traces: {url: 'otlp+http://127.0.0.1:9'}\n")
    with served(tmp_path) as daemon:
        answers = [hook(daemon, "ls", TRACEPARENT=one) for one in ("nonsense", "00-\r\nx: y")]

    assert all("hookSpecificOutput" in one for one in answers)


def test_nothing_is_traced_unless_it_is_said(tmp_path: Path, collector: TraceCollector) -> None:
    """No variable of the environment sends anything anywhere."""
    url = f"http://127.0.0.1:{collector.server_address[1]}"
    variables = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_TRACES_EXPORTER": "otlp"}
    with served(tmp_path, variables=variables) as daemon:
        hook(daemon, "ls", TRACEPARENT=f"00-{TRACE}-{PARENT}-01")

    assert b"" == collector.bodies


def test_the_log_goes_to_standard_error_where_it_is_wanted(tmp_path: Path) -> None:
    """One JSON object a line, and no file."""
    settings(tmp_path, "log: {to: stderr, decisions: true}\n")
    with (tmp_path / "said").open("wb") as said:
        with served(tmp_path, stderr=said.fileno()) as daemon:
            hook(daemon, f"cat {SECRET}")
        is_filed = (daemon.state / "log" / "daemon.log").exists()
    lines = [json.loads(line) for line in (tmp_path / "said").read_text().splitlines()]
    decided = [one for one in lines if one["logger"] == "signoff.decisions"]

    assert not is_filed
    assert [("decided", "allow", "Bash", "s1")] == [
        (one["message"], one["verdict"], one["tool"], one["session"]) for one in decided
    ]
    assert SECRET not in json.dumps(lines)
