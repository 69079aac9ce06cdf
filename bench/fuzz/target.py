"""What is fuzzed: one parser, good inputs of it, and the errors it may raise."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from signoff.errors import SignoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzTarget:
    """One parser.

    Args:
        take: gives it bytes; it may raise one of `errors` and nothing else.
        seeds: good inputs.
    """

    name: str
    take: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    errors: tuple[type[Exception], ...] = (SignoffError,)


def encoded(*values: object) -> tuple[bytes, ...]:
    """Return values as JSON."""
    return tuple(json.dumps(value).encode() for value in values)


def text_of(raw: bytes) -> str:
    """Return bytes as text; what is no UTF-8 is replaced."""
    return raw.decode("utf-8", "replace")
