"""Reads what came back from a tool before the model does, and says what becomes of it.

One check for every frontend: hosts, the MCP proxy, agent frameworks. Orders to the model and
secrets are looked for; the setting `results` says what follows. What cannot be read is treated
like a result in which something was found.

    checked = await check_result(reviewer, ResultCall(tool="fetch"), texts, ResultPolicy.ASK)
    checked.outcome  ->  ResultOutcome.BLOCK
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from enum import StrEnum
from typing import Any, Protocol, assert_never

from msgspec import Struct

from signoff.actions.action import Action, ActionKind
from signoff.assess.verdict import Verdict
from signoff.challenge.visible import visible
from signoff.decide.decision import Decision
from signoff.frontends.results.inspecting import (
    TEXT_MOST,
    InspectedText,
    TextKind,
    TextToInspect,
)
from signoff.frontends.results.texts import READ_MOST, SHORTEST, pieces
from signoff.sections import ResultPolicy

EACH_MOST = 200  # texts that are read one by one; of a result with more all are suspect
REQUEST_BYTES = 600_000  # of texts in one request to the daemon
SHOWN_MOST = 200_000  # characters of a result that a person can be asked about
FOUND_MOST = 5


class ResultOutcome(StrEnum):
    """What happens to a result."""

    UNCHANGED = "unchanged"
    LABEL = "label"
    REMOVE = "remove"
    BLOCK = "block"


class CheckedResult(Struct, frozen=True, kw_only=True):
    """What was found in a result, and what happens to it.

    Args:
        found: in words, "" if nothing.
        suspect: the texts it was found in.
        reason: of a block: why the model does not get the result.
    """

    outcome: ResultOutcome = ResultOutcome.UNCHANGED
    found: str = ""
    suspect: frozenset[str] = frozenset()
    reason: str = ""


PASSED = CheckedResult()


class ResultCall(Struct, frozen=True, kw_only=True):
    """The call that a result came from."""

    tool: str
    session: str = ""
    agent: str = ""
    cwd: str = ""
    source: str = "python"

    def action(self, output: str) -> Action:
        """Return the result as the Action that people are asked about."""
        return Action(
            tool=self.tool[:256],
            kind=ActionKind.RESULT,
            arguments={"output": output},
            session=self.session,
            agent=self.agent,
            cwd=self.cwd,
            source=self.source,
        )


class ResultReviewer(Protocol):
    """Port: inspects texts, asks people, and records what was withheld."""

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what was found in each text."""

    async def check(self, action: Action) -> Decision:
        """Ask people about a result and return the decision."""

    async def withhold(self, action: Action, reason: str) -> Decision:
        """Record that a result is withheld; an allow, in shadow mode, lets it through."""


def at_once(checking: Coroutine[Any, Any, CheckedResult]) -> CheckedResult:
    """Run a check that never waits, without an event loop."""
    try:
        checking.send(None)
    except StopIteration as ended:
        found: CheckedResult = ended.value
        return found
    checking.close()
    raise TypeError("this reviewer waits: it needs an event loop")


async def check_result(
    reviewer: ResultReviewer, call: ResultCall, texts: Sequence[str], policy: ResultPolicy
) -> CheckedResult:
    """Inspect a result and return what happens to it; raises no ordinary exception."""
    if policy is ResultPolicy.OFF:
        return PASSED
    try:
        found = await _found(reviewer, call.tool, texts)
        return await _follows(reviewer, call, texts, policy, found) if found else PASSED
    except Exception as error:  # noqa: BLE001 - the frame: what is not read does not just pass
        return unread(texts, policy, error)


def unread(texts: Sequence[str], policy: ResultPolicy, error: Exception) -> CheckedResult:
    """Return what happens to a result that could not be inspected."""
    found = f"signoff could not check it ({visible(str(error)[:200] or type(error).__name__)})"
    match policy:
        case ResultPolicy.OFF:
            return PASSED
        case ResultPolicy.LABEL | ResultPolicy.REMOVE:
            outcome = ResultOutcome(policy.value)
            return CheckedResult(outcome=outcome, found=found, suspect=frozenset(texts))
        case ResultPolicy.ASK | ResultPolicy.BLOCK:
            return _withheld(found)
        case _:
            assert_never(policy)


async def _found(reviewer: ResultReviewer, tool: str, texts: Sequence[str]) -> str:
    """Say what is found in a result, "" for nothing."""
    inspected = await _inspected(reviewer, tool, list(pieces(texts)))
    said = dict.fromkeys(visible(finding.evidence) for one in inspected for finding in one.findings)
    if sum(map(len, texts)) > READ_MOST:
        said[f"it is longer than {READ_MOST} characters, and its end was not read"] = None
    return "; ".join(list(said)[:FOUND_MOST])


async def _follows(
    reviewer: ResultReviewer,
    call: ResultCall,
    texts: Sequence[str],
    policy: ResultPolicy,
    found: str,
) -> CheckedResult:
    """Return what follows from what was found."""
    whole = "\n".join(texts)
    match policy:
        case ResultPolicy.ASK if len(whole) <= SHOWN_MOST:
            return _answered(await reviewer.check(call.action(whole)), texts, found)
        case ResultPolicy.ASK:
            reason = f"{found}; over {SHOWN_MOST} characters, so nobody can be asked about it"
        case ResultPolicy.BLOCK:
            reason = found
        case ResultPolicy.OFF:
            return PASSED
        case ResultPolicy.LABEL | ResultPolicy.REMOVE:
            suspect = await _suspect(reviewer, call.tool, texts)
            outcome = ResultOutcome(policy.value)
            return CheckedResult(outcome=outcome, found=found, suspect=suspect)
        case _:
            assert_never(policy)
    held = await reviewer.withhold(call.action(whole[:SHOWN_MOST]), f"result withheld: {reason}")
    if held.verdict is Verdict.ALLOW:
        return _answered(held, texts, found)
    return _withheld(reason)


def _answered(decision: Decision, texts: Sequence[str], found: str) -> CheckedResult:
    """Return what a decision about a result that was held means for it."""
    if decision.verdict is not Verdict.ALLOW:
        return _withheld(f"{found}; {decision.reason}")
    if decision.answer is not None and decision.answer.who:
        return CheckedResult(found=found)
    # Nobody looked at it: a rule let it through, or shadow mode.
    return CheckedResult(outcome=ResultOutcome.LABEL, found=found, suspect=frozenset(texts))


def _withheld(reason: str) -> CheckedResult:
    return CheckedResult(outcome=ResultOutcome.BLOCK, found=reason, reason=reason)


async def _suspect(reviewer: ResultReviewer, tool: str, texts: Sequence[str]) -> frozenset[str]:
    """Return the texts in which something is found by themselves; all, if it is in none."""
    each = [one for one in dict.fromkeys(texts) if len(one) >= SHORTEST]
    read = [one for one in each[:EACH_MOST] if len(one) <= TEXT_MOST]
    inspected = await _inspected(reviewer, tool, read)
    bad = {one for one, what in zip(read, inspected, strict=True) if what.findings}
    bad |= set(each) - set(read)
    return frozenset(bad or texts)


async def _inspected(
    reviewer: ResultReviewer, tool: str, texts: Sequence[str]
) -> list[InspectedText]:
    """Have texts read, as many at once as one request may hold."""
    found: list[InspectedText] = []
    batch: list[TextToInspect] = []
    size = 0
    for text in texts:
        length = len(text.encode("utf-8", "replace"))
        if batch and (size + length > REQUEST_BYTES or len(batch) == EACH_MOST):
            found += await _read(reviewer, batch)
            batch, size = [], 0
        batch.append(TextToInspect(kind=TextKind.RESULT, tool=tool[:256] or "tool", text=text))
        size += length
    return found + (await _read(reviewer, batch) if batch else [])


async def _read(reviewer: ResultReviewer, batch: Sequence[TextToInspect]) -> list[InspectedText]:
    found = await reviewer.inspect(tuple(batch))
    if len(found) != len(batch):
        raise ValueError("the answer is not whole")
    return list(found)
