"""Undoes what makes one text look like another: wide letters, look-alikes, invisible characters.

A text is scanned as it is first; only where one of `DISGUISES` was met is it scanned once more
in its plain form. Ordinary text, also in other scripts, pays nothing for this.

    plain("r\\u200bm -rf")  ->  "rm -rf"
"""

from __future__ import annotations

import unicodedata

from signoff.assess.patterns.pattern import Pattern

INVISIBLE = (
    r"\x{ad}\x{34f}\x{61c}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{200b}-\x{200f}"
    r"\x{202a}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0f}\x{feff}\x{ffa0}\x{fff9}-\x{fffb}"
    r"\x{e0000}-\x{e01ef}"
)
WIDE = r"\x{ff01}-\x{ff5e}\x{1d400}-\x{1d7ff}\x{24b6}-\x{24e9}\x{1f130}-\x{1f189}\x{17f}\x{212a}"
MIXED = r"[A-Za-z][\x{370}-\x{3ff}\x{400}-\x{52f}]|[\x{370}-\x{3ff}\x{400}-\x{52f}][A-Za-z]"

# Bidirectional controls and tag characters have no place in text for a program or a model; a
# zero-width character between two Latin letters only ever splits a word.
DISGUISES = (
    Pattern("disguise.invisible", f"[{INVISIBLE}]", ""),
    Pattern("disguise.wide", f"[{WIDE}]", ""),
    Pattern("disguise.mixed", MIXED, ""),
    Pattern("disguise.tags", r"[\x{e0001}\x{e0020}-\x{e007f}]{6,}", ""),
    Pattern("disguise.bidi", r"[\x{202a}-\x{202e}\x{2066}-\x{2069}]", ""),
    Pattern("disguise.split", r"[A-Za-z][\x{200b}-\x{200d}\x{2060}\x{feff}\x{ad}][A-Za-z]", ""),
)
IDS = frozenset(pattern.id for pattern in DISGUISES)

_LOOK_ALIKE = str.maketrans(
    # Cyrillic
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a\u043c\u0442\u0432\u043d"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405"
    # Greek
    "\u03b1\u03bf\u03bd\u03c1\u03b9\u03ba\u03c5\u03c7\u03b5\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "aeopcyxijshdqwkmtbhABEKMHOPCTYXIJSaovpikuxeABEZHIKMNOPTYX",
)
_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_GONE = dict.fromkeys(
    [
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0, 0xE0001),
        *range(0x180B, 0x1810),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xFFF9, 0xFFFC),
        *range(0xE0100, 0xE01F0),
    ]
)
_PLAIN = {**_LOOK_ALIKE, **_TAGS, **_GONE}


def plain(text: str) -> str:
    """Give the text as it reads to a person or a model: NFKC, look-alikes folded, nothing hidden.

    Text written in tag characters, which nobody sees and a model reads, comes out as letters.
    """
    return unicodedata.normalize("NFKC", text.translate(_PLAIN))
