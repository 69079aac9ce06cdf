"""What came back from a server, before the client reads it: orders to the model, and secrets.

A text in which something is found gets a label before and behind it, so that the model reads it as
data; by setting it is taken out, held until a person answers, or withheld. Nothing goes silently.

    checked = await ResultCheck(guard, place, policy).checked(result, tool="mcp__x__y", within_s=50)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.challenge.visible import visible
from signoff.decide.decision import Decision
from signoff.frontends.mcp.adapter import NAME
from signoff.frontends.mcp.guard import CallGuard
from signoff.frontends.mcp.relay.calls import CallPlace
from signoff.frontends.mcp.relay.framing import Fields
from signoff.frontends.results.check import (
    CheckedResult,
    ResultCall,
    ResultOutcome,
    check_result,
)
from signoff.frontends.results.inspecting import InspectedText, TextToInspect
from signoff.frontends.results.texts import texts_of
from signoff.frontends.results.wording import labels, refusal
from signoff.sections import ResultPolicy

READ = ("content", "structuredContent", "contents", "messages")  # the parts a model sees
KEPT = ("resultType", "_meta")  # of a result that is replaced


class ResultRequest(Struct, frozen=True, kw_only=True):
    """The request that a result answers.

    Args:
        method: decides where texts are in the result.
        within_s: seconds people may take, if they are asked about it.
    """

    tool: str
    method: str = "tools/call"
    agent: str = ""
    within_s: float = 0.0


class _GuardReviewer:
    """The guard as the reviewer of one result."""

    def __init__(self, guard: CallGuard, within_s: float) -> None:
        self._guard, self._within_s = guard, within_s

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what was found in each text."""
        return await self._guard.inspect(texts)

    async def check(self, action: Action) -> Decision:
        """Ask people about a result."""
        return await self._guard.check(action, within_s=self._within_s)

    async def withhold(self, action: Action, reason: str) -> Decision:
        """Record that a result is withheld."""
        return await self._guard.check(action, within_s=self._within_s, withheld=reason)


class ResultCheck:
    """Inspects results; one that cannot be read is treated like a bad one."""

    def __init__(self, guard: CallGuard, place: CallPlace, policy: ResultPolicy) -> None:
        self._guard, self._place, self._policy = guard, place, policy

    async def checked(self, result: Fields, asked: ResultRequest) -> Fields | None:
        """Return the result for the client; None if it stays unchanged."""
        found = await self._checked(texts_of([result.get(name) for name in READ]), asked)
        tool = asked.tool
        match found.outcome:
            case ResultOutcome.UNCHANGED:
                return None
            case ResultOutcome.LABEL:
                return _labelled(result, asked, found.found)
            case ResultOutcome.REMOVE:
                said = f"[signoff: the result of `{visible(tool)}` was removed: {found.found}]"
                return _instead(result, asked, said)
            case ResultOutcome.BLOCK:
                return _instead(result, asked, refusal(tool, found))

    async def error(self, error: Fields, asked: ResultRequest) -> Fields | None:
        """Return the error for the client; None if it stays unchanged.

        Clients show its message to the model like a result.
        """
        found = await self._checked(texts_of(error), asked)
        if found.outcome is ResultOutcome.UNCHANGED:
            return None
        return {
            # No `data`: what was found may stand there as well.
            "code": error.get("code", 0),
            "message": f"[signoff: the message of this error was removed: {found.found}]",
        }

    async def _checked(self, texts: Sequence[str], asked: ResultRequest) -> CheckedResult:
        place = self._place
        call = ResultCall(
            tool=asked.tool,
            session=place.session,
            agent=asked.agent,
            cwd=place.cwd,
            source=NAME,
        )
        reviewer = _GuardReviewer(self._guard, asked.within_s)
        return await check_result(reviewer, call, texts, self._policy)


def _labelled(result: Fields, asked: ResultRequest, told: str) -> Fields:
    """Return the result with a label before its texts and one behind them."""
    name, part = _place(asked)
    before, after = labels(asked.tool, told)
    found = result.get(name)
    parts = found if isinstance(found, list) else []
    return {**result, name: [part(before), *parts, part(after)]}


def _instead(result: Fields, asked: ResultRequest, said: str) -> Fields:
    """Return a result that holds nothing but these words."""
    name, part = _place(asked)
    kept = {kept: result[kept] for kept in KEPT if kept in result}
    is_error = {"isError": True} if name == "content" else {}
    return {**kept, name: [part(said)], **is_error}


def _place(asked: ResultRequest) -> tuple[str, Callable[[str], dict[str, Json]]]:
    """Return where the answer to a method holds its parts, and what makes one of a text.

    By what was asked: with names of its own choice, a server would choose what is replaced.
    """
    match asked.method:
        case "resources/read":
            return "contents", _resource
        case "prompts/get":
            return "messages", _message
        case _:
            return "content", _text


def _text(text: str) -> dict[str, Json]:
    return {"type": "text", "text": text}


def _resource(text: str) -> dict[str, Json]:
    return {"uri": "signoff:label", "text": text}


def _message(text: str) -> dict[str, Json]:
    return {"role": "user", "content": _text(text)}
