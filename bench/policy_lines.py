"""List the policy lines detectors of operations can find, with the severities each may have.

Read from the source, so that nothing is left out: every pair of a line and a severity, wherever a
detector writes one. `tests/test_defaults_doc.py` holds docs/reference/defaults.md against it.

    python -m bench.policy_lines
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from types import ModuleType

from signoff.actions.operation import ResourceType
from signoff.assess.combined import loop_rows, tool_rows
from signoff.assess.combined.bulk import rows as mass_rows
from signoff.assess.detectors import combined_facts, system_change
from signoff.assess.detectors.registry import OPERATION_DETECTORS
from signoff.assess.finding import Severity
from signoff.assess.remembered import rows

# Detectors whose table is kept in more files than their own.
TABLES: dict[str, tuple[ModuleType, ...]] = {
    combined_facts.ID: (loop_rows, mass_rows, tool_rows, rows)
}
VERDICTS = {
    Severity.LOW: "allow",
    Severity.MEDIUM: "ask",
    Severity.HIGH: "ask",
    Severity.CRITICAL: "deny",
}


def policy_lines() -> dict[str, frozenset[Severity]]:
    """Give every category of the detectors of operations, with its severities."""
    lines: dict[str, frozenset[Severity]] = {}
    for detector in OPERATION_DETECTORS:
        modules = (sys.modules[detector.run.__module__], *TABLES.get(detector.id, ()))
        for line, severities in (pair for module in modules for pair in _lines_of(module)):
            name = f"{detector.id}.{line}"
            lines[name] = lines.get(name, frozenset()) | severities
    return lines


def _lines_of(module: ModuleType) -> Iterator[tuple[str, frozenset[Severity]]]:
    """Give every line a module writes beside a severity."""
    tree = ast.parse(inspect.getsource(module))
    assigned = _assigned(tree)
    for node in ast.walk(tree):
        for name, severity in _pairs(node):
            found = _severities(severity, assigned)
            for line in _names(name, module) if found else ():
                yield line, found


def _pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Tuple(elts=[name, severity]):
            yield name, severity
        case ast.Call(func=ast.Name(id="found"), args=[_, name, severity, *_]):
            yield name, severity
        case ast.Call(func=ast.Name(id="Finding"), keywords=keywords):
            given = {keyword.arg: keyword.value for keyword in keywords}
            yield given["category"], given["severity"]


def _names(node: ast.expr, module: ModuleType) -> tuple[str, ...]:
    """Read the name of a line: plain, `{ID}.line`, or one for each thing."""
    match node:
        case ast.Constant(value=str(text)):
            return (text,)
        case ast.JoinedStr(values=[_, ast.Constant(value=str(text))]):
            return (text.removeprefix("."),)
        case ast.JoinedStr(values=[_]) if module is system_change:
            return tuple(t.value for t in ResourceType if t not in system_change.LEFT_TO_OTHERS)
        case ast.IfExp(body=body, orelse=other):
            return (*_names(body, module), *_names(other, module))
        case _:
            return ()


def _severities(node: ast.expr, assigned: dict[str, ast.expr]) -> frozenset[Severity]:
    if isinstance(node, ast.Name) and node.id in assigned:
        node = assigned[node.id]
    return frozenset(
        Severity[part.attr]
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id == "Severity"
    )


def _assigned(tree: ast.AST) -> dict[str, ast.expr]:
    return {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def main() -> int:
    """Print every line with its verdicts."""
    for line, severities in sorted(policy_lines().items()):
        verdicts = " or ".join(sorted({VERDICTS[one] for one in severities}))
        shown = " ".join(sorted(severities))
        print(f"{line:44} {verdicts:12} {shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
