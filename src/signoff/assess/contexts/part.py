"""One value of a request as it is read: where it stands, how it is written, what is looked at."""

from __future__ import annotations

from msgspec import Struct

from signoff.assess.contexts.syntax import Syntax

REST = "rest"  # the place of what goes beyond the limits


class Part(Struct, frozen=True, gc=False):
    """One value of a request.

    Args:
        raw: as it was sent.
        syntax: how it is written.
        text: what the patterns look at, None for `raw`; set where the value's encoding is known
            and undone, or where harmless parts were set aside.
        is_final: `text` is what an application sees; nothing in it is decoded again.
    """

    place: str
    name: str
    raw: str
    syntax: Syntax = Syntax.VALUE
    text: str | None = None
    is_final: bool = False
