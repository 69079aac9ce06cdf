"""What Slack sends, read at the door: taps on buttons and answers of dialogs, nothing else.

read_payload("interactive", payload)  ->  Tap | Submission | None
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from signoff.actions.action import Json
from signoff.challenge.channels.slack.cards import PROOF
from signoff.challenge.terms.step import NO_PROOF, Proof, ProofKind

TEXT_LIMIT = 3_000
QUESTIONS_LIMIT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """Somebody pressed a button of a card.

    Args:
        trigger: opens a dialog, for three seconds.
    """

    user: str
    conversation: str
    message: str
    action: str
    nonce: str
    trigger: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """Somebody handed in a dialog."""

    user: str
    request_id: str
    nonce: str
    proof: Proof
    first_block: str

    def refusal(self, words: str) -> Mapping[str, Json]:
        """Return what shows these words in the dialog, which stays open."""
        return {"response_action": "errors", "errors": {self.first_block: words}}


Said: TypeAlias = "Tap | Submission | None"


def read_payload(kind: str, payload: Mapping[str, Json]) -> Said:
    """Return what somebody said, None if it is nothing we asked for."""
    if kind != "interactive":
        return None
    try:
        match payload.get("type"):
            case "block_actions":
                return _tap(msgspec.convert(payload, _Actions))
            case "view_submission":
                return _submission(msgspec.convert(payload, _Submitted))
            case _:
                return None
    except msgspec.ValidationError:
        return None


class _Id(msgspec.Struct):
    id: str


class _Place(msgspec.Struct):
    message_ts: str


class _Pressed(msgspec.Struct):
    action_id: str
    value: str


class _Actions(msgspec.Struct):
    user: _Id
    channel: _Id
    container: _Place
    actions: list[_Pressed]
    trigger_id: str


class _Option(msgspec.Struct):
    value: str


class _Field(msgspec.Struct):
    value: str | None = None
    selected_option: _Option | None = None


class _State(msgspec.Struct):
    values: dict[str, dict[str, _Field]]


class _View(msgspec.Struct):
    callback_id: str
    private_metadata: str
    state: _State


class _Submitted(msgspec.Struct):
    user: _Id
    view: _View


def _tap(said: _Actions) -> Tap | None:
    if len(said.actions) != 1:
        return None
    return Tap(
        user=said.user.id,
        conversation=said.channel.id,
        message=said.container.message_ts,
        action=said.actions[0].action_id,
        nonce=said.actions[0].value,
        trigger=said.trigger_id,
    )


def _submission(said: _Submitted) -> Submission | None:
    words = said.view.private_metadata.split(" ")
    if said.view.callback_id != PROOF or len(words) != 4 or not words[3].isdigit():
        return None
    request_id, nonce, kind, count = words
    fields = {
        block: found.get("answer", _Field()) for block, found in said.view.state.values.items()
    }
    proof, first = NO_PROOF, "q0"
    if kind == ProofKind.TEACH_BACK:
        first = "text"
        proof = Proof(text=(fields.get("text", _Field()).value or "")[:TEXT_LIMIT])
    elif kind == ProofKind.QUIZ:
        asked = range(min(int(count), QUESTIONS_LIMIT))
        proof = Proof(choices=tuple(_choice(fields.get(f"q{at}")) for at in asked))
    return Submission(
        user=said.user.id, request_id=request_id, nonce=nonce, proof=proof, first_block=first
    )


def _choice(field: _Field | None) -> int:
    """Return the chosen index, -1 for none."""
    option = field.selected_option if field is not None else None
    value = option.value if option is not None else ""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 3 else -1
