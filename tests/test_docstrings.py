"""What docstrings name exists: parameters below `Args:`, and what their examples call."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[1] / "src" / "signoff"
ARGS = re.compile(r"^Args:\n((?: {4}.*\n?|\n)+)", re.M)
NAMED = re.compile(r"^ {4}(\w[\w, ]*):", re.M)
CALLED = re.compile(r"\b([A-Za-z_]\w{2,})\(")
# These quote the code of others, which is what they judge.
QUOTING = ("actions", "assess")
# What examples call that is not signoff's: frameworks, the reader's own code, other languages.
FOREIGN = frozenset(
    (
        *("Agent", "ApprovalPolicy", "ClaudeAgentOptions", "FunctionAgent", "InMemoryRunner"),
        *("ToolCallingAgent", "ToolNode", "add_middleware", "create_agent", "get_wsgi_application"),
        *("kickoff", "tool_runner", "delete_user", "pay_back", "Bash", "forbid", "sd_listen_fds"),
    )
)
Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def unknown_parameters(text: str) -> Iterator[str]:
    """Name what `Args:` of a function or class lists that it does not take."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, Documented) and (found := ARGS.search(ast.get_docstring(node) or "")):
            said = [name for names in NAMED.findall(found[1]) for name in names.split(", ")]
            yield from (f"{node.name}: {one}" for one in said if one not in _taken_by(node))


def _taken_by(node: Documented) -> set[str]:
    if isinstance(node, ast.ClassDef):
        fields = {
            part.target.id
            for part in node.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        }
        made = [one for one in node.body if getattr(one, "name", "") in {"__init__", "__new__"}]
        return fields.union(*(_taken_by(one) for one in made if isinstance(one, Documented)))
    return {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}


def names_of(text: str) -> set[str]:
    """Return every name that code defines or uses."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        found |= {
            getattr(node, key)
            for key in ("id", "attr", "arg", "name")
            if isinstance(getattr(node, key, None), str)
        }
    return found


def unknown_calls(text: str, known: set[str]) -> list[str]:
    """Name what the examples in docstrings call and nothing defines."""
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Module | Documented)]
    texts = [ast.get_docstring(node) or "" for node in nodes]
    return sorted({name for one in texts for name in CALLED.findall(one)} - known)


def test_every_parameter_in_a_docstring_exists() -> None:
    """A renamed parameter is renamed in its docstring, too."""
    stale = [
        f"{path.relative_to(SRC)}: {said}"
        for path in sorted(SRC.rglob("*.py"))
        for said in unknown_parameters(path.read_text("utf-8"))
    ]

    assert stale == []


def test_examples_in_docstrings_call_what_exists() -> None:
    """An example that calls a name of earlier days helps nobody."""
    texts = {path: path.read_text("utf-8") for path in sorted(SRC.rglob("*.py"))}
    known = {*dir(builtins), *FOREIGN}.union(*map(names_of, texts.values()))
    stale = {
        str(path.relative_to(SRC)): names
        for path, text in texts.items()
        if path.relative_to(SRC).parts[0] not in QUOTING and (names := unknown_calls(text, known))
    }

    assert stale == {}


def test_these_checks_can_fail() -> None:
    """Each names what is stale, and nothing else."""
    args = "\n\n    Args:\n        a, c: old.\n        b: new.\n    "
    text = f'def f(a, *, b=1):\n    """Do it.{args}"""'
    box = f'class Box:\n    """One: `Crate(3)`, `Box(3)`.{args}"""\n\n    a: int\n    b: int\n'

    assert list(unknown_parameters(text)) == ["f: c"]
    assert list(unknown_parameters(box)) == ["Box: c"]
    assert unknown_calls(box, names_of(box)) == ["Crate"]
