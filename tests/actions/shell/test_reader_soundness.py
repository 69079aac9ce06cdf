"""Where the obvious value would be the wrong one: the reader must not be sure."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.shell.command import Reading
from signoff.actions.shell.reader import read_shell

Read = Callable[[str], Reading]
Ran = Callable[[str], list[str]]


@pytest.mark.parametrize(
    "line",
    [
        "x=safe; bash -c 'rm $x'",
        "f() { local x=safe; }; f; rm $x",
        "readonly x=/; x=safe; rm $x",
        "declare -l x; x=SAFE; rm $x",
        "declare -i x; x=2+2; rm $x",
        "f() { x=/; return; x=safe; }; f; rm $x",
        "for i in 1; do x=/; break; x=safe; done; rm $x",
        "x=safe; . ./other; rm $x",
        'x=safe; eval "$OTHER"; rm $x',
        "x=safe; getopts a: x; rm $x",
        "x=safe; export $(cat f); rm $x",
        "x=1; ((x++)); rm $x",
        "x=1; ((--x)); rm $x",
        "x=1; : $((x += 2)); rm $x",
        "IFS=$A; x='a b'; rm $x",
        "x=a; false && x=safe; rm $x",
        "! true && x=safe; rm $x",
        "local x=safe; rm $x",
        "{ head -1; read x; rm $x; } <<< $'a\\nb'",
        "{ if a; then read y; fi; read x; rm $x; } <<< $'a\\nb'",
        "{ a && read y; read x; rm $x; } <<< $'a\\nb'",
        "{ case $Y in b) read y ;; esac; read x; rm $x; } <<< $'a\\nb'",
        "x=a; case $Y in b) x=safe ;; esac; rm $x",
        "x=a; while b; do x=safe; done; rm $x",
        "set -- a; shift $N; rm $1",
        "set -- $N a; rm $1",
        "rm $(printf '%.1s' abc)",
        "rm $(printf '%5s' a)",
        "rm $(printf '%q' 'a b')",
        "rm $(echo 'a\\nb')",
        "rm $(cat -n <<< a)",
        "rm $(echo eA== | base64 -d f)",
        "rm $(echo eA== | openssl enc -a -d -aes-256-cbc -k p)",
        "rm $(tr -c a b <<< ab)",
        "rm $(tr '[:alpha:]' b <<< ab)",
        "rm $(head -c 1 <<< ab)",
        "rm $(tail -n +2 <<< a)",
        "rm $(find . -exec echo a \\;)",
        "rm $(for i in a b; do echo $i; break; done)",
        "rm $(echo a; exit; echo b)",
        "rm $(a || echo b)",
        "rm $(cd -)",
        "rm $(alias)",
        "rm $(ssh h echo a)",
        "rm ${x:-safe}",
        "a=(x); a[$I]=y; rm ${a[0]}",
        "read x; rm $x",
        "mapfile l; rm ${l[0]}",
    ],
)
def test_not_sure(line: str, read: Read) -> None:
    """The last command keeps a word that is not known."""
    last = next(c for c in reversed(read(line).commands) if c.program == "rm")
    assert not all(word.is_known for word in last.words)


@pytest.mark.parametrize(
    "line",
    [
        "rm() { :; }; command rm x",
        "rm() { :; }; env rm x",
        "rm() { :; }; bash -c 'rm x'",
        "rm() { :; }; echo x | xargs rm",
        "rm() { :; }; \\rm() { :; }; sudo rm x",
        "alias rm=echo; command rm x",
        "alias rm=echo; rm x",
    ],
)
def test_functions_and_aliases_hide_nothing(line: str, ran: Ran, read: Read) -> None:
    """Carriers look programs up on the disk, and aliases may not be in force."""
    assert "rm x" in [" ".join(w.text for w in c.words) for c in read(line).commands]


def test_trap_runs_at_the_end(ran: Ran) -> None:
    """A trap sees what its variables hold when it runs, not only when it is set."""
    assert "rm /" in ran("x=/tmp/a; trap 'rm $x' EXIT; x=/")


def test_file_changed_in_between(read: Read) -> None:
    """A script this line wrote is not known any more once another program named it."""
    commands = read("echo ls > t; curl -o t u; sh t").commands
    assert [command.program for command in commands] == ["echo", "curl", "sh"]


def test_file_replaced_by_a_copy(read: Read) -> None:
    """A copy over a script makes it unknown."""
    commands = read("echo ls > t; cp u t; sh t").commands
    assert [command.program for command in commands] == ["echo", "cp", "sh"]


def test_last_stage_in_zsh() -> None:
    """In zsh the last stage of a pipeline runs in the shell itself."""
    line = "x=safe; echo / | read x; rm $x"
    zsh = read_shell(line, cwd="/a", dialect="zsh").commands[-1]
    bash = read_shell(line, cwd="/a").commands[-1]
    assert [command.words[1].text for command in (zsh, bash)] == ["/", "safe"]


def test_partly_known_heredoc_script(read: Read) -> None:
    """A here-document for a shell is read as far as it is known."""
    reading = read("bash <<E\ncd $X\nrm -rf /\nE")
    assert (reading.commands[-1].program, len(reading.opaque)) == ("rm", 1)


def test_exported_variables_reach_other_shells(ran: Ran) -> None:
    """What is exported, or set for one command, is known in the shell it starts."""
    assert [
        *ran("export x=a; bash -c 'rm $x'")[1:],
        *ran("x=b bash -c 'rm $x'"),
    ] == ["rm a", "rm b"]


def test_loop_over_known_words_is_certain(ran: Ran) -> None:
    """After a loop that surely ran, its variables hold."""
    assert ran("for i in a b; do x=$i; done; rm $x")[-1] == "rm b"


def test_reference_holds_what_its_variable_holds_now(read: Read) -> None:
    """`declare -n r=x` follows later changes of `x`."""
    assert "/" == read("x=a; declare -n r=x; x=/; rm $r").commands[-1].words[1].text
    assert not read("declare -n r=x; rm $r").commands[-1].words[1].is_known


def test_temporary_folder_is_known_by_half(read: Read) -> None:
    """What `mktemp` makes lies in the temporary folder, under a name nobody else has."""
    assert "/tmp/tmp.••••••/x" == read("d=$(mktemp -d); rm $d/x").commands[-1].words[1].text


def test_settled_loop_runs_once(read: Read) -> None:
    """A body whose variables were unknown from the start is not read twice."""
    assert ["a", "read", "b"] == [
        c.program for c in read("a | while read x; do b $x; done").commands
    ]


def test_inner_loop_leaves_lines_alone(ran: Ran) -> None:
    """A loop inside that takes no lines does not end the one outside."""
    line = "printf 'a\\nb\\n' | while read x; do rm $x; while y; do z=1; done; done"
    assert ["rm a", "rm b"] == [text for text in ran(line) if text.startswith("rm")]


def test_empty_list_gives_no_word(ran: Ran) -> None:
    """`"$@"` without parameters is no word at all."""
    assert ["a b"] == ran('a "$@" b')


@pytest.mark.parametrize(
    "line",
    ["cd x && v=/; rm $v", "if a; then v=/; fi; rm $v", "v=b; c || v=/; rm $v"],
)
def test_a_value_that_may_hold_is_read_too(line: str, ran: Ran) -> None:
    """What a variable may hold is run beside what is unknown."""
    assert {"rm /", "rm \ufffd"} <= set(ran(line))
