"""Dialogs in Slack: one for each proof, and one for the answers richer than yes and no.

What a dialog carries comes back with it: which request, its nonce, and what an approval brings
along. Nothing is chosen beforehand.

    body = {"trigger_id": tap.trigger, "view": more_view(pending)}
"""

from __future__ import annotations

import msgspec

from signoff.actions.action import Json
from signoff.challenge.channels.scopes import ONCE, reaches, session_scope, why_once
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.challenge.visible import visible
from signoff.channels.slack.cards import TEXT_LIMIT, is_whole, plain, preformatted

PROOF, WIDER = "signoff_proof", "signoff_wider"
DENIED = "deny"
WORDS_LIMIT = 2_000


class DialogState(msgspec.Struct, frozen=True, kw_only=True):
    """What a dialog carries.

    Args:
        kind: of the proof it takes, "" for the richer answers.
        count: of the questions in it.
        reach: how far the approval reaches, as its code.
        words: for the agent.
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
    """Return the dialog that takes a proof; what the approval brings along waits in it."""
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
    """Return the dialog of the answers richer than yes and no."""
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
