"""Inspect: an approver that puts the tool calls of an evaluation to the gate.

    from inspect_ai import eval
    from inspect_ai.approval import ApprovalPolicy
    from signoff.frontends.frameworks.inspect_ai import signoff_approver

    eval(task, approval=[ApprovalPolicy(signoff_approver(), "*")])

A denied call is rejected with the reason; what a person edited is a modified call. Where the gate
hands a question to the program's own prompt, it is escalated to the next approver; without one
Inspect rejects it. An approver is not told a tool's description, nor how a call ended, so the
gate judges by name and arguments, and an approved request is not marked as done.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.approval import Approval, Approver, approver
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolCallView

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import ToolCall, ToolGate
from signoff.values import replace

SOURCE = "inspect-ai"


@approver(name="signoff")
def signoff_approver(gate: Checker | None = None, agent: str = "", session: str = "") -> Approver:
    """Return an Inspect approver that judges tool calls.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = this process.
    """
    tools = ToolGate(SOURCE, gate=gate, agent=agent, session=session)

    async def approve(
        message: str, call: InspectCall, view: ToolCallView, history: list[Any]
    ) -> Approval:
        asked = ToolCall(tool=call.function, arguments=call.arguments, call_id=call.id)
        ruling = await tools.judge(asked)
        if ruling.is_for_prompt:
            return Approval(decision="escalate", explanation=ruling.message)
        if not ruling.may_run:
            return Approval(decision="reject", explanation=ruling.message)
        if ruling.arguments == call.arguments:
            return Approval(decision="approve", explanation="allowed by signoff")
        modified = replace(call, arguments=ruling.arguments)
        return Approval(decision="modify", modified=modified, explanation="edited by a person")

    return approve
