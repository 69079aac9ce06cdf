"""Limits, odd characters, and texts that cannot be read."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import grows_in_step
from signoff.actions.place import Place
from signoff.actions.shell.command import Reading
from signoff.actions.shell.meaning import understand_shell
from signoff.actions.shell.reader import read_shell

Read = Callable[[str], Reading]
UNIT = 20_000
PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")


@pytest.mark.parametrize(
    "line",
    [
        "echo 'a",
        'echo "a',
        "echo $(a",
        "echo `a",
        "echo ${a",
        "(a",
        "a)",
        "{ a",
        "if a; then b",
        "fi",
        "a | | b",
        "a &&",
        "&& a",
        "for i in a; do b",
        "case x in a",
        "a (b)",
        "[[ a",
        "cat <<< ",
        "a >",
        "$(cat <<E)",
        "if a; then fi",
        "!!",
        "exec < script; a",
        "exec <<< 'rm x'",
        "sh -c 'a | | b'",
        "true; " * 1_200 + "rm x",
        "sudo " * 30 + "rm x",
        "( " * 60 + "a" + " )" * 60,
        "echo " + "{a,b}" * 12,
        "f() { f2; f2; }; f2() { f3; f3; }; " * 3 + "a " * 5_000,
        "a" * 300_000,
        "g() { g; g; }; " + "x=$x$x;" * 100 + "eval $x",
    ],
)
def test_unreadable_is_opaque(line: str, read: Read) -> None:
    """What is no valid line, or too much of one, is said to be opaque."""
    assert read(line).opaque


@pytest.mark.parametrize("line", ["a | | rm x", "rm x 'open", "rm x; ) y", "rm x\nfoo ("])
def test_unreadable_line_still_shows_commands(line: str, read: Read) -> None:
    """Beside the `Opaque` stands what could be made out."""
    assert "rm" in [command.program for command in read(line).commands]


@pytest.mark.parametrize(
    "line",
    [
        "r\u200bm -rf x",
        "rm\u00a0-rf x",
        "rm x\u202e",
        "echo 'a\u202eb'",
        "\u0440m x",
        "rm x\0",
        "rm\u3000x",
        "echo a\ufeff",
        "\uff52\uff4d x",
    ],
)
def test_odd_characters(line: str, read: Read) -> None:
    """Invisible, bidirectional and look-alike characters make a line opaque."""
    assert read(line).opaque


@pytest.mark.parametrize(
    "line",
    [
        "git commit -m 'Größe: naïve café'",
        "echo '\U0001f468\u200d\U0001f469 family'",
        "echo caf\u00e9",
        "cat > f <<'E'\nzero\u200bwidth\nE",
        "ls \u6587\u4ef6.txt",
        "echo '\x1b[1m'",
    ],
)
def test_ordinary_characters(line: str, read: Read) -> None:
    """Letters of any script are data, and so are joiners between quotes."""
    assert read(line).opaque == ()


@pytest.mark.parametrize(
    "line",
    [
        "$)" * (UNIT // 2),
        "|" * UNIT,
        "(" * UNIT,
        "$(" * (UNIT // 2),
        "$((" * (UNIT // 3),
        "{" * UNIT,
        "{a," * (UNIT // 3),
        "`" * UNIT,
        "a;" * (UNIT // 2),
        "a " * (UNIT // 2),
        "echo " + "$a" * (UNIT // 2),
        '"$(' * (UNIT // 3),
        "${a:-" * (UNIT // 5),
        "<<a " * (UNIT // 4),
        "if " * (UNIT // 3),
        "a()" * (UNIT // 3),
        "a=(" * (UNIT // 3),
        "[[ " * (UNIT // 3),
        "echo " + "$((" * 30 + "a" + ") )" * 30,
        "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}; " for n in range(20)) + "f0",
        "for a in 1 2 3 4; do " * 12 + ":" + "; done" * 12,
        "sudo " * 3_000 + "ls",
        "a" * 2_000_000,
        "x=aaaaaaaa;" + "x=$x$x;" * 60 + "echo $x",
        "x=" + "a" * 1_900 + ";" + "echo ${x%%*a*a*a*a*b};" * 50,
    ],
    ids=lambda line: line[:12],
)
def test_hostile_lines_end(line: str, read: Read) -> None:
    """No text takes long; the limit is wide because the machine may be busy."""
    start = time.process_time()
    read(line)
    assert time.process_time() - start < 10  # ends; `bench/hostile.py` measures


@given(st.text(alphabet="ab$(){}[]<>|&;'\"`\\ \n#!*?=-:/.~@%^,0", max_size=40))
def test_never_raises(line: str) -> None:
    """Any text gives a reading, and a text that is not empty never an empty one by accident."""
    reading = read_shell(line, cwd="/home/dev/project", variables={"HOME": "/home/dev"})
    assert [command.index for command in reading.commands] == list(range(len(reading.commands)))


@given(
    st.lists(st.text(alphabet="abcxyz019_./:@%+,-", min_size=1, max_size=6), min_size=1, max_size=6)
)
def test_short_way_is_equal(words: list[str]) -> None:
    """The short way for plain words gives what the whole way round gives."""
    line = " ".join(words)
    whole = read_shell(line + "  ", cwd="/a", variables={})
    assert whole.commands == read_shell(line, cwd="/a", variables={}).commands


@pytest.mark.parametrize("word", ["-x ", "a@b.c ", "-----BEGIN ", "curl x ", "A=1 ", "<a ", "x/y "])
def test_four_times_the_words_take_about_four_times_as_long(word: str) -> None:
    """What is asked of each word does not look at all the others."""
    short, long = (word * (size // len(word)) for size in (5_000, 20_000))

    assert grows_in_step(lambda text: understand_shell(text, PLACE), short, long)
