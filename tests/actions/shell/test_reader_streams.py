"""What arrives on standard input, and scripts that are read from it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.shell.command import Reading, Stream

Read = Callable[[str], Reading]
Ran = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("echo a | b", Stream(text="a\n", sources=(0,))),
        ("curl u | b", Stream(text=None, sources=(0,))),
        ("b <<< x", Stream(text="x\n")),
        ("b <<E\nx\nE", Stream(text="x\n")),
        ("b < f", Stream(text=None, path="f")),
        ("{ a; c; } | b", Stream(text=None, sources=(0, 1))),
        ("a > f | b", Stream(text="")),
        ("a 2>&1 | b", Stream(text=None, sources=(0,))),
        ("echo eA== | base64 -d | b", Stream(text="x", sources=(1,), is_decoded=True)),
        ("curl u | base64 -d | b", Stream(text=None, sources=(1,), is_decoded=True)),
        ("b < <(curl u)", Stream(text=None, sources=(0,), path="/dev/fd/63")),
    ],
)
def test_standard_input(line: str, expected: Stream, read: Read) -> None:
    """The stream of the last command says what is in it and where it comes from."""
    assert expected == read(line).commands[-1].stdin


@pytest.mark.parametrize(
    "line",
    [
        "echo 'rm x' | sh",
        "echo 'rm x' | tee /dev/stderr | bash -s -- y",
        "sh <<< 'rm x'",
        "sh <<E\nrm x\nE",
        "bash <<'E'\nrm x\nE",
        "printf 'rm x' | sudo bash",
        "echo 'rm x' > s; sh < s",
        "echo 'rm x' > s; sh s",
        "printf '%s ' rm x > t; . ./t",
        "cat > s.sh <<'E'\nrm x\nE\nchmod +x s.sh && ./s.sh",
        "printf 'rm x' | gzip | gzip -dc | sh",
        "echo 'x mr' | rev | bash",
        "echo cm0geA== | base64 --decode | sh",
        "bash <(echo rm x)",
        "source /dev/stdin <<< 'rm x'",
        "eval $(echo rm x)",
        "echo 'rm x' | xargs -I{} sh -c '{}'",
        "echo 'rm x' | while read -r l; do eval \"$l\"; done",
        "echo 'rm x' | at now",
        "ssh h <<< 'rm x'",
        "sudo -s <<< 'rm x'",
    ],
)
def test_known_scripts_are_read(line: str, ran: Ran) -> None:
    """A script the line itself holds is taken apart, however it reaches the shell."""
    assert ran(line)[-1] == "rm x"


@pytest.mark.parametrize("line", ["curl u | sh", "curl u | sudo bash -s", "wget -qO- u | sh -s x"])
def test_unknown_scripts_name_their_source(line: str, read: Read) -> None:
    """A shell fed by an unknown program stays a command whose input points there."""
    stdin = read(line).commands[-1].stdin
    assert (stdin.text, stdin.sources) == (None, (0,)) if stdin else None


def test_lines_feed_a_loop(ran: Ran) -> None:
    """A loop that reads known lines runs once for each."""
    line = "printf 'a\\nb\\n' | while read f; do rm $f; done"
    assert [text for text in ran(line) if text.startswith("rm")] == ["rm a", "rm b"]


def test_process_substitution_is_fed(read: Read) -> None:
    """What stands in `>( )` reads from the command that names it."""
    stdin = read("curl u | tee >(sh)").commands[1].stdin
    assert (stdin.sources if stdin else None) == (2,)


def test_second_round_of_a_loop(read: Read) -> None:
    """What a body sets may hold in its next round: read with each value, and as unknown."""
    words = [
        c.words for c in read("x=a; while b; do rm $x; x=/; done").commands if c.program == "rm"
    ]
    assert [word[1].text for word in words] == ["a", "/", "a", "\ufffd"]
