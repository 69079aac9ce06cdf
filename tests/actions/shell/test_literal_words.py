"""Words that say by themselves what they are become what the long way makes of them."""

from __future__ import annotations

import random

import pytest

from signoff.actions.shell.state import Output, ShellScope
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.words.expand import Expander
from signoff.actions.shell.words.literals import literal_word, literal_words, plain_words

PIECES = (
    *("a", "b.c", "~", "^", "*", "?", "=", "-", ":~/", "%"),
    *("'a b'", '"a b"', "'*'", '"~"', "''", "'{a,b}'"),
)
ASKING = (
    *("$x", '"$x"', "`a`", "~/x", "{a,b}", "a\\ b"),
    *('"a\\"b"', "[a]", "a\ufffd", "'\ufffd'", "#"),
)


def test_told_words_are_what_the_long_way_makes() -> None:
    """Whatever plain characters, patterns and quotes stand in them, in any order."""
    chosen = random.Random(7)
    raws = ["".join(chosen.choices(PIECES, k=chosen.randint(1, 5))) for _ in range(2_000)]
    told = [(raw, word) for raw in raws if (word := literal_word(raw)) is not None]
    expander = Expander(ShellScope("/home/dev"), Fuel(10**6), lambda _text, _reads: Output())
    long = [(raw, expander._fields(raw, raw)) for raw, _ in told]
    assert [(raw, [word]) for raw, word in told] == long
    assert len(told) > 1_000


def test_words_that_need_the_shell_are_not_told() -> None:
    """Variables, substitutions, homes, braces and escapes ask for its state."""
    assert [None] * len(ASKING) == [literal_word(raw) for raw in ASKING]


@pytest.mark.parametrize("end", ["", "a" * 300])
def test_plain_words_are_told_ones(end: str) -> None:
    """Whether or not the line is short enough for its words to be kept."""
    raws = ["git", "diff", "HEAD~1", "HEAD^", "--", "a=b", "=x", "^y", f"src/{end}"]
    assert literal_words(raws) == list(plain_words(" ".join(raws)))
