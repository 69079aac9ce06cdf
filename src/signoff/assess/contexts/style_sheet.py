"""Tells a style sheet that does nothing but style from every other text.

A sheet is rules of selectors and declarations. One that loads another sheet, names a script
address, or has an old browser's behaviour in it is none; the patterns then read it as any value.

    is_style_sheet("a:hover { color: #c00 }")            ->  True
    is_style_sheet("a { width: expression(alert(1)) }")  ->  False
"""

from __future__ import annotations

import re

SHEET_LIMIT = 64 << 10
_MEDIUM = re.compile(
    r"url\(\s*[\"']?data:(?:font/[\w+-]+|image/(?:png|jpe?g|gif|webp)|application/font-[\w-]+)"
    r"(?:;charset=[\w-]+)?;base64,[A-Za-z0-9+/=\s]*[\"']?\s*\)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*[^/]{0,2000}\*/")
_STRING = re.compile(r"\"[^\"\n{};<]*\"|'[^'\n{};<]*'")
_PIECE = re.compile(r"([^{};]*)([{};])")
_SELECTOR = re.compile(r"\s*[\w@.#:*\[(][\w\s@.#:>~+*,()\[\]=^$|%-]*")
_DECLARATION = re.compile(r"\s*(?:-{0,2}[A-Za-z][\w-]*\s*:[^<>\\]*)?")
_ACTING = re.compile(
    r"expression|script:|behaviou?r\s*:|-moz-binding|@import|@charset|data:|&#|//[^\s)\"']*@",
    re.IGNORECASE,
)


def is_style_sheet(text: str) -> bool:
    """Return whether the whole text is rules of a style sheet that load and run nothing odd."""
    if "{" not in text or not text.rstrip().endswith("}") or len(text) > SHEET_LIMIT:
        return False
    plain = _STRING.sub("_", _COMMENT.sub(" ", _MEDIUM.sub("none", text)))
    if _ACTING.search(plain) or not re.search(r"\w\s*:", plain):
        return False
    end = depth = 0
    for piece in _PIECE.finditer(plain):
        end = piece.end()
        form = _SELECTOR if piece[2] == "{" else _DECLARATION
        if form.fullmatch(piece[1]) is None or (piece[2] == ";" and not depth):
            return False
        depth += {"{": 1, "}": -1, ";": 0}[piece[2]]
        if depth < 0:
            return False
    return depth == 0 and not plain[end:].strip()
