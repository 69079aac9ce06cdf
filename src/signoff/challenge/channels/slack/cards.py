"""The card in Slack: blocks in which nothing is parsed, and the buttons.

The text of a card has passed `visible`; it is masked once more, and shown preformatted. What does
not fit cannot be approved here, only denied.

    blocks = draw(pending, mask=redactor.text)
"""

from __future__ import annotations

from collections.abc import Callable

from signoff.actions.action import Json
from signoff.challenge.card_text import render_text
from signoff.challenge.pending import PendingRequest, State
from signoff.challenge.terms.step import ProofKind, Step
from signoff.challenge.visible import visible

CARD_LIMIT = 2_900
NOTE_LIMIT = 1_000
TEXT_LIMIT = 2_900
APPROVE, DENY, DETAILS, PROOF = (
    "signoff_approve",
    "signoff_deny",
    "signoff_details",
    "signoff_proof",
)

STATE_WORDS = {
    State.PENDING: "asks",
    State.APPROVED: "approved",
    State.EXECUTING: "approved, in use",
    State.DONE: "approved, done",
    State.FAILED: "approved, failed",
    State.UNCERTAIN: "approved; whether it ran is not known",
    State.DENIED: "denied",
    State.EXPIRED: "expired: refused, as nobody answered in time",
    State.WITHDRAWN: "withdrawn",
}
PROOF_WORDS = {
    ProofKind.CONFIRM: "a yes",
    ProofKind.QUIZ: "a quiz",
    ProofKind.TEACH_BACK: "an explanation in your own words",
}

Mask = Callable[[str], str]


def draw(pending: PendingRequest, *, mask: Mask) -> list[Json]:
    """Return the blocks of a request as it stands."""
    shown = render_text(pending.card, CARD_LIMIT)
    blocks: list[Json] = [_plain(_head(pending)), _preformatted(mask(shown.text))]
    if pending.state.is_open:
        if pending.code:
            blocks.append(_plain(f"to approve it on the terminal, type there: {pending.code}"))
        blocks.append(_buttons(pending, is_whole=shown.is_whole))
    return blocks


def headline(pending: PendingRequest, *, mask: Mask) -> str:
    """Return the line shown where blocks are not, with nothing in it that Slack would read."""
    said = f"signoff {STATE_WORDS[pending.state]}: [{pending.level.value}] {pending.card.headline}"
    return escaped(mask(said)[:NOTE_LIMIT])


def escaped(text: str) -> str:
    """Return a text in which Slack finds no link, no mention and no entity."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def proof_view(pending: PendingRequest, step: Step) -> Json:
    """Return the dialog that takes a proof; its answer comes back with the request's nonce."""
    inputs: list[Json] = []
    if step.kind is ProofKind.QUIZ:
        for at, question in enumerate(step.questions):
            lettered = list(enumerate(question.choices))
            inputs.append(_preformatted(_choices(question.text, question.choices)))
            inputs.append(_input(f"q{at}", f"Question {at + 1}", _radio(len(lettered))))
    elif step.kind is ProofKind.TEACH_BACK:
        field: Json = {
            "type": "plain_text_input",
            "action_id": "answer",
            "multiline": True,
            "max_length": TEXT_LIMIT,
        }
        inputs.append(_input("text", "In 15 words or more: what does it do, and to what?", field))
    return {
        "type": "modal",
        "callback_id": PROOF,
        "private_metadata": f"{pending.id} {pending.nonce} {step.kind.value} {len(step.questions)}",
        "title": {"type": "plain_text", "text": "signoff"},
        "submit": {"type": "plain_text", "text": "Approve"},
        "close": {"type": "plain_text", "text": "Cancel"},
        "blocks": inputs,
    }


def _head(pending: PendingRequest) -> str:
    """Return what stands above the card."""
    lines = [f"signoff {STATE_WORDS[pending.state]} · {pending.level.value}"]
    for given in pending.answers:
        lines.append(f"{given.verdict}: {visible(given.approver)} on {given.channel}")
    if pending.state.is_open:
        left = pending.steps[len(pending.answers) :]
        wanted = ", then ".join(PROOF_WORDS[step.kind] for step in left) or "a yes"
        people = f" from {len(left)} different people" if len(left) > 1 else ""
        lines.append(f"to approve: {wanted}{people}")
        lines.append(f"until {pending.expires_at:%H:%M:%S} UTC")
    elif pending.words:
        lines.append(f"said: {visible(pending.words)[:NOTE_LIMIT]}")
    return "\n".join(lines)


def _buttons(pending: PendingRequest, *, is_whole: bool) -> Json:
    """Return the buttons; approving is offered where the card is shown whole."""
    buttons = [
        _button("Approve", APPROVE, pending.nonce, style="primary"),
        _button("Deny", DENY, pending.nonce, style="danger"),
        _button("Details", DETAILS, pending.nonce),
    ]
    return {"type": "actions", "elements": buttons if is_whole else buttons[1:]}


def _button(label: str, action: str, nonce: str, *, style: str = "") -> Json:
    button: dict[str, Json] = {
        "type": "button",
        "text": {"type": "plain_text", "text": label},
        "action_id": action,
        "value": nonce,
    }
    return {**button, "style": style} if style else button


def _plain(text: str) -> Json:
    said: Json = {"type": "plain_text", "text": text[:TEXT_LIMIT], "emoji": False}
    return {"type": "section", "text": said}


def _preformatted(text: str) -> Json:
    inner: Json = {
        "type": "rich_text_preformatted",
        "elements": [{"type": "text", "text": text}],
    }
    return {"type": "rich_text", "elements": [inner]}


def _choices(text: str, choices: tuple[str, ...]) -> str:
    """Return a question with its choices under letters, each of them whole."""
    lines = [visible(text), *(f"{_letter(at)}) {visible(said)}" for at, said in enumerate(choices))]
    return "\n".join(lines)


def _radio(count: int) -> Json:
    options: list[Json] = [
        {"text": {"type": "plain_text", "text": _letter(at)}, "value": str(at)}
        for at in range(count)
    ]
    return {"type": "radio_buttons", "action_id": "answer", "options": options}


def _letter(at: int) -> str:
    return chr(ord("A") + at)


def _input(block: str, label: str, element: Json) -> Json:
    return {
        "type": "input",
        "block_id": block,
        "label": {"type": "plain_text", "text": label},
        "element": element,
    }
