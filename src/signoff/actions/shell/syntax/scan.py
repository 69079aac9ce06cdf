"""Where quotes and substitutions end.

The grammar library silently loses substitutions in some places (backticks in here-documents,
in `${x:-..}`, nested ones), so what is inside a word is found here, character by character, and
read again as a text of its own. Scanning is linear, bounded in depth, and raises `Unreadable`
for anything that does not end.

    end_of_double('"a $(b "c") d" e', 0)  ->  14
"""

from __future__ import annotations

import re
from collections.abc import Callable

from signoff.actions.shell.syntax.tree import Unreadable

# Quotes in quotes are scanned again at each level, so a budget of steps bounds the time of a text;
# beyond either it is not read, and asked about.
MAX_DEPTH = 40
MAX_STEPS = 30_000

_DOUBLE = re.compile(r'[^"\\$`]+')
_BRACE = re.compile(r"""[^}'"\\$`]+""")
_PAREN = re.compile(r"""[^()'"\\$`]+""")
_BACKTICK = re.compile(r"[^`\\]+")


class Fuel:
    """A budget of steps for parsing one text, as nested parts are scanned several times."""

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_STEPS) -> None:
        self.left = left

    def burn(self, steps: int = 1) -> None:
        """Use up steps; expensive operations pass more than one.

        Raises:
            Unreadable: the budget is used up.
        """
        self.left -= steps
        if self.left < 0:
            raise Unreadable("takes too long to read")


CommandEnd = Callable[["Scanner", int], int]
"""Finds the index behind the `)` that closes the commands starting at an index."""


class Scanner:
    """Finds where quotes and substitutions end. `command_end` parses the inside of `$( )`."""

    __slots__ = ("command_end", "depth", "fuel", "length", "text")

    def __init__(self, text: str, fuel: Fuel, command_end: CommandEnd, depth: int = 0) -> None:
        self.text = text
        self.length = len(text)
        self.fuel = fuel
        self.command_end = command_end
        self.depth = depth

    def single(self, i: int) -> int:
        """Return the index after the single-quoted string that starts at `i`."""
        end = self.text.find("'", i + 1)
        if end < 0:
            raise Unreadable("unclosed quote")
        return end + 1

    def ansi(self, i: int) -> int:
        """Return the index after the `$'..'` string whose quote is at `i`."""
        text, i = self.text, i + 1
        while i < self.length:
            if text[i] == "'":
                return i + 1
            # Unlike plain single quotes, `$'..'` takes a backslash, so `\'` does not close it.
            i += 2 if text[i] == "\\" else 1
        raise Unreadable("unclosed quote")

    def double(self, i: int) -> int:
        """Return the index after the double-quoted string that starts at `i`."""
        text, i = self.text, i + 1
        while i < self.length:
            if chunk := _DOUBLE.match(text, i):
                i = chunk.end()
                continue
            if text[i] == '"':
                return i + 1
            i = self.special(i, in_quotes=True)
        raise Unreadable("unclosed quote")

    def backtick(self, i: int) -> int:
        """Return the index after the backtick substitution that starts at `i`."""
        text, i = self.text, i + 1
        while i < self.length:
            if chunk := _BACKTICK.match(text, i):
                i = chunk.end()
                continue
            if text[i] == "`":
                return i + 1
            i += 2
        raise Unreadable("unclosed backtick")

    def dollar(self, i: int, *, in_quotes: bool = False) -> int:
        """Return the index after what the `$` at `i` begins; at least `i + 1`."""
        after = self.text[i + 1 : i + 2]
        if after == "(":
            return self.substitution(i + 1)
        if after == "{":
            return self._nested(i + 2, in_quotes=in_quotes)
        if after == "[":
            return self._bracket(i + 2)
        if not in_quotes and after == "'":
            return self.ansi(i + 1)
        if not in_quotes and after == '"':
            return self.double(i + 1)
        return i + 1

    def substitution(self, i: int) -> int:
        """Return the index after the substitution whose `(` is at `i`; `$((` is tried first."""
        if self.text.startswith("((", i):
            end = self.arithmetic_end(i)
            if end > 0:
                return end
        return self.command_end(self, i + 1)

    def arithmetic_end(self, i: int) -> int:
        """Return the index after the `))` that closes the `((` at `i`; -1 if it is two groups."""
        inner = self.parens(i + 1)
        return inner + 1 if self.text.startswith(")", inner) else -1

    def parens(self, i: int) -> int:
        """Return the index after the `)` matching the `(` at `i`, counting parentheses only."""
        level, i = 1, i + 1
        while i < self.length:
            if chunk := _PAREN.match(self.text, i):
                i = chunk.end()
                continue
            self.fuel.burn()
            c = self.text[i]
            if c in "()":
                level += 1 if c == "(" else -1
                i += 1
                if level == 0:
                    return i
                continue
            i = self.special(i)
        raise Unreadable("unclosed parenthesis")

    def _nested(self, i: int, *, in_quotes: bool) -> int:
        """Index behind the `}` of a `${` whose inside starts at `i`."""
        if self.depth >= MAX_DEPTH:
            raise Unreadable("nested too deep")
        self.depth += 1
        while i < self.length:
            if chunk := _BRACE.match(self.text, i):
                i = chunk.end()
                continue
            if self.text[i] == "}":
                self.depth -= 1
                return i + 1
            # Inside `"${x:-'}"` a single quote is an ordinary character to bash.
            if in_quotes and self.text[i] == "'":
                i += 1
                continue
            i = self.special(i)
        raise Unreadable("unclosed expansion")

    def _bracket(self, i: int) -> int:
        """Index behind the `]` of the old arithmetic form `$[`."""
        level = 1
        while i < self.length:
            c = self.text[i]
            if c in "[]":
                level += 1 if c == "[" else -1
                i += 1
                if level == 0:
                    return i
            elif c in "'\"\\$`":
                i = self.special(i)
            else:
                i += 1
        raise Unreadable("unclosed arithmetic")

    def special(self, i: int, *, in_quotes: bool = False) -> int:
        """Return the index after the quote, escape or substitution at `i`."""
        self.fuel.burn()
        c = self.text[i]
        if c == "\\":
            return i + 2
        if c == "$":
            return self.dollar(i, in_quotes=in_quotes)
        if c == "`":
            return self.backtick(i)
        if self.depth >= MAX_DEPTH:
            raise Unreadable("nested too deep")
        self.depth += 1
        end = self.double(i) if c == '"' else self.single(i)
        self.depth -= 1
        return end
