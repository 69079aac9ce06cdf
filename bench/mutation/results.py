"""What came of each mutant, read from what mutmut leaves."""

from __future__ import annotations

import ast
import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

MUTANT = re.compile(r"(.+)__mutmut_(orig|\d+)")
SURVIVED, NO_TESTS = 0, 33
CLASS_MARK = "ǁ"  # mutmut: x + class + function, between these


class Outcome(StrEnum):
    """What came of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    UNTESTED = "no test runs it"
    TEXT = "a text for people"
    NOT_RUN = "was not run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One mutant.

    Args:
        name: as mutmut calls it.
        place: module and function.
        change: the lines that differ, as `- before` and `+ after`.
    """

    name: str
    place: str
    change: str
    outcome: Outcome


def mutants_in(folder: Path) -> Iterator[Mutant]:
    """Give every mutant that mutmut made and ran in a folder."""
    for meta in sorted((folder / "mutants").rglob("*.py.meta")):
        codes = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
        if codes:
            functions = _functions(meta.with_suffix(""))
            for key, code in codes.items():
                yield _mutant(key, code, functions)


def _mutant(key: str, code: int | None, functions: dict[str, ast.AST]) -> Mutant:
    module, _, name = key.rpartition(".")
    found = MUTANT.fullmatch(name)
    assert found, key
    before, after = functions[f"{found[1]}__mutmut_orig"], functions[name]
    outcomes = {SURVIVED: Outcome.SURVIVED, NO_TESTS: Outcome.UNTESTED, None: Outcome.NOT_RUN}
    is_text = _without_texts(before) == _without_texts(after)
    place = f"{module}.{_own_name(found[1])}"
    return Mutant(
        name=key,
        place=place,
        change=_change(before, after),
        outcome=Outcome.TEXT if is_text else outcomes.get(code, Outcome.KILLED),
    )


def _own_name(name: str) -> str:
    """Return the name of a function without what mutmut adds."""
    plain = name.removeprefix(f"x{CLASS_MARK}") if CLASS_MARK in name else name.removeprefix("x_")
    return plain.replace(CLASS_MARK, ".")


def _functions(path: Path) -> dict[str, ast.AST]:
    """Return every function that mutmut made, by its name, all named alike."""
    found: dict[str, ast.AST] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and MUTANT.fullmatch(node.name):
            found[node.name] = node
            node.name = "it"
    return found


def _change(before: ast.AST, after: ast.AST) -> str:
    lines = difflib.ndiff(ast.unparse(before).splitlines(), ast.unparse(after).splitlines())
    changed = (line for line in lines if line[:2] in {"- ", "+ "})
    return "\n".join(f"{line[:2]}{line[2:].strip()}" for line in changed)


def _without_texts(node: ast.AST) -> str:
    """Return a function without log lines, and with all texts for people alike."""
    text = ast.unparse(node)  # a fresh tree: it is changed
    return ast.dump(_Plain().visit(ast.parse(text)))


class _Plain(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        called = node.value.func if isinstance(node.value, ast.Call) else None
        if called is not None and ast.unparse(called).startswith("log."):
            return ast.Pass()
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        is_text = isinstance(node.value, str) and any(char.isspace() for char in node.value)
        return ast.Constant("text") if is_text else node
