"""Undoes what makes one text look like another: wide letters, look-alikes, invisible characters.

A text is scanned as it is first; only where one of `DISGUISES` was met is it scanned once more
in its plain form. Ordinary text, also in other scripts, pays nothing for this.

    plain("r\\u200bm -rf")  ->  "rm -rf"
"""

from __future__ import annotations

from signoff.actions.lexicon.unicode_forms import compatible
from signoff.assess.patterns.pattern import Pattern

# As UTF-8 bytes, since patterns are read over bytes.
INVISIBLE = (
    r"\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\x85[\x9f\xa0]|\xe1\x9e[\xb4\xb5]|\xe1\xa0[\x8b-\x8f]"
    r"|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xe3\x85\xa4|\xef\xb8[\x80-\x8f]"
    r"|\xef\xbb\xbf|\xef\xbe\xa0|\xef\xbf[\xb9-\xbb]|\xf3\xa0[\x80-\x87][\x80-\xbf]"
)
# With the long s and the Kelvin sign, whose small letters are plain `s` and `k`.
WIDE = (
    r"\xef\xbc[\x81-\xbf]|\xef\xbd[\x80-\x9e]|\xf0\x9d[\x90-\x9f][\x80-\xbf]|\xe2\x92[\xb6-\xbf]"
    r"|\xe2\x93[\x80-\xa9]|\xf0\x9f[\x84-\x86][\x80-\xbf]|\xc5\xbf|\xe2\x84\xaa"
)
OTHER = r"[\xcd-\xd4][\x80-\xbf]"  # a Greek or Cyrillic letter

# Bidirectional controls and tag characters have no place in text for a program or a model; a
# zero-width character between two Latin letters only ever splits a word.
DISGUISES = (
    Pattern("disguise.invisible", INVISIBLE, ""),
    Pattern("disguise.wide", WIDE, ""),
    Pattern("disguise.mixed", f"[A-Za-z]{OTHER}|{OTHER}[A-Za-z]", ""),
    Pattern("disguise.tags", r"(?:\xf3\xa0[\x80\x81][\x80-\xbf]){6}", ""),
    Pattern("disguise.bidi", r"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]", ""),
    Pattern(
        "disguise.split",
        r"[A-Za-z](?:\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad)[A-Za-z]",
        "",
    ),
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
        # Variation selectors, here and at U+E0100: whole texts have been hidden in a row of them.
        *range(0xFE00, 0xFE10),
        *range(0xFFF9, 0xFFFC),
        *range(0xE0100, 0xE01F0),
    ]
)
_PLAIN = {chr(code): str(to or "") for code, to in {**_TAGS, **_GONE}.items()} | {
    chr(one): chr(other) for one, other in _LOOK_ALIKE.items()
}
_MARKS = frozenset(_PLAIN)
TEXT_LIMIT = 64 << 10


def plain(text: str) -> str:
    """Return the text as people and models read it: NFKC, look-alikes and hidden text resolved.

    Invisible tag characters, which a model reads, become letters. Only the first `TEXT_LIMIT`
    characters are returned.
    """
    text = text[:TEXT_LIMIT]
    # Only the marks that are there: a text holds a few of the hundreds.
    for mark in _MARKS & set(text):
        text = text.replace(mark, _PLAIN[mark])
    return compatible(text)
