"""Answering from another terminal: a person can, and an agent cannot."""

from __future__ import annotations

import asyncio
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.build.approvals import Approvals, build_approvals, plan_of
from signoff.build.gate import build_gate
from signoff.build.stores import build_store
from signoff.challenge.answer import Answer, AnswerPart
from signoff.challenge.channel import NobodyThere
from signoff.challenge.channels.console import ConsoleChannel
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.people.announcing import Announcer
from signoff.challenge.people.asking import PeopleChannel
from signoff.challenge.proofs.seal import spaced
from signoff.decide.decide import decide
from signoff.decide.decision import DecisionStamp
from signoff.effects.dispatch import Effects
from signoff.effects.store import RecordEntry
from signoff.frontends.cli.rubber_stamps import stamps_of
from signoff.redaction.redact import Redactor
from signoff.settings import Settings, load_settings
from signoff.sync import run_now
from signoff.testing import (
    TEST_KEY,
    FakeAssessment,
    FakePushChannel,
    make_request,
)
from signoff.values import replace

# Quick to read, so that a test is quick as well.
SETTINGS = "version: 1\nlimits: {min_review_s: 1}\napproval: {review_s: {medium: 0}}\n"
CODE = b"(`signoff open`): "
YES = b"type yes or no: "


@dataclass
class Installation:
    """One installation, and what was asked in it."""

    settings: Settings
    approvals: Approvals
    channel: FakePushChannel

    @property
    def environment(self) -> Mapping[str, str]:
        """What a command of this installation is started with."""
        return {
            **os.environ,
            "SIGNOFF_CONFIG_DIR": self.settings.config_dir,
            "SIGNOFF_STATE_DIR": self.settings.state_dir,
        }

    def ask(self) -> PendingRequest:
        """Ask about a call, and wait for nobody."""
        plan = self.approvals.plan
        announcer = Announcer(store=self.approvals.requests, plan=plan, channels=(self.channel,))
        people = PeopleChannel(
            store=self.approvals.requests,
            announcer=announcer,
            seal=self.approvals.seal,
            wait_s=0,
        )
        run_now(people.ask(make_request()))
        return self.channel.announced[-1]

    def state(self, pending: PendingRequest) -> RequestState:
        """Return where a request stands."""
        found = run_now(self.approvals.requests.get(pending.id))
        assert found is not None
        return found.state


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """Give an installation in folders of its own."""
    config = tmp_path / "config"
    config.mkdir(mode=0o700)
    (config / "signoff.yaml").write_text(SETTINGS)
    folders = {"SIGNOFF_CONFIG_DIR": str(config), "SIGNOFF_STATE_DIR": str(tmp_path / "state")}
    settings = load_settings(environment=folders)
    return Installation(
        settings=settings,
        approvals=build_approvals(settings, ("terminal",)),
        channel=FakePushChannel(name="terminal"),
    )


def signoff(installation: Installation, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as an agent's shell would: without a terminal, everything piped."""
    return subprocess.run(
        [sys.executable, "-m", "signoff", *words],
        env=installation.environment,
        input="yes\nyes\n",
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=60,
        check=False,
    )


def on_terminal(
    installation: Installation, words: Sequence[str], lines: Sequence[tuple[bytes, bytes]]
) -> tuple[int, str]:
    """Run a command on a terminal of its own, typing each line at its prompt."""
    child, keyboard = pty.fork()
    if child == 0:
        # A run of the tests that was started by `nohup` would hand down that it is ignored.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.execve(
            sys.executable,
            [sys.executable, "-m", "signoff", *words],
            dict(installation.environment),
        )
    shown = b""
    for prompt, line in lines:
        shown += read_until(keyboard, prompt)
        time.sleep(1.05)
        os.write(keyboard, line)
    shown += read_until(keyboard, b"\0 nothing ends so")
    os.kill(child, signal.SIGHUP)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


def read_until(keyboard: int, end: bytes) -> bytes:
    """Read what is shown up to an end, or to the end of the terminal."""
    shown = b""
    while not shown.endswith(end):
        if not select.select([keyboard], [], [], 6)[0]:
            return shown
        try:
            piece = os.read(keyboard, 100_000)
        except OSError:
            return shown
        shown += piece
    return shown


def test_a_person_with_the_code_approves(installation: Installation) -> None:
    """On a terminal, with the words for the agent."""
    pending = installation.ask()
    status, shown = on_terminal(
        installation,
        ["approve", pending.id[:8], "--because", "go on", "--policy", "deleting users is fine"],
        [(YES, b"yes\n"), (CODE, pending.code.encode() + b"\n")],
    )

    assert (status, installation.state(pending)) == (0, RequestState.APPROVED)
    assert "approved; kept as pol_0" in shown
    found = run_now(installation.approvals.requests.get(pending.id))
    assert found is not None
    assert found.words == "go on"


@pytest.mark.parametrize("named_by", ["id", "digest"])
def test_one_request_is_allowed_once(installation: Installation, named_by: str) -> None:
    """By the id of a refusal or the digest of a card; the confirmation code is still the proof."""
    pending = installation.ask()
    name = pending.id[:8] if named_by == "id" else pending.card.code
    lines = [(YES, b"yes\n"), (CODE, pending.code.encode() + b"\n")]
    status, _ = on_terminal(installation, ["allow-once", name], lines)

    assert (status, installation.state(pending)) == (0, RequestState.APPROVED)
    assert installation.approvals.grants.listed() == ()


@pytest.mark.parametrize("command", ["allow-once", "approve", "deny"])
def test_a_confirmation_code_names_no_request(installation: Installation, command: str) -> None:
    """Given in place of an id: the error says what was given, and what to give."""
    pending = installation.ask()
    code = spaced(pending.code)
    done = signoff(installation, command, code)

    assert (done.returncode, installation.state(pending)) == (2, RequestState.PENDING)
    assert f"`{code}` looks like a confirmation code" in " ".join(done.stderr.split())
    assert "`signoff pending`" in " ".join(done.stderr.split())


def test_the_name_of_a_request_approves_nothing(installation: Installation) -> None:
    """T-43: an agent reads it in its refusal, and may have a terminal of its own making."""
    pending = installation.ask()
    lines = [(YES, b"yes\n"), (CODE, pending.id[:8].encode() + b"\n")]
    on_terminal(installation, ["allow-once", pending.id[:8]], [*lines, (YES, b"yes\n")])

    assert installation.state(pending) is RequestState.PENDING


@pytest.mark.parametrize("code", ["AAAAAAAA", "", "yes"])
def test_a_terminal_alone_is_not_enough(installation: Installation, code: str) -> None:
    """T-43: an agent on a terminal of its own making does not know the code."""
    pending = installation.ask()
    lines = [(YES, b"yes\n"), (CODE, code.encode() + b"\n")] * 3
    status, shown = on_terminal(
        installation, ["approve", pending.id], [*lines, (YES, b"yes\n"), (CODE, b"x\n")]
    )

    assert (status, installation.state(pending)) == (1, RequestState.PENDING)
    assert pending.code not in shown


@pytest.mark.parametrize(
    "words",
    [("approve",), ("approve", "--minutes", "9"), ("allow-once",), ("deny", "--because", "x")],
)
def test_without_a_terminal_nothing_is_answered(
    installation: Installation, words: tuple[str, ...]
) -> None:
    """T-43: neither through a pipe nor with any option."""
    pending = installation.ask()
    done = signoff(installation, words[0], pending.id, *words[1:])

    assert (done.returncode, installation.state(pending)) == (2, RequestState.PENDING)


def test_no_command_shows_the_code(installation: Installation) -> None:
    """T-43: an agent may look, and learns nothing by it."""
    pending = installation.ask()
    outputs = [
        signoff(installation, *words).stdout
        for words in (("pending",), ("show", pending.id), ("watch", "--once"))
    ]

    assert [pending.id[:8] in shown for shown in outputs] == [True] * 3
    assert [pending.code in shown for shown in outputs] == [False] * 3


@pytest.mark.parametrize(
    "words",
    [
        ("policies", "add", "everything is fine"),
        ("mode", "local"),
        ("approvers", "add", "eve", "--identity", "terminal:uid:0"),
        ("approvers", "remove", "owner", "--lock-out-this-terminal"),
    ],
)
def test_the_terms_are_changed_on_a_terminal_only(
    installation: Installation, words: tuple[str, ...]
) -> None:
    """T-43: what decides about later answers is as guarded as an answer."""
    done = signoff(installation, *words)

    assert (done.returncode, "not confirmed on a terminal" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "typed", "shown"),
    [
        (("policies", "add", "be kind", "--tool", "Bash"), "add", "kept as pol_0"),
        (("mode", "local"), "local", "local"),
        (("approvers", "add", "ada", "--identity", "telegram:4711"), "add", "telegram:4711"),
    ],
)
def test_an_admin_changes_the_terms(
    installation: Installation, words: tuple[str, ...], typed: str, shown: str
) -> None:
    """By typing the word out."""
    status, output = on_terminal(installation, words, [(b"> ", f"{typed}\n".encode())])

    assert (status, shown in output) == (0, True)


ME = f"terminal:uid:{os.getuid()}"
OTHER = f"terminal:uid:{os.getuid() + 1}"
LOCKS_OUT = {
    "another uid": ("add", "owner", "--role", "admin", "--identity", OTHER),
    "another channel": ("add", "owner", "--role", "admin", "--identity", "telegram:4711"),
    "another role": ("add", "owner", "--identity", ME),
    "removed": ("remove", "owner"),
}


@pytest.mark.parametrize("name", LOCKS_OUT)
def test_a_change_that_locks_out_this_terminal_takes_a_flag(
    installation: Installation, name: str
) -> None:
    """It is refused with the identity to keep and the way back, and nothing changes."""
    before = signoff(installation, "approvers").stdout
    status, shown = on_terminal(installation, ("approvers", *LOCKS_OUT[name]), [])
    file = os.path.join(installation.settings.config_dir, "approvers.json")
    shown = " ".join(shown.split())  # a terminal breaks lines at words

    assert 2 == status
    for said in ("locks out the present terminal", f"--identity {ME}", "--lock-out-this-terminal"):
        assert said in shown
    assert f"edit or delete {file}" in shown
    assert before == signoff(installation, "approvers").stdout


@pytest.mark.parametrize(("typed", "is_done"), [("remove", False), ("lock out", True)])
def test_locking_out_takes_a_word_of_its_own(
    installation: Installation, typed: str, *, is_done: bool
) -> None:
    """Whoever types the usual word has not read the warning; the way back leads back."""
    words = ("approvers", "remove", "owner", "--lock-out-this-terminal")
    status, shown = on_terminal(installation, words, [(b"> ", f"{typed}\n".encode())])
    left = signoff(installation, "approvers").stdout

    assert ("WARNING: this locks out" in shown, is_done) == (True, status == 0)
    assert ("owner" in left) is not is_done
    Path(installation.settings.config_dir, "approvers.json").unlink(missing_ok=True)
    assert ME in signoff(installation, "approvers").stdout


def test_whoever_is_locked_out_reads_the_way_back(installation: Installation) -> None:
    """A change by somebody who is no admin names the file."""
    file = Path(installation.settings.config_dir, "approvers.json")
    entry = {"id": "ada", "role": "admin", "identities": [{"channel": "web", "id": "ada"}]}
    file.write_text(json.dumps({"version": 1, "approvers": [entry]}), encoding="utf-8")
    done = signoff(installation, "mode", "local")

    assert (2, True) == (done.returncode, f"edit or delete {file}" in done.stderr)


def test_one_admin_of_several_may_go(installation: Installation) -> None:
    """Only the entry this terminal is known by is guarded so."""
    words = ("approvers", "add", "ada", "--role", "admin", "--identity", "web:ada")
    on_terminal(installation, words, [(b"> ", b"add\n")])
    status, _ = on_terminal(installation, ("approvers", "remove", "ada"), [(b"> ", b"remove\n")])

    assert (0, False) == (status, "ada" in signoff(installation, "approvers").stdout)


@pytest.mark.parametrize(
    ("identity", "said"),
    [
        ("telegrm:4711", "did you mean `telegram`?"),
        ("terminal:1000", "terminal:uid:NUMBER"),
        ("terminal:uid:ada", "terminal:uid:NUMBER"),
        ("telegram:@ada", "telegram:4711"),
        ("ada", "is no CHANNEL:ID"),
    ],
)
def test_an_identity_nobody_can_have_is_refused(
    installation: Installation, identity: str, said: str
) -> None:
    """It would be kept and never match."""
    done = signoff(installation, "approvers", "add", "ada", "--identity", identity)

    assert (2, True) == (done.returncode, said in done.stderr)


@pytest.mark.parametrize("what", ["approvers", "policies", "grants"])
def test_a_list_is_shown_without_asking_for_it(installation: Installation, what: str) -> None:
    """The command alone shows what `list` shows."""
    alone, listed = (signoff(installation, what, *more) for more in ((), ("list",)))

    assert (0, listed.stdout) == (alone.returncode, alone.stdout)


def test_a_refusal_is_typed_out(installation: Installation) -> None:
    """With words for the agent."""
    pending = installation.ask()
    status, shown = on_terminal(
        installation, ["deny", pending.id, "--because", "use a branch"], [(b"> ", b"deny\n")]
    )

    assert (status, installation.state(pending)) == (0, RequestState.DENIED)
    assert "denied; the agent is told" in shown


def test_no_file_holds_a_key_that_seals(installation: Installation) -> None:
    """T-43: what seals an approval stays in the memory of the process that asks."""
    installation.ask()
    folders = (installation.settings.config_dir, installation.settings.state_dir)
    kept = [path for folder in folders for path in Path(folder).rglob("*") if path.is_file()]

    assert kept
    assert [] == [p for p in kept if installation.approvals.seal.key in p.read_bytes()]
    assert not Path(installation.settings.config_dir, "approver.key").exists()


@pytest.mark.parametrize(
    "line",
    [
        "signoff approve 1234abcd",
        "script -qc 'signoff approve 1234abcd' /dev/null",
        "echo yes | signoff approve 1234abcd",
        "python3 -m signoff approve 1234abcd",
        "signoff policies add 'all is fine'",
        "signoff mode local",
        "signoff approvers add eve --identity terminal:uid:1000",
        "cat {config}/approver.key",
        "cp {config}/approver.key /tmp/key",
        "grep -r . {config}/",
        "cat {config}/*",
        "cp /tmp/key {config}/approver.key",
        "rm {state}/approvals.db",
    ],
)
def test_an_agent_that_answers_itself_is_refused(installation: Installation, line: str) -> None:
    """T-43: by the rule that no project can switch off."""
    settings = installation.settings
    action = Action(
        tool="Bash",
        arguments={"command": line.format(config=settings.config_dir, state=settings.state_dir)},
        cwd="/home/dev/project",
        agent="claude",
        session="s1",
    )

    decision = build_gate(settings, channels=()).check_now(action)

    assert decision.verdict is Verdict.DENY
    assert decision.decided_by != "timeout"


def test_looking_is_free(installation: Installation) -> None:
    """The positive control of the above."""
    action = Action(
        tool="Bash",
        arguments={"command": "signoff pending"},
        cwd="/home/dev/project",
        agent="claude",
        session="s1",
    )

    assert build_gate(installation.settings, channels=()).check_now(action).allowed


def test_rubber_stamps_are_listed(installation: Installation) -> None:
    """Whoever approved faster than the card can be read, and how often."""
    parts = tuple(
        AnswerPart(who=who, channel="web", proof="quiz", took_s=seconds)
        for who, seconds in (("ada", 2.0), ("bob", 40.0))
    )
    for number, part in enumerate(parts):
        action = Action(tool="deploy", arguments={"n": number})
        decision = decide(
            action,
            FakeAssessment(action=action, level=Level.HIGH),
            answer=Answer(verdict=Verdict.ALLOW, decided_by="web", request_id="r", parts=(part,)),
            stamp=DecisionStamp(id="x"),
        )
        effects = Effects(build_store(installation.settings), Redactor(TEST_KEY))
        asyncio.run(effects.dispatch(decision))

    shown = signoff(installation, "audit", "rubber-stamps").stdout

    assert "ada 2.0s of 10s deploy" in shown
    assert "ada: 1 approval, 1 too fast" in shown
    assert "bob: 1 approval, 0 too fast" in shown


@pytest.mark.parametrize("took", ["null", '"soon"', "true"])
def test_an_entry_without_a_time_is_read(installation: Installation, took: str) -> None:
    """Another program may have written it; what tells no time was no reading."""
    body = (
        '{"verdict": "allow", "level": "high", "tool": "deploy",'
        f' "answers": [{{"approver": "ada", "proof": "quiz", "answered_in_ms": {took}}}]}}'
    )
    entry = RecordEntry(seq=1, prev=b"", body=body.encode(), hash=b"", leaf=b"")
    plan = plan_of(installation.settings)

    (stamp,) = stamps_of(entry, plan)

    assert stamp.is_fast
    unanswered = replace(entry, body=b'{"verdict": "allow", "answers": null}')
    assert () == tuple(stamps_of(unanswered, plan))


def test_the_code_is_printed_on_a_terminal_only(installation: Installation) -> None:
    """T-43: a daemon that writes a log prints none."""
    pending = installation.ask()
    log = io.StringIO()

    with pytest.raises(NobodyThere):
        asyncio.run(ConsoleChannel(log).announce(pending))
    assert log.getvalue() == ""


def test_the_code_is_printed_where_the_daemon_runs(installation: Installation) -> None:
    """In two halves, with what it is for."""
    pending = installation.ask()
    keyboard, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as stream:
        asyncio.run(ConsoleChannel(stream).announce(pending))
        shown = os.read(keyboard, 10_000).decode()
    os.close(keyboard)

    assert f"{pending.code[:4]}-{pending.code[4:]}" in shown
    assert f"signoff approve {pending.id[:8]}" in shown


def test_a_policy_is_changed_on_the_terminal(installation: Installation) -> None:
    """What it was and what it becomes is shown before the word is typed."""
    policies = installation.approvals.policies
    policies.add("pushing is fine", tool="Bash", author="ada")
    words = [
        "policies",
        "edit",
        "pol_0",
        "pushing is fine unless forced",
        "--expires",
        "2035-01-01",
    ]
    refused, _ = on_terminal(installation, words, [(b"type: edit", b"no\n")])
    unchanged = policies.listed()[0].text
    status, shown = on_terminal(installation, words, [(b"type: edit", b"edit\n")])
    [policy] = policies.listed()

    assert (2, "pushing is fine") == (refused, unchanged)
    assert (0, "pol_0", "Bash") == (status, policy.id, policy.tool)
    assert "from  [pol_0] pushing is fine (applies to: Bash), by ada" in shown
    assert "until 2035-01-01 00:00 UTC" in shown
    assert ("pushing is fine unless forced", "2035-01-01 00:00") == (policy.text, policy.ends)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["policies", "edit", "pol_9", "x"], b"there is no policy `pol_9`"),
        (["policies", "edit", "pol_0"], b"nothing to change: give a new text, --tool or --exp"),
        (["policies", "edit", "pol_0", "--expires", "soon"], b"expected a time such as 30d"),
        (["policies", "add", "x", "--expires", "2001-01-01"], b"is over"),
    ],
)
def test_a_wrong_change_of_a_policy_is_told(
    installation: Installation, words: list[str], told: bytes
) -> None:
    """Nothing is asked."""
    installation.approvals.policies.add("pushing is fine")
    done = subprocess.run(
        [sys.executable, "-m", "signoff", *words],
        env=installation.environment,
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert 0 != done.returncode
    assert told in done.stderr
