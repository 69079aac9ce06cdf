"""What became of calls after their decision, on its way into the audit log.

An entry of the log is never changed. So the outcome of a call is written into the next entry: its
field `outcomes` names the decision, when the end of the call was reported, and how it ended. A
call without an outcome was not seen to run: it failed to start, was refused at the host's own
prompt, or its host reports nothing.

    waiting = WaitingOutcomes()
    waiting.add(RecordedOutcome(of="dec_1", at="2026-03-01T10:00:00", result=OutcomeResult.RAN))
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec
from msgspec import Struct

from signoff.actions.action import Json

log = logging.getLogger(__name__)

FILE_LIMIT = 4_000_000  # bytes
WAITING_LIMIT = 2_000  # the oldest are dropped
ENTRY_LIMIT = 50  # outcomes in one entry
FIELD = "outcomes"
NOT_SEEN = "not seen"


class OutcomeResult(StrEnum):
    """How a call ended, as its host reported it."""

    RAN = "ran"
    FAILED = "failed"


class RecordedOutcome(Struct, frozen=True, kw_only=True):
    """How one call ended.

    Args:
        of: id of its decision.
        at: when its end was reported, ISO 8601.
    """

    of: str
    at: str
    result: OutcomeResult


class WaitingOutcomes:
    """Outcomes of calls that are not in the audit log yet."""

    def __init__(self) -> None:
        self._waiting: deque[RecordedOutcome] = deque(maxlen=WAITING_LIMIT)
        self.is_changed = False

    def add(self, outcome: RecordedOutcome) -> None:
        """Add an outcome; beyond the limit the oldest is dropped."""
        self._waiting.append(outcome)
        self.is_changed = True

    def next(self) -> tuple[RecordedOutcome, ...]:
        """Return the outcomes for the next entry, oldest first."""
        return tuple(self._waiting)[:ENTRY_LIMIT]

    def written(self, outcomes: tuple[RecordedOutcome, ...]) -> None:
        """Remove outcomes that are durable now."""
        # By identity: two calls may have ended in the same way at the same time.
        known = {id(one) for one in outcomes}
        while self._waiting and id(self._waiting[0]) in known:  # some may have been dropped
            self._waiting.popleft()
        self.is_changed = self.is_changed or bool(outcomes)

    def results(self) -> dict[str, str]:
        """Return the results by decision id, as `outcomes_of` does for entries."""
        # A copy first: readers on threads must not meet a deque that grows.
        return {one.of: one.result.value for one in tuple(self._waiting)}

    def encode(self) -> bytes:
        """Serialise all of them, for `load`."""
        return msgspec.json.encode(list(self._waiting))

    def load(self, text: bytes) -> None:
        """Add the outcomes that a previous process had serialised.

        Raises:
            msgspec.DecodeError: the bytes are not from `encode`.
        """
        self._waiting.extend(msgspec.json.decode(text, type=list[RecordedOutcome]))


def load_outcomes(waiting: WaitingOutcomes, path: str) -> None:
    """Load outcomes that a daemon saved; a missing or damaged file is ignored."""
    try:
        with open(path, "rb") as source:
            waiting.load(source.read(FILE_LIMIT))
    except FileNotFoundError:
        return
    except (OSError, msgspec.DecodeError) as error:
        log.warning("outcomes of calls of the last daemon are not known: %s", error)


def result_of(content: Mapping[str, Json], known: Mapping[str, str]) -> str:
    """Return how an entry's call ended: `ran`, `failed`, `not seen`, or "" if denied.

    Args:
        known: results by decision id, from `outcomes_of`.
    """
    if content.get("verdict") not in ("allow", "ask"):
        return ""
    return known.get(str(content.get("id", "")), NOT_SEEN)


def outcomes_of(contents: Iterable[Mapping[str, Json]]) -> dict[str, str]:
    """Return the results that these entries report, by decision id."""
    found: dict[str, str] = {}
    for content in contents:
        told = content.get(FIELD)
        for one in told if isinstance(told, list) else ():
            if isinstance(one, dict):
                found[str(one.get("of", ""))] = str(one.get("result", ""))
    return found


def outcomes_field(outcomes: tuple[RecordedOutcome, ...]) -> list[Json]:
    """Return outcomes in the form an entry stores them."""
    return [{"at": one.at, "of": one.of, "result": one.result.value} for one in outcomes]
