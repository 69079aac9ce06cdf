"""Entries of the audit log as messages of syslog (RFC 5424), and where they go.

target = SyslogTarget.parse("syslog+tls://siem.example.org:6514", "ocsf")
syslog_message(content, target)  ->  b"<110>1 2026-03-01T10:00:00.000000+00:00 host signoff ..."
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from urllib.parse import urlsplit

from msgspec import Struct

from signoff.errors import BadSettings
from signoff.frontends.auditing.formats import FORMATS
from signoff.storage.reading import Content

AUDIT_FACILITY = 13
SEVERITIES: Mapping[str, int] = {"deny": 4, "ask": 5, "allow": 6}  # warning, notice, informational
ERROR_SEVERITY = 3
NAME_LIMIT = 255
BOM = b"\xef\xbb\xbf"
NIL = "-"


class SyslogTransport(StrEnum):
    """How messages travel."""

    TLS = "tls"
    TCP = "tcp"
    UDP = "udp"


PORTS = {SyslogTransport.TLS: 6514, SyslogTransport.TCP: 601, SyslogTransport.UDP: 514}


class SyslogTarget(Struct, frozen=True, kw_only=True):
    """A receiver of syslog.

    Args:
        form: of the message: `ocsf`, `cef` or `jsonl`.
    """

    transport: SyslogTransport
    host: str
    port: int
    form: str = "ocsf"

    @classmethod
    def parse(cls, url: str, form: str) -> SyslogTarget:
        """Read a target.

        Raises:
            BadSettings: it is not `syslog+tls://host:port`, or with `tcp` or `udp`.
        """
        kind, _, transport = url.partition("://")[0].partition("+")
        try:
            parts = urlsplit(url)
            port, host = parts.port, parts.hostname or ""
        except ValueError:
            port, host = 0, ""
        is_more = bool(parts.path.strip("/") or parts.query or parts.username) if host else True
        if kind != "syslog" or transport not in set(SyslogTransport) or is_more or port == 0:
            said = "expected `syslog+tls://host:port`, `syslog+tcp://` or `syslog+udp://`"
            raise BadSettings(f"audit.push: `{url[:NAME_LIMIT]}` is no target: {said}")
        if form not in FORMATS or form == "csv":
            raise BadSettings(f"audit.push: unknown format `{form}` (ocsf, cef, jsonl)")
        chosen = SyslogTransport(transport)
        return cls(transport=chosen, host=host, port=port or PORTS[chosen], form=form)

    @property
    def name(self) -> str:
        """The target as people know it."""
        return f"syslog+{self.transport}://{self.host}:{self.port}"


def syslog_message(content: Content, target: SyslogTarget) -> bytes:
    """Return one entry as a message, framed for its transport."""
    severity = SEVERITIES.get(str(content.get("verdict", "")), ERROR_SEVERITY)
    text = next(iter(FORMATS[target.form]((content,))))
    head = " ".join(
        [
            f"<{AUDIT_FACILITY * 8 + severity}>1",
            _word(content.get("ts")),
            _word(content.get("host")),
            "signoff",
            NIL,
            f"{_word(content.get('verdict'))[:32]}",
            NIL,
        ]
    )
    message = head.encode("ascii") + b" " + BOM + text.encode("utf-8", errors="replace")
    if target.transport is SyslogTransport.UDP:
        return message
    return b"%d %b" % (len(message), message)  # octet counting, RFC 6587 and 5425


def _word(value: object) -> str:
    """Return a field of the head: visible ASCII without blanks, `-` for nothing."""
    text = value if isinstance(value, str) else ""
    kept = "".join(one for one in text if "!" <= one <= "~")
    return kept[:NAME_LIMIT] or NIL
