"""Parts of a query: its text without comments and quotes, its pipes, its statements.

text = 'index=a "x | y" | stats count [search b | head 1]'
split_at(text, blanked(text), "|")
    ->  ('index=a "x | y" ', "stats count [search b | head 1]")
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re

MOST_PARTS = 400
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def blanked(
    text: str, *, quotes: str = "'\"", comments: tuple[str, ...] = (), keeps_quotes: bool = False
) -> str | None:
    """Return a text of the same length whose quotes and comments are blank; None if one is open.

    Args:
        comments: signs that begin a comment, which ends with its line.
        keeps_quotes: True if only comments are to be blank.
    """
    found: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        end = at + 1
        if char in quotes:
            end = _quote_end(text, at)
            if end < 0:
                return None
            found.append(text[at:end] if keeps_quotes else char + " " * (end - at - 2) + char)
        elif comments and text.startswith(comments, at):
            line = text.find("\n", at)
            end = len(text) if line < 0 else line
            found.append(" " * (end - at))
        else:
            found.append(char)
        at = end
    return "".join(found)


def _quote_end(text: str, at: int) -> int:
    """Return the index behind the quote that opens at `at`, -1 if it never closes."""
    quote = text[at]
    end = at + 1
    while end < len(text):
        if text[end] == "\\":
            end += 2
        elif text[end] == quote:
            return end + 1
        else:
            end += 1
    return -1


def split_at(text: str, plain: str, sign: str) -> tuple[str, ...]:
    """Split a text where a sign stands outside of brackets and quotes.

    Args:
        plain: the same text with blank quotes.
    """
    parts: list[str] = []
    depth = start = 0
    for at, char in enumerate(plain):
        if char in _PAIRS:
            depth += 1
        elif char in _PAIRS.values():
            depth = max(depth - 1, 0)
        elif char == sign and depth == 0 and len(parts) < MOST_PARTS:
            parts.append(text[start:at])
            start = at + 1
    return (*parts, text[start:])


_WORD = lazy_re(r"[A-Za-z_.$][\w.-]*")


def first_word(text: str) -> str:
    """Return the first word of a text in lower case."""
    found = _WORD.match(text.strip()[:200])
    return found[0].lower() if found else ""
