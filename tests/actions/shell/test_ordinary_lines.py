"""A line of plain and quoted words is read the short way only where the long way reads the same."""

from __future__ import annotations

import random

import pytest

from signoff.actions.programs.registry import index
from signoff.actions.shell import reader
from signoff.actions.shell.machine.builtins import STATEFUL
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


@pytest.mark.parametrize("half", [0, 1])
def test_the_short_way_reads_what_the_long_way_reads(half: int) -> None:
    """Whatever the program: those that read a quoted word as more than a word go the long way."""
    chosen = random.Random(half)
    other = []
    for name in NAMES[half::2]:
        words = chosen.choices(QUOTED, k=2) + chosen.choices(PLAIN, k=2)
        chosen.shuffle(words)
        line = " ".join([name, *words])
        whole = reader._read(line, ShellScope.starting(CWD, {}), is_zsh=False)
        if reader.read_shell(line, cwd=CWD, variables={}) != whole:
            other.append(line)

    assert [] == other


@pytest.mark.parametrize(
    "line",
    ["git commit -m 'one; two'", 'grep -rn "a b" src', "echo 'rm -rf /'", "ls 'a'*"],
)
def test_an_ordinary_line_is_read_the_short_way(line: str) -> None:
    """A line in which only quotes are special takes no tree."""
    assert reader._ordinary_words(line)


@pytest.mark.parametrize(
    "line",
    ['echo "$(id)"', 'echo "`id`"', 'echo "a\\"b"', "echo ~/b", "'echo' a", "echo 'ä'", "a='b' c"],
)
def test_a_line_that_is_not_goes_the_long_way(line: str) -> None:
    """Expansions, homes, quoted programs and characters of other scripts."""
    assert () == reader._ordinary_words(line)


def test_a_subscript_between_quotes_is_run() -> None:
    """`printf -v` evaluates the subscript of its variable."""
    reading = reader.read_shell("printf -v 'a[$(rm -rf /)]' x", cwd=CWD)

    assert ["printf", "rm"] == [command.program for command in reading.commands]
