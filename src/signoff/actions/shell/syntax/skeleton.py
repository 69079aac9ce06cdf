"""The skeleton of a text: what the grammar library gets to see.

Words are taken off the text as they are written. Words and redirections stand as `w`, reserved
words and operators as they are; what stands behind each `w` is kept by its offset. Whatever opens
must be closed by its own kind.

    WordLexer('a "b c"$(d)', ...).all_words()                       ->  ["a", '"b c"$(d)']
    emit("w", Simple(["a"])); emit("|"); emit("w", Simple(["b"]))   ->  "w | w"
"""

from __future__ import annotations

import re

from signoff.actions.shell.syntax.characters import refuse_odd
from signoff.actions.shell.syntax.scan import MAX_DEPTH, CommandEnd, Fuel, Scanner
from signoff.actions.shell.syntax.tree import (
    Arithmetic,
    ForHead,
    RawRedirect,
    Simple,
    Test,
    Unreadable,
)

MAX_WORDS = 4_000

BLANK = re.compile(r"[ \t]+(?:\\\n[ \t]*)*|(?:\\\n[ \t]*)+")
SPACE = re.compile(r"[ \t\r\n]*(?:(?:\\\n|#[^\n]*)[ \t\r\n]*)*")
_CHUNK = re.compile(r"""[^ \t\n'"\\$`();<>&|]+""")
_ARRAY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=\Z")


class WordLexer(Scanner):
    """A scanner with a position in the text. `words` counts the words taken."""

    __slots__ = ("pos", "words")

    def __init__(
        self, text: str, fuel: Fuel, command_end: CommandEnd, *, start: int = 0, depth: int = 0
    ) -> None:
        super().__init__(text, fuel, command_end, depth)
        self.pos = start
        self.words = 0

    def count_word(self) -> None:
        """Count one more word.

        Raises:
            Unreadable: they are too many.
        """
        self.words += 1
        if self.words > MAX_WORDS:
            raise Unreadable("too many words")

    def next_word(self) -> str:
        """Consume and return the next word on the line, as written."""
        if blank := BLANK.match(self.text, self.pos):
            self.pos = blank.end()
        start = self.pos
        self.pos = self.word_end(start)
        if self.pos == start:
            raise Unreadable("a word is missing")
        raw = self.text[start : self.pos]
        refuse_odd(raw)
        return raw

    def word_end(self, start: int) -> int:
        """Return the index after the word that starts at `start`."""
        text, length, i = self.text, self.length, start
        while i < length:
            if chunk := _CHUNK.match(text, i):
                i = chunk.end()
                continue
            c = text[i]
            if c in "'\"\\$`":
                i = self.special(i)
            elif c == "(":
                if not self._can_open(start, i):
                    return i
                i = self.parens(i)
            elif c in "<>" and text.startswith("(", i + 1):
                i = self.substitution(i + 1)
            else:
                return i
        return min(i, length)

    def _can_open(self, start: int, i: int) -> bool:
        """Whether the `(` at `i` belongs to the word from `start`: an array or a pattern."""
        if i == start:
            return False
        before = self.text[i - 1]
        if before == "=":
            return _ARRAY.match(self.text[start:i]) is not None
        # `@(a|b)` and its like are patterns with `extglob`; a leading `!(` negates a subshell.
        return before in "?*+@" or (before == "!" and i - 1 > start)

    def skip_space(self) -> None:
        """Skip blanks, newlines and comments."""
        if space := SPACE.match(self.text, self.pos):
            self.pos = space.end()

    def all_words(self) -> list[str]:
        """Return every word of a text separated by blanks and newlines, as in `a=(b c)`."""
        words: list[str] = []
        self.skip_space()
        while self.pos < self.length:
            words.append(self.next_word())
            self.skip_space()
        return words

    def list_words(self) -> list[str]:
        """Consume and return the words up to a line end or `;`, as in a loop's head."""
        words: list[str] = []
        while True:
            if blank := BLANK.match(self.text, self.pos):
                self.pos = blank.end()
            if self.pos >= self.length or self.text[self.pos] in ";\n#":
                return words
            words.append(self.next_word())
            self.count_word()


MAX_SIZE = 6_000
_SEPARATORS = frozenset({";", "&"})

Piece = Simple | Arithmetic | Test | ForHead | list[str]
"""What stands behind a `w`; a list holds the patterns or the word of a `case`."""


class SkeletonLexer(WordLexer):
    """Writes a simplified text for the grammar library. `complete`: a command may end here.

    `trailing` holds redirections behind compound commands by the offset where these end, `cuts`
    the places of the parts that separate statements in which nothing is open.
    """

    __slots__ = (
        "after_closer",
        "complete",
        "current",
        "cuts",
        "nest",
        "parts",
        "pieces",
        "size",
        "trailing",
    )

    def __init__(
        self, text: str, fuel: Fuel, command_end: CommandEnd, *, start: int = 0, depth: int = 0
    ) -> None:
        super().__init__(text, fuel, command_end, start=start, depth=depth)
        self.parts: list[str] = []
        self.cuts: list[int] = []
        self.size = 0
        self.pieces: dict[int, Piece] = {}
        self.trailing: dict[int, list[RawRedirect]] = {}
        self.nest: list[str] = []
        self.current: Simple | None = None
        self.complete = False
        self.after_closer = False

    def emit(self, part: str, piece: Piece | None = None) -> None:
        """Append a part to the skeleton, with the piece it stands for."""
        if piece is not None:
            self.pieces[self.size] = piece
        elif part in _SEPARATORS and not self.nest:
            self.cuts.append(len(self.parts))
        self.parts.append(part)
        self.size += len(part) + 1
        if self.size > MAX_SIZE and self.depth == 0:
            raise Unreadable("too many commands")

    def flush(self) -> None:
        """End the simple command that is being read."""
        if self.current is not None:
            self.current.end = self.pos
            self.emit("w", self.current)
            self.current = None
            self.complete = True
        self.after_closer = False

    def separate(self) -> None:
        """Insert a `;` where the grammar needs one."""
        if self.complete:
            self.emit(";")
            self.complete = False

    def open(self, word: str, kind: str) -> None:
        """Begin a compound command."""
        if len(self.nest) >= MAX_DEPTH:
            raise Unreadable("nested too deep")
        self.nest.append(kind)
        self.emit(word)
        self.complete = False

    def close(self, word: str, kind: str) -> None:
        """End a compound command of the kind that was opened last."""
        if not self.nest or self.nest[-1] != kind:
            raise Unreadable(f"`{word}` closes nothing")
        if word != "esac" and self.parts[-1] not in (";", "&") and not self.complete:
            raise Unreadable(f"`{word}` with nothing before it")
        if word != ")":
            self.separate()
        self.nest.pop()
        self.emit(word)
        self.trailing[self.size - 1] = []
        self.complete = self.after_closer = True
