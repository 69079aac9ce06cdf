"""What builds a part: each is built in one place, so that a process has it once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from signoff.build.approvals import LazyApprovals
from signoff.build.gate import build_gate_parts, with_ladder
from signoff.build.shared import SharedParts
from signoff.challenge.evaluators.chosen import EvaluatorSettings
from signoff.challenge.ladder import Ladder
from signoff.settings import Settings
from signoff.storage.sqlite import SqliteStore
from signoff.values import replace

SOURCE = Path(__file__).parents[2] / "src" / "signoff"
DAEMON = "frontends/server/build.py"
PLACES = {
    "Gate": {"build/gate.py"},
    "Judge": {"build/judge.py"},
    "Recall": {"build/judge.py"},
    "RulesInForce": {"build/judge.py"},
    "OwnProgramFiles": {"build/judge.py"},
    "Effects": {"build/gate.py"},
    "Costs": {"build/shared.py", "frontends/cli/cost.py"},  # the command shows them
    "Notifier": {"build/shared.py"},
    "LlmEvaluator": {"build/shared.py"},
    "RequestEvaluator": {"build/shared.py"},
    "ModelReplyReader": {"build/shared.py"},
    "ModelSummarizer": {"build/shared.py"},
    "ModelTeachBack": {"build/shared.py"},
    "SessionTranscripts": {"build/shared.py"},
    "open_model": {"build/shared.py"},
    "ApprovalService": {"build/approvals.py", DAEMON},  # pages know people by their ids
    "PeopleChannel": {"build/approvals.py"},
    "SqliteRequests": {"build/requests.py"},
    "SqliteGrants": {"build/requests.py"},
    "PostgresRequests": {"build/requests.py"},
    "PostgresGrants": {"build/requests.py"},
    "SqlitePolicies": {"build/approvals.py"},
    "ChannelManager": {DAEMON},
    "GroupCommit": {"build/stores.py"},
    "FleetCommit": {"build/stores.py"},
    "FleetRecord": {"build/stores.py"},
    "StoreLink": {"build/stores.py"},
    "ProjectRuntimes": {DAEMON},
    "ApiRoutes": {DAEMON},
    "InboxServices": {DAEMON},
}


def calls() -> dict[str, set[str]]:
    """Return in which files each name is called; what tests use is left out."""
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        file = path.relative_to(SOURCE).as_posix()
        if file == "testing.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found.setdefault(node.func.id, set()).add(file)
    return found


def test_each_part_is_built_in_one_place() -> None:
    """A second place would build a second one."""
    found = calls()

    assert {name: found.get(name, set()) for name in PLACES} == PLACES


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give settings in folders of their own, with a model."""
    return Settings(
        config_dir=str(tmp_path / "config"),
        state_dir=str(tmp_path / "state"),
        home=str(tmp_path),
        evaluator=EvaluatorSettings(model="claude-sonnet-4-5"),
        evaluator_key="key",
    )


def test_what_is_shared_is_built_once(settings: Settings) -> None:
    """Whoever asks, and however often."""
    shared = SharedParts(settings)

    assert shared.metered is shared.metered
    assert shared.redactor is shared.redactor
    assert LazyApprovals(shared).approvals.shared is shared


def test_projects_share_a_model_they_all_name(settings: Settings) -> None:
    """Other settings make no second one; another model does, once."""
    shared = SharedParts(settings)
    other = replace(settings, evaluator_key="another key")

    assert shared.under(replace(settings, project="/home/dev/project")) is shared
    assert shared.under(other) is not shared
    assert shared.under(other) is shared.under(replace(other, project="/home/dev/project"))


def test_gates_of_a_process_share_their_parts(settings: Settings) -> None:
    """One record, one redaction, one look at locks; a gate that asks others judges alike."""
    store = SqliteStore(settings.record_file)
    parts = build_gate_parts(SharedParts(settings), store=store)
    one, two = (parts.gate(settings, ladder=Ladder()) for _ in range(2))
    again = with_ladder(one, Ladder())

    assert one.effects is two.effects
    assert one.locks is two.locks
    assert (again.memory, again.judge) == (one.memory, one.judge)
