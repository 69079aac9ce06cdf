"""Administrative acts on the audit log: who changed what of signoff itself, and how.

An act is an entry of the same hash chain as decisions, with `kind: admin` and no verdict. One that
a person does and that cannot be recorded is not done: it is written before it takes effect. What is
counted of decisions leaves acts out.

    await record_act(store, AdminAct(act="token.create", by="ada", said="ci, scope read"), origin)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from msgspec import Struct

from signoff.effects.record import FORMAT, SHORT
from signoff.effects.store import Origin, RecordDraft, Store
from signoff.ids import new_id

KIND = "admin"  # no kind of call has this name, so no call can pass for an act
TOOL = "signoff"


class AdminAct(Struct, frozen=True, kw_only=True):
    """An administrative act, for the audit log.

    Args:
        act: what was done, as `token.create`.
        by: the approver, or the part of signoff that did it.
        said: what exactly, in one line without secrets.
        channel: where it was done: `web`, `terminal`, `daemon`.
    """

    act: str
    by: str
    said: str
    channel: str = "daemon"


async def record_act(store: Store, act: AdminAct, origin: Origin) -> None:
    """Write an administrative act to the audit log.

    Raises:
        StoreError: it is not durable; then it must not be done.
    """
    await store.append(
        RecordDraft(
            content={
                "v": FORMAT,
                "id": new_id(),
                "ts": datetime.now(UTC).isoformat("T", "microseconds"),
                "host": origin.host,
                "boot_id": origin.boot_id,
                "version": origin.version,
                "kind": KIND,
                # Named as in decisions, so that every reader of the log shows acts as well.
                "tool": TOOL,
                "action_redacted": {"command": act.act[:SHORT]},
                "verdict": "",
                "decided_by": KIND,
                "approver": act.by[:SHORT],
                "channel": act.channel,
                "reason": act.said[:SHORT],
            }
        )
    )


def act_recorder(store: Store, origin: Origin) -> Callable[[AdminAct], Awaitable[None]]:
    """Return a function that writes administrative acts to this audit log."""
    return lambda act: record_act(store, act, origin)
