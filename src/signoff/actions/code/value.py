"""What is known of a value while code is read: its text, what it refers to, where it comes from.

A part of a text that is unknown stands as U+FFFD in it, as in the words of the shell reader.

    Path.home() / name   ->   Value(constant="~/\ufffd", kind="pathlib.Path")
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from msgspec import Struct

from signoff.actions.vocabulary import Vocabulary
from signoff.values import replace

UNKNOWN_PART = "\ufffd"
MAX_ITEMS = 2_000
MAX_OTHERS = 8  # values that one value may have; with more it is unknown
Constant = str | bytes | int | float | None


class Taint(Vocabulary):
    """Where the data of a value came from: network, secret, files ..."""

    SECRET = "secret"  # noqa: S105 - a name, no password
    ENVIRONMENT_SECRET = "environment-secret"  # noqa: S105 - a name, no password
    FILES = "files"
    NETWORK = "network"
    DECODED = "decoded"
    MANY = "many"  # names found by walking a folder
    SERVICE = "service"  # a client of a service, and what it gives back
    LISTED = "listed"  # one of all that a service has listed
    CHOSEN = "chosen"  # some of what a service has, by a filter
    DOUBLE = "double"  # a stand-in for a service, and what it gives back
    REAL = "real"  # a client of a service that may be a real one


NO_TAINTS: frozenset[Taint] = frozenset()


class Value(Struct, frozen=True, kw_only=True):
    """What is statically known about one value in inline code.

    Args:
        constant: the value itself, if it is a constant; U+FFFD stands for unknown parts of a
            text.
        items: the items, if it is a list, tuple or set with known items; else None.
        entries: (key, value) pairs, if it is a mapping with known keys; else None.
        name: dotted name of the module, class or function it refers to: `os.system`.
        kind: class of the object, if a known call made it: `pathlib.Path`, `socket.socket`.
        receiver: for a bound method: the object it belongs to.
        function: the function or lambda it refers to, if the snippet defines it.
        taints: where its data came from: network, secret ...
        others: what it may be instead, where a condition decides.
    """

    constant: Constant = None
    items: tuple[Value, ...] | None = None
    entries: tuple[tuple[str, Value], ...] | None = None
    name: str = ""
    kind: str = ""
    receiver: Value | None = None
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
    taints: frozenset[Taint] = NO_TAINTS
    others: tuple[Value, ...] = ()

    @property
    def text(self) -> str | None:
        """The value as text; None if nothing of it is known."""
        if isinstance(self.constant, str):
            return self.constant
        if isinstance(self.constant, bytes):
            # Bytes that are no UTF-8 become U+FFFD, which counts as unknown.
            return self.constant.decode("utf-8", "replace")
        return None

    @property
    def is_known(self) -> bool:
        """True if it is a text or number without unknown parts."""
        if isinstance(self.constant, str):
            return UNKNOWN_PART not in self.constant
        return self.constant is not None

    @property
    def shown(self) -> str:
        """The value as part of a larger text; U+FFFD if it is unknown."""
        if self.constant is None:
            return UNKNOWN_PART
        text = self.text
        return str(self.constant) if text is None else text


UNKNOWN = Value()
NONE = Value(kind="None")


def alternatives(value: Value) -> tuple[Value, ...]:
    """Return everything a value may be, one by one."""
    return (replace(value, others=()), *value.others) if value.others else (value,)


def either(*values: Value) -> Value:
    """Return the value that is one of these, as a condition decides."""
    found: list[Value] = []
    for value in values:
        found.extend(one for one in alternatives(value) if one not in found)
    found = [one for one in found if one is not NONE] or [NONE]
    if len(found) > MAX_OTHERS:
        return Value(taints=taints_of(*found))
    return replace(found[0], others=tuple(found[1:])) if len(found) > 1 else found[0]


def variants(values: Sequence[Value]) -> list[list[Value]]:
    """Return all combinations of the alternatives of these values; unknown beyond a limit."""
    if prod(len(value.others) + 1 for value in values) > MAX_OTHERS:
        return [[Value(taints=taints_of(*alternatives(v))) if v.others else v for v in values]]
    return [list(one) for one in product(*map(alternatives, values))]


def is_address(value: Value) -> bool:
    """Return whether a value is a URL where a path would be possible."""
    scheme = (value.text or "").partition("://")[0]
    # Without `://`, `partition` gives back the whole text: a file may be called `http`.
    return scheme.lower() in {"http", "https", "ftp", "ftps"} and scheme != value.text


def taints_of(*values: Value | None) -> frozenset[Taint]:
    """Return the union of the taints of these values, including their items."""
    found: frozenset[Taint] = NO_TAINTS
    for value in values:
        if value is not None and value.taints:
            found |= value.taints
    return found


def list_value(items: Iterable[Value], taints: frozenset[Taint] = NO_TAINTS) -> Value:
    """Build the value of a list; the items of a long one are unknown."""
    kept = tuple(items)
    taints |= taints_of(*kept)
    return Value(items=kept if len(kept) <= MAX_ITEMS else None, taints=taints)
