"""One value of a request as it is read: where it is, how it is written, what is looked at."""

from __future__ import annotations

from msgspec import Struct

from signoff.assess.contexts.syntax import Syntax

REST = "rest"  # the place of what goes beyond the limits


class Part(Struct, frozen=True, gc=False):
    """One value of a web request, before detectors read it.

    Args:
        raw: the value as sent.
        syntax: the syntax it is written in.
        text: the text that patterns search, None = `raw`. Set if a known encoding was decoded
            or harmless parts were removed.
        is_final: True if `text` is what the application sees; nothing in it is decoded again.
    """

    place: str
    name: str
    raw: str
    syntax: Syntax = Syntax.VALUE
    text: str | None = None
    is_final: bool = False
