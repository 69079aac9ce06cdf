"""Sends new entries of the audit log to an OpenTelemetry collector, as OTLP logs over HTTP.

Needs `signoff[otlp]`. Each entry is one log record: its body is the entry in the chosen format, its
attributes are what one filters by. Nothing is sampled or dropped: what the collector refuses is
sent again.

    target = OtlpTarget.parse("otlp+https://collector.example.org:4318", "jsonl")
    push = OtlpPush(store, target, folder="/home/dev/.local/state/signoff/push")
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import urlsplit

import requests
from msgspec import Struct, field
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk._logs.export import LogRecordExportResult
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from signoff.errors import BadSettings
from signoff.frontends.auditing.formats import FORMATS
from signoff.frontends.auditing.pushing import SEND_S, LogPush
from signoff.storage.reading import Content, Readable

ABOUT = "audit.push"
PATH = "/v1/logs"
PORT = 4318  # of OTLP over HTTP
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
EVENT_NAME = "signoff.decision"
SEVERITIES: Mapping[str, SeverityNumber] = {
    "deny": SeverityNumber.WARN,
    "ask": SeverityNumber.INFO2,
    "allow": SeverityNumber.INFO,
}
# Attributes of a record, by the fields of an entry.
ATTRIBUTES = (
    *("seq", "id", "verdict", "level", "risk", "threat", "tool", "rule", "decided_by", "approver"),
    *("channel", "agent", "session", "source", "challenge", "policy_digest"),
)
HEADERS_LIMIT = 20


class OtlpTarget(Struct, frozen=True, kw_only=True):
    """An OpenTelemetry collector.

    Args:
        url: its logs endpoint.
        form: format of each record's body: `ocsf`, `cef` or `jsonl`.
        headers: sent with each request, such as the collector's key.
    """

    url: str
    form: str = "ocsf"
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(
        cls, url: str, form: str, headers: str = "", *, path: str = PATH, about: str = ABOUT
    ) -> OtlpTarget:
        """Parse the address and headers of a collector.

        Args:
            headers: one `name: value` a line.
            path: of the endpoint, where the URL names none.
            about: the setting that messages name.

        Raises:
            BadSettings: it is not `otlp+https://host:port`, or a header is none.
        """
        scheme, _, rest = url.partition("://")
        transport = scheme.partition("+")[2]
        try:
            parts = urlsplit(f"{transport}://{rest}")
            host, port = parts.hostname or "", parts.port or PORT
        except ValueError:
            host, port, parts = "", 0, urlsplit("")
        if transport not in ("http", "https") or not host or parts.query or parts.username:
            said = "expected `otlp+https://host:port`, or `otlp+http://` on this machine"
            raise BadSettings(f"{about}: `{url[:255]}` is no target: {said}")
        if transport == "http" and host not in LOOPBACK:
            raise BadSettings(f"{about}: `{url[:255]}`: plain http goes to this machine only")
        shown = f"[{host}]" if ":" in host else host
        path = parts.path if parts.path.strip("/") else path
        return cls(
            url=f"{transport}://{shown}:{port}{path}",
            form=form,
            headers=read_headers(headers, about=about),
        )

    @property
    def name(self) -> str:
        """The target for messages, without secrets."""
        return f"otlp+{self.url}"

    @property
    def sent_headers(self) -> dict[str, str]:
        """The headers of every export; never empty, or the exporter reads environment variables."""
        return {"user-agent": "signoff", **self.headers}


def direct_session() -> requests.Session:
    """Return an HTTP session that follows no redirects."""
    session = requests.Session()
    session.max_redirects = 0
    return session


def read_headers(text: str, *, about: str = ABOUT) -> dict[str, str]:
    """Parse headers, one `name: value` a line.

    Raises:
        BadSettings: a line has another form.
    """
    found: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = line.partition(":")
        is_name = name.strip().replace("-", "").isalnum() and name.isascii()
        if not (is_name and colon and value.strip().isprintable()) or len(found) >= HEADERS_LIMIT:
            raise BadSettings(f"{about}: headers: expected lines such as `x-api-key: ...`")
        found[name.strip().lower()] = value.strip()
    return found


class OtlpPush(LogPush):
    """Sends an audit log to one collector, through the OpenTelemetry SDK."""

    def __init__(self, store: Readable, target: OtlpTarget, *, folder: str) -> None:
        super().__init__(store, target, folder=folder)
        self.target = target
        self._exporter = OTLPLogExporter(
            endpoint=target.url,
            headers=target.sent_headers,
            timeout=SEND_S,
            session=direct_session(),
        )

    async def deliver(self, contents: Sequence[Content]) -> None:
        """Send entries as log records."""
        records = [log_record(content, self.target.form) for content in contents]
        result = await asyncio.to_thread(self._exporter.export, records)
        if result is not LogRecordExportResult.SUCCESS:
            raise OSError("the collector did not take the log records")


def log_record(content: Content, form: str) -> ReadableLogRecord:
    """Return an entry as an OpenTelemetry log record.

    Args:
        form: format of the body: `ocsf`, `cef` or `jsonl`.
    """
    verdict = str(content.get("verdict", ""))
    at_ns = _time_ns(content)
    record = LogRecord(
        timestamp=at_ns or None,
        observed_timestamp=at_ns,
        severity_text=verdict or "error",
        severity_number=SEVERITIES.get(verdict, SeverityNumber.ERROR),
        body=next(iter(FORMATS[form]((content,)))),
        attributes={
            f"signoff.{name}": value
            for name in ATTRIBUTES
            if isinstance(value := content.get(name), str | int | float) and value != ""
        },
        event_name=EVENT_NAME,
    )
    resource = {
        "service.name": "signoff",
        "service.version": str(content.get("version", "")),
        "host.name": str(content.get("host", "")),
    }
    return ReadableLogRecord(
        log_record=record,
        resource=Resource(resource),
        instrumentation_scope=InstrumentationScope("signoff.audit"),
    )


def _time_ns(content: Content) -> int:
    """Return the time of an entry in nanoseconds since the epoch, 0 if it has none."""
    try:
        at = datetime.fromisoformat(str(content.get("ts", "")))
    except ValueError:
        return 0
    return int(at.timestamp() * 1_000_000) * 1_000
