"""The card as plain text, the same for every channel that shows text.

What does not fit is said to be missing, with head, tail and counts, and cannot be approved there:
nobody approves what they could not read.

    text = render_text(card, limit=3_500)
    if not text.is_whole: offer no approval, attach the rest
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from signoff.challenge.card import Card, make_card
from signoff.challenge.request import Request
from signoff.challenge.words.origin import origin_of_call

UNLIMITED = 1 << 40
TAIL_SHARE = 4  # a quarter of the room is for the end of the text
NOTE_ROOM = 120


class CardText(Struct, frozen=True, kw_only=True):
    """A card as text.

    Args:
        is_whole: everything is there; only then an approval may be offered.
    """

    text: str
    is_whole: bool = True


def title_and_command(card: Card) -> str:
    """Return a card in one line: its title, then the call itself."""
    return f"{card.headline} · {card.command}" if card.command else card.headline


def draw_card(request: Request) -> str:
    """Return the whole card of a request as plain text.

    Raises:
        ValueError: the action has no canonical form.
    """
    return render_text(make_card(request)).text


def render_text(card: Card, limit: int = UNLIMITED) -> CardText:
    """Return the card as text of at most `limit` UTF-16 units, as messengers count."""
    text = "\n".join(_lines(card))
    if _length(text) <= limit:
        return CardText(text=text)
    return CardText(text=_cut(text, limit, card.code), is_whole=False)


def _lines(card: Card) -> Iterator[str]:
    """Yield the lines of the card."""
    yield f"[{card.level.value}] {card.headline}"
    if whose := origin_of_call(card):
        yield f"from:  {whose}"
    if card.command:
        yield f"call:  {card.command}"
    yield f"why:   {card.why}"
    if card.instead:
        yield f"safer: {card.instead}"
    yield from (f"  - {operation}" for operation in card.operations)
    if card.hidden:
        yield f"  - and {card.hidden} more"
    yield from (f"found: {finding}" for finding in card.findings)
    if card.thought:
        yield f"model (not checked): {card.thought}"
    if card.factors:
        yield f"risk:  {card.risk:.2f}, threat {card.threat:g}"
        yield from (
            f"  {factor.contribution:.3f} = {factor.raw:.2f} x {factor.weight:.2f}"
            f"  {factor.name}: {factor.evidence}"
            for factor in card.factors
        )
    yield from (f"so far: {line}" for line in card.so_far)
    yield from _call(card)


def _call(card: Card) -> Iterator[str]:
    """Yield the call itself, whole, then the agent's words and the code."""
    yield f"tool:  {card.tool}"
    if card.cwd:
        yield f"in:    {card.cwd}"
    for argument in card.arguments:
        if argument.is_text:
            yield f"{argument.name}:"
            yield from (f"  | {line}" for line in argument.lines)
        else:
            yield f"{argument.name}: {' '.join(argument.lines)}"
    if card.said:
        yield "the agent says (not checked):"
        yield from (f"  ~ {line}" for line in card.said)
    yield f"digest: {card.code}"
    if card.log:
        yield f"audit log: {card.log}"


def _cut(text: str, limit: int, code: str) -> str:
    """Return head and tail of a text that is too long, and how much is missing between them."""
    room = max(0, limit - NOTE_ROOM) // 2  # a character has at most two units
    head, tail = text[: room - room // TAIL_SHARE], text[len(text) - room // TAIL_SHARE :]
    missing = len(text) - len(head) - len(tail)
    note = f"\n[{missing:,} characters are not shown: it cannot be approved here; digest {code}]\n"
    return f"{head}{note}{tail}"


def _length(text: str) -> int:
    """Return the length in UTF-16 units, as chat services count it."""
    return len(text) + sum(char > "\uffff" for char in text)
