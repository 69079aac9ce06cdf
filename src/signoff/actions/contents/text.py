"""Text on its way into a file, as a value."""

from __future__ import annotations

from msgspec import Struct


class NewText(Struct, frozen=True, kw_only=True):
    """Text that is written into a file. `old` is the text it replaces, None if unknown."""

    new: str
    old: str | None = None
    is_whole: bool = False
