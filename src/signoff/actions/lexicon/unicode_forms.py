"""Compatibility forms of Unicode in linear time.

Marks that sit on one letter are sorted one by one, so a text of thousands of them takes time with
the square of its length. A text is taken in pieces, which end where no mark can follow: behind a
plain ASCII character. A run of marks longer than a piece is cut (UAX 15, "Stream-Safe Text Format",
allows 30 of them).

    compatible("\\uff52\\uff4d")  ->  "rm"
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

PIECE = 512  # characters


def compatible(text: str) -> str:
    """Return a text in its compatibility form (NFKC)."""
    if text.isascii():
        return text
    if len(text) <= PIECE:
        return unicodedata.normalize("NFKC", text)
    return "".join([unicodedata.normalize("NFKC", piece) for piece in pieces(text)])


def pieces(text: str) -> Iterator[str]:
    """Yield the pieces a text is taken in, of at most `PIECE` characters."""
    start = 0
    while start < len(text):
        end = min(start + PIECE, len(text))
        # In front of an ASCII character nothing is joined to what stands before it.
        cut = next((at for at in range(end, start, -1) if at == len(text) or text[at] < "\x80"), 0)
        end = cut or end
        yield text[start:end]
        start = end
