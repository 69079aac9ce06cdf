"""The daemon's log: one JSON object a line, secrets masked, for its owner only.

{"ts": "2026-01-01T00:00:00.000000+00:00", "level": "warning", "logger": "...", "message": ".."}

With `log: {decisions: true}` each decision is a line with fields of its own: what was decided about
which tool, by whom, how long it took; never what the call said.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler

from signoff.challenge.visible import visible
from signoff.decide.decision import Decision
from signoff.errors import StoreError
from signoff.redaction.redact import Redactor
from signoff.sections import LogTarget
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK, set_mode

decisions = logging.getLogger("signoff.decisions")

FIELDS = "signoff_fields"
NAME_LIMIT = 200
FILE_BYTES = 5_000_000
FILES_KEPT = 3
MESSAGE_LIMIT = 4_000
FAILURES_MOST = 5  # of a group
TRACE_LINES = 12  # the end says where it failed; the way there is that of the server


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON with secrets masked."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        said: dict[str, object] = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._clean(record.getMessage()),
        }
        for name, value in getattr(record, FIELDS, {}).items():
            said[name] = self._clean(value) if isinstance(value, str) else value
        if record.exc_info and record.exc_info[0] is not None:
            failures = _leaves(record.exc_info[1])
            said["error"] = ", ".join(type(one).__name__ for one in failures)
            said["trace"] = self._clean("\n".join(self._trace(one) for one in failures))
        return json.dumps(said, ensure_ascii=False)

    def _trace(self, error: BaseException) -> str:
        told = self.formatException((type(error), error, error.__traceback__))
        return "\n".join(told.splitlines()[-TRACE_LINES:])

    def _clean(self, text: str) -> str:
        return _masked(text, self._redactor)


class LastError(logging.Handler):
    """A log handler that keeps the newest warning or error, to be shown."""

    def __init__(self, tell: Callable[[str], None], redactor: Redactor) -> None:
        super().__init__(logging.WARNING)
        self._tell, self._redactor = tell, redactor

    def emit(self, record: logging.LogRecord) -> None:
        """Pass the record's message on, with secrets masked."""
        self._tell(_masked(record.getMessage(), self._redactor))


def _leaves(error: BaseException | None) -> Sequence[BaseException]:
    """Return what went wrong: of a group of tasks the failure of each, some at most."""
    if error is None:
        return ()
    if not isinstance(error, BaseExceptionGroup):
        return (error,)
    found = [leaf for one in error.exceptions for leaf in _leaves(one)]
    return found[:FAILURES_MOST]


def _masked(text: str, redactor: Redactor) -> str:
    """Return the beginning of a text without secrets."""
    # Masked before it is cut: half a secret has no shape that is found. What is longer than a
    # secret can be behind the cut need not be read.
    return visible(redactor.text(text[: 4 * MESSAGE_LIMIT])[:MESSAGE_LIMIT])


class DecisionLog:
    """A handler that logs each decision.

    Args:
        trace_id: returns the id of the current trace, "" if none.
    """

    def __init__(self, trace_id: Callable[[], str]) -> None:
        self._trace_id = trace_id

    def __call__(self, decision: Decision) -> None:
        """Log it."""
        action, stamp = decision.action, decision.stamp
        fields: dict[str, object] = {
            "id": stamp.id,
            "verdict": decision.verdict.value,
            "decided_by": decision.decided_by,
            "decision_level": decision.level.value,
            "tool": action.tool[:NAME_LIMIT],
            "agent": action.agent[:NAME_LIMIT],
            "session": action.session[:NAME_LIMIT],
            "latency_ms": round(stamp.latency_s * 1_000, 3),
        }
        if trace_id := self._trace_id():
            fields["trace_id"] = trace_id
        decisions.info("decided", extra={FIELDS: fields})


def open_log(
    path: str,
    redactor: Redactor,
    *,
    tell: Callable[[str], None],
    target: LogTarget = LogTarget.FILE,
) -> None:
    """Send this process's log to the file, to standard error, or both.

    Raises:
        StoreError: the file cannot be used.
    """
    handlers: list[logging.Handler] = []
    if target is not LogTarget.STDERR:
        handlers.append(_file(path))
    if target is not LogTarget.FILE:
        handlers.append(logging.StreamHandler())
    for one in handlers:
        one.setFormatter(JsonFormatter(redactor))
    root = logging.getLogger()
    # In place of all others, which would write what is not masked.
    root.handlers = [*handlers, LastError(tell, redactor)]
    root.setLevel(logging.INFO)


def _file(path: str) -> RotatingFileHandler:
    """Open the file, for its owner only."""
    flags = os.O_WRONLY | os.O_CREAT | NOFOLLOW | NONBLOCK | CLOEXEC
    try:
        # Python's handler would follow a link, and make the file as open as the umask allows.
        handle = os.open(path, flags, 0o600)
        set_mode(handle, 0o600)
        os.close(handle)
    except OSError as error:
        raise StoreError(f"cannot use the log `{path}`: {error}") from error
    return RotatingFileHandler(path, maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8")
