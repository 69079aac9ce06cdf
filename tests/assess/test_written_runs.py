"""Test runs read what they run: files of the session and files they name, by their content."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts, FileFact
from signoff.actions.known.test_runs import files_of_run, is_test, runs_code, runs_tests, to_look_at
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, guard_paths
from signoff.settings import Settings

CONFIG, STATE = "/home/dev/.config/signoff", "/home/dev/.local/state/signoff"
SETTINGS = Settings(config_dir=CONFIG, state_dir=STATE, home="/home/dev")
JUDGE = build_judge(SETTINGS)
PROJECT = "/home/dev/project"
HARMLESS = "import shutil, subprocess\n\n\ndef test_it(tmp_path):\n    shutil.rmtree(tmp_path)\n"
READS_KEY = f"import pathlib\n\n\ndef test_it():\n    print(open('{STATE}/token').read())\n"
COPIES = "import shutil\nshutil.copytree('/home/dev/.config', '/tmp/x')\n"
DELETES = "import shutil, pathlib\n\n\ndef test_it():\n    shutil.rmtree(pathlib.Path.home())\n"
ANSWERS = (
    "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:4440/web/requests/1/answer',"
    " b'answer=approve')\n"
)
CONF = '{"address": "http://127.0.0.1:4440", "label": "x"}'
RUNS = [
    "python3 -m unittest test_tool",
    "python3 -m unittest test_tool.Case.test_it",
    "python3 -m unittest",
    "python -m pytest",
    "pytest -q",
    "pytest test_tool.py::test_it",
    "uv run pytest",
    "npm test",
    "make test",
    "tox -e py312",
]


def judged(line: str, files: dict[str, str], *, is_written: bool = True) -> Verdict:
    """Return where a line leans that is run beside these files."""
    facts = {}
    for name, text in files.items():
        path = f"{PROJECT}/{name}"
        facts[name] = facts[path] = FileFact(real_path=path, text=text)
    return JUDGE(
        Action(tool="Bash", arguments={"command": line}, cwd=PROJECT),
        Facts(
            home="/home/dev",
            project=PROJECT,
            guard_paths=guard_paths(SETTINGS),
            files=facts,
            written=frozenset(f"{PROJECT}/{name}" for name in files) if is_written else frozenset(),
        ),
    ).preliminary


@pytest.mark.parametrize("line", RUNS)
@pytest.mark.parametrize("text", [READS_KEY, COPIES, DELETES, ANSWERS])
def test_a_written_test_is_judged_by_its_content(line: str, text: str) -> None:
    """T-23: what is refused as a script is refused as a test."""
    assert judged(line, {"test_tool.py": text}) is Verdict.DENY


@pytest.mark.parametrize("line", RUNS)
def test_an_ordinary_test_passes(line: str) -> None:
    """Tests do much that would be asked about elsewhere."""
    assert judged(line, {"test_tool.py": HARMLESS, "conf.json": "{}"}) is Verdict.ALLOW
    assert judged(line, {}) is Verdict.ALLOW


@pytest.mark.parametrize("line", [*RUNS, "python3 tool.py", "node run.js", "python3 -m pkg.tool"])
def test_nothing_runs_beside_a_file_that_leads_to_the_inbox(line: str) -> None:
    """T-43: the address may stand in one file and the code that uses it in another."""
    files = {"test_tool.py": HARMLESS, "tool.py": "x = 1\n", "conf.json": CONF}

    assert judged(line, files) is Verdict.DENY


def test_documents_may_name_what_they_like() -> None:
    """And so may files that no session wrote, as far as no code of theirs goes there."""
    assert judged("pytest", {"README.md": CONF, "test_tool.py": HARMLESS}) is Verdict.ALLOW
    assert judged("pytest", {"conf.json": CONF}, is_written=False) is Verdict.ALLOW
    assert judged("cat conf.json", {"conf.json": CONF}) is Verdict.ALLOW
    assert judged("git status", {"conf.json": CONF}) is Verdict.ALLOW


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("pytest test_tool.py", "test_tool.py"),
        ("python -m unittest pkg.test_tool", "pkg/test_tool.py"),
        ("python -m pkg.tool", "pkg/tool.py"),
        ("python -m pkg", "pkg/__main__.py"),
    ],
)
def test_a_file_that_is_named_is_judged_whoever_wrote_it(line: str, name: str) -> None:
    """By a name, a module or a class in one."""
    assert judged(line, {name: READS_KEY}, is_written=False) is Verdict.DENY
    assert judged(line, {name: HARMLESS}, is_written=False) is Verdict.ALLOW


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("python3 -m unittest a.test_b.C", ("a/test_b/C/__main__.py", "a/test_b/C.py")),
        ("python -m pkg.mod", ("pkg/mod/__main__.py", "pkg/mod.py")),
        ("pytest 'tests/x.py::test_a[1]'", ("tests/x.py",)),
        ("git commit -m x", ()),
        ("/usr/bin/python3 -B -m x", ("x/__main__.py", "x.py")),
        ("ls", ()),
    ],
)
def test_names_stand_for_files(line: str, files: tuple[str, ...]) -> None:
    """Bounded, and without a look at any of them."""
    assert files == files_of_run(line)[: len(files) or None]
    assert len(files_of_run(line)) <= 24
    assert len(files_of_run("python -m unittest " + "a.b.c.d " * 5_000)) <= 24


def test_what_is_looked_at_is_bounded_and_near() -> None:
    """Tests first, in the project only, no more than a few."""
    written = [f"{PROJECT}/m{n}.py" for n in range(99)]
    chosen = to_look_at([*written, f"{PROJECT}/test_z.py", "/tmp/test_a.py"], PROJECT)

    assert (32, f"{PROJECT}/test_z.py") == (len(chosen), chosen[0])
    assert "/tmp/test_a.py" not in chosen


@pytest.mark.parametrize(
    "path", ["a/test_x.py", "x_test.py", "a.spec.js", "tests/x.rb", "conftest.py"]
)
def test_tests_are_known_by_their_names(path: str) -> None:
    """As runners find them."""
    assert is_test(path)


@pytest.mark.parametrize("path", ["a/x.py", "latest.md", "contest.txt", "tests/data.json"])
def test_other_files_are_no_tests(path: str) -> None:
    """The control."""
    assert not is_test(path)


def test_a_runner_is_known_by_its_line() -> None:
    """Reading, listing and committing run nothing."""
    assert [runs_code(line) for line in (*RUNS, "./x", "bash a.sh")] == [True] * (len(RUNS) + 2)
    assert [runs_code(line) for line in ("ls -la", "git status", "cat a.py")] == [False] * 3
    assert (True, False) == (runs_tests("npm test"), runs_tests("python3 tool.py"))


@pytest.mark.parametrize(
    ("line", "name", "text"),
    [
        ("make all", "Makefile", "all:\n{}\trm -rf ~\n"),
        ("just", "justfile", "all:\n{}\trm -rf ~\n"),
    ],
)
@pytest.mark.parametrize(("lines", "verdict"), [(60, Verdict.DENY), (2_000, Verdict.ASK)])
def test_padding_in_a_file_that_runs_hides_nothing(
    line: str, name: str, text: str, lines: int, verdict: Verdict
) -> None:
    """Up to a limit every line is read; what is beyond it is asked about, never skipped."""
    padding = "".join(f"\techo {number}\n" for number in range(lines))

    assert judged(line, {name: text.format(padding)}) is verdict
    assert judged(line, {name: text.format("\techo 1\n" * 60).replace("rm -rf ~", "ls")}) is (
        Verdict.ALLOW
    )


@pytest.mark.parametrize("lines", [2_000, 12_000])
def test_padding_in_a_build_file_hides_nothing(lines: int) -> None:
    """Up to the limit it is read; beyond it, writing the file is asked about."""
    padding = "".join(f"x={number % 10}\n" for number in range(lines))
    content = f"import shutil\n{padding}shutil.rmtree('/home/dev')\n"
    written = {"file_path": f"{PROJECT}/setup.py", "content": content}
    action = Action(tool="Write", arguments=written, cwd=PROJECT)

    assert JUDGE(action, Facts(home="/home/dev", project=PROJECT)).preliminary is not Verdict.ALLOW
