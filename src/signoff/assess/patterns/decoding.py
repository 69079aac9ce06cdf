"""Reads one value in every way a web application may read it.

Percent signs (also doubled, `%u0027` and broken ones), plus signs, HTML entities, escapes of
JavaScript and JSON, overlong UTF-8 and NUL bytes are undone step by step; each step that changes
something gives one more form. Everything here is linear and bounded.

    forms("%253Cb%253E")  ->  ("%253Cb%253E", "%3Cb%3E", "<b>")
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import unquote_to_bytes

from signoff.actions.vocabulary import lazy_re

VALUE_LIMIT = 64 << 10
# Proxies, frameworks and the program each decode once; deeper nesting only wastes our time.
ROUNDS = 4
FORM_LIMIT = 6

# All of these are anchored on a literal and bounded: they cannot backtrack.
_PERCENT_U = lazy_re(r"%u([0-9a-fA-F]{4})")
_HEX = "[0-9a-fA-F]"
_ESCAPE = lazy_re(rf"\\u({_HEX}{{4}})|\\u\{{({_HEX}{{1,6}})\}}|\\x({_HEX}{{2}})|\\([0-7]{{3}})")
# RFC 3629 forbids these forms: lax decoders read `%c0%af` and `%e0%80%af` as `/` all the same.
_OVERLONG = lazy_re(r"[\xc0\xc1](.)|[\xe0\xf0\xf8\xfc][\x80-\x83]{1,4}([\x80-\xbf])", re.DOTALL)
_SLASH_SIGNS = ("\\", "%", "?", "u22", "0x")
_PATH_SIGNS = (
    *((sign, "/") for sign in ("\\", "0x2f", "0x5c", "%u2215", "%u2216", "u2215", "u2216")),
    *(
        (sign, "/")
        # Broken second bytes too: IIS read some of them as a slash (CVE-2000-0884).
        for sign in ("%c0%af", "%c1%9c", "%c1%pc", "%c0%9v", "%c0%qf", "%c1%8s", "%bg%qf")
    ),
    *((sign, ".") for sign in ("0x2e", "%uff0e", "%c0%ae")),
    ("?/", "/"),
    ("/?", "/"),
)
_SLASHES = str.maketrans(
    {
        **{"\u2215": "/", "\u2216": "\\", "\u2044": "/", "\u560a": "\n", "\u560d": "\r"},
        # Full stops of East Asia: readers of host names take each for a dot (UTS 46).
        **dict.fromkeys("\u3002\uff0e\uff61", "."),
    }
)


def forms(raw: str, *, plus_is_space: bool = True) -> tuple[str, ...]:
    """Return the possible decodings of a value, most literal first, all different."""
    raw = raw[:VALUE_LIMIT]
    if _is_plain(raw):
        return (raw,)
    found = {raw: None}
    text = raw.replace("+", " ") if plus_is_space and "+" in raw else raw
    for _ in range(ROUNDS):
        found.setdefault(text)
        plainer = _undo(text)
        if plainer == text or len(found) >= FORM_LIMIT:
            break
        text = plainer
    found.setdefault(text)
    if "\0" in text:
        found.setdefault(text.replace("\0", ""))
    if "/*" in text:
        found.setdefault(without_comments(text))
    # A list, not a generator: for so few signs it is faster.
    if any([sign in text for sign in _SLASH_SIGNS]):
        found.setdefault(as_path(text))
    return tuple(found)


def _is_plain(raw: str) -> bool:
    """Return whether a value holds no sign that any decoder acts on, as most do."""
    # One expression of literals, not a loop: a value of a request is read in a microsecond.
    return raw.isascii() and not (
        "%" in raw
        or "+" in raw
        or "&" in raw
        or "\\" in raw
        or "?" in raw
        or "\0" in raw
        or "/*" in raw
        or "u22" in raw
        or "0x" in raw
    )


def as_path(text: str) -> str:
    """Return the text with `/` and `.` for everything a lenient server reads as such."""
    for odd, plain in _PATH_SIGNS:
        if odd in text:
            text = text.replace(odd, plain)
    return text


def without_comments(text: str) -> str:
    """Return SQL without its comments; MySQL's `/*!50000 ... */` code stays."""
    parts = text.split("/*")
    kept = [parts[0]]
    for part in parts[1:]:
        comment, end, rest = part.partition("*/")
        # MySQL runs it from that version on, so it is code and not a comment.
        if comment.startswith("!"):
            kept.append(comment[1:].lstrip("0123456789"))
        kept.append(rest if end else "")
    return " ".join(kept)


def _undo(text: str) -> str:
    """Undo one layer of every encoding the text shows signs of."""
    if "%" in text:
        text = _percent(text)
    if "&" in text:
        text = unescape(text)
    if "\\" in text:
        text = _ESCAPE.sub(_escaped, text)
    return text if text.isascii() else text.translate(_SLASHES)


def _percent(text: str) -> str:
    text = _PERCENT_U.sub(lambda match: chr(int(match[1], 16)), text)
    data = unquote_to_bytes(text.encode("utf-8", "replace"))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Overlong forms are what a lax decoder would make of them: its low bits.
        return _OVERLONG.sub(_overlong, data.decode("latin-1"))


def _overlong(match: re.Match[str]) -> str:
    if match[2]:
        return chr(ord(match[2]) & 0x3F)
    return chr((ord(match[0][0]) & 1) << 6 | ord(match[1]) & 0x3F)


def _escaped(match: re.Match[str]) -> str:
    if match[4]:
        return chr(int(match[4], 8))
    code = int(match[1] or match[2] or match[3], 16)
    return chr(code) if code < 0x110000 else "\ufffd"
