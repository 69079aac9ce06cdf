"""Reads a shell line of plain commands; anything else has no reading here.

It allows literal words, quotes without expansion, a here-document as text, a comment above, a
leading `cd` and a shortened output below. It is not the shell reader: it only tells whether a
line is simple enough that an approval of it may be compared with another line.

    plain_lines("gh pr comment 7 --body 'Done.' 2>&1 | tail -3")[0].words
"""

from __future__ import annotations

import re

from msgspec import Struct

# Characters of a word without quotes that no shell reads as anything but themselves.
BARE = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
# No control characters but tab and line end: shells and terminals do not agree on the others.
SINGLE = re.compile(r"'([^'\x00-\x08\x0b-\x1f\x7f]*)'")
# Neither `$` nor a backtick unescaped, so nothing in it is expanded: `"$(rm x)"` has no reading.
DOUBLE = re.compile(r'"((?:[^"$`\\\x00-\x08\x0b-\x1f\x7f]|\\["$`\\])*)"')
HERE_DOCUMENT = re.compile(
    r"\"\$\(cat <<-?[ ]?'([A-Za-z_]{1,40})'\n((?:(?![ \t]*\1\n)[^\n]*\n)*)[ \t]*\1\n[ \t]*\)\""
)
ESCAPED = re.compile(r"\\(['\"`$!#&;|<>(){}*?~\\])")
BETWEEN = re.compile(r"(?:[ \t]|\\\n)+")
ABOVE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*")
FOLDER = re.compile(r"cd[ ]+([A-Za-z0-9_@%+=:,./-]+)[ ]*&&[ ]*")
# What only shortens or silences the output: `2>&1 | tail -3 || echo 'none'`.
BELOW = re.compile(
    r"[ \t]*(?:2>&1|2>[ ]?/dev/null)?[ \t]*(?:\|[ ]*(?:head|tail)(?:[ ]+-(?:n[ ]?)?[0-9]+)?)?[ \t]*"
    r"(?:\|\|[ ]*echo[ ]+(?:'[^'\n]*'|\"[^\"$`\\\n]*\")[ \t]*)?"
)
AND = re.compile(r"&&[ \t]*\n?|\n|\Z")
LINE_LIMIT = 100_000


class PlainLine(Struct, frozen=True, kw_only=True):
    """One simple command of a shell line.

    Args:
        words: program name and arguments.
        folder: target of a leading `cd`, "" without one.
    """

    words: tuple[str, ...]
    folder: str = ""


def plain_lines(line: str) -> tuple[PlainLine, ...]:
    """Split a shell line into simple commands; () if it has anything else.

    Pipes, redirections, expansions and the like give ().
    """
    # A carriage return is part of a word for the shell, and repaints the line for people.
    if len(line) > LINE_LIMIT or "\r" in line:
        return ()
    found: list[PlainLine] = []
    at = _end(ABOVE, line, 0)
    while at < len(line):
        plain, at = _command(line, at)
        after = AND.match(line, at) if plain else None
        # A `cd` later in the line would move the commands behind it, and all share one folder
        # here.
        if plain is None or after is None or (found and plain.folder):
            return ()
        found.append(plain)
        at = _end(ABOVE, line, after.end())
    return tuple(found)


def _command(line: str, at: int) -> tuple[PlainLine | None, int]:
    """Return one command and the index after it, None if there is none."""
    folder = FOLDER.match(line, at)
    words, at = _words(line, folder.end() if folder else at)
    # `A=1 gh ...` sets a variable, and `./gh` is another program than `gh`.
    if not words or not BARE.fullmatch(words[0]) or "=" in words[0] or "/" in words[0]:
        return None, at
    below = _end(BELOW, line, at)
    return PlainLine(words=tuple(words), folder=folder[1] if folder else ""), below


def _words(line: str, at: int) -> tuple[list[str], int]:
    """Return the words from index `at` on, and the index after them."""
    words: list[str] = []
    while True:
        word, end = _word(line, at)
        # A quoted name of a program is how a line hides what it runs.
        if word is None or (not words and line[at] in "'\"\\"):
            return words, at
        if line[end : end + 1] == ">" and word.isdigit():
            return words, at  # the number of a descriptor
        words.append(word)
        between = BETWEEN.match(line, end)
        if between is None:
            return words, end
        at = between.end()


def _word(line: str, at: int) -> tuple[str | None, int]:
    """Return one word with its quotes taken off, None if there is none."""
    parts: list[str] = []
    while True:
        part, end = _part(line, at)
        if part is None:
            return ("".join(parts) if parts else None), at
        parts.append(part)
        at = end


def _part(line: str, at: int) -> tuple[str | None, int]:
    """Return the next bare or quoted part of a word."""
    if bare := BARE.match(line, at):
        return bare[0], bare.end()
    if escaped := ESCAPED.match(line, at):
        return escaped[1], escaped.end()
    if single := SINGLE.match(line, at):
        return single[1], single.end()
    if text := HERE_DOCUMENT.match(line, at):
        return text[2], text.end()
    if double := DOUBLE.match(line, at):
        return re.sub(r'\\(["$`\\])', r"\1", double[1]), double.end()
    return None, at


def _end(pattern: re.Pattern[str], line: str, at: int) -> int:
    found = pattern.match(line, at)
    return found.end() if found else at
