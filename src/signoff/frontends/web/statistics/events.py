"""One entry of the record as the statistics read it: the few fields they count.

read_event(entry).verdict
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from math import isnan, nan

import msgspec

from signoff.challenge.answer import (
    BY_DUPLICATE_PROMPT,
    BY_GRANT,
    BY_HOST,
    BY_MODEL,
    BY_NAP,
    BY_TIMEOUT,
)
from signoff.effects.decoys import DECOY, RecordedDecoy
from signoff.effects.learning.learned_rule import PREFIX
from signoff.effects.store import RecordEntry
from signoff.errors import TamperedRecord
from signoff.frontends.hosts.canary import is_canary, is_test_session

# Who decides without a person: a rule or a score, a model, a grant that was given before.
EARLIER = frozenset({BY_GRANT, BY_NAP, BY_DUPLICATE_PROMPT})
ALONE = frozenset({"rule", "score", BY_MODEL, "lock", "error", "shadow", "", *EARLIER})
# What settled a call that asks or would ask without it, as a chart names it.
EXPIRED = "expired"  # a question that nobody answered
EARLIER_APPROVAL = "earlier approval"
SETTLED = ("learned rule", "person", "nobody", EARLIER_APPROVAL, "model")


class EventFinding(msgspec.Struct, frozen=True, gc=False):
    """A finding in an entry."""

    category: str = ""
    severity: str = ""


class EventOutcome(msgspec.Struct, frozen=True, gc=False):
    """How an earlier call ended: `result`, for the decision with the id `of`."""

    of: str = ""
    result: str = ""


class EventTry(msgspec.Struct, frozen=True, gc=False):
    """Rejected answers of one person."""

    approver: str = ""
    kind: str = ""
    count: int = 0


class EventPart(msgspec.Struct, frozen=True, gc=False):
    """One approver's contribution to an answer."""

    approver: str = ""
    was_fast: bool = False


class RecordEvent(msgspec.Struct, frozen=True, gc=False):
    """One audit log entry; fields that an older entry lacks are empty.

    Args:
        risk: 0..1; not a number where the call was denied without a judgement, as by a lock.
    """

    seq: int
    kind: str = ""
    id: str = ""
    ts: str = ""
    verdict: str = ""
    leaning: str = ""
    level: str = ""
    decided_by: str = ""
    reason: str = ""
    source: str = ""
    session: str = ""
    tool: str = ""
    approver: str = ""
    channel: str = ""
    approval_id: str = ""
    words: str = ""
    model: str = ""
    rule: str = ""
    answered_in_ms: float = 0
    latency_ms: float = 0
    risk: float = nan
    findings: tuple[EventFinding, ...] = ()
    outcomes: tuple[EventOutcome, ...] = ()
    answers: tuple[EventPart, ...] = ()
    tries: tuple[EventTry, ...] = ()
    decoy: RecordedDecoy = RecordedDecoy()
    action_redacted: msgspec.Raw = msgspec.Raw(b"{}")

    @property
    def is_decoy(self) -> bool:
        """Whether it is about a test request, not a call."""
        return self.kind == DECOY

    @property
    def day(self) -> date | None:
        """The day it was decided on (UTC), None if the entry says none."""
        try:
            return date.fromisoformat(self.ts[:10])
        except ValueError:
            return None

    @property
    def at_s(self) -> float:
        """When it was decided, seconds since the epoch; 0 if the entry does not say."""
        try:
            return datetime.fromisoformat(self.ts).replace(tzinfo=UTC).timestamp()
        except ValueError:
            return 0.0

    @property
    def call(self) -> str:
        """The call as one text."""
        try:
            arguments = msgspec.json.decode(self.action_redacted)
        except msgspec.DecodeError:
            return ""
        line = arguments.get("command") if isinstance(arguments, Mapping) else None
        return line if isinstance(line, str) else bytes(self.action_redacted).decode()

    @property
    def preliminary(self) -> str:
        """The verdict before anybody was asked: `allow`, `ask` or `deny`."""
        return self.leaning or self.verdict

    @property
    def is_judged(self) -> bool:
        """Whether it has a risk: a lock and an error deny without one."""
        return not isnan(self.risk)

    @property
    def is_asked(self) -> bool:
        """Whether a person or the host's prompt was asked."""
        return self.preliminary == "ask" and self.decided_by not in ALONE

    @property
    def is_answered(self) -> bool:
        """Whether a person answered it."""
        return self.is_asked and bool(self.approver) and self.decided_by != BY_TIMEOUT

    @property
    def outcome(self) -> str:
        """Result of a question: `approved`, `denied`, `expired`, or `handed on` to the host."""
        if self.decided_by == BY_TIMEOUT:
            return EXPIRED
        if self.verdict == "ask" or (self.decided_by == BY_HOST and not self.approver):
            return "handed on"
        return "approved" if self.verdict == "allow" else "denied"

    @property
    def answered_by(self) -> str:
        """Who answered it and how quickly; what decided it where no person was asked."""
        if not self.approver or self.decided_by in ALONE or self.decided_by == BY_TIMEOUT:
            return decider_words(self.decided_by, self.words)
        took_s = self.answered_in_ms / 1000
        return f"{self.approver} on {self.channel}, after {took_s:.1f} s"

    @property
    def settled_by(self) -> str:
        """Who or what answered a question, one of `SETTLED`; "" if there was none."""
        learned, person, nobody, earlier, model = SETTLED
        if self.rule.startswith(PREFIX) and self.verdict == "allow":
            return learned
        if self.preliminary != "ask":
            return ""
        if self.decided_by in EARLIER:
            return earlier
        if self.decided_by == BY_MODEL:
            return model
        return person if self.is_answered else nobody

    @property
    def is_canary(self) -> bool:
        """Whether it is a test call of `signoff doctor` or `signoff init`."""
        # The session first: only few calls need to be decoded.
        return is_test_session(self.session) and is_canary(self.session, {"command": self.call})


_decode = msgspec.json.Decoder(RecordEvent).decode


def decider_words(decided_by: str, words: str) -> str:
    """Return what decided a call, as pages show it: an earlier approval is named by its id.

    Args:
        words: of the answer; those of a grant begin with its id.
    """
    if decided_by not in (BY_GRANT, BY_DUPLICATE_PROMPT):
        return decided_by
    id = words.partition(":")[0] if decided_by == BY_GRANT else ""
    return f"{EARLIER_APPROVAL} {id}".rstrip()


def read_event(entry: RecordEntry) -> RecordEvent:
    """Return the fields of an audit log entry that the statistics count.

    Raises:
        TamperedRecord: its bytes are no decision.
    """
    try:
        return _decode(entry.body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise TamperedRecord(f"entry {entry.seq} is no decision: {error}", seq=entry.seq) from error
