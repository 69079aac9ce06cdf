"""A gate as it is built for a user: judged, recorded, explained."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.assess.verdict import Verdict
from signoff.build.approvals import LazyApprovals
from signoff.build.gate import build_channels, build_gate
from signoff.build.judge import guard_paths, warm_up
from signoff.build.shared import SharedParts
from signoff.build.stores import build_store
from signoff.challenge.people.host_prompt import HostChannel
from signoff.challenge.terms.step import ProofKind
from signoff.errors import StoreError
from signoff.gate import Gate
from signoff.settings import Limits, Settings
from signoff.storage.installation import installation_key
from signoff.storage.sqlite import SqliteStore
from signoff.testing import FakeChannel, approved
from signoff.values import replace


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give settings in folders of their own."""
    return Settings(
        config_dir=str(tmp_path / "config"),
        state_dir=str(tmp_path / "state"),
        home="/home/dev",
    )


def bash(gate: Gate, command: str) -> Verdict:
    """Put a shell line to the gate."""
    action = Action(
        tool="Bash",
        arguments={"command": command},
        cwd="/home/dev/project",
        agent="claude",
        session="s1",
    )
    return gate.check_now(action).verdict


@pytest.mark.parametrize(
    ("command", "verdict"),
    [("git status", Verdict.ALLOW), ("rm -rf ~", Verdict.DENY), ("git push --force", Verdict.DENY)],
)
def test_a_gate_judges_and_records(settings: Settings, command: str, verdict: Verdict) -> None:
    """With nobody to ask, what would be asked about is refused."""
    assert bash(build_gate(settings, channels=()), command) is verdict

    store = build_store(settings)
    (entry,) = store.entries()
    store.close()
    content = json.loads(entry.body)
    assert (content["verdict"], content["action_redacted"]) == (verdict, {"command": command})
    assert content["version"]


def test_who_is_asked_may_let_it_happen(settings: Settings) -> None:
    """A person's yes counts for what leans to ask."""
    gate = build_gate(settings, channels=[FakeChannel(approved())])

    assert bash(gate, "git push --force") is Verdict.ALLOW


def test_the_users_rules_are_in_force(settings: Settings, tmp_path: Path) -> None:
    """From the file beside the settings."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "rules.yaml").write_text(
        "version: 1\nrules:\n  - {name: no-status, action: deny, match: {command: git status}}\n"
    )

    assert bash(build_gate(settings, channels=()), "git status") is Verdict.DENY


def test_bad_rules_refuse_everything_from_the_start(settings: Settings, tmp_path: Path) -> None:
    """And the refusal says where they are bad."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "rules.yaml").write_text("rules: []\n")
    action = Action(tool="Bash", arguments={"command": "ls"}, cwd="/home/dev/project")

    decision = build_gate(settings, channels=()).check_now(action)

    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "error")
    assert "rules.yaml:1:1" in decision.reason


def test_a_state_folder_that_cannot_be_used_refuses(settings: Settings, tmp_path: Path) -> None:
    """Without a record nothing is allowed."""
    gate = build_gate(settings, channels=(), store=SqliteStore("/dev/null/record.db"))

    assert bash(gate, "git status") is Verdict.DENY


def test_the_configured_channels_are_asked_in_order(settings: Settings) -> None:
    """With the configured times."""
    chosen = replace(
        settings,
        channels=("host", "terminal"),  # as settings files are read
        limits=Limits(min_review_s=5, answer_timeout_s=60),
    )
    host, people = build_channels(LazyApprovals(SharedParts(chosen)))

    assert isinstance(host, HostChannel)
    assert isinstance(people, LazyApprovals)
    plan = people.approvals.plan
    assert [terms.name for terms in plan.channels] == ["terminal", "host"]
    assert (plan.answer_s, plan.proof_review_s[ProofKind.CONFIRM]) == (60, 5)


def test_signoffs_own_files_are_guarded(settings: Settings) -> None:
    """Configuration, state, the package itself, and the project's own file."""
    paths = guard_paths(replace(settings, project="/home/dev/project"))

    assert settings.config_dir in paths
    assert settings.state_dir in paths
    assert "/home/dev/project/.signoff.yaml" in paths
    assert any(Path(path, "gate.py").exists() for path in paths)


def test_the_key_is_made_once_and_for_its_owner_only(settings: Settings) -> None:
    """Thirty-two bytes, mode 0600."""
    first, second = installation_key(settings.key_file), installation_key(settings.key_file)

    assert (first == second, len(first)) == (True, 32)
    assert stat.S_IMODE(os.stat(settings.key_file).st_mode) == 0o600
    assert os.listdir(settings.state_dir) == ["redaction.key"]


def test_several_makers_of_a_key_agree(settings: Settings) -> None:
    """The first one's holds."""
    code = (
        "import sys\n"
        "from signoff.storage.installation import installation_key\n"
        "print(installation_key(sys.argv[1]).hex())\n"
    )
    makers = [
        subprocess.Popen([sys.executable, "-c", code, settings.key_file], stdout=subprocess.PIPE)
        for _ in range(4)
    ]

    assert len({maker.communicate()[0] for maker in makers}) == 1


@pytest.mark.parametrize("raw", [b"", b"short", b"x" * 33])
def test_a_damaged_key_is_an_error(settings: Settings, raw: bytes) -> None:
    """It is not replaced silently: old records would match nothing any more."""
    Path(settings.state_dir).mkdir()
    Path(settings.key_file).write_bytes(raw)

    with pytest.raises(StoreError, match="damaged"):
        installation_key(settings.key_file)


def test_warming_up_keeps_both_sets_of_patterns(settings: Settings) -> None:
    """A process that stays compiles everything once, also what only web requests need."""
    warm_up(settings)

    assert 2 == len(os.listdir(settings.patterns_dir))
