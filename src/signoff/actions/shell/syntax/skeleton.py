"""The skeleton of a text: what the grammar library gets to see.

Words and redirections stand as `w`, reserved words and operators as they are; what stands
behind each `w` is kept by its offset. Whatever opens must be closed by its own kind.

    emit("w", Simple(["a"])); emit("|"); emit("w", Simple(["b"]))  ->  "w | w"
"""

from __future__ import annotations

from signoff.actions.shell.syntax.scan import MAX_DEPTH, CommandEnd, Fuel
from signoff.actions.shell.syntax.tree import (
    Arithmetic,
    ForHead,
    RawRedirect,
    Simple,
    Test,
    Unreadable,
)
from signoff.actions.shell.syntax.wording import WordLexer

MAX_SIZE = 6_000
_SEPARATORS = frozenset({";", "&"})

Piece = Simple | Arithmetic | Test | ForHead | list[str]
"""What stands behind a `w`; a list holds the patterns or the word of a `case`."""


class SkeletonLexer(WordLexer):
    """Writes the skeleton. `complete` says that a command may end here.

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
        """Write a part, and keep what follows it."""
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
        """End a command where the grammar wants a `;` before what comes."""
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
