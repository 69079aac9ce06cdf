"""Reads a style sheet: its grammar is set aside, and what it holds for others is given.

A sheet is rules of selectors and declarations of properties that browsers know. Its strings,
addresses and comments may hold anything, so each of them is a value of its own. One that loads a
sheet from elsewhere, names a script address, or has an old browser's behaviour in it is none, nor
is one with words of SQL where a property's value stands; the patterns then read the whole text.

    read_sheet("a:hover { color: #c00 }")            ->  ()
    read_sheet("a { content: ' or 1=1 -- ' }")       ->  ("' or 1=1 -- '",)
    read_sheet("a { width: expression(alert(1)) }")  ->  None
"""

from __future__ import annotations

import re
from functools import lru_cache

from signoff.actions.vocabulary import lazy_re, lazy_re2

SHEET_LIMIT = 64 << 10
HELD_LIMIT = 100  # further ones are read together
DEPTH_LIMIT = 8
_MEDIUM = lazy_re(
    r"url\(\s*[\"']?data:(?:font/[\w+-]+|image/(?:png|jpe?g|gif|webp)|application/font-[\w-]+)"
    r"(?:;charset=[\w-]+)?;base64,[A-Za-z0-9+/=\s]*[\"']?\s*\)",
    re.IGNORECASE,
)
# Where a browser fetches fonts from, and the site itself: no other sheet may be loaded.
_FONTS = r"https://(?:fonts\.googleapis\.com|fonts\.bunny\.net|use\.typekit\.net)/[\w./?&=:;,@+-]*"
_IMPORT = lazy_re(rf"@import\s+(?:url\(\s*)?([\"']?)(?:{_FONTS}|/?[\w-][\w./-]*)\1\s*\)?\s*;")
_HELD = lazy_re(
    r"(?P<comment>/\*[^/]{0,2000}\*/)|(?P<url>\burl\(\s*(?:\"[^\"\n<]*\"|'[^'\n<]*'|[^\s\"'()<]*)\s*\))"
    r"|(?P<string>\"[^\"\n{};<]*\"|'[^'\n{};<]*')"
)
_LOADED = lazy_re(
    r"@import\s+(?:url\(\s*)?([\"']?)(?:https:)?//[\w.-]+/[\w./?&=:;,@+-]*\1\s*\)?\s*;"
    # A drawing runs no script where a sheet shows it.
    r"|(?<=url\()\"data:image/svg\+xml[^\"\n]*\"|(?<=content:)\s?(['\"])[<>]{1,3}\2",
    re.IGNORECASE,
)
_PIECE = lazy_re(r"([^{};]*)([{};])")
_SELECTOR = lazy_re2(
    r"\s*(?:[\w.#:*][\w\s.#:>~+*,()-]*|\[[\w-]+(?:[~|^$*]?=[\w-]+(?: [is])?)?\])*\s*"
)
_AT_RULE = lazy_re2(
    r"\s*@(?:media|supports|container|layer|font-face|page|property|counter-style|(?:-\w+-)?keyframes)"
    r"\b[\w\s.:>=<*,()%/-]*"
)
_PROPERTIES = (
    *("accent-color", "align", "all", "animation", "appearance", "aspect-ratio", "backdrop"),
    *("backface", "background", "block-size", "border", "bottom", "box", "break", "caption"),
    *("caret", "clear", "clip", "color", "column", "columns", "contain", "container", "content"),
    *("counter", "cursor", "direction", "display", "empty-cells", "fill", "filter", "flex"),
    *("float", "font", "gap", "grid", "hanging", "height", "hyphen", "hyphens", "image", "initial"),
    *("inline-size", "inset", "isolation", "justify", "left", "letter-spacing", "line", "list"),
    *("margin", "marker", "mask", "max", "min", "mix-blend-mode", "object", "offset", "opacity"),
    *("order", "orphans", "outline", "overflow", "overscroll", "padding", "page", "perspective"),
    *("place", "pointer-events", "position", "quotes", "resize", "right", "rotate", "row-gap"),
    *("ruby", "scale", "scroll", "scrollbar", "shape", "size", "src", "stop", "stroke", "syntax"),
    *("inherits", "tab-size", "table-layout", "text", "top", "touch-action", "transform"),
    *("transition", "translate", "unicode", "user-select", "vertical-align", "visibility"),
    *("white-space", "widows", "width", "will-change", "word", "writing-mode", "z-index", "zoom"),
)
_NAMES = frozenset(_PROPERTIES)
_PREFIX = lazy_re(r"-(?:webkit|moz|ms|o)-")
_DECLARATION = lazy_re2(r"\s*([A-Za-z-][\w-]*)\s*:[\w\s%#.,+*/()!-]*")
_BETWEEN_RULES = lazy_re2(r"@[^{};]*")
_WORD = lazy_re(r"[a-z]+")
_OF_SQL = frozenset(
    (
        *("or", "and", "xor", "union", "like", "having", "where", "limit", "exec", "sleep"),
        *("between", "regexp", "div"),
    )
)
_ACTING = lazy_re(
    r"expression|script:|behaviou?r\s*:|-moz-binding|@import|@charset|data:|&#|//[^\s)\"']*@|\\",
    re.IGNORECASE,
)
# Words and signs of a font's name or of an icon: nothing in them leaves a string.
_PLAIN = lazy_re(
    r"[\"'](?:[\w .,%\u2013-\u2022\u2190-\u2bff-]|\\[0-9a-fA-F]{1,6})*[\"']"
    r"|[\"'] ?[|/:>~+*&=] ?[\"']"  # one sign between two entries
)


def read_sheet(text: str) -> tuple[str, ...] | None:
    """Return the strings, URLs and comments of a CSS style sheet, None if it is not one."""
    if "{" not in text or not text.rstrip().endswith("}") or len(text) > SHEET_LIMIT:
        return None
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        value = found.group()
        if found.lastgroup == "comment":
            held.append(value[2:-2].strip("*! \n"))
            return " "
        if found.lastgroup == "url":
            held.append(value[4:-1].strip().strip("\"'"))
        elif not _PLAIN.fullmatch(value) or _has_sql(value):
            held.append(value)
        return "_"

    plain = _HELD.sub(hold, _IMPORT.sub(" ", _MEDIUM.sub("none", text)))
    if _ACTING.search(plain) or not re.search(r"\w\s*:", plain) or not _is_grammar(plain):
        return None
    if _has_sql(_BETWEEN_RULES.sub("", plain)):
        return None
    rest = "\n".join(held[HELD_LIMIT:])
    return tuple(one for one in (*held[:HELD_LIMIT], rest) if one)


def without_loaded(text: str) -> str:
    """Return a sheet without what its author may load: further sheets and drawings.

    For fields that are made for sheets; elsewhere an import is how styles read a page out.
    """
    return _LOADED.sub("", text)


def _is_grammar(plain: str) -> bool:
    """Return whether a text without strings is nothing but rules."""
    end = depth = 0
    for piece in _PIECE.finditer(plain):
        end, content, sign = piece.end(), piece[1], piece[2]
        is_known = _is_prelude(content) if sign == "{" else _is_declaration(content)
        if not is_known or (sign == ";" and not depth):
            return False
        depth += {"{": 1, "}": -1, ";": 0}[sign]
        if not 0 <= depth <= DEPTH_LIMIT:
            return False
    return depth == 0 and not plain[end:].strip()


def _is_prelude(text: str) -> bool:
    return (_AT_RULE if "@" in text else _SELECTOR).fullmatch(text) is not None


def _is_declaration(text: str) -> bool:
    found = _DECLARATION.fullmatch(text)
    return not text.strip() if found is None else _is_property(found[1].lower())


def _has_sql(text: str) -> bool:
    return not _OF_SQL.isdisjoint(_WORD.findall(text.lower()))


@lru_cache(maxsize=512)
def _is_property(name: str) -> bool:
    """Return whether browsers know a property: `border` covers `border-left-color`."""
    plain = _PREFIX.sub("", name, count=1)
    parts = plain.split("-")
    return name.startswith("--") or any(
        "-".join(parts[:end]) in _NAMES for end in range(1, len(parts) + 1)
    )
