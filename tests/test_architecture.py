"""The shape of the code is tested like its behaviour."""

from __future__ import annotations

import ast
import configparser
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

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

# Rooms of one file, and why the file has no other place.
ONE_FILE_ROOMS = {
    "storage/costs": "`storage` is full",
}

# The fields of a statement that hold statements, or what holds them.
STATEMENT_PARTS = ("body", "orelse", "handlers", "finalbody", "cases")

# Classes that share a name, and why neither is called otherwise.
SAME_NAMES = {
    "Test": "a node of the shell's grammar; a test of `find`, by the term of its manual",
}


def place_of(path: Path, root: Path = ROOT) -> str:
    """Name a file or folder by its path inside the package."""
    return path.relative_to(root).as_posix()


def long_files(root: Path = ROOT) -> list[str]:
    """Name files of more than 400 lines."""
    return [
        place_of(path, root)
        for path in sorted(root.rglob("*.py"))
        if len(path.read_text(encoding="utf-8").splitlines()) > 400
    ]


def long_functions(root: Path = ROOT) -> list[str]:
    """Name functions of more than 50 lines, nested ones too."""
    return [
        f"{place_of(path, root)}: {name}"
        for path, file in parsed(root).items()
        for name, lines in file.functions
        if lines > 50
    ]


def silent_files(root: Path = ROOT) -> list[str]:
    """Name files with code that lack a docstring or postponed annotations."""
    annotations = "from __future__ import annotations"
    return [
        place_of(path, root)
        for path, file in parsed(root).items()
        if file.has_code
        and not (
            file.has_docstring
            and (path.name == "__init__.py" or annotations in path.read_text(encoding="utf-8"))
        )
    ]


def nameless_files(root: Path = ROOT) -> list[str]:
    """Name files and folders called utils or the like."""
    return [
        place_of(path, root)
        for path in sorted(root.rglob("*.py"))
        if not NAMELESS.isdisjoint({path.stem, path.parent.name})
    ]


def full_rooms(root: Path = ROOT) -> dict[str, int]:
    """Count the files of folders with more than twelve, __init__ aside."""
    rooms = {path.parent for path in root.rglob("*.py")}
    counts = {room: len(list(room.glob("*.py"))) for room in rooms}
    return {place_of(room, root): count for room, count in counts.items() if count > 13}


def one_file_rooms(root: Path = ROOT) -> set[str]:
    """Name folders that hold one file of code and no folder of code."""
    rooms = {path.parent for path in root.rglob("*.py")}
    return {
        place_of(room, root)
        for room in rooms
        if len([path for path in room.rglob("*.py") if path.name != "__init__.py"]) == 1
    }


def classes_defined_twice(root: Path = ROOT) -> dict[str, list[str]]:
    """Name classes that several files define, with the files."""
    found: dict[str, list[str]] = {}
    for path, file in parsed(root).items():
        for name in file.classes:
            found.setdefault(name, []).append(place_of(path, root))
    return {name: files for name, files in found.items() if len(files) > 1}


class File(NamedTuple):
    """What the checks ask of a file; its syntax tree is not kept: garbage collection walks trees.

    Args:
        functions: names with their lines, nested ones too.
    """

    has_code: bool
    has_docstring: bool
    has_assert: bool
    functions: list[tuple[str, int]]
    classes: list[str]


def files_with_asserts(root: Path = ROOT) -> list[str]:
    """Name files with an assert statement, however deep."""
    return [place_of(path, root) for path, file in parsed(root).items() if file.has_assert]


@cache
def parsed(root: Path) -> dict[Path, File]:
    """Read every file, once for all checks."""
    return {path: parsed_file(path) for path in sorted(root.rglob("*.py"))}


def parsed_file(path: Path) -> File:
    """Read one file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = statements(tree)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [node for node in nodes if isinstance(node, kinds)]
    return File(
        has_code=bool(tree.body),
        has_docstring=bool(ast.get_docstring(tree)),
        has_assert=any(isinstance(node, ast.Assert) for node in nodes),
        functions=[(one.name, (one.end_lineno or 0) - one.lineno + 1) for one in functions],
        classes=[node.name for node in nodes if isinstance(node, ast.ClassDef)],
    )


def statements(tree: ast.Module) -> list[ast.AST]:
    """Return all statements and what holds some; none stands in an expression."""
    nodes: list[ast.AST] = [tree]
    for node in nodes:  # it grows meanwhile
        nodes += [one for part in STATEMENT_PARTS for one in getattr(node, part, ())]
    return nodes


def test_folder_names_sort_in_the_order_data_flows() -> None:
    """A listing of src/signoff shows the stages in flow order."""
    assert sorted(STAGES) == STAGES
    assert [stage for stage in STAGES if not (ROOT / stage).is_dir()] == []


def test_the_first_page_of_the_architecture_is_short() -> None:
    """At most 110 lines; what is more stands in docs/find-a-change.md."""
    page = (ROOT.parents[1] / "ARCHITECTURE.md").read_text("utf-8")
    assert len(page.splitlines()) <= 110


def test_a_file_is_small() -> None:
    """No file is longer than 400 lines."""
    assert long_files() == []


def test_a_function_fits_one_screen() -> None:
    """No function is longer than 50 lines."""
    assert long_functions() == []


def test_a_file_says_what_it_owns() -> None:
    """Every file with code in it begins with a docstring and postponed annotations."""
    assert silent_files() == []


def test_a_file_has_a_name_that_says_something() -> None:
    """No file or folder is called utils or the like."""
    assert nameless_files() == []


def test_a_room_has_few_files() -> None:
    """A folder holds at most twelve files, __init__ aside, unless it is one file a thing."""
    free = {place_of(room) for room in ONE_FILE_A_THING}
    full = {
        room: count
        for room, count in full_rooms().items()
        if not any(f"{room}/".startswith(f"{one}/") for one in free)
    }

    assert full == {}


def test_a_room_has_more_than_one_file() -> None:
    """A folder for one file makes a reader go deeper for nothing; exceptions have reasons."""
    assert one_file_rooms() == {*ONE_FILE_ROOMS}


def test_a_class_name_means_one_thing() -> None:
    """No two files define a class of the same name; exceptions have reasons."""
    assert {*classes_defined_twice()} == {*SAME_NAMES}


def stale_layers(config: str) -> list[str]:
    """Name layers of `.importlinter` that are no module; those in brackets it never misses."""
    parser = configparser.ConfigParser()
    parser.read_string(config)
    stale: list[str] = []
    for section in parser.sections():
        containers = parser[section].get("containers", "").split()
        layers = re.findall(r"\w+", parser[section].get("layers", ""))
        for container in containers:
            folder = ROOT.parent.joinpath(*container.split("."))
            stale += [
                f"{container}.{layer}"
                for layer in layers
                if not (folder / layer).is_dir() and not (folder / f"{layer}.py").is_file()
            ]
    return stale


def test_import_contracts_name_what_exists() -> None:
    """A layer that is gone holds nothing; a stale exception `lint-imports` names itself."""
    config = (ROOT.parents[1] / ".importlinter").read_text(encoding="utf-8")
    gone = config.replace("    effects\n", "    effects\n    (gone)\n")

    assert "alerting = none" not in config
    assert stale_layers(config) == []
    assert stale_layers(gone) == ["signoff.gone"]


def test_these_checks_can_fail(tmp_path: Path) -> None:
    """Each names what breaks its limit, by its path."""
    lone, full = tmp_path / "a" / "lone", tmp_path / "b" / "lone"
    lone.mkdir(parents=True)
    full.mkdir(parents=True)
    (lone / "utils.py").write_text("class Twice: ...\n" + "x = 1\n" * 400)
    for n in range(14):
        (full / f"f{n}.py").write_text('"""A file."""\n')
    inner = "match x:\n    case 1:\n        try: ...\n        except E:\n            assert x\n"
    (full / "f1.py").write_text(f'"""A file."""\n{inner}')
    body = "    x = 1\n" * 50
    (full / "f0.py").write_text(f'"""A file."""\n\n\nclass Twice: ...\n\n\ndef f():\n{body}')

    assert long_files(tmp_path) == ["a/lone/utils.py"]
    assert long_functions(tmp_path) == ["b/lone/f0.py: f"]
    assert silent_files(tmp_path)[0] == "a/lone/utils.py"
    assert "b/lone/f0.py" in silent_files(tmp_path)
    assert nameless_files(tmp_path) == ["a/lone/utils.py"]
    assert full_rooms(tmp_path) == {"b/lone": 14}
    assert one_file_rooms(tmp_path) == {"a/lone"}
    assert files_with_asserts(tmp_path) == ["b/lone/f1.py"]
    assert classes_defined_twice(tmp_path) == {"Twice": ["a/lone/utils.py", "b/lone/f0.py"]}


def test_importing_signoff_loads_msgspec_and_the_standard_library_only() -> None:
    """A process pays for every millisecond of `import signoff`, whatever it does next."""
    code = "import sys; old = set(sys.modules); import signoff; print(*set(sys.modules) - old)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    roots = {name.partition(".")[0] for name in out.stdout.split()}

    # msgspec takes typing_extensions where it is installed.
    assert {"signoff", "msgspec"} == roots - sys.stdlib_module_names - {"typing_extensions"}


# What only those need who serve, store, ask or look for packages.
NOT_FOR_ONE_CHECK = frozenset(
    (
        "asyncio",
        "sqlite3",
        "ssl",
        "subprocess",
        "importlib.metadata",
        "rich",
        "uvicorn",
        "starlette",
    )
)


def test_one_check_loads_what_it_needs_only(tmp_path: Path) -> None:
    """A start of `signoff check` is mostly imports; one more of these is felt at each of them."""
    code = "import sys; from signoff.frontends.cli.app import app\n"
    code += "try:\n    app(['check', '--', 'ls'])\nfinally:\n    print(*sys.modules)"
    home = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=home)

    assert out.stdout.startswith("allow  ls")
    assert NOT_FOR_ONE_CHECK.intersection(out.stdout.split()) == set()


def test_no_assert_outside_tests() -> None:
    """A check that -O removes is no check."""
    assert [] == files_with_asserts()


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
