"""Inputs from inputs: seeds cut, joined, repeated, and filled with what parsers stumble over.

mutator = Mutator(random.Random(7), seeds=(b'{"a": 1}',))
mutator.another()
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

LONGEST = 65_536
KEPT = 500  # inputs that are changed further
STEPS = 5  # changes of one input at most
TEXTS = (
    *("{", "}", "[", "]", '"', "'", "`", "\\", "$(", ")", "${", "<<E\n", ";", "&&", "||", "|"),
    *("&", "\n", "\r", "\t", "\0", ":", ",", "-", "--", "=", "#", "!", "*", "?", "~/", "../"),
    *("null", "true", "NaN", "1e999", "-0", "9" * 40, "\\ud800", "\\u0000", "\u202e", "\ufeff"),
    *("\U000e0041", "&a [*a,*a]", "!!python/name:os", "? ", "<<: *a", "%27", "&#x41;", "--'"),
    *("/*", "*/", "if", "then", "fi", "do", "done", "case", "esac", "function", "[[", "(("),
    *("select", "union", "drop", "import os", "eval(", "lambda:", "f'{", "rm -rf /", "sudo "),
    *("tool_name", "tool_input", "command", "hook_event_name", "session_id", "allowed"),
)
BROKEN = (b"\xff\xfe", b"\xc3", b"\xf0\x9f", b"\x80")  # no UTF-8
WORDS: Sequence[bytes] = (*(text.encode() for text in TEXTS), *BROKEN)
NESTS = ((b"[", b"]"), (b'{"a":', b"}"), (b"$(", b")"), (b"((", b"))"))


class Mutator:
    """Makes inputs.

    Args:
        chance: where all randomness comes from.
        seeds: good inputs.
    """

    def __init__(self, chance: random.Random, seeds: Sequence[bytes]) -> None:
        self._chance, self._kept = chance, [*seeds]
        self._ways: Sequence[Callable[[bytes], bytes]] = (
            *(self._cut, self._double, self._insert, self._replace),
            *(self._flip, self._join, self._nest),
        )

    def another(self) -> bytes:
        """Return another input."""
        text = self._chance.choice(self._kept)
        for _ in range(self._chance.randint(1, STEPS)):
            text = self._chance.choice(self._ways)(text)[:LONGEST]
        # Changed ones are changed further: chains of changes get deeper than one.
        if len(self._kept) < KEPT:
            self._kept.append(text)
        elif self._chance.random() < 0.05:
            self._kept[self._chance.randrange(KEPT)] = text
        return text

    def _place(self, text: bytes) -> tuple[int, int]:
        start = self._chance.randint(0, len(text))
        return start, min(len(text), start + int(self._chance.expovariate(0.1)))

    def _cut(self, text: bytes) -> bytes:
        start, end = self._place(text)
        return text[:start] + text[end:]

    def _double(self, text: bytes) -> bytes:
        start, end = self._place(text)
        return text[:end] + text[start:end] * self._chance.choice((1, 2, 50)) + text[end:]

    def _insert(self, text: bytes) -> bytes:
        start, _ = self._place(text)
        return text[:start] + self._chance.choice(WORDS) + text[start:]

    def _replace(self, text: bytes) -> bytes:
        start, end = self._place(text)
        return text[:start] + self._chance.choice(WORDS) + text[end:]

    def _flip(self, text: bytes) -> bytes:
        if not text:
            return text
        at = self._chance.randrange(len(text))
        return text[:at] + bytes([text[at] ^ 1 << self._chance.randrange(8)]) + text[at + 1 :]

    def _join(self, text: bytes) -> bytes:
        other = self._chance.choice(self._kept)
        return text[: self._place(text)[0]] + other[self._place(other)[0] :]

    def _nest(self, text: bytes) -> bytes:
        sign, end = self._chance.choice(
            ((b"[", b"]"), (b'{"a":', b"}"), (b"$(", b")"), (b"((", b"))"))
        )
        depth = self._chance.choice((1, 3, 40, 2_000))
        return sign * depth + text + end * depth
