"""Lists, compound commands, functions, folders."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.shell.command import Reading, RedirectKind
from signoff.actions.shell.reader import read_shell

Read = Callable[[str], Reading]
Ran = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a; b && c || d & e", ["a", "b", "c", "d", "e"]),
        ("a\nb\n\n# c\nd", ["a", "b", "d"]),
        ("a | b |& c", ["a", "b", "c"]),
        ("! a", ["a"]),
        ("(a; b); { c; }", ["a", "b", "c"]),
        ("((a) || (b))", ["a", "b"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("if a; then if b; then c; fi fi", ["a", "b", "c"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("for i in 1 2; do rm $i; done", ["rm 1", "rm 2"]),
        ("for i in 1 2\ndo rm $i\ndone", ["rm 1", "rm 2"]),
        ("for ((i=0;i<3;i++)); do a; done", ["a"]),
        ("select s in x; do a $s; done", ["a x"]),
        ("case x in a|b) c ;; (*) d; e ;& f) ;; esac", ["c", "d", "e"]),
        ("case x in a) b; esac; c", ["b", "c"]),
        ("[[ a < b && ( c || d ) ]] && e", ["e"]),
        ("time { a; }; time -p b", ["a", "b"]),
        ("coproc a b; coproc N { c; }", ["a b", "c"]),
        ("f() { rm $1; }; f x; f y", ["rm x", "rm y"]),
        ("function f { rm $@; }; f x y", ["rm x y"]),
        ("f() (\n a\n)\nf", ["a"]),
        ("f() { a; }", ["a"]),
        ("f() { a; }; unset -f f; f", ["unset -f f", "f", "a"]),
        ("trap 'rm x' EXIT", ["rm x"]),
        ("alias l='rm -f'\nl x", ["alias l=rm -f", "rm -f x"]),
        ("hash -p /bin/rm ls; ls x", ["hash -p /bin/rm ls", "/bin/rm x"]),
        ("cp /bin/rm ./t; ./t x", ["cp /bin/rm ./t", "/bin/rm x"]),
        ("a &> f; b >| g; c <> h", ["a", "b", "c"]),
        (">f a", ["a"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("cat <<E; rm x\nh\nE\nls", ["cat", "rm x", "ls"]),
        ("cat <<A <<-'B'\n1\nA\n\t2\n\tB\nls", ["cat", "ls"]),
        ("echo $(case x in x) echo y;; esac)", ["echo y", "echo \ufffd"]),
        ("if (a) then b; fi", ["a", "b"]),
    ],
)
def test_commands_in_order(line: str, expected: list[str], ran: Ran) -> None:
    """Every simple command of a construct is found, in the order of running."""
    assert expected == ran(line)


def test_positional_parameters_come_back(ran: Ran) -> None:
    """After a function returned, `$1` is the caller's again."""
    assert ran("set -- y; f() { a $1; }; f x; b $1")[1:] == ["a x", "b y"]


def test_recursive_call_is_named(read: Read) -> None:
    """A function that calls itself shows as its own carrier, so that a fork bomb is known."""
    commands = read(":(){ :|:& };:").commands
    assert {("function :",)} == {command.carriers for command in commands}


def test_background_is_marked(read: Read) -> None:
    """`&` marks its own command only."""
    assert [command.is_background for command in read("a & b").commands] == [True, False]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cd src; rm x", "/home/dev/project/src"),
        ("cd ..; rm x", "/home/dev"),
        ("cd; rm x", "/home/dev"),
        ("cd ~/a && rm x", "/home/dev/a"),
        ("cd /a; cd -; rm x", "/home/dev/project"),
        ("(cd /a); rm x", "/home/dev/project"),
        ("cd /a | b; rm x", "/home/dev/project"),
        ("pushd /a; popd; rm x", "/home/dev/project"),
        ("pushd /a; rm x", "/a"),
        ("cd $UNSET; rm x", ""),
        ("cd a*; rm x", ""),
        ("cd $(mktemp -d) && rm x", "/tmp/tmp.••••••"),
        ("CDPATH=/; cd etc; rm x", ""),
        ("[ -d a ] && cd a; rm x", ""),
        ("cd a || exit 1; rm x", "/home/dev/project/a"),
        ("f() { cd /a; }; f; rm x", "/a"),
        ("bash -c 'cd /a'; rm x", "/home/dev/project"),
        ("eval 'cd /a'; rm x", "/a"),
        ("env -C /a rm x", "/a"),
        ("git -C b rebase -x 'rm x' m", "/home/dev/project/b"),
    ],
)
def test_folder_in_force(line: str, expected: str, read: Read) -> None:
    """`cd` and its kin are followed; an uncertain one leaves no folder."""
    assert expected == read(line).commands[-1].cwd


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a > f", [(RedirectKind.WRITE, "f")]),
        ("a >> f 2>&1", [(RedirectKind.APPEND, "f")]),
        ("a &> f", [(RedirectKind.WRITE, "f")]),
        ("a >| f < g", [(RedirectKind.WRITE, "f"), (RedirectKind.READ, "g")]),
        ("a >& f", [(RedirectKind.WRITE, "f")]),
        ("a 2>/dev/null", [(RedirectKind.WRITE, "/dev/null")]),
        ("exec 3<> f", [(RedirectKind.WRITE, "f")]),
        ("a {fd}> f", [(RedirectKind.WRITE, "f")]),
        ("a >! f", [(RedirectKind.WRITE, "!"), (RedirectKind.WRITE, "f")]),
        ("> f", [(RedirectKind.WRITE, "f")]),
        ("a > $HOME/.bashrc", [(RedirectKind.WRITE, "/home/dev/.bashrc")]),
    ],
)
def test_redirections(line: str, expected: list[tuple[RedirectKind, str]], read: Read) -> None:
    """Redirections to and from files are kept, duplications are not."""
    redirects = read(line).commands[0].redirects
    assert expected == [(redirect.kind, redirect.target.text) for redirect in redirects]


def test_redirection_of_a_group(read: Read) -> None:
    """A group's file is written by a command without words that the group feeds."""
    last = read("{ a; b; } > f").commands[-1]
    assert (
        last.words,
        last.redirects[0].target.text,
        last.stdin.sources if last.stdin else None,
    ) == ((), "f", (0, 1))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A=1 b", [("A", "1")]),
        ("A=1 B=2", [("A", "1"), ("B", "2")]),
        ("export A=1 B", [("A", "1")]),
        ("declare -x A='x y'", [("A", "x y")]),
        ("PATH=/x:$HOME c", [("PATH", "/x:/home/dev")]),
    ],
)
def test_assignments(line: str, expected: list[tuple[str, str]], read: Read) -> None:
    """Assignments stand on their command, those of `export` and `declare` too."""
    pairs = read(line).commands[0].assignments
    assert expected == [(name, word.text) for name, word in pairs]


def test_assignment_before_a_command_ends_with_it(read: Read) -> None:
    """`x=1 a` leaves `x` as it was."""
    assert " ".join(w.text for w in read("x=1 a; b $x").commands[1].words) == "b \ufffd"


def test_zsh_equals(read: Read) -> None:
    """In zsh `=rm` is the path of `rm`; in bash it is a word."""
    from signoff.actions.shell.reader import read_shell  # noqa: PLC0415 - one test needs it

    assert read_shell("=rm x", cwd="/a", dialect="zsh").commands[0].words[0].text == "rm"


@pytest.mark.parametrize("line", ["[[ -f a ]] > b", "(( x = 1 )) > b", "{ a; } > b", "a & (b) > b"])
def test_redirections_behind_a_compound_command_are_read(read: Read, line: str) -> None:
    """Also where it stands alone in its line, and where it is no list of commands."""
    files = [file.target.text for command in read(line).commands for file in command.redirects]
    assert ["b"] == files


@pytest.mark.parametrize("line", ["f() { cp a b; rm x; }; f", "f() { cp a b; rm x; }"])
def test_commands_of_a_function_keep_their_own_text(line: str) -> None:
    """What is judged by the words of a command is judged so inside a function as well."""
    sources = [command.source for command in read_shell(line, cwd="/w", variables={}).commands]

    assert ["cp a b", "rm x"] == sources
