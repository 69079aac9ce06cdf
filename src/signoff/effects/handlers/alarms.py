"""Handler `alarms`: a file of what was, or would have been, blocked, for `signoff shadow report`.

A line names the route, the field and the check of a finding. It holds no value of the request, and
a client only as a number that this process made.

    Pipeline.background(web_detectors()).on("block", AlarmHandler("/var/lib/shop/alarms.jsonl"))
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from signoff.assess.threat.score import finding_to_score
from signoff.effects.pipeline import PipelineDecision
from signoff.errors import BadSettings
from signoff.system.files import CLOEXEC, NOFOLLOW

FILE_LIMIT = 16 << 20
COUNTS_FROM = 40.0  # a finding below says nothing by itself
NAME_LIMIT = 80
SEGMENTS = 6
# A part of a path that names one thing of many.
_ONE_OF_MANY = re.compile(r"\d+|[0-9a-fA-F]{8,}|[0-9a-fA-F-]{32,}|(?=.*\d)[\w-]{20,}|.{31,}")
_PLAIN = re.compile(r"[\w.@~-]+")
_ANY = "*"


class Alarm(Struct, frozen=True, kw_only=True):
    """One finding of a request that was, or would have been, blocked.

    Args:
        route: the path, with `*` for what names one thing of many.
        field: place and name of the value, as `except_fields` takes them; "" for none.
        origin: the site whose page sent it, where the check is about that.
    """

    at: str
    method: str
    route: str
    check: str
    field: str = ""
    origin: str = ""
    client: str = ""


class AlarmHandler:
    """A handler that appends alarms to a file, up to 16 MiB; later ones are dropped.

    Raises:
        BadSettings: the file cannot be written.
    """

    def __init__(self, file: str) -> None:
        self._file, self._salt = file, secrets.token_bytes(16)
        try:
            self._add(b"")
        except OSError as error:
            raise BadSettings(f"alarms cannot be written to `{file}`: {error.strerror}") from error

    def __call__(self, decision: PipelineDecision) -> None:
        """Add one line for each finding that counts.

        Raises:
            OSError: the file cannot be written any more.
        """
        found = alarms_of(decision, self._salt)
        self._add(b"".join(msgspec.json.encode(one) + b"\n" for one in found))

    def _add(self, lines: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | CLOEXEC | NOFOLLOW
        handle = os.open(self._file, flags, 0o600)
        try:
            if lines and os.fstat(handle).st_size < FILE_LIMIT:
                # One write with O_APPEND: lines of several processes do not mix (write(2)).
                os.write(handle, lines)
        finally:
            os.close(handle)


def alarms_of(decision: PipelineDecision, salt: bytes = b"") -> Iterator[Alarm]:
    """Yield the findings of a decision as alarms.

    Args:
        salt: key of the hash that stands for the client's address.
    """
    action = decision.action
    headers = action.arguments.get("headers")
    origin = str(headers.get("origin", "")) if isinstance(headers, dict) else ""
    client = hashlib.blake2b(action.text("client_ip").encode(), key=salt, digest_size=6).hexdigest()
    for finding in decision.threat.results:
        if finding.detected and finding_to_score(finding) >= COUNTS_FROM:
            yield Alarm(
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                method=action.text("method")[:NAME_LIMIT],
                route=route_of(action.text("path")),
                check=finding.category,
                field=finding.field[:NAME_LIMIT],
                origin=origin[:NAME_LIMIT] if finding.detector == "csrf" else "",
                client=client,
            )


def route_of(path: str) -> str:
    """Return a path with `*` in place of ids: `/posts/17/edit` gives `/posts/*/edit`."""
    parts = path.partition("?")[0].strip("/").split("/", SEGMENTS)
    kept = [one if _is_of_route(one) else _ANY for one in parts[:SEGMENTS]]
    kept += [_ANY] if len(parts) > SEGMENTS else []
    return f"/{'/'.join(kept)}" if path.strip("/") else "/"


def _is_of_route(part: str) -> bool:
    return _PLAIN.fullmatch(part) is not None and _ONE_OF_MANY.fullmatch(part) is None


def read_alarms(file: str) -> Iterator[Alarm]:
    """Yield the alarms in a file; invalid lines are skipped.

    Raises:
        BadSettings: the file does not exist.
    """
    try:
        with Path(file).open("rb") as lines:
            for line in lines:
                try:
                    yield msgspec.json.decode(line, type=Alarm)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    continue
    except OSError as error:
        raise BadSettings(f"`{file}` cannot be read: {error.strerror}") from error


def setting_for(alarm: Alarm) -> str:
    """Return the line for a pipeline in `web.yaml` that suppresses this alarm."""
    if alarm.origin:
        return f"allowed_origins: [{json.dumps(alarm.origin)}]"
    if alarm.field:
        detector, field = alarm.check.partition(".")[0], json.dumps(alarm.field)
        return f"tune: {{{detector}: {{except_fields: [{field}]}}}}"
    return f"off: [{alarm.check}]"
