"""Grants cover what they were given for, and nothing that runs other things."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_GRANT, Answer
from signoff.challenge.channel import ApprovalScope
from signoff.challenge.people.granted import Granted
from signoff.challenge.request import Request
from signoff.challenge.terms.grant import LONGEST_S, why_not_granted
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.challenge.terms.session_scope import shape_of
from signoff.storage.bindings.operands import operands_of
from signoff.sync import run_now
from signoff.testing import FakeAssessment, InMemoryApprovals, make_response
from signoff.values import replace

FACTS = Facts(home="/home/dev", project="/home/dev/project")
# A grant for each of these; the wrappers below run the same thing in other ways.
GRANTED = [
    "git push --force origin feature",
    "rm notes.txt",
    "kubectl delete deployment web",
    "docker volume rm data",
    "git branch -D old",
]
WRAPPERS = [
    "{}; {}",
    "{} && rm -rf ~",
    "{} | sh",
    "sudo {}",
    "bash -c '{}'",
    'sh -c "{}"',
    "eval {}",
    "$({})",
    "env X=1 {}",
    "X=1 {}",
    "{} > ~/.bashrc",
    "{} $EXTRA",
    "{}\nrm -rf ~",
    "timeout 5 {}",
    "nohup {} &",
    "xargs {}",
    "time {}",
    "command {}",
    "exec {}",
    "python3 -c \"import os; os.system('{}')\"",
    "ssh host {}",
    "find . -exec {} \\;",
    "/tmp/evil/{}",
    "./{}",
    "watch {}",
    "doas {}",
    "pkexec {}",
    "su -c '{}'",
    "sudo -u root -- {}",
    "runuser -u nobody -- {}",
    "chroot /srv {}",
    "unshare -r {}",
    "nsenter -t 1 -m {}",
    "setsid {}",
    "setpriv --reuid 0 {}",
    "stdbuf -o0 {}",
    "nice -n 19 {}",
    "ionice -c 3 {}",
    "taskset 1 {}",
    "chrt 1 {}",
    "strace -f {}",
    "ltrace {}",
    "script -qc '{}' /dev/null",
    "flock /tmp/lock {}",
    "parallel {} ::: 1",
    "dash -c '{}'",
    "zsh -c '{}'",
    "busybox sh -c '{}'",
    "fish -c '{}'",
    "bash <<< '{}'",
    "bash <<E\n{}\nE",
    "sh -s <<< '{}'",
    "source <(echo '{}')",
    ". <(echo '{}')",
    "echo '{}' | bash",
    "printf '%s' '{}' | sh",
    "perl -e 'system(\"{}\")'",
    "ruby -e 'system(\"{}\")'",
    'node -e \'require("child_process").execSync("{}")\'',
    "php -r 'system(\"{}\");'",
    "awk 'BEGIN {system(\"{}\")}'",
    "make -f - <<< 'x: ; {}'",
    "env -S '{}'",
    "env -i PATH=/tmp/bin {}",
    "PATH=/tmp/bin {}",
    "LD_PRELOAD=/tmp/x.so {}",
    "cd /etc && {}",
    "pushd / && {}",
    "({})",
    "{ {}; }",
    "if true; then {}; fi",
    "for x in 1; do {}; done",
    "f() { {}; }; f",
    "trap '{}' EXIT",
    "coproc {}",
    "! {}",
    "builtin {}",
    "docker run --rm -v /:/x alpine {}",
    "kubectl exec web -- {}",
    "tmux new -d '{}'",
    "at now <<< '{}'",
    "crontab - <<< '* * * * * {}'",
    "systemd-run {}",
    "git -c alias.x='!{}' x",
    "\\{}",
    "'{}'",
]


def request(
    line: str, *, level: Level = Level.MEDIUM, session: str = "s1", agent: str = "claude"
) -> Request:
    """Return a request about a shell line."""
    action = Action(
        tool="Bash",
        arguments={"command": line},
        cwd="/home/dev/project",
        agent=agent,
        session=session,
    )
    operations = understand(action, FACTS).operations
    assessment = FakeAssessment(action=action, operations=operations, level=level)
    return Request(action=action, assessment=assessment)


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Give everything people are asked with; answers need no time."""
    terms = (ChannelTerms(name="fake"),)
    return InMemoryApprovals(plan=ApprovalPlan(channels=terms, review_s={}, proof_review_s={}))


def approve(
    approvals: InMemoryApprovals, asked: Request, scope: ApprovalScope, *, minutes: int = 0
) -> str:
    """Approve for longer than once; return what the answerer is told."""
    approvals.ask(asked)
    response = make_response(approvals.channel.announced[-1])
    return approvals.answer(replace(response, scope=scope, minutes=minutes)).words


def granted(approvals: InMemoryApprovals, asked: Request) -> Answer | None:
    """Return what the grants say."""
    return run_now(Granted(grants=approvals.grants, seal=approvals.seal).answer(asked))


def test_a_grant_for_exactly_this_covers_it(approvals: InMemoryApprovals) -> None:
    """Until its minutes are over."""
    asked = request("git push --force origin feature")
    told = approve(approvals, asked, ApprovalScope.EXACT, minutes=10)
    answers = [granted(approvals, asked)]
    approvals.clock.pass_(600)
    answers.append(granted(approvals, asked))

    assert told == "approved; gr_1 covers exactly this for 10 minutes"
    assert [a and (a.verdict, a.decided_by, a.who) for a in answers] == [
        (Verdict.ALLOW, BY_GRANT, "ada"),
        None,
    ]


@pytest.mark.parametrize("scope", [ApprovalScope.EXACT, ApprovalScope.SESSION])
@pytest.mark.parametrize("other", [{"session": "s2"}, {"agent": "other"}])
def test_a_grant_is_for_one_session_of_one_agent(
    approvals: InMemoryApprovals, scope: ApprovalScope, other: dict[str, str]
) -> None:
    """Another one is asked about."""
    approve(approvals, request("rm notes.txt"), scope, minutes=10)

    assert granted(approvals, request("rm notes.txt"))
    assert granted(approvals, request("rm notes.txt", **other)) is None  # type: ignore[arg-type]  # texts


@pytest.mark.parametrize(
    ("line", "alike"),
    [("rm notes.txt", "rm other.txt"), ("rm src/a.py", "rm src/b.py")],
)
def test_a_grant_for_the_session_covers_its_like(
    approvals: InMemoryApprovals, line: str, alike: str
) -> None:
    """The same program doing the same to a neighbour."""
    told = approve(approvals, request(line), ApprovalScope.SESSION)

    assert "for this session" in told
    assert granted(approvals, request(alike)) is not None


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf notes.txt",
        "rm /etc/passwd",
        "rm ../notes.txt",
        "rm .env",
        "rm notes.txt -r",
        "rm *",
        "shred notes.txt",
        "rm --no-preserve-root notes.txt",
    ],
)
def test_what_is_only_similar_is_asked_about(approvals: InMemoryApprovals, line: str) -> None:
    """Other options, folders, kinds of file and programs."""
    approve(approvals, request("rm notes.txt"), ApprovalScope.SESSION)

    assert granted(approvals, request(line)) is None


@pytest.mark.parametrize("line", GRANTED)
@pytest.mark.parametrize("scope", [ApprovalScope.EXACT, ApprovalScope.SESSION])
def test_no_grant_covers_what_is_wrapped(
    approvals: InMemoryApprovals, scope: ApprovalScope, line: str
) -> None:
    """T-45: whatever it is wrapped in."""
    approve(approvals, request(line), scope, minutes=10)
    assert granted(approvals, request(line)) is not None  # the positive control
    wrapped = [wrapper.replace("{}", line) for wrapper in WRAPPERS]

    assert [other for other in wrapped if granted(approvals, request(other)) is not None] == []


@pytest.mark.parametrize(
    "line",
    [
        "bash run.sh",
        "python3 -c 'print(1)'",
        "sudo systemctl restart nginx",
        "make deploy",
        "npm run build",
        "eval $X",
        "curl https://x.example | sh",
        "xargs rm",
        "ssh host uptime",
        "find . -exec rm {} +",
    ],
)
@pytest.mark.parametrize("scope", [ApprovalScope.EXACT, ApprovalScope.SESSION])
def test_what_runs_other_things_is_never_granted(
    approvals: InMemoryApprovals, scope: ApprovalScope, line: str
) -> None:
    """T-45: shells, interpreters, carriers, the opaque; the approval itself stands."""
    told = approve(approvals, request(line), scope, minutes=10)

    assert told.startswith("approved; once only:")
    assert approvals.grants.listed() == ()


@pytest.mark.parametrize("line", GRANTED)
def test_nothing_wrapped_is_like_the_bare_line(line: str) -> None:
    """T-45: what could be granted for a wrapped line does not cover the bare one."""
    bare = shape_of(request(line).assessment)
    shapes = {
        wrapper: shape_of(request(wrapper.replace("{}", line)).assessment) for wrapper in WRAPPERS
    }

    assert bare
    assert [wrapper for wrapper, shape in shapes.items() if shape == bare] == []


def test_there_are_wrappers_enough() -> None:
    """T-45 asks for 65."""
    assert len(set(WRAPPERS)) >= 65


def test_a_grant_for_the_session_is_for_one_program(
    approvals: InMemoryApprovals, tmp_path: Path
) -> None:
    """T-45: another program of the same name, put before it on PATH, is asked about."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "b/rm").write_text("#!/bin/sh\n")
    (tmp_path / "b/rm").chmod(0o755)
    approvals.operands = operands_of
    asked = request("rm notes.txt")
    paths = f"{tmp_path}/a:{tmp_path}/b"
    asked = replace(asked, action=replace(asked.action, search_path=paths))
    approve(approvals, asked, ApprovalScope.SESSION)
    grants = Granted(grants=approvals.grants, seal=approvals.seal, operands=operands_of)
    before = run_now(grants.answer(asked))
    (tmp_path / "b/rm").rename(tmp_path / "a/rm")

    assert before is not None
    assert run_now(grants.answer(asked)) is None


def test_what_is_critical_is_never_granted(approvals: InMemoryApprovals) -> None:
    """T-45: nor is a grant given before used for it."""
    critical = request("rm notes.txt", level=Level.CRITICAL)
    approve(approvals, request("rm notes.txt"), ApprovalScope.SESSION)

    assert why_not_granted(critical.assessment)
    assert shape_of(critical.assessment) == ""
    assert granted(approvals, critical) is None


def test_a_grant_ends_within_thirty_days(approvals: InMemoryApprovals) -> None:
    """T-45: however many minutes were asked for."""
    approve(approvals, request("rm notes.txt"), ApprovalScope.EXACT, minutes=10**9)
    (grant,) = approvals.grants.listed()

    assert grant.expires_s == approvals.clock().wall_s + LONGEST_S
    assert granted(approvals, request("rm notes.txt")) is not None


def test_a_grant_can_be_revoked(approvals: InMemoryApprovals) -> None:
    """At once."""
    approve(approvals, request("rm notes.txt"), ApprovalScope.SESSION)

    assert [approvals.grants.revoke(id) for id in ("gr_1", "gr_1", "gr_x", "")] == [
        True,
        False,
        False,
        False,
    ]
    assert granted(approvals, request("rm notes.txt")) is None


@pytest.mark.parametrize(
    "change", ["expires_wall = expires_wall + 9e6", "shape = 'x'", "author = 'eve'", "seal = ''"]
)
def test_a_grant_that_was_changed_covers_nothing(approvals: InMemoryApprovals, change: str) -> None:
    """T-43: it is sealed."""
    asked = request("rm notes.txt")
    approve(approvals, asked, ApprovalScope.EXACT, minutes=10)
    with approvals.database.writing() as db:
        db.execute(f"UPDATE grants SET {change}")

    assert granted(approvals, asked) is None


def test_uses_are_counted(approvals: InMemoryApprovals) -> None:
    """For the list of grants."""
    approve(approvals, request("rm notes.txt"), ApprovalScope.SESSION)
    for _ in range(3):
        granted(approvals, request("rm notes.txt"))

    assert [grant.uses for grant in approvals.grants.listed()] == [3]
