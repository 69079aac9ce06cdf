"""A line of plain and quoted words is read the short way only where the long way reads the same."""

from __future__ import annotations

import random
from functools import partial

import pytest

from signoff.actions.programs.registry import index
from signoff.actions.shell import reader
from signoff.actions.shell.command import Reading
from signoff.actions.shell.machine.builtins import STATEFUL
from signoff.actions.shell.machine.ordinary import MAX_LISTED, read_ordinary
from signoff.actions.shell.state import ShellScope
from signoff.actions.shell.syntax.lexer import RESERVED
from signoff.actions.shell.wrappers.table import CARRIERS

CWD = "/home/dev/project"
NAMES = sorted(
    {*CARRIERS, *STATEFUL, *RESERVED, *list(index().names)[::20], "foo", "./x", "let", "select"}
)
QUOTED = (
    *("'a[$(id)]'", '"b c"', "'x; rm -rf /'", "'$(id)'", "'`id`'", "'ls | sh'", "'{a,b}'", "'*'"),
    *("'~/x'", "'a=b'", '"-c"', "'#x'", "'!x'", "'\\x41'", "''", '""', '"=x"', "'s/a/b/e'"),
)
PLAIN = (
    *("-c", "-v", "-x", "--exec=1", "a", "/etc/x", "a=b", "--", "-", "1", "if", "do", "+x"),
    *("HEAD~1", "x^", "^a", "*.py", "a?b", "*", "~/x", "~", "a=~/x", "x:~/y", "--in='*.py'"),
    *("""'a'"b"c""", "a=*", "'x'*", "-e's/a/b/e'", "*'{a,b}'"),
)
LINKS = (" && ", " | ", " || ", "; ", " ; ", " | ")
FOLDERS = ("src", "..", "/tmp", "-", "~/x", "'a b'", "*.d", "-P x", "+1", "")
short_way = partial(read_ordinary, cwd=CWD, variables={}, has_files=False)


def long_way(line: str) -> Reading:
    """Read a line by lexer and interpreter."""
    return reader._read(line, ShellScope.starting(CWD, {}), is_zsh=False)


@pytest.mark.parametrize("half", [0, 1])
def test_the_short_way_reads_what_the_long_way_reads(half: int) -> None:
    """Whatever the program: those that read a quoted word as more than a word go the long way."""
    chosen = random.Random(half)
    other = []
    for name in NAMES[half::2]:
        words = chosen.choices(QUOTED, k=2) + chosen.choices(PLAIN, k=2)
        chosen.shuffle(words)
        line = " ".join([name, *words])
        if reader.read_shell(line, cwd=CWD, variables={}) != long_way(line):
            other.append(line)

    assert [] == other


@pytest.mark.parametrize(
    "line",
    ["git commit -m 'one; two'", 'grep -rn "a b" src', "echo 'rm -rf /'", "ls 'a'*"],
)
def test_an_ordinary_line_is_read_the_short_way(line: str) -> None:
    """A line in which only quotes are special takes no tree."""
    assert short_way(line)


@pytest.mark.parametrize(
    "line",
    ['echo "$(id)"', 'echo "`id`"', 'echo "a\\"b"', "echo ~/b", "'echo' a", "echo 'ä'", "a='b' c"],
)
def test_a_line_that_is_not_goes_the_long_way(line: str) -> None:
    """Expansions, homes, quoted programs and characters of other scripts."""
    assert short_way(line) is None


def test_a_subscript_between_quotes_is_run() -> None:
    """`printf -v` evaluates the subscript of its variable."""
    reading = reader.read_shell("printf -v 'a[$(rm -rf /)]' x", cwd=CWD)

    assert ["printf", "rm"] == [command.program for command in reading.commands]


@pytest.mark.parametrize("part", range(4))
def test_a_list_reads_as_the_long_way_reads_it(part: int) -> None:
    """Lists and pipelines of any programs, also behind a change of the folder."""
    chosen, other, short = random.Random(part), [], 0
    for _ in range(1_500):
        line = _list(chosen)
        read = short_way(line)
        short += read is not None
        if read is not None and read != long_way(line):
            other.append(line)

    assert [] == other
    assert short > 100


def _list(chosen: random.Random) -> str:
    """Make a list or pipeline of two to five commands."""
    names = [*NAMES, *("git", "cat", "echo", "grep", "head", "base64", "foo") * 40]
    parts = [
        " ".join([chosen.choice(names), *chosen.choices((*QUOTED[1:10], *PLAIN), k=2)])
        for _ in range(chosen.randint(2, 5))
    ]
    if chosen.random() < 0.3:
        parts[0] = f"cd {chosen.choice(FOLDERS)}"
    return parts[0] + "".join(f"{chosen.choice(LINKS)}{part}" for part in parts[1:])


@pytest.mark.parametrize(
    "line",
    [
        "git add -A && git commit -m 'a; b'",
        "ps aux | grep -v grep | wc -l",
        "cd src && ls | head -5",
        "git fetch; git status || echo 'a | b'",
    ],
)
def test_a_plain_list_is_read_the_short_way(line: str) -> None:
    """Operators between plain commands need no tree."""
    assert short_way(line)


@pytest.mark.parametrize(
    "line",
    [
        "cd a && grep x y; ls",
        "cd a || ls",
        "ls && cd a",
        "a | b | c && d",
        "export A=b && ls",
        "echo ls | sh",
        "ls &",
        "ls > a",
        "a && b &",
        "if ls; then ls; fi",
        " && ".join(["ls"] * (MAX_LISTED + 1)),
    ],
)
def test_a_list_that_changes_the_shell_goes_the_long_way(line: str) -> None:
    """Other folders, variables, shells, redirections, and more commands than are counted."""
    assert short_way(line) is None


def test_a_list_with_known_files_goes_the_long_way() -> None:
    """A program in it may be a file whose text is known."""
    assert read_ordinary("./x && ls", CWD, {}, has_files=True) is None
