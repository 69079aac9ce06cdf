"""The card in Slack: blocks in which nothing is parsed, the buttons, and the dialogs behind them.

The text of a card has passed `visible`; it is masked once more, and shown preformatted. What does
not fit cannot be approved here, only denied. There is one dialog for each proof, and one for the
answers richer than yes and no. What a dialog carries comes back with it: which request, its nonce,
and what an approval brings along. Nothing is chosen beforehand.

    blocks = draw(pending, mask=redactor.text)
    body = {"trigger_id": tap.trigger, "view": more_view(pending)}
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from signoff.actions.action import Json
from signoff.challenge.card import render_text, title_and_command
from signoff.challenge.channels.scopes import (
    ONCE,
    SESSION,
    reaches,
    session_line,
    session_scope,
    why_once,
)
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.challenge.visible import visible
from signoff.channels.passkey_page import LABEL, offers_page
from signoff.channels.threads.card_face import NOTE_LIMIT, STATE_WORDS, head_lines

CARD_LIMIT = 2_900
TEXT_LIMIT = 2_900  # a section of Slack holds 3,000 characters
APPROVE, FOR_SESSION, DENY, DETAILS, MORE, PAGE = (
    "signoff_approve",
    "signoff_session",
    "signoff_deny",
    "signoff_details",
    "signoff_more",
    "signoff_page",
)
OPEN_PAGE = "signoff_open_page"  # opened by Slack itself, which still tells of it
Mask = Callable[[str], str]

PROOF, WIDER = "signoff_proof", "signoff_wider"
DENIED = "deny"
WORDS_LIMIT = 2_000


def draw(
    pending: PendingRequest, *, mask: Mask, groups: tuple[str, ...] = (), has_page: bool = False
) -> list[Json]:
    """Return the Slack blocks of a request's card in its present state.

    Args:
        groups: the approvers who are asked now, () is everybody.
        has_page: requests have a page where a passkey is asked for.
    """
    shown = render_text(pending.card, CARD_LIMIT)
    blocks: list[Json] = [
        plain(mask("\n".join(head_lines(pending, groups)))),
        preformatted(mask(shown.text)),
    ]
    if pending.state.is_open:
        if covers := session_line(pending):
            blocks.append(plain(mask(covers)))
        # A person at a terminal types it there: an agent does not see this conversation (T-43).
        if pending.code:
            blocks.append(
                plain(f"confirmation code for `signoff approve` in a terminal: {pending.code}")
            )
        blocks.append(_buttons(pending, is_whole=shown.is_whole, has_page=has_page))
    return blocks


def is_whole(pending: PendingRequest) -> bool:
    """Return whether the whole call fits on a Slack card; otherwise it cannot be approved."""
    return render_text(pending.card, CARD_LIMIT).is_whole


def headline(pending: PendingRequest, *, mask: Mask) -> str:
    """Return the fallback text of a card, escaped for Slack."""
    state = STATE_WORDS[pending.state]
    said = f"signoff {state}: [{pending.level.value}] {title_and_command(pending.card)}"
    return escaped(mask(said)[:NOTE_LIMIT])


def escaped(text: str) -> str:
    """Return a text escaped so that Slack reads no link, mention or entity in it."""
    # The three characters Slack's manual names; `&` first, or the others' would be escaped twice.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link_blocks(text: str, label: str, link: str) -> list[Json]:
    """Return the blocks of a text with a button that opens a link."""
    opener: dict[str, Json] = {**button(label, OPEN_PAGE, "-"), "url": link}
    return [plain(text), {"type": "actions", "elements": [opener]}]


def _buttons(pending: PendingRequest, *, is_whole: bool, has_page: bool) -> Json:
    """Return the buttons; approving is offered where the card is shown whole."""
    buttons = [
        button("Approve", APPROVE, pending.nonce, style="primary"),
        button(SESSION.label, FOR_SESSION, pending.nonce),
        button("Deny", DENY, pending.nonce, style="danger"),
        button("Details", DETAILS, pending.nonce),
        button("More", MORE, pending.nonce),
    ]
    if offers_page(pending, has_page=has_page):
        buttons.append(button(LABEL, PAGE, pending.nonce))
    if not is_whole:
        return {"type": "actions", "elements": buttons[2:]}
    shown = buttons if session_line(pending) else [buttons[0], *buttons[2:]]
    return {"type": "actions", "elements": shown}


def button(label: str, action: str, nonce: str, *, style: str = "") -> dict[str, Json]:
    """Return a button block.

    Args:
        action: which button it is.
        nonce: the request's nonce, sent back with a press.
    """
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
    """Return a block of preformatted text."""
    inner: Json = {
        # Rich text is shown as it is; in `mrkdwn` a call could draw links, mentions and headings
        # (T-35).
        "type": "rich_text_preformatted",
        "elements": [{"type": "text", "text": text}],
    }
    return {"type": "rich_text", "elements": [inner]}


class DialogState(msgspec.Struct, frozen=True, kw_only=True):
    """The data that a Slack dialog sends back when it is submitted.

    Args:
        kind: the kind of proof it takes, "" for the other answers.
        count: number of questions in it.
        reach: what the approval covers, as `ScopeChoice.code`.
        words: the message to the agent.
    """

    request_id: str
    nonce: str
    kind: str = ""
    count: int = 0
    reach: str = ""
    words: str = ""


def proof_view(
    pending: PendingRequest, step: ProofStep, *, reach: str = "", words: str = ""
) -> Json:
    """Return the dialog that asks for a proof.

    Args:
        reach: what the approval will cover.
        words: the message to the agent that it will carry.
    """
    inputs: list[Json] = []
    if step.kind is ProofKind.QUIZ:
        for at, question in enumerate(step.questions):
            inputs.append(preformatted(_choices(question.text, question.choices)))
            letters = tuple((_letter(n), str(n)) for n in range(len(question.choices)))
            inputs.append(_input(f"q{at}", f"Question {at + 1}", _radio(letters)))
    elif step.kind is ProofKind.TEACH_BACK:
        said = "In 15 words or more: what does it do, and to what?"
        inputs.append(_input("text", said, _text(TEXT_LIMIT)))
    ticket = DialogState(
        request_id=pending.id,
        nonce=pending.nonce,
        kind=step.kind.value,
        count=len(step.questions),
        reach=reach,
        words=words,
    )
    return _view(PROOF, "Approve", ticket, inputs)


def more_view(pending: PendingRequest) -> Json:
    """Return the dialog with all answers beyond approve and deny."""
    # Where the call is not shown whole, denying is all that is offered (T-37).
    offered = [ONCE, *reaches(pending)] if is_whole(pending) else []
    choices = (*((one.label, one.code or "once") for one in offered), ("Deny", DENIED))
    blocks: list[Json] = []
    if like := session_scope(pending):
        blocks.append(preformatted(f"for this session covers:\n{like}"))
    elif once := why_once(pending):
        blocks.append(plain(f"approved once only: {once}"))
    blocks.append(_input("answer", "Your answer", _radio(choices)))
    words = _input("words", "Words to the agent", _text(WORDS_LIMIT))
    blocks.append({**words, "optional": True})
    return _view(WIDER, "Answer", DialogState(request_id=pending.id, nonce=pending.nonce), blocks)


def _view(callback: str, submit: str, ticket: DialogState, blocks: list[Json]) -> Json:
    return {
        "type": "modal",
        "callback_id": callback,
        "private_metadata": msgspec.json.encode(ticket).decode(),
        "title": {"type": "plain_text", "text": "signoff"},
        "submit": {"type": "plain_text", "text": submit},
        "close": {"type": "plain_text", "text": "Cancel"},
        "blocks": blocks,
    }


def _choices(text: str, choices: tuple[str, ...]) -> str:
    """Return a question with its choices under letters, each of them whole."""
    lines = [visible(text), *(f"{_letter(at)}) {visible(said)}" for at, said in enumerate(choices))]
    return "\n".join(lines)


def _radio(choices: tuple[tuple[str, str], ...]) -> Json:
    options: list[Json] = [
        {"text": {"type": "plain_text", "text": label}, "value": value} for label, value in choices
    ]
    return {"type": "radio_buttons", "action_id": "answer", "options": options}


def _text(limit: int) -> Json:
    return {
        "type": "plain_text_input",
        "action_id": "answer",
        "multiline": True,
        "max_length": limit,
    }


def _letter(at: int) -> str:
    return chr(ord("A") + at)


def _input(block: str, label: str, element: Json) -> dict[str, Json]:
    return {
        "type": "input",
        "block_id": block,
        "label": {"type": "plain_text", "text": label},
        "element": element,
    }
