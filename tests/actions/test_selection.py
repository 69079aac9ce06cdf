"""What the expression of `find` selects, and the names a search or a line fills in."""

from __future__ import annotations

import pytest

from signoff.actions.known.selection import Choice, choices_before, choices_of
from signoff.actions.operation import Verb
from signoff.actions.place import Place
from signoff.actions.programs.lexicon import command_words
from signoff.actions.shell.meaning import understand_shell

PLACE = Place(cwd="/home/dev/app", home="/home/dev", project="/home/dev/app")
EXPRESSIONS = [
    ("-name *.o", (Choice(names=("*.o",)),)),
    ("-name *.o -o -name *.d", (Choice(names=("*.o",)), Choice(names=("*.d",)))),
    (
        "( -name *.o -o -empty ) -mtime +3",
        (Choice(names=("*.o",), is_old=True), Choice(is_empty=True, is_old=True)),
    ),
    ("-path ./x -prune -o -name *.pyc -print", (Choice(names=("*.pyc",)),)),
    ("-path ./x -prune -o -name *.pyc", (Choice(names=("*.pyc",)),)),
    ("-inum 12 -exec rm {} ;", (Choice(exact="inum-12"),)),
    ("-inum +12", (Choice(),)),
    ("! -name *.py", (Choice(),)),
    ("! ( -name *.py -o -name *.md )", (Choice(),)),
    ("-type f -size +1M", (Choice(),)),
    ("-size 0c", (Choice(is_empty=True),)),
    ("-name *", (Choice(),)),
    ("-name a -exec grep -q -name {} ; -exec rm {} +", (Choice(names=("a",)),)),
    ("-mtime -3", (Choice(),)),
    ("! -newer x", (Choice(is_old=True),)),
]
DELETED = [
    ("find . -name '*.pyc' -exec sh -c 'rm \"$1\"' _ {} \\;", "./*.pyc"),
    ("find . -name '*.pyc' -execdir rm {} \\;", "/home/dev/app/./*.pyc"),
    ("rm $(git ls-files '*.js')", "./*.js"),
    ("git diff --name-only | sort | xargs rm", "./**"),
    ("rg --files -g '*.log' | xargs rm", "./*.log"),
    ("fd -e md -X rm", "./*.md"),
    ('d=$(mktemp -d); rm "$d"', "/tmp/tmp.••••••"),
    ("rm a-$(date +%F).md", "a-••••-••-••.md"),
    ("trap 'rm \"$t\"' EXIT; t=$(mktemp)", "/tmp/tmp.••••••"),
    ("declare -n r=HOME; rm $r", "/home/dev"),
    ("declare T={echo,rm}; $T x", "x"),
]


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS)
def test_an_expression_selects_what_its_branches_say(
    text: str, expected: tuple[Choice, ...]
) -> None:
    """Tests side by side hold together, `-o` gives another way, `!` selects by no name."""
    assert expected == choices_of(text.split())


def test_an_action_gets_its_own_branch_only() -> None:
    """`-name X -o -delete` deletes what is not X; words of `-exec` are no actions."""
    assert (Choice(),) == choices_before(["-name", "*.o", "-o", "-delete"], "-delete")
    assert () == choices_before(["-exec", "echo", "-delete", ";", "-print"], "-delete")
    assert (Choice(is_empty=True),) == choices_before(
        ["-type", "f", "-empty", "-delete", "-o", "-name", "x"], "-delete"
    )


def test_more_branches_than_are_followed_select_everything() -> None:
    """Nothing is dropped where there are too many branches."""
    texts = " -o ".join(f"-name {n}" for n in range(40)).split()

    assert (Choice(),) == choices_of(texts)


@pytest.mark.parametrize(("line", "target"), DELETED)
def test_a_name_stays_known_through_what_carries_it(line: str, target: str) -> None:
    """What a search, a template or another variable fills in is told to the program."""
    deleted = [
        op.target
        for op in understand_shell(line, PLACE).operations
        if op.program == "rm" and op.verb.value == "delete"
    ]

    assert [target] == deleted


@pytest.mark.parametrize(
    "line",
    [
        "find . -name '*.o' -exec sh -c 'rm \"$X\"' _ {} \\;",
        "find . -name '*.o' -exec rm {}/../.. \\;",
        "rm /$(git ls-files '*.o')",
        "rm $(cat list | grep x)",
    ],
)
def test_what_no_search_fills_in_stays_unknown(line: str) -> None:
    """Another variable, a path around the name or another list is not taken for the search's."""
    deleted = [op for op in understand_shell(line, PLACE).operations if op.program == "rm"]

    assert all("*.o" not in op.target or "$" in op.target for op in deleted)


@pytest.mark.parametrize(
    ("program", "words", "kept"),
    [
        ("runtests.py", ("delete_regress",), ()),
        ("test-runner", ("remove",), ()),
        ("e2e-runner", ("delete_account",), ()),
        ("workmux", ("capture", "remove-x"), ("capture",)),
        ("acme", ("users", "remove-all"), ("users", "remove-all")),
        ("acme", ("delete", "user"), ("delete", "user")),
        ("acme", ("db", "drop"), ("db", "drop")),
        ("pager", ("click", "SEND"), ("click",)),
    ],
)
def test_a_word_in_a_name_is_no_sub_command(
    program: str, words: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """Only words that can stand as sub-commands are read."""
    assert kept == command_words(program, words)


@pytest.mark.parametrize("groups", [1, 2, 40])
def test_a_name_stays_known_through_any_number_of_groups(groups: int) -> None:
    """Each command is looked at once: looked at by every way to it, 40 groups never end."""
    line = "find . -name '*.pyc'" + " | { sort; sort; }" * groups + " | xargs rm"

    deleted = [op for op in understand_shell(line, PLACE).operations if op.program == "rm"]

    assert [(Verb.DELETE, "./*.pyc")] == [(op.verb, op.target) for op in deleted]


def test_every_command_of_one_search_is_told_the_same() -> None:
    """The expression is read once for all of them."""
    line = "find src -name '*.o' " + " ".join(["-exec rm {} \\;"] * 5)

    deleted = [op for op in understand_shell(line, PLACE).operations if op.program == "rm"]

    assert ["src/*.o"] * 5 == [op.target for op in deleted]
