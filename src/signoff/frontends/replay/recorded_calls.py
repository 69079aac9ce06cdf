"""The calls of the audit log, session by session, as far as they can be judged again.

The log keeps calls without their secrets: `hmac:` and 16 hex digits stand in their place. A call
whose arguments were too large to be kept whole cannot be judged again.

    for call in recorded_calls(store.entries(), since=""):
        call.action.tool
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from signoff.actions.action import Action, ActionKind, Json
from signoff.challenge.answer import NOT_PEOPLE
from signoff.effects.admin_acts import KIND as ADMIN
from signoff.effects.decoys import DECOY
from signoff.effects.record import CUT
from signoff.effects.store import RecordEntry
from signoff.errors import TamperedRecord
from signoff.frontends.hosts.canary import is_canary

MASK = b"hmac:"


class RecordedCall(Struct, frozen=True, kw_only=True, gc=False):
    """One audit log entry, as far as a replay needs it.

    Args:
        leaning: the verdict before anybody was asked, "" if the call was not judged.
        verdict, decided_by, approver: how it ended, and by whom.
    """

    seq: int
    verdict: str
    tool: str
    ts: str = ""
    kind: str = ActionKind.TOOL.value
    environment: str = ""
    agent: str = ""
    session: str = ""
    source: str = ""
    cwd: str = ""
    decided_by: str = ""
    leaning: str = ""
    approver: str = ""
    action_redacted: Mapping[str, Any] = field(default_factory=dict)
    is_masked: bool = False

    @property
    def is_cut(self) -> bool:
        """Whether its arguments were not stored completely."""
        return CUT in self.action_redacted and self.action_redacted.keys() <= {CUT, "heads"}

    @property
    def person(self) -> str:
        """What a person decided: `allow`, `deny`, or "" if no person did."""
        is_person = self.decided_by not in NOT_PEOPLE and bool(self.approver)
        return self.verdict if is_person and self.verdict in ("allow", "deny") else ""

    @property
    def action(self) -> Action:
        """The call as stored, without agent and session, which do not affect a verdict."""
        return Action(
            tool=self.tool,
            arguments=self.action_redacted,
            kind=ActionKind(self.kind),
            environment=self.environment,
            cwd=self.cwd,
            source=self.source,
        )


_decode = msgspec.json.Decoder(RecordedCall).decode


def recorded_calls(entries: Iterable[RecordEntry]) -> Iterator[RecordedCall]:
    """Yield the calls in these entries; skips administrative acts, test calls and decoys.

    Raises:
        TamperedRecord: an entry is no decision.
    """
    for entry in entries:
        try:
            call = _decode(entry.body)
        except (msgspec.DecodeError, ValueError) as error:
            said = f"entry {entry.seq} is no decision: {error}"
            raise TamperedRecord(said, seq=entry.seq) from error
        # By its own field, as an argument of a call may have the same name and value.
        if call.kind == DECOY:
            continue
        arguments: Mapping[str, Json] = call.action_redacted
        if call.kind != ADMIN and not is_canary(call.session, arguments):
            yield msgspec.structs.replace(call, is_masked=True) if MASK in entry.body else call
