"""What Slack sends, checked as it arrives: taps, dialogs, messages in threads, nothing else.

A message counts as somebody's own word only if a person wrote it by hand: what an app has sent,
in its own name or in a person's, what was changed afterwards and what Slack says itself is left
out.

    read_payload("interactive", payload)  ->  Tap | Submission | Choice | None
    read_payload("events_api", payload)   ->  Message | None
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.terms.step import NO_PROOF, Proof, ProofKind
from signoff.channels.slack.cards import DENIED, PROOF, WIDER, WORDS_LIMIT, DialogState

TEXT_LIMIT = 3_000  # as Slack's text objects have it
QUESTIONS_LIMIT = 10
METADATA_LIMIT = 3_000  # as Slack has it for `private_metadata`
MESSAGE_LIMIT = 4_000
# A message that bears one of these was not written by hand, or not left as it was.
NOT_THEIRS = ("bot_id", "bot_profile", "app_id", "edited", "hidden")


class SlackTap(Struct, frozen=True, kw_only=True):
    """A user pressed a button of a card.

    Args:
        trigger: opens a dialog, for three seconds.
    """

    user: str
    conversation: str
    message: str
    action: str
    nonce: str
    trigger: str


class Submission(Struct, frozen=True, kw_only=True):
    """A user submitted a dialog."""

    user: str
    ticket: DialogState
    proof: Proof
    first_block: str

    def refusal(self, words: str) -> Mapping[str, Json]:
        """Return the response that shows these words in the dialog and keeps it open."""
        return {"response_action": "errors", "errors": {self.first_block: words}}


class MenuChoice(Struct, frozen=True, kw_only=True):
    """A user chose an answer in the "more" dialog.

    Args:
        reach: how far an approval reaches, as its code; None for a refusal.
    """

    user: str
    ticket: DialogState
    reach: str | None
    words: str

    def refusal(self, words: str) -> Mapping[str, Json]:
        """Return the response that shows these words in the dialog and keeps it open."""
        return {"response_action": "errors", "errors": {"answer": words}}


class ThreadMessage(Struct, frozen=True, kw_only=True):
    """A user wrote in a thread.

    Args:
        message: its own time stamp; thread: that of the message it answers.
        text: as it was typed.
    """

    user: str
    conversation: str
    message: str
    thread: str
    text: str


Said: TypeAlias = "SlackTap | Submission | MenuChoice | ThreadMessage | None"


def read_payload(kind: str, payload: Mapping[str, Json]) -> Said:
    """Parse an envelope into what a user did, None if it is nothing we asked for."""
    try:
        match kind, payload.get("type"):
            case "interactive", "block_actions":
                return _tap(msgspec.convert(payload, _Actions))
            case "interactive", "view_submission":
                return _submitted(msgspec.convert(payload, _Submitted))
            case "events_api", _:
                return _message(payload.get("event"))
            case _:
                return None
    except (msgspec.ValidationError, ValueError):  # lone surrogates in a name are the latter
        return None


class _Id(msgspec.Struct):
    id: str


class _ContainerJson(msgspec.Struct):
    message_ts: str


class _ActionJson(msgspec.Struct):
    action_id: str
    value: str


class _Actions(msgspec.Struct):
    user: _Id
    channel: _Id
    container: _ContainerJson
    actions: list[_ActionJson]
    trigger_id: str


class _EventJson(msgspec.Struct):
    type: str
    channel: str
    user: str
    text: str
    ts: str
    thread_ts: str
    subtype: str = ""


class _OptionJson(msgspec.Struct):
    value: str


class _FieldJson(msgspec.Struct):
    value: str | None = None
    selected_option: _OptionJson | None = None


class _StateJson(msgspec.Struct):
    values: dict[str, dict[str, _FieldJson]]


class _ViewJson(msgspec.Struct):
    callback_id: str
    private_metadata: str
    state: _StateJson


class _Submitted(msgspec.Struct):
    user: _Id
    view: _ViewJson


def _tap(said: _Actions) -> SlackTap | None:
    # A press of a button is one action; of several nobody can say which one was meant.
    if len(said.actions) != 1:
        return None
    return SlackTap(
        user=said.user.id,
        conversation=said.channel.id,
        message=said.container.message_ts,
        action=said.actions[0].action_id,
        nonce=said.actions[0].value,
        trigger=said.trigger_id,
    )


def _submitted(said: _Submitted) -> Submission | MenuChoice | None:
    """Read the answer of a dialog.

    Raises:
        msgspec.ValidationError: it carries what is none of our tickets.
    """
    view = said.view
    if view.callback_id not in (PROOF, WIDER) or len(view.private_metadata) > METADATA_LIMIT:
        return None
    try:
        ticket = msgspec.json.decode(view.private_metadata, type=DialogState)
    except (msgspec.DecodeError, RecursionError):
        return None
    return _proof(said, ticket) if view.callback_id == PROOF else _chosen(said, ticket)


def _chosen(said: _Submitted, ticket: DialogState) -> MenuChoice | None:
    found = said.view.state.values
    option = found.get("answer", {}).get("answer", _FieldJson()).selected_option
    words = (found.get("words", {}).get("answer", _FieldJson()).value or "")[:WORDS_LIMIT].strip()
    if option is None:
        return None
    reach = None if option.value == DENIED else option.value
    return MenuChoice(
        user=said.user.id, ticket=ticket, reach="" if reach == "once" else reach, words=words
    )


def _message(event: Json) -> ThreadMessage | None:
    """Read an event; None for what no person wrote by hand in a thread."""
    if not isinstance(event, Mapping) or any(name in event for name in NOT_THEIRS):
        return None
    said = msgspec.convert(event, _EventJson)
    # Every other subtype is an edit, a file or a word of Slack's own.
    if said.type != "message" or said.subtype not in ("", "thread_broadcast"):
        return None
    # The first message of a thread: it answers nothing.
    if said.thread_ts == said.ts:
        return None
    return ThreadMessage(
        user=said.user,
        conversation=said.channel,
        message=said.ts,
        thread=said.thread_ts,
        # One more than fits, so that what is too long is told so and not read cut off.
        text=_typed(said.text[: MESSAGE_LIMIT + 1]),
    )


def _typed(text: str) -> str:
    """Return a text as it was typed: links stand for themselves, entities for their characters."""
    pieces: list[str] = []
    # A link comes as `<https://a.example|label>`: the address counts, a label can say anything.
    for at, piece in enumerate(text.split("<")):
        inside, mark, rest = piece.partition(">") if at else ("", "", piece)
        pieces += [inside.partition("|")[0] if mark else inside, rest]
    plain = "".join(pieces)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _proof(said: _Submitted, ticket: DialogState) -> Submission:
    fields = {
        block: found.get("answer", _FieldJson()) for block, found in said.view.state.values.items()
    }
    proof, first = NO_PROOF, "q0"
    if ticket.kind == ProofKind.TEACH_BACK:
        first = "text"
        proof = Proof(text=(fields.get("text", _FieldJson()).value or "")[:TEXT_LIMIT])
    elif ticket.kind == ProofKind.QUIZ:
        asked = range(min(ticket.count, QUESTIONS_LIMIT))
        proof = Proof(choices=tuple(_choice(fields.get(f"q{at}")) for at in asked))
    return Submission(user=said.user.id, ticket=ticket, proof=proof, first_block=first)


def _choice(field: _FieldJson | None) -> int:
    """Return the chosen index, -1 for none."""
    option = field.selected_option if field is not None else None
    value = option.value if option is not None else ""
    # `isdigit` alone accepts digits of other scripts, some of which `int` refuses.
    return int(value) if value.isascii() and value.isdigit() and len(value) < 3 else -1
