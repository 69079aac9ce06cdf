"""The card in the chat: plain text, the call in one code entity by offset, and the buttons.

Telegram parses nothing in it, so no text of a call can break out. The text has passed `visible`;
invisible characters are escaped and secrets masked again before it is sent. A call that does not
fit is attached as a file: only who opened the file may approve it. A still larger call can only be
denied.

    card = draw(pending, CardView(opened=frozenset()))
    await api.send(chat, card.text, entities=card.entities, reply_markup=card.keyboard)
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.challenge.card import render_text
from signoff.challenge.channels.scopes import SESSION, reaches, session_line, session_scope
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.terms.step import ProofKind
from signoff.challenge.visible import FILLERS, visible
from signoff.channels.passkey_page import LABEL, offers_page
from signoff.channels.telegram.bot_api.updates import button_data
from signoff.channels.telegram.message_store import FINAL
from signoff.channels.threads.card_face import BETWEEN, GROUPS_MARK, PROOF_WORDS

TEXT_LIMIT = 3_500  # UTF-16 units of the card's own text
FILE_LIMIT = 200_000  # bytes: what is larger cannot be approved here
# Kept free for the line that says how much is left out.
NOTE_ROOM = 200
# A quarter of what is shown comes from the end: harm is often hidden there.
TAIL_SHARE = 4
WORDS_LIMIT = 300
GROUPS_LIMIT = 100

# One letter each: Telegram takes 64 bytes a button, and the nonce stands there as well.
APPROVE, DENY, DETAILS, OPEN = "a", "d", "i", "o"
MORE, LESS, WHY, PAGE = "m", "l", "w", "p"

STATE_WORDS = {
    RequestState.PENDING: "ASKS",
    RequestState.APPROVED: "APPROVED",
    RequestState.EXECUTING: "APPROVED",
    RequestState.DONE: "APPROVED, done",
    RequestState.FAILED: "APPROVED, failed",
    RequestState.UNCERTAIN: "APPROVED; whether it ran is not known",
    RequestState.DENIED: "DENIED",
    RequestState.EXPIRED: "EXPIRED: refused, as nobody answered in time",
    RequestState.WITHDRAWN: "WITHDRAWN: nothing to answer any more",
}


class Fit(StrEnum):
    """How much of a card fits into a message."""

    WHOLE = "whole"
    FILE = "file"
    DENY_ONLY = "deny-only"


class CardView(Struct, frozen=True, kw_only=True):
    """How a card is to be drawn.

    Args:
        opened: ids of users who opened the attached text.
        groups: the approver groups asked now; () = everybody.
        is_wide: show the answers beyond approve and deny.
        has_page: critical requests link to a page that takes a passkey.
        mask: removes secrets; never cuts.
        witness: the newest checkpoint of the audit log, "" if unknown.
    """

    opened: frozenset[int] = frozenset()
    groups: tuple[str, ...] = ()
    is_wide: bool = False
    has_page: bool = False
    mask: Callable[[str], str] = str
    witness: str = ""


class Drawn(Struct, frozen=True, kw_only=True):
    """A message ready to send.

    Args:
        file: the whole text, where it did not fit.
        face: tells what it shows apart from what it showed before.
    """

    text: str
    fit: Fit = Fit.WHOLE
    entities: list[Json] = field(default_factory=list)
    keyboard: Json = None
    file: bytes = b""
    face: str = ""


def draw(pending: PendingRequest, view: CardView) -> Drawn:
    """Return the message for a request's card in its present state."""
    whole = escape_invisible(view.mask(render_text(pending.card).text))
    fit = fit_of(whole)
    shown = whole if fit is Fit.WHOLE else _cut(whole, TEXT_LIMIT)
    head = "\n".join(_head(pending, fit, view))
    text = "\n".join([head, shown, *_foot(pending, view)])
    # By offset and never by markup: text of the call cannot end the block.
    pre: dict[str, Json] = {"type": "pre", "offset": units(head) + 1, "length": units(shown)}
    return Drawn(
        text=text,
        fit=fit,
        entities=[pre],
        keyboard=_keyboard(pending, fit, view) if pending.state.is_open else NO_KEYBOARD,
        file=whole.encode("utf-8") if fit is Fit.FILE else b"",
        face=render_fingerprint(pending, view),
    )


def render_fingerprint(pending: PendingRequest, view: CardView) -> str:
    """Return a text that changes whenever the drawn card would change."""
    final = "" if pending.state.is_open else FINAL
    # All that changes how a card looks, and no clock: a card is edited only when it differs.
    shown = f"{pending.state.value} {len(pending.answers)} {bool(view.opened)} {view.is_wide}"
    return f"{final}{shown}{GROUPS_MARK}{BETWEEN.join(view.groups)}"


NO_KEYBOARD: Json = {"inline_keyboard": []}


def fit_of(whole: str) -> Fit:
    """Return how much of a text fits into a message."""
    if units(whole) <= TEXT_LIMIT:
        return Fit.WHOLE
    return Fit.FILE if len(whole.encode("utf-8")) <= FILE_LIMIT else Fit.DENY_ONLY


def fit_of_card(pending: PendingRequest, view: CardView) -> Fit:
    """Return how much of a request's card fits into a message."""
    return fit_of(escape_invisible(view.mask(render_text(pending.card).text)))


def escape_invisible(text: str) -> str:
    """Return the text with invisible characters escaped, except line ends.

    Call it right before sending.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(
        char if char == "\n" or (char.isprintable() and ord(char) not in FILLERS) else visible(char)
        for char in text
    )


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units, as Telegram counts."""
    return len(text) + sum(char > "\uffff" for char in text)


def keyboard(*rows: tuple[tuple[str, str], ...]) -> Json:
    """Return an inline keyboard.

    Args:
        rows: rows of (label, button data).
    """
    return {
        "inline_keyboard": [
            [{"text": label, "callback_data": data} for label, data in row] for row in rows if row
        ]
    }


def _keyboard(pending: PendingRequest, fit: Fit, view: CardView) -> Json:
    """Return the buttons of an open card; approving is offered where it can be."""
    step = pending.next_step
    kind = ProofKind.CONFIRM if step is None else step.kind
    approve = "Approve" if kind is ProofKind.CONFIRM else f"Approve ({kind.value})"
    # No button where pressing it could only be refused.
    can_approve = fit is Fit.WHOLE or (fit is Fit.FILE and bool(view.opened))
    plain = [(approve, APPROVE)] if can_approve else []
    plain += [("Open", OPEN)] if fit is Fit.FILE else []
    # The second button everywhere: it saves most of the questions that follow.
    if can_approve and session_scope(pending):
        plain[1:1] = [(SESSION.label, SESSION.code)]
    rows = [[*plain, ("Deny", DENY)]]
    if offers_page(pending, has_page=view.has_page):
        rows += [[(LABEL, PAGE)]]
    if view.is_wide:
        rows += _wider(pending) if can_approve else []
        rows += [[("Deny, and say why", WHY)]]
    rows += [[("Details", DETAILS), ("Less", LESS) if view.is_wide else ("More", MORE)]]
    nonce = pending.nonce
    return keyboard(*(tuple((label, button_data(nonce, code)) for label, code in r) for r in rows))


def _wider(pending: PendingRequest) -> list[list[tuple[str, str]]]:
    """Return the rows of approvals that reach further than once and have no button yet."""
    exact = [(reach.label, reach.code) for reach in reaches(pending) if reach != SESSION]
    return [exact] if exact else []


def _head(pending: PendingRequest, fit: Fit, view: CardView) -> list[str]:
    """Return the lines above the card."""
    title = escape_invisible(view.mask(pending.card.headline))
    lines = [f"signoff: {STATE_WORDS[pending.state]} · {pending.level.value} · {title}"]
    for given in pending.answers:
        proof = f" by {given.proof}" if given.proof else ""
        lines.append(f"{given.verdict}: {visible(given.approver)} on {given.channel}{proof}")
    if not pending.state.is_open:
        if pending.words:
            lines.append(f"said: {_short(pending.words)}")
        return lines
    left = pending.steps[len(pending.answers) :]
    wanted = (
        ", then ".join(PROOF_WORDS[step.kind] for step in left) or PROOF_WORDS[ProofKind.CONFIRM]
    )
    # Each step takes another person.
    people = f" from {len(left)} different people" if len(left) > 1 else ""
    lines.append(f"to approve: {wanted}{people}")
    if view.groups:
        lines.append(f"asked now: {_groups(view.groups)}")
    if fit is Fit.FILE:
        lines.append("too long for a message: the whole text is in the file; press Open first")
    elif fit is Fit.DENY_ONLY:
        lines.append("too long for this chat: it can be denied here, and approved elsewhere")
    return lines


def _foot(pending: PendingRequest, view: CardView) -> list[str]:
    """Return the lines below the card; there is always one."""
    lines = [f"request {visible(pending.id)}, until {pending.expires_at:%H:%M:%S} UTC"]
    if pending.code and pending.state.is_open:
        lines.append(f"code for `signoff approve` in a terminal: {pending.code}")
    if pending.state.is_open and (covers := session_line(pending)):
        lines.append(covers)
    if view.witness:
        lines.append(f"record: {visible(view.witness)}")
    return lines


def _groups(groups: tuple[str, ...]) -> str:
    """Return the names of groups, short and safe to show."""
    return visible(", ".join(groups))[:GROUPS_LIMIT]


def _cut(whole: str, limit: int) -> str:
    """Return head and tail of a text that is too long, and how much is between them."""
    room = (limit - NOTE_ROOM) // 2  # a character has at most two units
    head, tail = whole[: room - room // TAIL_SHARE], whole[len(whole) - room // TAIL_SHARE :]
    left = whole[len(head) : len(whole) - len(tail)]
    size = len(whole.encode("utf-8"))
    note = (
        f"[{len(left):,} characters, {left.count(chr(10)):,} line ends left out of {size:,} bytes]"
    )
    return f"{head}\n{note}\n{tail}"


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= WORDS_LIMIT else f"{shown[:WORDS_LIMIT]}... ({len(shown):,})"
