"""The card in Slack: blocks in which nothing is parsed, and the buttons; dialogs are in `views`.

The text of a card has passed `visible`; it is masked once more, and shown preformatted. What does
not fit cannot be approved here, only denied.

    blocks = draw(pending, mask=redactor.text)
"""

from __future__ import annotations

from collections.abc import Callable

from signoff.actions.action import Json
from signoff.challenge.card_text import render_text
from signoff.challenge.channels.scopes import SESSION, session_line
from signoff.challenge.channels.slack.message_store import FINAL
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.terms.step import ProofKind
from signoff.challenge.visible import visible

CARD_LIMIT = 2_900
NOTE_LIMIT = 1_000
TEXT_LIMIT = 2_900
APPROVE, FOR_SESSION, DENY, DETAILS, MORE = (
    "signoff_approve",
    "signoff_session",
    "signoff_deny",
    "signoff_details",
    "signoff_more",
)
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

Mask = Callable[[str], str]


def draw(pending: PendingRequest, *, mask: Mask, groups: tuple[str, ...] = ()) -> list[Json]:
    """Return the blocks of a request as it stands.

    Args:
        groups: the approvers who are asked now, () is everybody.
    """
    shown = render_text(pending.card, CARD_LIMIT)
    blocks: list[Json] = [plain(_head(pending, groups)), preformatted(mask(shown.text))]
    if pending.state.is_open:
        if covers := session_line(pending):
            blocks.append(plain(mask(covers)))
        if pending.code:
            blocks.append(plain(f"code for `signoff approve` in a terminal: {pending.code}"))
        blocks.append(_buttons(pending, is_whole=shown.is_whole))
    return blocks


def is_whole(pending: PendingRequest) -> bool:
    """Tell whether the card of a request has room here, so that it can be approved."""
    return render_text(pending.card, CARD_LIMIT).is_whole


def render_fingerprint(pending: PendingRequest, groups: tuple[str, ...]) -> str:
    """Return what tells a card as it is drawn now from one drawn before."""
    final = "" if pending.state.is_open else FINAL
    shown = f"{pending.state.value} {len(pending.answers)}"
    return f"{final}{shown}{GROUPS_MARK}{BETWEEN.join(groups)}"


def groups_on(face: str) -> tuple[str, ...]:
    """Return the groups a card that shows this says are asked."""
    said = face.partition(GROUPS_MARK)[2]
    return tuple(said.split(BETWEEN)) if said else ()


def headline(pending: PendingRequest, *, mask: Mask) -> str:
    """Return the line shown where blocks are not, with nothing in it that Slack would read."""
    said = f"signoff {STATE_WORDS[pending.state]}: [{pending.level.value}] {pending.card.headline}"
    return escaped(mask(said)[:NOTE_LIMIT])


def escaped(text: str) -> str:
    """Return a text in which Slack finds no link, no mention and no entity."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _head(pending: PendingRequest, groups: tuple[str, ...]) -> str:
    """Return what stands above the card."""
    lines = [f"signoff {STATE_WORDS[pending.state]} · {pending.level.value}"]
    for given in pending.answers:
        lines.append(f"{given.verdict}: {visible(given.approver)} on {given.channel}")
    if pending.state.is_open:
        left = pending.steps[len(pending.answers) :]
        wanted = ", then ".join(PROOF_WORDS[step.kind] for step in left) or "a yes"
        people = f" from {len(left)} different people" if len(left) > 1 else ""
        lines.append(f"to approve: {wanted}{people}")
        if groups:
            lines.append(f"asked now: {visible(', '.join(groups))[:NOTE_LIMIT]}")
        lines.append(f"until {pending.expires_at:%H:%M:%S} UTC")
    elif pending.words:
        lines.append(f"said: {visible(pending.words)[:NOTE_LIMIT]}")
    return "\n".join(lines)


def _buttons(pending: PendingRequest, *, is_whole: bool) -> Json:
    """Return the buttons; approving is offered where the card is shown whole."""
    buttons = [
        button("Approve", APPROVE, pending.nonce, style="primary"),
        button(SESSION.label, FOR_SESSION, pending.nonce),
        button("Deny", DENY, pending.nonce, style="danger"),
        button("Details", DETAILS, pending.nonce),
        button("More", MORE, pending.nonce),
    ]
    if not is_whole:
        return {"type": "actions", "elements": buttons[2:]}
    shown = buttons if session_line(pending) else [buttons[0], *buttons[2:]]
    return {"type": "actions", "elements": shown}


def button(label: str, action: str, nonce: str, *, style: str = "") -> Json:
    """Return a button that brings back which one it is, and a nonce."""
    said: dict[str, Json] = {
        "type": "button",
        "text": {"type": "plain_text", "text": label},
        "action_id": action,
        "value": nonce,
    }
    return {**said, "style": style} if style else said


def plain(text: str) -> Json:
    """Return a block of plain text."""
    said: Json = {"type": "plain_text", "text": text[:TEXT_LIMIT], "emoji": False}
    return {"type": "section", "text": said}


def preformatted(text: str) -> Json:
    """Return a block in which text stands as it is."""
    inner: Json = {
        "type": "rich_text_preformatted",
        "elements": [{"type": "text", "text": text}],
    }
    return {"type": "rich_text", "elements": [inner]}
