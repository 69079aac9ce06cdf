"""What the daemon's log shows of secrets."""

from __future__ import annotations

import json
import logging

import pytest

from signoff.frontends.server.telemetry.logs import MESSAGE_LIMIT, JsonFormatter, LastError
from signoff.redaction.redact import Redactor
from signoff.testing import TEST_KEY

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.mark.parametrize("shown", [5, 10, 20, 39])
def test_a_secret_at_the_end_of_a_long_message_is_not_shown(shown: int) -> None:
    """It is masked before the message is cut: half of it has no shape that is found."""
    told: list[str] = []
    redactor = Redactor(TEST_KEY)
    message = "x " * ((MESSAGE_LIMIT - shown) // 2) + TOKEN
    record = logging.LogRecord("signoff", logging.ERROR, "", 0, message, (), None)
    LastError(told.append, redactor).emit(record)

    assert TOKEN[:5] not in told[0]
    assert TOKEN[:5] not in JsonFormatter(redactor).format(record)


def test_every_failure_of_a_group_is_named() -> None:
    """Tasks that run together end together; the log says which of them failed, and where."""

    def fail(error: Exception) -> Exception:
        try:
            raise error
        except Exception as raised:  # noqa: BLE001 - to be logged
            return raised

    inner = ExceptionGroup("in", [fail(OSError("no disk"))])
    group = ExceptionGroup("tasks", [fail(ValueError("no number")), inner])
    record = logging.LogRecord("signoff", logging.ERROR, "", 0, "x", (), (type(group), group, None))
    said = json.loads(JsonFormatter(Redactor(TEST_KEY)).format(record))

    assert said["error"] == "ValueError, OSError"
    assert "no number" in said["trace"]
    assert "no disk" in said["trace"]
