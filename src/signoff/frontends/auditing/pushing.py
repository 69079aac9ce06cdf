"""Sends new entries of the audit log to other machines, and never holds up a decision.

The log itself is the queue: the number of the entry that was sent last is kept in a file, so
nothing is lost while the receiver is away or the daemon is down. Where a connection breaks, the
last entries are sent again: a receiver knows them by their ids. Messages of syslog are those of
RFC 5424; `otlp.py` has the push to OpenTelemetry collectors.

    push = SyslogPush(store, target, folder="/home/dev/.local/state/signoff/push")
    asyncio.create_task(push.run())
    push.problem()  ->  "" or "1,204 entries wait for syslog+tls://siem.example.org:6514: ..."
    target = SyslogTarget.parse("syslog+tls://siem.example.org:6514", "ocsf")
    syslog_message(content, target)  ->  b"<110>1 2026-03-01T10:00:00.000000+00:00 host signoff ..."
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import socket
import ssl
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from signoff.errors import BadSettings, SignoffError, StoreError
from signoff.frontends.auditing.formats import FORMATS
from signoff.storage.reading import Content, Readable, content_of
from signoff.storage.text_file import make_own_folder, write_whole
from signoff.values import count_of

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
BATCH = 200  # entries
CONNECT_S, SEND_S = 10.0, 30.0
PAUSES_S = (1.0, 2.0, 5.0, 15.0, 60.0)  # after the first failures; then always the last
DATAGRAM_LIMIT = 8_192  # bytes; what is longer is counted as lost

AUDIT_FACILITY = 13  # `log audit` of RFC 5424, table 1
SEVERITIES: Mapping[str, int] = {"deny": 4, "ask": 5, "allow": 6}  # warning, notice, informational
ERROR_SEVERITY = 3  # RFC 5424, table 2
NAME_LIMIT = 255  # of a HOSTNAME (RFC 5424, 6)
BOM = b"\xef\xbb\xbf"  # says that the message is UTF-8 (RFC 5424, 6.4)
NIL = "-"


class PushTarget(Protocol):
    """Port: where entries are sent."""

    @property
    def name(self) -> str:
        """The target for messages, without secrets."""


class LogPush(ABC):
    """Sends new entries of an audit log to one receiver.

    Args:
        folder: keeps the number of the entry that was sent last.
    """

    def __init__(self, store: Readable, target: PushTarget, *, folder: str) -> None:
        self.lost = 0
        self._store, self._name = store, target.name
        # An address holds slashes and colons, and may be longer than a file's name.
        name = hashlib.sha256(target.name.encode()).hexdigest()[:16]
        self._path = os.path.join(folder, f"{name}.sent")
        self._sent, self._head, self._failure = -1, 0, ""
        self._before_last = -1  # what is sent again if the connection breaks

    @abstractmethod
    async def deliver(self, contents: Sequence[Content]) -> None:
        """Send entries, in order.

        Raises:
            OSError, TimeoutError: the receiver did not take them.
        """

    def close(self) -> None:  # noqa: B027 - a push without a connection has nothing to close
        """Close the connection; entries that may not have arrived are sent again."""

    def is_broken(self) -> bool:
        """Return whether the receiver has closed the connection."""
        return False

    def problem(self) -> str:
        """Return what is unsent and why, and what was lost; "" if all was sent."""
        said = []
        if self._failure:
            waiting = max(0, self._head - max(0, self._sent))
            entries = count_of(waiting, "entry waits", "entries wait")
            said.append(f"{entries} for {self._name}: {self._failure}")
        if self.lost:
            entries = count_of(self.lost, "entry was", "entries were")
            said.append(f"{entries} too long for {self._name}: use tcp or tls")
        return "; ".join(said)

    async def run(self) -> None:
        """Send new entries until cancelled."""
        failures = 0
        try:
            while True:
                try:
                    await self.send_new()
                    failures, self._failure = 0, ""
                except (OSError, TimeoutError, SignoffError) as error:
                    if not self._failure:
                        log.warning("cannot send to %s: %s", self._name, error)
                    self._failure = str(error) or "no answer in time"
                    self.close()
                    failures = min(failures + 1, len(PAUSES_S))
                await asyncio.sleep(PAUSES_S[failures - 1] if failures else LOOK_EVERY_S)
        finally:
            self.close()

    async def send_new(self) -> None:
        """Send the entries added since the last call; the first call ever sends none.

        Raises:
            OSError, TimeoutError: the receiver cannot be reached.
            StoreError: the log cannot be read.
        """
        self._head = (await asyncio.to_thread(self._store.head)).seq
        if self._sent < 0:
            await asyncio.to_thread(self._begin)
        if self.is_broken():
            self.close()
        while self._sent < self._head:
            last = min(self._sent + BATCH, self._head)
            await self.deliver(await asyncio.to_thread(self._read, self._sent + 1, last))
            self._before_last, self._sent = self._sent, last
            await asyncio.to_thread(self._keep)

    def _begin(self) -> None:
        """Read where the last process ended."""
        try:
            with open(self._path, encoding="ascii") as source:
                # A log that was put back from a copy may be shorter than what was sent of the
                # former one.
                self._sent = min(int(source.read(20)), self._head)
        except FileNotFoundError:
            self._sent = self._head
            self._keep()
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot read `{self._path}`: {error}") from error

    def _keep(self) -> None:
        try:
            make_own_folder(os.path.dirname(self._path))
            # Not flushed: if the machine crashes, an older number comes back and entries are sent
            # twice.
            write_whole(self._path, f"{self._sent}\n".encode(), is_durable=False)
        except OSError as error:
            raise StoreError(f"cannot write `{self._path}`: {error}") from error

    def _read(self, first: int, last: int) -> list[Content]:
        return [content_of(entry) for entry in self._store.entries(first=first, last=last)]


class SyslogPush(LogPush):
    """Sends new entries of an audit log to one syslog receiver."""

    def __init__(self, store: Readable, target: SyslogTarget, *, folder: str) -> None:
        super().__init__(store, target, folder=folder)
        self.target = target
        self._stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def is_broken(self) -> bool:
        """Return whether the receiver has closed the connection."""
        return self._stream is not None and self._stream[0].at_eof()

    async def deliver(self, contents: Sequence[Content]) -> None:
        """Send entries as messages."""
        messages = [syslog_message(content, self.target) for content in contents]
        if self.target.transport is SyslogTransport.UDP:
            await asyncio.to_thread(self._datagrams, messages)
            return
        async with asyncio.timeout(CONNECT_S):
            writer = await self._writer()
        async with asyncio.timeout(SEND_S):
            writer.writelines(messages)
            await writer.drain()

    async def _writer(self) -> asyncio.StreamWriter:
        if self._stream is None:
            is_tls = self.target.transport is SyslogTransport.TLS
            context = ssl.create_default_context() if is_tls else None
            self._stream = await asyncio.open_connection(
                self.target.host, self.target.port, ssl=context
            )
        return self._stream[1]

    def _datagrams(self, messages: list[bytes]) -> None:
        found = socket.getaddrinfo(self.target.host, self.target.port, type=socket.SOCK_DGRAM)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as sender:
            for message in messages:
                if len(message) > DATAGRAM_LIMIT:
                    self.lost += 1
                    continue
                sender.sendto(message, address)

    def close(self) -> None:
        """Close the connection; entries that may not have arrived are sent again."""
        if self._stream is None:
            return
        with contextlib.suppress(OSError, RuntimeError):
            self._stream[1].close()
        self._stream = None
        if self._before_last >= 0:
            self._sent = self._before_last


class SyslogTransport(StrEnum):
    """Transport protocol of syslog messages."""

    TLS = "tls"
    TCP = "tcp"
    UDP = "udp"


PORTS = {SyslogTransport.TLS: 6514, SyslogTransport.TCP: 601, SyslogTransport.UDP: 514}


class SyslogTarget(Struct, frozen=True, kw_only=True):
    """A syslog receiver.

    Args:
        form: of the message: `ocsf`, `cef` or `jsonl`.
    """

    transport: SyslogTransport
    host: str
    port: int
    form: str = "ocsf"

    @classmethod
    def parse(cls, url: str, form: str) -> SyslogTarget:
        """Parse the address of a syslog receiver.

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
        # A line of CSV says nothing without its header.
        if form not in FORMATS or form == "csv":
            raise BadSettings(f"audit.push: unknown format `{form}` (ocsf, cef, jsonl)")
        chosen = SyslogTransport(transport)
        return cls(transport=chosen, host=host, port=port or PORTS[chosen], form=form)

    @property
    def name(self) -> str:
        """The target for messages."""
        return f"syslog+{self.transport}://{self.host}:{self.port}"


def syslog_message(content: Content, target: SyslogTarget) -> bytes:
    """Return an entry as a syslog message, framed for the target's transport."""
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
    # A blank would begin the next field (RFC 5424, 6).
    kept = "".join(one for one in text if "!" <= one <= "~")
    return kept[:NAME_LIMIT] or NIL
