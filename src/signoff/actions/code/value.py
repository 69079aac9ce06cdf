"""What is known of a value while code is read: its text, what it refers to, where it comes from.

A part of a text that is unknown stands as U+FFFD in it, as in the words of the shell reader.

    Path.home() / name   ->   Value(constant="~/\ufffd", kind="pathlib.Path")
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec import Struct

from signoff.actions.vocabulary import Vocabulary

UNKNOWN_PART = "\ufffd"
MAX_ITEMS = 2_000
Constant = str | bytes | int | float | None


class Taint(Vocabulary):
    """Where a value comes from."""

    SECRET = "secret"  # noqa: S105 - a name, no password
    ENVIRONMENT_SECRET = "environment-secret"  # noqa: S105 - a name, no password
    FILES = "files"
    NETWORK = "network"
    DECODED = "decoded"
    MANY = "many"  # names found by walking a folder


NO_TAINTS: frozenset[Taint] = frozenset()


class Value(Struct, frozen=True, kw_only=True):
    """A value as far as it is known.

    Args:
        constant: the value itself; a text may hold unknown parts.
        items: of a list, tuple or set that is known.
        entries: of a mapping with known keys.
        name: dotted name of the module, class or function it refers to: `os.system`.
        kind: class of an object made by a known call: `pathlib.Path`, `socket.socket`.
        receiver: the object a method belongs to.
        function: the function or lambda of the snippet it refers to.
    """

    constant: Constant = None
    items: tuple[Value, ...] | None = None
    entries: tuple[tuple[str, Value], ...] | None = None
    name: str = ""
    kind: str = ""
    receiver: Value | None = None
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
    taints: frozenset[Taint] = NO_TAINTS

    @property
    def text(self) -> str | None:
        """The value as text, None where nothing of it is known."""
        if isinstance(self.constant, str):
            return self.constant
        if isinstance(self.constant, bytes):
            return self.constant.decode("utf-8", "replace")
        return None

    @property
    def is_known(self) -> bool:
        """Whether it is a text or number without unknown parts."""
        if isinstance(self.constant, str):
            return UNKNOWN_PART not in self.constant
        return self.constant is not None

    @property
    def shown(self) -> str:
        """The value as it stands inside a text: U+FFFD where it is not known."""
        if self.constant is None:
            return UNKNOWN_PART
        text = self.text
        return str(self.constant) if text is None else text


UNKNOWN = Value()


def text_value(text: str, taints: frozenset[Taint] = NO_TAINTS) -> Value:
    """Make the value of a text."""
    return Value(constant=text, taints=taints)


def taints_of(*values: Value | None) -> frozenset[Taint]:
    """Return where any of the values comes from; what holds values carries their taints."""
    found: frozenset[Taint] = NO_TAINTS
    for value in values:
        if value is not None and value.taints:
            found |= value.taints
    return found


def list_value(items: Iterable[Value], taints: frozenset[Taint] = NO_TAINTS) -> Value:
    """Make the value of a list; one that is too long is not kept."""
    kept = tuple(items)
    taints |= taints_of(*kept)
    return Value(items=kept if len(kept) <= MAX_ITEMS else None, taints=taints)
