"""Tests of AWS in Python: whether moto answers for every client that a snippet makes.

with mock_aws():                     @mock_aws
    s3 = boto3.client("s3")          def run(): s3 = boto3.client("s3")
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_MOCK = "mock_aws"
_CLIENTS = ("boto3", "botocore")


def moto_answers(tree: ast.Module) -> bool:
    """Return whether boto3 is only used while one mock of all of AWS is in force."""
    names = set(_imported(tree))
    if not names or _is_bound_again(tree, names) or _is_loaded_by_name(tree):
        return False
    covered = [node for node in ast.walk(tree) if _covers(node, names)]
    inside = {id(inner) for node in covered for inner in ast.walk(node)}
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in _CLIENTS]
    return bool(uses) and all([id(node) in inside for node in uses])


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the names of `from moto import mock_aws`; older mocks answer for one service alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "moto" and not node.level:
            yield from [one.asname or one.name for one in node.names if one.name == _MOCK]


def _is_loaded_by_name(tree: ast.Module) -> bool:
    """Tell `importlib.import_module("boto3")`, after which any name may stand for it."""
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return any([isinstance(text, str) and "boto" in text for text in texts])


def _is_bound_again(tree: ast.Module, names: set[str]) -> bool:
    """Tell a name of the mock, or of boto3, that the snippet gives another meaning."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            if node.id in names or node.id in _CLIENTS:
                return True
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name in names or node.name in _CLIENTS:
                return True
        elif isinstance(node, ast.Import | ast.ImportFrom) and _renames(node):
            return True
    return False


def _renames(node: ast.Import | ast.ImportFrom) -> bool:
    """Tell `import boto3 as b` and `from boto3 import client`, which hide where it is used."""
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in _CLIENTS
    return any([one.name.partition(".")[0] in _CLIENTS and one.asname for one in node.names])


def _covers(node: ast.AST, names: set[str]) -> bool:
    """Tell a block or function in which the mock is in force: one without settings of its own."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return any([_is_mock(item.context_expr, names) for item in node.items])
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return any([_is_mock(one, names) or _is_name(one, names) for one in node.decorator_list])
    return False


def _is_mock(node: ast.expr, names: set[str]) -> bool:
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return _is_name(node.func, names)


def _is_name(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names
