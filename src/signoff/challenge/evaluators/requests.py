"""The model as the ladder asks it: a request goes in, what the rules say of it goes along.

evaluation = await RequestEvaluator(llm).evaluate(request)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from signoff.actions.operation import Operation
from signoff.challenge.evaluator import Evaluation
from signoff.challenge.evaluators.llm import LlmEvaluator
from signoff.challenge.evaluators.prompt import EvaluatedCall
from signoff.challenge.request import Request

OPERATIONS_SHOWN = 20
FINDINGS_SHOWN = 10
TARGET_LIMIT = 300


class RequestEvaluator(Struct, frozen=True):
    """An `Evaluator` that asks a model."""

    llm: LlmEvaluator

    async def evaluate(self, request: Request) -> Evaluation:
        """Judge the request; an error is an evaluation that is neither allowed nor confident."""
        return await self.llm.judge(
            EvaluatedCall(
                tool=request.action.tool,
                input=request.action.arguments,
                rules_context=rules_context(request),
                reason=request.assessment.reason,
            )
        )


def rules_context(request: Request) -> str:
    """Return what the rules, detectors and scores say of a request, in a few lines."""
    return "\n".join(_lines(request))


def _lines(request: Request) -> Iterator[str]:
    action, assessment = request.action, request.assessment
    if assessment.rule is not None:
        yield f"rule: {assessment.rule.rule.name} ({assessment.rule.action})"
    yield f"level: {assessment.level.value}, risk {assessment.risk.value:.2f}"
    if action.cwd:
        yield f"working folder: {action.cwd}"
    if action.environment:
        yield f"environment: {action.environment}"
    for finding in assessment.findings[:FINDINGS_SHOWN]:
        yield f"finding: {finding.category} ({finding.severity.value}): {finding.evidence[:300]}"
    for operation in assessment.operations[:OPERATIONS_SHOWN]:
        yield f"does: {_operation(operation)}"
    hidden = len(assessment.operations) - OPERATIONS_SHOWN
    if hidden > 0:
        yield f"does: {hidden} more things"


def _operation(operation: Operation) -> str:
    known = "" if operation.understood else f", not understood ({operation.why[:200]})"
    target = operation.target[:TARGET_LIMIT]
    return (
        f"{operation.verb.value} {operation.thing.value} {target} ({operation.reach.value}){known}"
    )
