"""Constant arithmetic: `$((2 * (3 + 1)))` and the like.

evaluate("n + 1", {"n": "41"})  ->  42        evaluate("n++", {})  ->  None
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from signoff.actions.vocabulary import lazy_re

# Longer ones are no index or counter, and `ast.parse` is not bounded in what it takes.
MAX_LENGTH = 80
# A shell counts in signed 64 bits and wraps around; beyond them the number is unknown.
MAX_NUMBER = 1 << 63

# No assignment, comma, bracket or quote: what is left means the same to Python's parser.
_ALLOWED = lazy_re(r"[0-9A-Za-z_+*/%()<>&|^~ \t-]+")
_NUMBER = lazy_re(r"-?(?:0|[1-9][0-9]{0,17}|0[xX][0-9a-fA-F]{1,15})")
_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    # C rounds towards zero, Python's `//` down. A float holds whole numbers up to 2 to the 53rd.
    ast.Div: lambda a, b: int(a / b) if abs(a) < 1 << 50 else a // b,
    ast.Mod: lambda a, b: a - b * int(a / b),
    # Bounded before it is computed: `9**9**9` would take all memory (CWE-400).
    ast.Pow: lambda a, b: a**b if 0 <= b <= 62 and abs(a) <= 1 << 10 else MAX_NUMBER,
    ast.LShift: lambda a, b: a << b if 0 <= b <= 62 else MAX_NUMBER,
    ast.RShift: lambda a, b: a >> b if 0 <= b <= 62 else MAX_NUMBER,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
}


def evaluate(expression: str, values: Mapping[str, str]) -> int | None:
    """Return the value of an arithmetic expression, None if unknown."""
    text = expression.strip()
    if len(text) > MAX_LENGTH or not _ALLOWED.fullmatch(text):
        return None
    try:
        number = _value(ast.parse(text, mode="eval").body, values)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None
    return number if abs(number) < MAX_NUMBER else None


def _value(node: ast.expr, values: Mapping[str, str]) -> int:
    match node:
        case ast.Constant(value=int() as number):
            return number
        # A value that is no number is an expression to the shell, so it is left alone.
        case ast.Name(id=name) if _NUMBER.fullmatch(values.get(name, "")):
            return int(values[name], 0)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            number = _BINARY[type(op)](_value(left, values), _value(right, values))
            if abs(number) >= MAX_NUMBER:
                raise OverflowError
            return number
        case _:
            raise ValueError("not constant")
