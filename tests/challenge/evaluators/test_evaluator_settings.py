"""The section `evaluator`: whose model, within which bounds; and what is built of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from model_server import ModelServer, chat_says, says, verdict

from signoff.assess.level import Level
from signoff.build.shared import SharedParts
from signoff.challenge.evaluators.chosen import EvaluatorSettings, ModelApi, UpTo
from signoff.challenge.request import Request
from signoff.challenge.words.stopping import SessionTurn
from signoff.challenge.words.summary import PlainSummarizer
from signoff.effects.costs import Costs
from signoff.errors import BadSettings
from signoff.settings import Settings, load_settings
from signoff.storage.costs.cost_file import CostFile
from signoff.testing import FakeAssessment, make_action


def load(tmp_path: Path, text: str, *, project: str = "", **variables: str) -> Settings:
    """Load settings from this text."""
    config, root = tmp_path / "config", tmp_path / "project"
    config.mkdir()
    root.mkdir()
    (config / "signoff.yaml").write_text(text)
    if project:
        (root / ".signoff.yaml").write_text(project)
    environment = {
        "SIGNOFF_CONFIG_DIR": str(config),
        "SIGNOFF_STATE_DIR": str(tmp_path / "state"),
        **variables,
    }
    return load_settings(str(root) if project else "", environment=environment)


def request() -> Request:
    """Return a question."""
    action = make_action("delete_user", user_id="u1")
    return Request(action=action, assessment=FakeAssessment(action=action, reason="deletes"))


def test_without_the_section_no_model_is_asked(tmp_path: Path) -> None:
    """A key alone sends nothing anywhere."""
    settings = load(tmp_path, "version: 1\n", ANTHROPIC_API_KEY="k")

    assert (None, "") == (settings.evaluator, settings.evaluator_key)
    assert (None, None) == (SharedParts(settings).evaluator(), SharedParts(settings).reply_reader)
    assert isinstance(SharedParts(settings).summarizer, PlainSummarizer)


def test_one_key_is_enough(tmp_path: Path) -> None:
    """The rest has defaults; the key is in the usual variable."""
    settings = load(tmp_path, "evaluator: {threshold: 0.9}\n", ANTHROPIC_API_KEY="k")

    assert EvaluatorSettings(threshold=0.9) == settings.evaluator
    assert "k" == settings.evaluator_key


def test_every_key_is_read(tmp_path: Path) -> None:
    """As it is written."""
    settings = load(
        tmp_path,
        "evaluator:\n"
        "  model: qwen3:8b\n"
        "  api: openai\n"
        "  base_url: http://localhost:11434/v1\n"
        "  key_env: MY_KEY\n"
        "  threshold: 0.7\n"
        "  daily_budget_cents: 5.5\n"
        "  timeout_s: 30\n"
        "  up_to: medium\n",
        MY_KEY="k2",
        ANTHROPIC_API_KEY="k1",
    )

    assert (
        EvaluatorSettings(
            model="qwen3:8b",
            api=ModelApi.OPENAI,
            base_url="http://localhost:11434/v1",
            key_env="MY_KEY",
            threshold=0.7,
            daily_budget_cents=5.5,
            timeout_s=30,
            up_to=UpTo.MEDIUM,
        )
        == settings.evaluator
    )
    assert "k2" == settings.evaluator_key


def test_anthropics_key_goes_to_nobody_else(tmp_path: Path) -> None:
    """Another API gets a key only where one is named for it."""
    text = "evaluator: {api: openai, base_url: 'http://localhost:1/v1', model: m}\n"

    assert "" == load(tmp_path, text, ANTHROPIC_API_KEY="k").evaluator_key


def test_a_key_is_not_shown(tmp_path: Path) -> None:
    """Nor does it get into a log by way of the settings."""
    settings = load(tmp_path, "evaluator: {threshold: 0.9}\n", ANTHROPIC_API_KEY="sk-secret")

    assert "sk-secret" not in repr(settings)


REFUSED = {
    "unknown-key": ("evaluator: {modell: x}", "modell"),
    "empty": ("evaluator:", "evaluator"),
    "no-mapping": ("evaluator: true", "evaluator"),
    "critical": ("evaluator: {up_to: critical}", "critical"),
    "api": ("evaluator: {api: gemini}", "gemini"),
    "address-missing": ("evaluator: {api: openai}", "base_url"),
    "address-http": ("evaluator: {base_url: 'http://api.example'}", "this machine only"),
    "address-metadata": ("evaluator: {base_url: 'https://169.254.169.254'}", "never called"),
    "threshold": ("evaluator: {threshold: 1.1}", "threshold"),
    "threshold-nan": ("evaluator: {threshold: .nan}", "threshold"),
    "budget": ("evaluator: {daily_budget_cents: -1}", "daily_budget_cents"),
    "timeout": ("evaluator: {timeout_s: 0}", "timeout_s"),
    "timeout-word": ("evaluator: {timeout_s: long}", "timeout_s"),
    "key-variable": ("evaluator: {key_env: 'A B'}", "key_env"),
    "key-variable-digit": ("evaluator: {key_env: 1A}", "key_env"),
    "model": ("evaluator: {model: 'a b'}", "model"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_section_is_refused(tmp_path: Path, name: str) -> None:
    """With file, line and what is wrong."""
    text, said = REFUSED[name]

    with pytest.raises(BadSettings, match=rf"signoff\.yaml:1:\d+: .*{said}"):
        load(tmp_path, text)


def test_a_project_cannot_choose_the_model(tmp_path: Path) -> None:
    """Its file is the agent's to write (T-28)."""
    with pytest.raises(BadSettings, match="evaluator"):
        load(tmp_path, "version: 1\n", project="evaluator: {base_url: 'https://evil.example'}\n")


@pytest.mark.parametrize("word", UpTo)
def test_up_to_names_a_level_below_critical(word: UpTo) -> None:
    """The model may never approve what is critical."""
    assert word.level < Level.CRITICAL


def test_what_is_built_asks_keeps_costs_and_stops_at_the_budget(tmp_path: Path) -> None:
    """The whole way from the settings to the answer."""
    with ModelServer(verdict(reason="fine")) as server:
        text = f"evaluator: {{base_url: '{server.url}', daily_budget_cents: 0.1}}\n"
        settings = load(tmp_path, text, ANTHROPIC_API_KEY="k")
        evaluator = SharedParts(settings).evaluator()
        assert evaluator is not None
        first = asyncio.run(evaluator.evaluate(request()))
        other = make_action("delete_user", user_id="u2")
        assessment = FakeAssessment(action=other)
        second = asyncio.run(evaluator.evaluate(Request(action=other, assessment=assessment)))

    assert (True, "fine") == (first.approves, first.reason)
    assert (False, "LLM evaluation error: the budget of this day is spent") == (
        second.approves,
        second.reason,
    )
    assert (1, 0.125) == (
        SharedParts(settings).costs.today().calls,
        SharedParts(settings).costs.today().cents,
    )


def test_a_request_is_put_with_what_the_rules_say(tmp_path: Path) -> None:
    """Tool, input, level, reason."""
    with ModelServer(verdict()) as server:
        settings = load(
            tmp_path, f"evaluator: {{base_url: '{server.url}'}}\n", ANTHROPIC_API_KEY="k"
        )
        evaluator = SharedParts(settings).evaluator()
        assert evaluator is not None
        asyncio.run(evaluator.evaluate(request()))
    told = server.seen[0].user

    for part in ('"tool": "delete_user"', '"user_id": "u1"', "level: low", "deletes"):
        assert part in told


def test_an_openai_endpoint_is_built_as_well(tmp_path: Path) -> None:
    """By the same settings."""
    with ModelServer(chat_says('{"allowed": true, "confident": true}')) as server:
        text = f"evaluator: {{api: openai, model: m, base_url: '{server.url}/v1'}}\n"
        evaluator = SharedParts(load(tmp_path, text)).evaluator()
        assert evaluator is not None

        assert asyncio.run(evaluator.evaluate(request())).approves


def test_a_summary_is_costed_as_one(tmp_path: Path) -> None:
    """Every purpose has its name in the book."""
    with ModelServer(says("It ran tests.")) as server:
        settings = load(
            tmp_path, f"evaluator: {{base_url: '{server.url}'}}\n", ANTHROPIC_API_KEY="k"
        )
        turns = [SessionTurn(who="user", text="run the tests")]
        text = asyncio.run(SharedParts(settings).summarizer.summarize(turns))
    book = CostFile(settings.costs_file)
    day = book.days()[0]

    assert text.endswith("It ran tests.")
    assert ["summary"] == [call.purpose for call in book.calls(day, day)]
    assert isinstance(SharedParts(settings).costs, Costs)
