"""What docstrings name exists: parameters below `Args:`, what their examples call, files."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SRC = Path(__file__).parents[1] / "src" / "signoff"
ARGS = re.compile(r"^Args:\n((?: {4}.*\n?|\n)+)", re.M)
NAMED = re.compile(r"^ {4}(\w[\w, ]*):", re.M)
CALLED = re.compile(r"\b([A-Za-z_]\w{2,})\(")
FILE = re.compile(r"`(\w+/[\w/]+\.py)`")
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
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class File(NamedTuple):
    """What the checks ask of a file; no syntax tree is kept.

    Args:
        docs: all docstrings.
        names: every name that is defined or used.
        strangers: what `Args:` lists that its function or class does not take.
    """

    docs: list[str]
    names: set[str]
    strangers: list[str]


@cache
def files() -> dict[Path, File]:
    """Read every file of the package, once for all checks."""
    return {path: read(path.read_text("utf-8")) for path in sorted(SRC.rglob("*.py"))}


def read(text: str) -> File:
    """Read one file."""
    found = File([], set(), [])
    for node in ast.walk(ast.parse(text)):
        for key in ("id", "attr", "arg", "name"):
            if isinstance(name := getattr(node, key, None), str):
                found.names.add(name)
        if isinstance(node, ast.Module | Definition) and (doc := ast.get_docstring(node)):
            found.docs.append(doc)
            if isinstance(node, Definition):
                found.strangers.extend(_strangers(node, doc))
    return found


def _strangers(node: Definition, doc: str) -> Iterator[str]:
    listed = ARGS.search(doc)
    said = (
        [name for names in NAMED.findall(listed[1]) for name in names.split(", ")] if listed else []
    )
    taken = _taken_by(node) if said else set[str]()
    yield from (f"{node.name}: {one}" for one in said if one not in taken)


def _taken_by(node: Definition) -> set[str]:
    if isinstance(node, ast.ClassDef):
        fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
        made = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        own = {one.id for one in fields if isinstance(one, ast.Name)}
        return own.union(*(_taken_by(one) for one in made if one.name in {"__init__", "__new__"}))
    return {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}


def unknown_calls(file: File, known: set[str]) -> list[str]:
    """Name what the examples in docstrings call and nothing defines."""
    return sorted({name for doc in file.docs for name in CALLED.findall(doc)} - known)


def unknown_files(file: File, folder: Path) -> list[str]:
    """Name the files in docstrings, `folder/file.py`, that are in no folder above."""
    named = {name for doc in file.docs for name in FILE.findall(doc)}
    above = [folder, *folder.parents]
    return sorted(name for name in named if not any((one / name).is_file() for one in above))


def test_every_parameter_in_a_docstring_exists() -> None:
    """A renamed parameter is renamed in its docstring, too."""
    assert {path: file.strangers for path, file in files().items() if file.strangers} == {}


def test_examples_in_docstrings_call_what_exists() -> None:
    """An example that calls a name of earlier days helps nobody."""
    known = {*dir(builtins), *FOREIGN}.union(*(file.names for file in files().values()))
    stale = {
        path: names
        for path, file in files().items()
        if path.relative_to(SRC).parts[0] not in QUOTING and (names := unknown_calls(file, known))
    }

    assert stale == {}


def test_files_that_docstrings_name_exist() -> None:
    """A file that was moved is named by its new place."""
    found = {path: unknown_files(file, path.parent) for path, file in files().items()}

    assert {path: names for path, names in found.items() if names} == {}


def test_these_checks_can_fail() -> None:
    """Each names what is stale, and nothing else."""
    args = "\n\n    Args:\n        a, c: old.\n        b: new.\n    "
    function = read(f'def f(a, *, b=1):\n    """Do it.{args}"""')
    box = read(
        f'class Box:\n    """One: `Crate(3)`, `Box(3)`.{args}"""\n\n    a: int\n    b: int\n'
    )
    page = read('"""See `a/gone.py` and `actions/urls.py`."""')

    assert function.strangers == ["f: c"]
    assert box.strangers == ["Box: c"]
    assert unknown_calls(box, box.names) == ["Crate"]
    assert unknown_files(page, SRC / "build") == ["a/gone.py"]
