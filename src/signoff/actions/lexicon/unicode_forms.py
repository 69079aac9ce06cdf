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


_WHOLE_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "\u0131": "i",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ð": "d",
        "þ": "th",
    }
)


def folded(text: str) -> str:
    """Return a text in small letters without signs on them: `Lösche` gives `losche`."""
    if text.isascii():
        return text.lower()
    taken = unicodedata.normalize("NFD", text[:PIECE].lower())
    plain = "".join([char for char in taken if not unicodedata.combining(char)])
    return unicodedata.normalize("NFC", plain).translate(_WHOLE_LETTERS)


_WRITTEN_TOGETHER = ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL")
# Letters that somebody takes for those of English.
_LIKE_LATIN = frozenset("асеорхуіјѕһԁԛԝмнткгвпьιοαυνρκτχεηβγω")
# Scripts whose letters nobody takes for those of English.
_UNLIKE_LATIN = frozenset(
    {
        *("ARABIC", "HEBREW", "THAI", "LAO", "KHMER", "MYANMAR", "DEVANAGARI", "BENGALI"),
        *("GURMUKHI", "GUJARATI", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA"),
        *("ETHIOPIC", "GEORGIAN", "TIBETAN"),
    }
)
_ALPHABETS = ({"CYRILLIC"}, {"GREEK"})
_JOINERS = "\u200c\u200d"  # how Persian and the scripts of India part and join letters


def is_plain_name(name: str) -> bool:
    """Return whether a name is written in letters that cannot be taken for others.

    A word of Cyrillic or Greek letters holds none of another script. It, or a word beside it in
    the same part of the name, has a letter that Latin has not: `места_задържи`.
    """
    if unicodedata.normalize("NFKC", name) != unicodedata.normalize("NFC", name):
        return False
    if any([unicodedata.category(char) == "Cf" and char not in _JOINERS for char in name]):
        return False
    return all(map(_is_plain_part, name.split("__")))


def _is_plain_part(part: str) -> bool:
    runs = "".join([char if char.isalpha() else " " for char in part]).split()
    scripts = [{unicodedata.name(char, "").partition(" ")[0] for char in run} for run in runs]
    told = [not _LIKE_LATIN.issuperset(folded(run)) for run in runs]
    return all(
        [
            one.issubset(_WRITTEN_TOGETHER)
            or (len(one) == 1 and one.issubset(_UNLIKE_LATIN))
            or (one in _ALPHABETS and _is_told(one, scripts, told))
            for one in scripts
        ]
    )


def _is_told(script: set[str], scripts: list[set[str]], told: list[bool]) -> bool:
    """Return whether a word of this script has a letter that no word of English has."""
    return any([is_own and one == script for one, is_own in zip(scripts, told, strict=True)])
