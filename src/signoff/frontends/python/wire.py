"""What a Python program and the daemon send each other about one call: `POST /v1/calls`.

The program sends a `CallQuestion` and waits on the open connection. The daemon sends a
`CallAnswer`. Both ends bind the answer to the call by its digest, so no answer fits another call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.decide.decision import Decision, DecisionStamp, instead_of
from signoff.errors import BadPayload
from signoff.values import replace

CALLS = "/v1/calls"
OUTCOMES = "/v1/calls/outcome"
LONGEST_WAIT_S = 3_600.0
# Names under which programs may call; cards and the record show them.
SOURCES = frozenset(
    {
        "python",
        "agent-framework",
        "agno",
        "anthropic",
        "crewai",
        "google-adk",
        "inspect-ai",
        "langchain",
        "llama-index",
        "mcp",
        "openai-agents",
        "pydantic-ai",
        "smolagents",
        "strands",
    }
)

Name = Annotated[str, Meta(max_length=256)]
Path = Annotated[str, Meta(max_length=4_096)]


class CallQuestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call to be decided, and how its caller waits.

    Args:
        wait_s: seconds people may take; after that the request stays open.
        key: unique for one question; the same question sent again gets the same answer.
        can_prompt: the caller has a prompt of its own that people can be asked by.
        refused: why the caller refused the call itself; it is recorded.
    """

    tool: Annotated[str, Meta(min_length=1, max_length=256)]
    arguments: dict[str, Any]
    kind: ActionKind = ActionKind.FUNCTION
    description: str = ""
    hints: Mapping[str, bool | int | float] = field(default_factory=dict)
    agent: Name = ""
    session: Name = ""
    cwd: Path = ""
    environment: Name = ""
    source: Name = "python"
    request_id: Name = ""
    schema_digest: Name = ""
    least_risk: Annotated[float, Meta(ge=0, le=1)] = 0.0
    least_proofs: tuple[tuple[Level, Challenge], ...] = ()
    wait_s: Annotated[float, Meta(ge=0, le=LONGEST_WAIT_S)] = 0.0
    key: Annotated[str, Meta(max_length=64)] = ""
    can_prompt: bool = False
    refused: Annotated[str, Meta(max_length=2_000)] = ""

    @property
    def action(self) -> Action:
        """The call as an Action."""
        return Action(
            tool=self.tool,
            arguments=self.arguments,
            kind=self.kind,
            description=self.description,
            hints=self.hints,
            agent=self.agent,
            session=self.session,
            cwd=self.cwd if self.cwd.startswith("/") else "",
            environment=self.environment,
            source=self.source,
            request_id=self.request_id,
            schema_digest=self.schema_digest,
            least_risk=self.least_risk,
            least_proofs=tuple((one.value, two.value) for one, two in self.least_proofs),
        )


class CallAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The decision about a call.

    Args:
        digest: of the call that may run; `edited_from` is then that of the call as it was asked.
        arguments: in place of the original ones, where a person edited them.
        request: the approval request people were asked by, "" if they were not asked.
        is_open: nobody has answered that request yet; the same call finds it again.
    """

    verdict: Verdict
    decided_by: str
    reason: str
    level: Level
    challenge: Challenge
    digest: str
    decision_id: str = ""
    latency_s: float = 0.0
    request: str = ""
    who: str = ""
    channel: str = ""
    words: str = ""
    is_open: bool = False
    edited_from: str = ""
    arguments: dict[str, Any] | None = None


class CallOutcome(Struct, frozen=True, kw_only=True):
    """How a call that people approved ended."""

    request: Annotated[str, Meta(min_length=1, max_length=64)]
    has_failed: bool = False


_encode = msgspec.json.Encoder().encode
_answer = msgspec.json.Decoder(CallAnswer)


def question_json(action: Action, question: Mapping[str, object]) -> bytes:
    """Serialise a question for the daemon.

    Args:
        question: its fields beside those of the call.
    """
    said: dict[str, object] = {
        "tool": action.tool,
        "arguments": action.arguments,
        "kind": action.kind,
        "description": action.description,
        "hints": action.hints,
        "agent": action.agent,
        "session": action.session,
        "cwd": action.cwd,
        "environment": action.environment,
        "source": action.source,
        "request_id": action.request_id,
        "schema_digest": action.schema_digest,
        "least_risk": action.least_risk,
        "least_proofs": action.least_proofs,
        **question,
    }
    return _encode(said)


def read_question(names: Mapping[str, Json]) -> CallQuestion:
    """Parse a question from a decoded body.

    Raises:
        BadPayload: a field is missing or of the wrong type, or the name is not printable.
    """
    try:
        question = msgspec.convert(names, CallQuestion)
    except msgspec.ValidationError as error:
        raise BadPayload(f"call: {error}") from error
    if not question.tool.isprintable():
        raise BadPayload("call: tool must be a printable name")
    # A name of the program's choice could pass for a coding agent on cards and in the record.
    if question.source not in SOURCES:
        raise BadPayload(f"call: unknown source `{question.source[:60]}`")
    return question


def read_outcome(names: Mapping[str, Json]) -> CallOutcome:
    """Parse a call's outcome from a decoded body.

    Raises:
        BadPayload: a field is missing or of the wrong type.
    """
    try:
        return msgspec.convert(names, CallOutcome)
    except msgspec.ValidationError as error:
        raise BadPayload(f"outcome: {error}") from error


def answer_json(decision: Decision, *, is_open: bool) -> bytes:
    """Serialise a decision for the client.

    Args:
        is_open: people may still answer.
    """
    heard = decision.answer
    return _encode(
        CallAnswer(
            verdict=decision.verdict,
            decided_by=decision.decided_by,
            reason=f"{decision.reason}{_instead(decision)}",
            level=decision.level,
            challenge=decision.challenge,
            digest=decision.digest,
            decision_id=decision.id,
            latency_s=decision.latency_s,
            request=heard.request_id if heard else "",
            who=heard.who if heard else "",
            channel=heard.channel if heard else "",
            words=heard.words if heard else "",
            is_open=is_open,
            edited_from=decision.edited_from,
            arguments=dict(decision.action.arguments) if decision.edited_from else None,
        )
    )


def _instead(decision: Decision) -> str:
    return instead_of(decision) if decision.verdict is Verdict.DENY else ""


def read_answer(action: Action, body: bytes) -> Decision:
    """Parse the daemon's decision about a call.

    Raises:
        ValueError: it is not valid, or is about another call.
    """
    said = _answer.decode(body)
    judged = action
    if said.edited_from and said.arguments is not None:
        judged = replace(action, arguments=said.arguments)
    if said.verdict is not Verdict.DENY:
        # An answer lets run exactly what it names.
        is_ours = not said.edited_from or said.edited_from == action.digest
        if said.digest != judged.digest or not is_ours:
            raise ValueError("the daemon's answer is about another call")
    return Decision(
        action=judged,
        verdict=said.verdict,
        decided_by=said.decided_by,
        reason=said.reason,
        level=said.level,
        challenge=said.challenge,
        digest=said.digest,
        answer=_heard(said),
        edited_from=said.edited_from,
        stamp=DecisionStamp(id=said.decision_id, latency_s=said.latency_s),
    )


def _heard(said: CallAnswer) -> Answer | None:
    """Return the answer people gave, None if nobody was asked."""
    if not said.request and not said.who:
        return None
    return Answer(
        verdict=said.verdict,
        decided_by=said.decided_by,
        who=said.who,
        channel=said.channel,
        words=said.words,
        request_id=said.request,
        is_open=said.is_open,
    )
