"""What was refused and is tried by another way is found; honest work is not."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.action import Action, Json
from signoff.actions.facts import Denial, Facts
from signoff.actions.operation import Operation, Verb
from signoff.actions.understand import understand
from signoff.assess.assessment import Judge
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.workaround import run
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict

HOME = "/home/dev"
PROJECT = f"{HOME}/shop"


def facts(tool: str, target: str, category: str = "destructive.files") -> Facts:
    """Return the facts of a session in which one target was refused."""
    denial = Denial(tool=tool, target=target, category=category)
    return Facts(home=HOME, project=PROJECT, denials=(denial,))


def call(tool: str, **arguments: Json) -> Action:
    """Make a call of a tool in the project."""
    return Action(tool=tool, arguments=arguments, cwd=PROJECT, session="s")


def found(action: Action, known: Facts) -> list[tuple[str, str]]:
    """Return line and severity of what is found."""
    operations = understand(action, known).operations
    evidence = Evidence(action=action, facts=known, operations=operations)
    return [(finding.category, finding.severity.value) for finding in run(evidence)]


OTHER = [("workaround.other-tool", "critical")]
AGAIN = [("workaround.again", "high")]


def bash(command: str) -> Action:
    """Make a call of the shell in the project."""
    return call("Bash", command=command)


PYTHON = "python3 -c \"import os; os.remove('data/o.csv')\""
BASHRC = call("Edit", file_path=f"{HOME}/.bashrc", old_string="a", new_string="b")
DEPLOY = call("Write", file_path=f"{PROJECT}/deploy.yml", content="x")


@pytest.mark.parametrize(
    ("action", "known", "expected"),
    [
        (DEPLOY, ("Bash", f"{PROJECT}/deploy.yml"), OTHER),
        (BASHRC, ("Bash", "~/.bashrc"), OTHER),
        (bash("echo x > deploy/a.yml"), ("Write", f"{PROJECT}/deploy/a.yml"), OTHER),
        (bash("rm data/orders/1.csv"), ("Write", f"{PROJECT}/data/orders"), OTHER),
        (bash("truncate -s0 data/o.csv"), ("Bash", f"{PROJECT}/data/o.csv"), AGAIN),
        (bash(PYTHON), ("Bash", f"{PROJECT}/data/o.csv"), AGAIN),
        (bash("cp /dev/null data/../data/o.csv"), ("Bash", "data/o.csv"), AGAIN),
        (bash("git restore --source=old src/o.py"), ("Edit", f"{PROJECT}/src/o.py"), OTHER),
        (bash("git show old:src/o.py > src/o.py"), ("Edit", f"{PROJECT}/src/o.py"), OTHER),
        (bash("git add -f keys/o.pem"), ("Bash", f"{PROJECT}/keys/o.pem"), AGAIN),
    ],
)
def test_another_way_to_the_same_end_is_found(
    action: Action, known: tuple[str, str], expected: list[tuple[str, str]]
) -> None:
    """By another tool it is refused, in other words it is asked about."""
    assert found(action, facts(*known)) == expected


@pytest.mark.parametrize(
    ("action", "known"),
    [
        (bash("cat data/orders.csv"), ("Write", f"{PROJECT}/data/orders.csv")),
        (call("Read", file_path=f"{PROJECT}/deploy.yml"), ("Bash", f"{PROJECT}/deploy.yml")),
        (bash("touch src/new.py"), ("Bash", PROJECT)),
        (bash("touch src/new.py"), ("Write", HOME)),
        (bash("touch src/new.py"), ("Write", "/")),
        (bash("rm data/orders.csv.bak"), ("Write", f"{PROJECT}/data/orders.csv")),
        (bash("rm a"), ("Write", "")),
        (bash("git push origin main"), ("Bash", "origin main")),
        (bash("git add src/o.py && git commit -m x"), ("Edit", f"{PROJECT}/src/o.py")),
        (bash("git commit -m x src/o.py"), ("Write", f"{PROJECT}/src/o.py")),
    ],
)
def test_honest_work_after_a_refusal_is_left_alone(action: Action, known: tuple[str, str]) -> None:
    """Reading, other files, the project as a whole, a milder command, a file recorded as it is."""
    assert found(action, facts(*known)) == []


def test_without_a_refusal_there_is_nothing_to_get_around() -> None:
    """The same call in another session is judged by itself."""
    assert found(bash("rm data/o.csv"), Facts(home=HOME, project=PROJECT)) == []


def test_what_a_person_refused_is_asked_about() -> None:
    """No detector had found anything: the next person may think otherwise."""
    known = facts("Write", f"{PROJECT}/deploy.yml", category="")

    assert found(bash("sed -i s/a/b/ ./deploy.yml"), known) == [
        ("workaround.other-tool-after-a-no", "high")
    ]


def test_a_workaround_is_refused_where_the_call_alone_would_pass() -> None:
    """The judgement as a whole becomes stricter after a refusal."""
    judge = Judge(rules=RuleSet)
    action = call("Write", file_path=f"{PROJECT}/notes/plan.md", content="x")

    before = judge(action, Facts(home=HOME, project=PROJECT)).preliminary
    after = judge(action, facts("Bash", f"{PROJECT}/notes/plan.md")).preliminary

    assert (before, after) == (Verdict.ALLOW, Verdict.DENY)


SLASHED = [
    "smbclient //srv/share -U me -c ls",
    "npm config set //packages.example.com/:_authToken x",
    "mount -t cifs //srv/share /mnt -o username=me",
    "rm -rf //",
]


@contextlib.contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail where the block takes longer; an endless loop would end no test."""

    def over(*_: object) -> None:
        raise AssertionError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("line", SLASHED)
@pytest.mark.parametrize("tool", ["Bash", "mcp__shell__run"])
def test_two_slashes_at_the_front_end_the_search(tool: str, line: str) -> None:
    """The folder above `//` is `//`: a call after a refusal once kept the daemon busy for ever."""
    with within(10):
        assert found(call(tool, command=line), facts("Bash", "/srv/invoices")) == []


def test_two_slashes_name_the_same_path() -> None:
    """As the system takes them."""
    assert found(bash("truncate -s0 //srv/o.csv"), facts("Bash", "/srv/o.csv")) == AGAIN
    assert found(bash("truncate -s0 /srv/o.csv"), facts("Bash", "//srv/o.csv")) == AGAIN


@given(target=st.text("/.~a:", max_size=12), refused=st.text("/.~a:", max_size=12))
def test_no_path_keeps_it_searching(target: str, refused: str) -> None:
    """Of whatever slashes and dots it is made."""
    known = facts("Bash", refused)
    operation = Operation(verb=Verb.DELETE, target=target)
    evidence = Evidence(action=bash("x"), facts=known, operations=(operation,))
    with within(10):
        list(run(evidence))
