"""The card in Slack: blocks in which nothing is parsed, and the buttons; dialogs are in `views`.

The text of a card has passed `visible`; it is masked once more, and shown preformatted. What does
not fit cannot be approved here, only denied.

    blocks = draw(pending, mask=redactor.text)
"""

from __future__ import annotations

from collections.abc import Callable

from signoff.actions.action import Json
from signoff.challenge.card import render_text, title_and_command
from signoff.challenge.channels.scopes import SESSION, session_line
from signoff.challenge.pending import PendingRequest
from signoff.channels.threads.card_face import NOTE_LIMIT, STATE_WORDS, head_lines

CARD_LIMIT = 2_900
TEXT_LIMIT = 2_900
APPROVE, FOR_SESSION, DENY, DETAILS, MORE = (
    "signoff_approve",
    "signoff_session",
    "signoff_deny",
    "signoff_details",
    "signoff_more",
)
Mask = Callable[[str], str]


def draw(pending: PendingRequest, *, mask: Mask, groups: tuple[str, ...] = ()) -> list[Json]:
    """Return the blocks of a request as it stands.

    Args:
        groups: the approvers who are asked now, () is everybody.
    """
    shown = render_text(pending.card, CARD_LIMIT)
    blocks: list[Json] = [
        plain(mask("\n".join(head_lines(pending, groups)))),
        preformatted(mask(shown.text)),
    ]
    if pending.state.is_open:
        if covers := session_line(pending):
            blocks.append(plain(mask(covers)))
        if pending.code:
            blocks.append(plain(f"code for `signoff approve` in a terminal: {pending.code}"))
        blocks.append(_buttons(pending, is_whole=shown.is_whole))
    return blocks


def is_whole(pending: PendingRequest) -> bool:
    """Tell whether the whole call fits on a Slack card; else it cannot be approved here."""
    return render_text(pending.card, CARD_LIMIT).is_whole


def headline(pending: PendingRequest, *, mask: Mask) -> str:
    """Return the line shown where blocks are not, with nothing in it that Slack would read."""
    state = STATE_WORDS[pending.state]
    said = f"signoff {state}: [{pending.level.value}] {title_and_command(pending.card)}"
    return escaped(mask(said)[:NOTE_LIMIT])


def escaped(text: str) -> str:
    """Return a text in which Slack finds no link, mention or entity."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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
