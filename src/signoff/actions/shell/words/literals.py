"""Words that say by themselves what they are, whatever the state of the shell.

Plain characters, patterns, and quotes in which nothing is special. Most words of most lines are
such: they are looked at once and kept, as they come again.

    told_word("--include='*.py'").text == "--include=*.py"        told_word("$x") is None
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from signoff.actions.shell.command import Word
from signoff.actions.shell.state import MAX_KEPT
from signoff.values import replace

_ONE_LETTER = re.compile(r"\[([\w.-])\]")
_GLOB = re.compile(r"[*?\[]")

_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=^-][A-Za-z0-9_./:@%+,=^~-]*")
# Plain characters, patterns, and quotes in which nothing is special.
# No tilde at the start and no U+FFFD: the one is expanded, the other marks what is unknown.
_TOLD = re.compile(
    r"(?!~|\Z)[A-Za-z0-9_./:@%+,=^~*?-]*"
    r"(?:(?:'[^'\ufffd]*'|\"[^\"\\$`\ufffd]*\")[A-Za-z0-9_./:@%+,=^~*?-]*)*"
)
_PIECES = re.compile(r"'[^']*'|\"[^\"]*\"|[^'\"]+")


def literal_words(raws: Sequence[str]) -> list[Word] | None:
    """Return words that are the same in every shell state; None if one depends on it."""
    words = []
    for raw in raws:
        word = _kept_word(raw) if len(raw) <= MAX_KEPT else literal_word(raw)
        if word is None:
            return None
        words.append(word)
    return words


def plain_words(line: str) -> tuple[Word, ...]:
    """Return the words of a line of plain characters separated by single blanks."""
    made = _plain_word if len(line) <= MAX_KEPT else _made_plain
    return tuple(map(made, line.split(" ")))


def literal_word(raw: str) -> Word | None:
    """Return the word that a written one is in every shell state; None if it depends on it."""
    if len(raw) <= MAX_KEPT:
        return _kept_word(raw)
    return Word(text=raw, raw=raw) if _PLAIN.fullmatch(raw) else None


def _made_plain(raw: str) -> Word:
    return Word(text=raw, raw=raw)


_plain_word = lru_cache(maxsize=4096)(_made_plain)


@lru_cache(maxsize=4096)
def _kept_word(raw: str) -> Word | None:
    if _PLAIN.fullmatch(raw):
        return _plain_word(raw)
    if not _TOLD.fullmatch(raw):
        return None
    pieces = _PIECES.findall(raw)
    bare = [piece for piece in pieces if piece[0] not in "'\""]
    return Word(
        text="".join([piece[1:-1] if piece[0] in "'\"" else piece for piece in pieces]),
        has_glob=any("*" in piece or "?" in piece for piece in bare),
        is_quoted=len(bare) < len(pieces),
        raw=raw,
    )


def without_brackets(word: Word) -> Word:
    """Return a word with one-letter brackets resolved: `r[m]` becomes `rm`."""
    # `/bin/r[m]` matches one file only; other patterns may name any program.
    text = _ONE_LETTER.sub(r"\1", word.text)
    return replace(word, text=text, is_known=word.is_known and _GLOB.search(text) is None)
