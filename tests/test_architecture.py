"""The shape of the code is tested like its behaviour."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "signoff"
STAGES = ["actions", "assess", "challenge", "decide", "effects"]
FILES = sorted(ROOT.rglob("*.py"))
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager"}

# One thing a file: these rooms may grow.
ONE_FILE_A_THING = {
    ROOT / "actions" / "programs",
    ROOT / "assess" / "detectors",
    ROOT / "assess" / "patterns" / "families",
    ROOT / "effects" / "handlers",
    ROOT / "frontends" / "cli",
}

each_file = pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return every function of a file, nested ones too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def test_folder_names_sort_in_the_order_data_flows() -> None:
    """A listing of src/signoff shows the stages in flow order."""
    assert sorted(STAGES) == STAGES
    assert [stage for stage in STAGES if not (ROOT / stage).is_dir()] == []


@each_file
def test_a_file_is_small(path: Path) -> None:
    """No file is longer than 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@each_file
def test_a_function_fits_one_screen(path: Path) -> None:
    """No function is longer than 50 lines."""
    long = [f.name for f in functions(path) if (f.end_lineno or 0) - f.lineno >= 50]

    assert long == []


@each_file
def test_a_file_says_what_it_owns(path: Path) -> None:
    """Every file with code in it begins with a docstring and postponed annotations."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    if not tree.body:
        return

    assert ast.get_docstring(tree)
    assert "from __future__ import annotations" in text or path.name == "__init__.py"


@each_file
def test_a_file_has_a_name_that_says_something(path: Path) -> None:
    """No file or folder is called utils or the like."""
    assert NAMELESS.isdisjoint({path.stem, path.parent.name})


def test_a_room_has_few_files() -> None:
    """A folder holds at most twelve files, __init__ aside, unless it is one file a thing."""
    rooms = {path.parent for path in FILES if ONE_FILE_A_THING.isdisjoint(path.parents)}
    counts = {room.name: len(list(room.glob("*.py"))) for room in rooms}

    assert {name: count for name, count in counts.items() if count > 13} == {}


def test_importing_signoff_loads_the_standard_library_only() -> None:
    """A hook pays for every millisecond of `import signoff`."""
    code = "import sys; old = set(sys.modules); import signoff; print(*set(sys.modules) - old)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    roots = {name.partition(".")[0] for name in out.stdout.split()}

    assert {"signoff"} == roots - sys.stdlib_module_names


def test_no_assert_outside_tests() -> None:
    """A check that -O removes is no check."""
    found = [
        path.name
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert)
    ]

    assert found == []


def test_every_silenced_check_says_why() -> None:
    """A noqa or type: ignore names its code and stands beside its reason."""
    silenced = re.compile(r"#\s*(?:noqa|type:\s*ignore)(.*)")
    bare = [
        f"{path.name}: {found.group(0)}"
        for path in FILES
        for found in map(silenced.search, path.read_text(encoding="utf-8").splitlines())
        if found and not re.match(r"(?:: ?[A-Z0-9, ]+|\[[a-z, -]+\])\s*(?:-|#)\s*\S+", found[1])
    ]

    assert bare == []


def test_no_two_files_of_tests_share_a_name() -> None:
    """They are imported by name: a second one of a name would not run."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]

    assert sorted(set(names)) == sorted(names)
