"""`signoff audit rubber-stamps`: approvals that came faster than the card can be read.

By person: how many approvals, how many of them too fast, how long half of them took at most.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from statistics import median

import click
from msgspec import Struct, structs

from signoff.actions.action import Json
from signoff.assess.level import Level
from signoff.build.approvals import plan_of
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.step import ProofKind
from signoff.challenge.visible import visible
from signoff.effects.store import RecordEntry
from signoff.frontends.cli.audit_log import read_all
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.settings import load_settings
from signoff.values import count_of


class RubberStamp(Struct, frozen=True, kw_only=True):
    """One approval by a person, with the least time it should have taken."""

    seq: int
    at: str
    tool: str
    approver: str
    took_s: float
    least_s: float

    @property
    def is_fast(self) -> bool:
        """Whether it came faster than the card can be read."""
        return self.took_s < self.least_s


@click.command("rubber-stamps")
@json_option
def command(*, is_json: bool) -> None:
    """List approvals that came faster than the card can be read."""
    with errors_as_messages():
        settings = load_settings()
        plan = plan_of(settings)
        stamps = [stamp for entry in read_all(settings) for stamp in stamps_of(entry, plan)]
    if is_json:
        echo_json([structs.asdict(stamp) for stamp in stamps if stamp.is_fast])
        return
    for stamp in stamps:
        if stamp.is_fast:
            echo_in_columns(
                f"{stamp.seq:>6} {stamp.at[:19]} {visible(stamp.approver)}"
                f" {stamp.took_s:.1f}s of {stamp.least_s:g}s {visible(stamp.tool)}"
            )
    by_person: dict[str, list[RubberStamp]] = defaultdict(list)
    for stamp in stamps:
        by_person[stamp.approver].append(stamp)
    for person, given in sorted(by_person.items()):
        fast = sum(stamp.is_fast for stamp in given)
        half = median(stamp.took_s for stamp in given)
        echo_in_columns(
            f"{visible(person)}: {count_of(len(given), 'approval')}, {fast} too fast,"
            f" half within {half:.0f} s"
        )
    if not stamps:
        say("nobody has approved anything yet")


def stamps_of(entry: RecordEntry, plan: ApprovalPlan) -> Iterator[RubberStamp]:
    """Yield the approvals in an audit log entry."""
    content = json.loads(entry.body)
    if not isinstance(content, dict) or content.get("verdict") != "allow":
        return
    level, parts = content.get("level"), content.get("answers")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and level in list(Level):
            yield RubberStamp(
                seq=entry.seq,
                at=str(content.get("ts", "")),
                tool=str(content.get("tool", "")),
                approver=str(part.get("approver", "")),
                took_s=_number(part.get("answered_in_ms")) / 1_000,
                least_s=_least_s(part, Level(level), plan),
            )


def _number(value: Json) -> float:
    """Return a number of an entry; what tells no time counts as an answer at once."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value)


def _least_s(part: Mapping[str, Json], level: Level, plan: ApprovalPlan) -> float:
    """Return how long an approval of this level with this proof takes at least."""
    proof = part.get("proof")
    kind = ProofKind(proof) if proof in list(ProofKind) else ProofKind.CONFIRM
    return plan.least_review_s(level, kind)
