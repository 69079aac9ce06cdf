"""What is above a card, and what tells a card drawn now from one drawn before."""

from __future__ import annotations

from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.terms.step import ProofKind
from signoff.challenge.visible import visible
from signoff.channels.threads.message_store import FINAL

NOTE_LIMIT = 1_000
# A comma can stand in the name of a group; a unit separator is not typed by anybody.
GROUPS_MARK, BETWEEN = " @", "\x1f"

STATE_WORDS = {
    RequestState.PENDING: "asks",
    RequestState.APPROVED: "approved",
    RequestState.EXECUTING: "approved, in use",
    RequestState.DONE: "approved, done",
    RequestState.FAILED: "approved, failed",
    RequestState.UNCERTAIN: "approved; whether it ran is not known",
    RequestState.DENIED: "denied",
    RequestState.EXPIRED: "expired: refused, as nobody answered in time",
    RequestState.WITHDRAWN: "withdrawn",
}
PROOF_WORDS = {
    ProofKind.CONFIRM: "a yes",
    ProofKind.QUIZ: "a quiz",
    ProofKind.TEACH_BACK: "an explanation in your own words",
}


def render_fingerprint(pending: PendingRequest, groups: tuple[str, ...]) -> str:
    """Return a text that changes whenever the drawn card would change."""
    # First, so that the store finds the cards that still take answers by one character.
    final = "" if pending.state.is_open else FINAL
    shown = f"{pending.state.value} {len(pending.answers)}"
    return f"{final}{shown}{GROUPS_MARK}{BETWEEN.join(groups)}"


def groups_on(face: str) -> tuple[str, ...]:
    """Return the groups that a card with this fingerprint shows as asked."""
    said = face.partition(GROUPS_MARK)[2]
    return tuple(said.split(BETWEEN)) if said else ()


def head_lines(pending: PendingRequest, groups: tuple[str, ...]) -> list[str]:
    """Return the lines above a card: its state, who answered, and what is needed now."""
    title = pending.card.headline
    lines = [f"signoff {STATE_WORDS[pending.state]} · {pending.level.value} · {title}"]
    for given in pending.answers:
        lines.append(f"{given.verdict}: {visible(given.approver)} on {given.channel}")
    if pending.state.is_open:
        left = pending.steps[len(pending.answers) :]
        wanted = ", then ".join(PROOF_WORDS[step.kind] for step in left) or "a yes"
        people = f" from {len(left)} different people" if len(left) > 1 else ""
        lines.append(f"to approve: {wanted}{people}")
        # Not shown where everybody is asked: there is no group to name.
        if groups:
            lines.append(f"asked now: {visible(', '.join(groups))[:NOTE_LIMIT]}")
        lines.append(f"until {pending.expires_at:%H:%M:%S} UTC")
    elif pending.words:
        lines.append(f"said: {visible(pending.words)[:NOTE_LIMIT]}")
    return lines
