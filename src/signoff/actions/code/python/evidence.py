"""Tells Python from other languages where nothing says in which one a cell of a notebook is.

Kernels of notebooks run R, Julia and others as well. A text is Python if it parses as Python,
holds what only Python writes so, and calls no plain function that it did not define or import.

    is_surely_python("import duckdb\\nduckdb.sql('select 1')")       True
    is_surely_python("from os import path")                         True
    is_surely_python("unlink('a')")                                 False, a call of R
"""

from __future__ import annotations

import ast
import builtins
import warnings

from signoff.actions.vocabulary import lazy_re

MAX_CHARS = 20_000
_BUILT_IN = frozenset(dir(builtins))
# Shells of notebooks add these.
_OF_NOTEBOOKS = frozenset({"display", "get_ipython"})
_ONLY_PYTHON = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.With, ast.JoinedStr)

# No kernel of another language takes these: `from a import b`, `def f(x):`.
_NOWHERE_ELSE = (ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
# What IPython adds in front of a cell, and changes only how it is run or shown.
_MAGIC = lazy_re(
    r"(?m)^%(?:%(?:time|timeit|capture|prun)\b[^\n]*|matplotlib\s+\w+|load_ext\s+(?:autoreload|line_profiler"
    r"|memory_profiler)|autoreload\s+\d|precision\s+\d+|config\s+InlineBackend[^\n]*)$"
)


def without_magic(text: str) -> str:
    """Return a cell of a notebook without what only times it or says how it is shown."""
    return _MAGIC.sub("", text)


def is_surely_python(text: str) -> bool:
    """Return whether a text can be nothing but Python."""
    tree = _parsed(text)
    if tree is None:
        return False
    nodes = list(ast.walk(tree))
    if any([isinstance(one, _NOWHERE_ELSE) for one in nodes]):
        return True
    if not any([isinstance(one, _ONLY_PYTHON) for one in nodes]):
        return False
    own = frozenset(name for one in nodes for name in _names_given(one))
    called = {
        one.func.id for one in nodes if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
    }
    roots = {name for one in nodes if (name := _root_of(one))}
    return (called | roots) <= own | _BUILT_IN | _OF_NOTEBOOKS


def _root_of(node: ast.AST) -> str:
    """Return the name whose member a node is, "" if none."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id
    return ""


def _names_given(node: ast.AST) -> tuple[str, ...]:
    """Return the names that a node gives a value."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return tuple([(one.asname or one.name).partition(".")[0] for one in node.names])
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return (node.name,)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return (node.id,)
    return (node.arg,) if isinstance(node, ast.arg) else ()


def _parsed(text: str) -> ast.Module | None:
    if len(text) > MAX_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
