"""Command patterns: loosely for deny and escalate, strictly for allow."""

from __future__ import annotations

import pytest
from rule_calls import command, line

from signoff.actions.shell.command import Command, Stream
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.pattern import BadPattern
from signoff.values import replace


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("git push", "git push"),
        ("git push", "git push origin main"),
        ("git push", "git -C /srv/x push"),
        ("git push", "git -c user.name=x --no-pager push origin"),
        ("git push", "git --git-dir=/x push"),
        ("git push", "/usr/bin/git push"),
        ("git push", "/tmp/own/git push"),
        ("git push", "GIT push"),
        ("git push --force", "git push --force origin main"),
        ("git push --force", "git push origin main --force"),
        ("git push --force", "git push -f"),
        ("git push --force", "git push -uf origin"),
        ("git push --force", "git push --forc origin"),
        ("git push --force", "git push --force=yes"),
        ("git push -f", "git push --force"),
        ("rm -rf", "rm -r -f x"),
        ("rm -rf", "rm -fr x"),
        ("rm -rf", "rm -rfv x"),
        ("rm -rf", "rm -Rf x"),
        ("rm -rf", "rm x --recursive --force"),
        ("rm --recursive", "rm -R x"),
        ("find -delete", "find . -name x -delete"),
        ("terraform apply -auto-approve", "terraform apply --auto-approve"),
        ("git push ** main", "git push -o ci.skip origin topic main"),
        ("git push ** main", "git push main"),
        ("git push ** +*", "git push origin +topic"),
        ("npm run *", "npm run build"),
        ("npm run deploy:*", "npm run deploy:live"),
        ("python*", "python3.12 x.py"),
        ("./deploy.sh", "./deploy.sh now"),
        ("git status $", "git status"),
        ("echo 'a b'", "echo 'a b'"),
    ],
)
def test_a_deny_is_not_evaded(pattern: str, text: str) -> None:
    """Every way to write it is found."""
    assert CommandPattern(pattern).matches(command(text))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("git push", "git status"),
        ("git push", "git log push"),
        ("git push", "gitx push"),
        ("git push", "echo git push"),
        ("git push --force", "git push --force-with-lease"),
        ("git push --force", "git push origin"),
        ("git push --force", "git push -- --force"),
        ("git push --force", "git push --follow-tags"),
        ("rm -rf", "rm -r x"),
        ("rm -rf", "rm -- -rf"),
        ("npm run *", "npm run"),
        ("git status $", "git status src"),
        ("kubectl delete --force", "kubectl delete -f x.yaml"),
        ("rm", "$PROGRAM x"),
    ],
)
def test_a_deny_does_not_hit_others(pattern: str, text: str) -> None:
    """Look-alikes pass."""
    assert not CommandPattern(pattern).matches(command(text))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("git status", "git status"),
        ("git status", "git status --short src"),
        ("git status", "git --no-pager status"),
        ("git status", "/usr/bin/git status"),
        ("git push", "git push -u origin topic"),
        ("git status $", "git status"),
        ("git log --oneline $", "git log --oneline"),
        ("rm -rf build $", "rm -fr build"),
        ("rm -rf build $", "rm -r -f build"),
        ("npm run *", "npm run build"),
        ("npm run ** fast", "npm run a b fast"),
        ("./deploy.sh", "./deploy.sh now"),
        ("pytest", "CI=1 pytest -q"),
        ("git commit -m * $", "git commit -m 'a message'"),
    ],
)
def test_an_allow_covers_what_it_says(pattern: str, text: str) -> None:
    """Ordinary ways to write it are covered."""
    assert CommandPattern(pattern).covers(command(text))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("git status", "git -c core.fsmonitor=./x status"),
        ("git status", "git -C /srv/x status"),
        ("git status", "git --exec-path=/tmp/x status"),
        ("git status", "./git status"),
        ("git status", "/tmp/git status"),
        ("git status", "GIT status"),
        ("git status", "GIT_SSH_COMMAND=./x git status"),
        ("git status", "LD_PRELOAD=./x git status"),
        ("git status", "PATH=/tmp git status"),
        ("git status", "git status $MORE"),
        ("git status", "git $VERB"),
        ("git status", "git stat*"),
        ("git status $", "git status src"),
        ("git status $", "git status --ignored"),
        ("rm -rf build $", "rm -rf build src"),
        ("rm -rf build $", "rm -rf src"),
        ("git push --force", "git push -f"),
        ("git push --force", "git push --forc"),
        ("git log --oneline", "git log"),
        ("npm run ** fast", "npm --prefix /x run a fast"),
        ("./deploy.sh", "deploy.sh"),
        ("deploy.sh", "./deploy.sh"),
    ],
)
def test_an_allow_is_not_stretched(pattern: str, text: str) -> None:
    """What could change what it does is not covered."""
    assert not CommandPattern(pattern).covers(command(text))


def test_an_allow_does_not_cover_words_from_input() -> None:
    """`xargs` appends words nobody has seen."""
    assert not CommandPattern("git add").covers(replace(command("git add"), input_words=True))


@pytest.mark.parametrize("program", ["python3", "python3.12", "sqlite3", "ssh", "bash"])
def test_an_allow_does_not_cover_code_on_standard_input(program: str) -> None:
    """What is piped into an interpreter is the program."""
    piped = replace(command(f"{program} x"), stdin=Stream(sources=(0,)))

    assert not CommandPattern(program).covers(piped)


def test_an_allow_covers_a_reader_of_standard_input() -> None:
    """What is piped into a filter is data."""
    assert CommandPattern("grep").covers(replace(command("grep x"), stdin=Stream(sources=(0,))))


@pytest.mark.parametrize("made", [Command(words=()), command("X=1")])
def test_a_bare_assignment_is_no_command(made: Command) -> None:
    """There is no program to match."""
    assert not CommandPattern("*").matches(made)
    assert not CommandPattern("*").covers(made)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("", "1 to 64 words"),
        ("git status; rm x", "one command"),
        ("a | b", "one command"),
        ("a && b", "one command"),
        ("echo `x`", "one command"),
        ("echo 'x", "quote"),
        ("-rf", "start with the program"),
        ("** x", "cannot start"),
        ("git $ push", "only end"),
        ("git -- x", "not needed"),
        ("$", "starts with a program"),
        ("x " * 65, "1 to 64 words"),
        ("x" * 2_001, "too many"),
    ],
)
def test_a_pattern_that_names_no_command_is_refused(pattern: str, words: str) -> None:
    """It says what is wrong."""
    with pytest.raises(BadPattern, match=words):
        CommandPattern(pattern)


def test_quotes_hold_words_together_and_marks_may_stand_in_them() -> None:
    """A semicolon in quotes is text."""
    assert CommandPattern("echo 'a; b'").matches(line("echo x")[0]) is False
    assert CommandPattern("echo 'a; b'").operands == ("a; b",)
