"""Lines that possessive quantifiers split in the wrong place on CPython 3.11.0 to 3.11.4."""

from __future__ import annotations

import pytest

from signoff.actions.shell.reader import read_shell


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cp f{,.bak}", ["cp", "f", "f.bak"]),
        ("echo a#b", ["echo", "a#b"]),
        ("touch a{1..3}.x", ["touch", "a1.x", "a2.x", "a3.x"]),
        ("touch one two$x.py", ["touch", "one", "two.py"]),
        ("grep -v '^a b' x\\ y", ["grep", "-v", "^a b", "x y"]),
        ("install --mode='0755' \"a b\"c d'e'", ["install", "--mode=0755", "a bc", "de"]),
    ],
)
def test_a_word_ends_where_the_shell_ends_it(line: str, words: list[str]) -> None:
    """A word of plain characters with something special behind them is one word."""
    (command,) = read_shell(line, cwd="/home/dev", variables={"x": ""}).commands

    assert words == [word.text for word in command.words]


def test_a_value_in_quotes_stays_with_its_name() -> None:
    """The command in a value of `ssh -o` is read as a command."""
    commands = read_shell("ssh -o ProxyCommand='rm x' h", cwd="/home/dev").commands

    assert ["ssh", "-o", "ProxyCommand=rm x", "h"] in [[w.text for w in c.words] for c in commands]
    assert ["rm", "x"] in [[w.text for w in c.words] for c in commands]
