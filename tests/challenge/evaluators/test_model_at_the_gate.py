"""The model on the way of a real call: it lets through, never refuses, never sees the critical."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from model_server import ModelServer, Reply, status, verdict

from signoff.actions.action import Action
from signoff.assess.verdict import Verdict
from signoff.build.gate import build_gate
from signoff.build.stores import build_store
from signoff.decide.decision import Decision
from signoff.settings import load_settings
from signoff.storage.sqlite import SqliteStore

ASKED = "docker system prune -af"
CRITICAL = "rm -rf ~"


@contextmanager
def decided(folder: Path, reply: Reply, line: str) -> Iterator[tuple[Decision, ModelServer]]:
    """Put a shell line to a gate that asks this model, and nobody else."""
    config = folder / "config"
    config.mkdir()
    with ModelServer(reply) as server:
        (config / "signoff.yaml").write_text(
            f"channels: []\nevaluator: {{base_url: '{server.url}', timeout_s: 20}}\n"
        )
        variables = {
            "SIGNOFF_CONFIG_DIR": str(config),
            "SIGNOFF_STATE_DIR": str(folder / "state"),
            "ANTHROPIC_API_KEY": "k",
        }
        settings = load_settings(environment=variables)
        store = build_store(settings)
        gate = build_gate(settings, store=store)
        arguments = {"command": line}
        action = Action(tool="Bash", arguments=arguments, cwd="/home/dev/project", session="s1")
        yield gate.check_now(action), server
        store.close()


def test_a_sure_model_lets_it_through(tmp_path: Path) -> None:
    """Decided by `llm`, with its reason."""
    with decided(tmp_path, verdict(reason="it can be rebuilt"), ASKED) as (decision, server):
        assert (Verdict.ALLOW, "llm") == (decision.verdict, decision.decided_by)
        assert "it can be rebuilt" in decision.reason
        assert 1 == len(server.seen)


@pytest.mark.parametrize(
    "reply",
    [verdict(allowed=False), verdict(confident=False), verdict(confidence=0.5), status(500)],
    ids=["denies", "unsure", "low", "down"],
)
def test_anything_else_is_put_to_people(tmp_path: Path, reply: Reply) -> None:
    """With nobody there it is refused, and not by the model."""
    with decided(tmp_path, reply, ASKED) as (decision, _):
        assert (Verdict.DENY, "timeout") == (decision.verdict, decision.decided_by)


@pytest.mark.parametrize("line", [CRITICAL, "git status"])
def test_what_is_settled_is_not_asked_about(tmp_path: Path, line: str) -> None:
    """The model has no say in what the rules refuse or allow."""
    with decided(tmp_path, verdict(), line) as (decision, server):
        assert decision.decided_by in ("rule", "score")
        assert [] == server.seen


def test_the_model_is_told_what_the_rules_say(tmp_path: Path) -> None:
    """The real operations and findings go along."""
    with decided(tmp_path, verdict(), ASKED) as (_, server):
        told = server.seen[0].user

    assert "does: delete container unused containers, images, networks and build cache" in told
    assert "finding: destructive.container" in told
    assert "working folder: /home/dev/project" in told


def test_the_record_says_that_it_was_the_model(tmp_path: Path) -> None:
    """And keeps no key."""
    with decided(tmp_path, verdict(), ASKED):
        pass
    store = SqliteStore(str(tmp_path / "state" / "record.db"))
    entries = [json.loads(entry.body) for entry in store.entries()]
    store.close()

    assert [("allow", "llm")] == [(entry["verdict"], entry["decided_by"]) for entry in entries]
