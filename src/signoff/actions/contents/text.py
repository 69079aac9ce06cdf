"""Text on its way into a file, as a value."""

from __future__ import annotations

from msgspec import Struct


class NewText(Struct, frozen=True, kw_only=True):
    """Text on its way into a file. `old` is what it replaces, None where it is not known."""

    new: str
    old: str | None = None
    is_whole: bool = False
