"""Decoys in the audit log: entries of a kind of their own, which no count of calls takes in.

`decided_by` and `kind` are `decoy`; the field `decoy` says who answered what, and how soon. The
entry names no session and no approver at its top, so nothing takes it for a call or an answer.

    content = decoy_content(told, answer, origin=origin, at=now)
    content["kind"] == DECOY
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from signoff.actions.canonical import Json, RawJsonTree
from signoff.challenge.decoys.register import DecoyAnswer
from signoff.challenge.pending import PendingRequest
from signoff.effects.record import FORMAT, SHORT
from signoff.effects.store import Origin
from signoff.ids import new_id

DECOY = "decoy"
REFUSED, APPROVED, UNANSWERED = "denied", "approved", "unanswered"


class RecordedDecoy(Struct, frozen=True, gc=False):
    """A decoy as an audit log entry describes it.

    Args:
        approver: "" where nobody answered, or where nothing proves who did.
    """

    answer: str = ""
    approver: str = ""
    channel: str = ""
    answered_in_ms: float = 0
    was_fast: bool = False


def decoy_content(
    pending: PendingRequest, answer: DecoyAnswer | None, *, origin: Origin, at: datetime
) -> dict[str, RawJsonTree]:
    """Build the content of the audit log entry about a decoy.

    Args:
        answer: None = nobody answered.
    """
    said = UNANSWERED
    if answer is not None:
        said = REFUSED if answer.verdict.value == "deny" else APPROVED
    told: dict[str, Json] = {"answer": said}
    if answer is not None:
        told |= {
            "approver": answer.approver[:SHORT],
            "channel": answer.channel[:SHORT],
            "answered_in_ms": round(answer.took_s * 1000),
            "was_fast": answer.was_fast,
        }
    return {
        "v": FORMAT,
        "id": new_id(),
        "ts": at.isoformat("T", "microseconds"),
        "host": origin.host,
        "boot_id": origin.boot_id,
        "version": origin.version,
        "kind": DECOY,
        "source": pending.context.host[:SHORT],
        "tool": pending.context.tool[:SHORT],
        "verdict": "deny",
        "decided_by": DECOY,
        "reason": f"test request of signoff, which nothing could run: {said}",
        "level": pending.level.value,
        "challenge": pending.challenge.value,
        "latency_ms": 0,
        "approval_id": pending.id,
        "action_redacted": {"command": pending.card.command[:SHORT]},
        DECOY: told,
    }
