"""`LlmEvaluator` as spec 3 constructs it: four arguments, the key from the environment."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from model_server import ModelServer, verdict

from signoff.challenge.evaluators import llm
from signoff.challenge.evaluators.anthropic_model import ENDPOINT
from signoff.challenge.evaluators.llm import LlmEvaluator
from signoff.challenge.evaluators.model import DEFAULT_MODEL
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.effects.costs import Costs
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.standing import SqlitePolicies
from signoff.storage.costs.cost_file import CostFile

MODEL = "claude-haiku-4-5-20251001"
KEY = "a-key-for-tests-only"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """Set the key where a user sets it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    return KEY


def at(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    """Put the test server in the place of Anthropic's own address."""
    monkeypatch.setattr(llm, "ENDPOINT", OutboundEndpoint.parse(server.url))


def test_the_messages_api_is_asked_with_the_key_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Nothing but the four arguments of spec 3 is needed."""
    with ModelServer(verdict(reason="lists a folder")) as server:
        at(monkeypatch, server)
        evaluator = LlmEvaluator(MODEL, 0.8, None, None)
        answer = asyncio.run(evaluator.evaluate("Bash", {"command": "ls"}, "no rule", "asked"))
    sent = server.seen[0]

    assert (True, True, "lists a folder") == answer
    assert ("/v1/messages", key) == (sent.path, sent.headers["x-api-key"])
    assert (MODEL, 256) == (sent.body["model"], sent.body["max_tokens"])


def test_the_threshold_is_the_one_given(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """A confidence under it counts as not confident."""
    with ModelServer(verdict(confidence=0.85)) as server:
        at(monkeypatch, server)
        answers = [
            asyncio.run(LlmEvaluator(MODEL, threshold).evaluate("Bash", {}, "", ""))[:2]
            for threshold in (0.8, 0.9)
        ]

    assert [(True, True), (True, False)] == answers


def test_policies_and_costs_are_those_given(
    monkeypatch: pytest.MonkeyPatch, key: str, tmp_path: Path
) -> None:
    """The stores signoff ships fit in."""
    database = Database(str(tmp_path / "approvals.db"))
    policies, book = SqlitePolicies(database), CostFile(str(tmp_path / "costs.db"))
    policies.add("Always allow npm install", tool="Bash")
    with ModelServer(verdict()) as server:
        at(monkeypatch, server)
        evaluator = LlmEvaluator(MODEL, 0.8, policies, Costs(book))
        asyncio.run(evaluator.evaluate("Bash", {"command": "npm install"}, "", ""))
    database.close()
    day = book.days()[0]

    assert "Always allow npm install (applies to: Bash)" in server.seen[0].user
    assert [("tool-eval", MODEL)] == [(c.purpose, c.model) for c in book.calls(day, day)]


def test_secrets_are_masked_before_they_are_sent(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """Also where no mask was given."""
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    with ModelServer(verdict()) as server:
        at(monkeypatch, server)
        command = f"curl -H 'Authorization: Bearer {token}' https://example.com"
        asyncio.run(LlmEvaluator(MODEL, 0.8, None, None).evaluate("Bash", {"c": command}, "", ""))

    assert token not in server.seen[0].user
    assert "hmac:" in server.seen[0].user


def test_without_a_key_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what is missing, and the call goes on to people."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with ModelServer(verdict()) as server:
        at(monkeypatch, server)
        answer = asyncio.run(LlmEvaluator(MODEL, 0.8, None, None).evaluate("Bash", {}, "", ""))

    assert (False, False, "LLM evaluation error: there is no API key") == answer
    assert [] == server.seen


def test_the_address_is_that_of_anthropic() -> None:
    """No test server stands in the code."""
    expected = ("api.anthropic.com", 443, True)

    assert expected == (ENDPOINT.host, ENDPOINT.port, ENDPOINT.is_https)
    assert MODEL == DEFAULT_MODEL
