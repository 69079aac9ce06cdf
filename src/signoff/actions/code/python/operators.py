"""Operators of Python on values: what is known of the parts gives what is known of the whole."""

from __future__ import annotations

import ast
import operator as arithmetic
from collections.abc import Callable, Mapping

from signoff.actions.code.python.folding import MAX_RESULT, fold
from signoff.actions.code.value import UNKNOWN, UNKNOWN_PART, Taint, Value, list_value, taints_of


def combine(operator: ast.operator, left: Value, right: Value) -> Value:
    """Compute a Python operator on two values, as far as they are known."""
    taints = left.taints | right.taints
    if isinstance(operator, ast.Div) and left.kind == "pathlib.Path":
        return fold("pathlib.Path", (left, right)) or UNKNOWN
    if isinstance(operator, ast.Add):
        return _added(left, right, taints)
    if isinstance(operator, ast.Mod) and isinstance(left.constant, str):
        return Value(constant=_percent(left.constant, right), taints=taints | taints_of(right))
    if isinstance(left.constant, int) and isinstance(right.constant, int):
        return Value(constant=_number(operator, left.constant, right.constant), taints=taints)
    if isinstance(operator, ast.Mult) and isinstance(left.constant, str):
        count = right.constant
        if isinstance(count, int) and len(left.constant) * count <= 10_000:
            return Value(constant=left.constant * count, taints=taints)
    return Value(taints=taints)


def iter_known(source: Value) -> list[Value] | None:
    """Return the items of a list or the characters of a text; None if unknown or too many."""
    if isinstance(source.constant, str) and len(source.constant) <= 2000:
        return [Value(constant=letter, taints=source.taints) for letter in source.constant]
    if isinstance(source.constant, bytes) and len(source.constant) <= 2000:
        return [Value(constant=number) for number in source.constant]
    if source.items is not None and len(source.items) <= 2000:
        return list(source.items)
    return None


def _added(left: Value, right: Value, taints: frozenset[Taint]) -> Value:
    one, other = left.constant, right.constant
    if isinstance(one, bytes) and isinstance(other, bytes):
        return Value(constant=one + other, taints=taints)
    if isinstance(one, int) and isinstance(other, int):
        return Value(constant=one + other, taints=taints)
    if left.items is not None or right.items is not None:
        rest = (Value(constant=UNKNOWN_PART, taints=taints),)
        first = left.items if left.items is not None else rest
        second = right.items if right.items is not None else rest
        return list_value((*first, *second), taints)
    if isinstance(one, str) or isinstance(other, str):
        return Value(constant=(left.shown + right.shown)[:MAX_RESULT], taints=taints)
    return Value(taints=taints)


def _number(operator: ast.operator, left: int, right: int) -> int | None:
    work = _ARITHMETIC.get(type(operator))
    is_small = max(abs(left), abs(right)) <= 2**40
    divides = isinstance(operator, ast.FloorDiv | ast.Div | ast.Mod)
    return work(left, right) if work and is_small and (right or not divides) else None


_ARITHMETIC: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Sub: arithmetic.sub, ast.Mult: arithmetic.mul, ast.BitXor: arithmetic.xor,
    ast.BitOr: arithmetic.or_, ast.BitAnd: arithmetic.and_, ast.Div: arithmetic.floordiv,
    ast.FloorDiv: arithmetic.floordiv, ast.Mod: arithmetic.mod,
}  # fmt: skip


def _percent(form: str, right: Value) -> str:
    """`'rm %s' % x`: the places of a form filled in order."""
    values = list(right.items) if right.items is not None else [right]
    pieces = form.replace("%r", "%s").replace("%d", "%s").split("%s")
    texts = [value.shown for value in values] + [UNKNOWN_PART] * len(pieces)
    woven = "".join(piece + text for piece, text in zip(pieces[:-1], texts, strict=False))
    return (woven + pieces[-1])[:MAX_RESULT]


def item_of(owner: Value, index: Value) -> Value:
    """Return one item of a list, text or mapping."""
    key = index.constant
    if (
        owner.items is not None
        and isinstance(key, int)
        and -len(owner.items) <= key < len(owner.items)
    ):
        return owner.items[key]
    if (
        isinstance(owner.constant, str)
        and isinstance(key, int)
        and -len(owner.constant) <= key < len(owner.constant)
    ):
        return Value(constant=owner.constant[key], taints=owner.taints)
    for name, entry in owner.entries or ():
        if name == index.shown:
            return entry
    return Value(
        taints=taints_of(owner), kind="opaque" if owner.entries and not index.is_known else ""
    )
