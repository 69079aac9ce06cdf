"""Inspect, with the real package and its mock model."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs inspect-ai: scripts/test-frameworks inspect-ai")

from contract import Contract, Ran, gate, run_example
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.approval import Approval, ApprovalPolicy, approver
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, get_model
from inspect_ai.model import _model as inspect_model
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolCall, tool

from signoff import Verdict
from signoff.decide.decision import Decision
from signoff.frontends.frameworks.inspect_ai import signoff_approver
from signoff.frontends.python.checker import Checker
from signoff.values import replace

# Inspect counts tokens by a table that it fetches from the network.
inspect_model.count_text_tokens = len


def model(*calls: tuple[str, dict[str, Any]]) -> Any:
    """Return a model that makes these calls, then says "done"."""
    made = [
        ToolCall(id=f"call_{n}", function=name, arguments=given)
        for n, (name, given) in enumerate(calls)
    ]
    first = ModelOutput.from_content("mockllm/model", "")
    first.choices[0].message.tool_calls = made
    first.choices[0].stop_reason = "tool_calls"
    last = ModelOutput.from_content("mockllm/model", "done")
    return get_model("mockllm/model", custom_outputs=[first, last], memoize=False)


def evaluated(policies: Any, texts: Sequence[str]) -> Ran:
    """Evaluate one sample in which the model writes these notes."""
    ran = Ran()

    @tool
    def write_note() -> Any:
        async def execute(text: str) -> str:
            """Write a note.

            Args:
                text: what to write
            """
            ran.notes.append(text)
            return f"wrote {text}"

        return execute

    task = Task(dataset=[Sample(input="go")], solver=[use_tools(write_note()), generate()])
    with tempfile.TemporaryDirectory() as folder:
        (log,) = evaluate(
            task,
            model=model(*(("write_note", {"text": text}) for text in texts)),
            approval=policies,
            display="none",
            log_dir=folder,
        )
        if not log.samples:
            raise RuntimeError(str(log.error))
        (sample,) = log.samples
        for one in sample.messages:
            if isinstance(one, ChatMessageTool):
                ran.heard.append(one.error.message if one.error else one.text)
        ran.said = sample.output.completion
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an evaluation."""
    return evaluated([ApprovalPolicy(signoff_approver(gate=checker), "*")], texts)


class TestInspect(Contract):
    """What every adapter keeps; an approver is not told a tool's description."""

    run = run
    reads_results = False
    description = ""


class ForPrompt:
    """A gate that leaves every question to the program's own prompt."""

    def __init__(self) -> None:
        self._gate = gate()

    async def check(self, action: Any, *_: Any) -> Decision:
        """Return `ask`."""
        decision = await self._gate.check(action)
        return replace(decision, verdict=Verdict.ASK)


@pytest.mark.parametrize(("answer", "notes"), [("approve", ["one"]), ("reject", []), ("", [])])
def test_a_question_for_a_prompt_goes_to_the_next_approver(answer: str, notes: list[str]) -> None:
    """Without one it is rejected."""

    @approver(name="next")
    def next_approver() -> Any:
        async def approve(message: str, call: Any, view: Any, history: Any) -> Approval:
            return Approval(decision=answer)

        return approve

    checker: Any = ForPrompt()
    policies = [ApprovalPolicy(signoff_approver(gate=checker), "*")]
    if answer:
        policies.append(ApprovalPolicy(next_approver(), "*"))

    assert notes == evaluated(policies, ["one"]).notes


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")

    @tool
    def delete_user() -> Any:
        async def execute(user_id: str) -> str:
            """Permanently remove a user account.

            Args:
                user_id: whose
            """
            return f"removed {user_id}"

        return execute

    task = Task(dataset=[Sample(input="Remove u1")], solver=[use_tools(delete_user()), generate()])
    scripted = model(("delete_user", {"user_id": "u1"}))
    printed, _ = run_example("inspect-ai", monkeypatch, tmp_path, task=task, model=scripted)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed
