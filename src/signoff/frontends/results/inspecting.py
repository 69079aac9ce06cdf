"""What a text from a tool holds that nobody should follow or pass on.

The detectors are those that judge calls; here they read what came back from a tool, or what a tool
says about itself. Nothing is decided or recorded.

    inspected(judge, TextToInspect(kind=TextKind.RESULT, tool="mcp__x__y", text="Ignore all ..."))
        -> InspectedText(findings=(TextFinding(detector="prompt-injection", ...),))
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.detectors.mcp_tool_poisoning import ID as POISONING
from signoff.assess.detectors.personal_data import ID as PERSONAL
from signoff.assess.detectors.prompt_injection import ID as INJECTION
from signoff.assess.detectors.secrets import ID as SECRETS
from signoff.assess.finding import Severity

TEXT_MOST = 262_144  # characters of one text; longer ones are sent in pieces
TEXTS_MOST = 256
INSPECTIONS = "/v1/inspections"
FACTS = Facts()

JudgeCall: TypeAlias = Callable[[Action, Facts], Assessed]


class TextKind(StrEnum):
    """The origin of a text."""

    RESULT = "result"
    DESCRIPTION = "description"


LOOKED_FOR = {
    TextKind.RESULT: frozenset({INJECTION, SECRETS, PERSONAL}),
    TextKind.DESCRIPTION: frozenset({POISONING}),
}


class TextToInspect(Struct, frozen=True, kw_only=True):
    """A text and its origin."""

    kind: TextKind
    tool: Annotated[str, Meta(min_length=1, max_length=256)]
    text: Annotated[str, Meta(max_length=TEXT_MOST)]


class TextFinding(Struct, frozen=True, kw_only=True):
    """One finding in a text: the detector, and words for people."""

    detector: str
    category: str
    evidence: str


class InspectedText(Struct, frozen=True, kw_only=True):
    """The findings in one text."""

    findings: tuple[TextFinding, ...] = ()


class InspectedTexts(Struct, frozen=True, kw_only=True):
    """The daemon's findings, in the order of the texts."""

    texts: tuple[InspectedText, ...]


def inspected(judge: JudgeCall, one: TextToInspect) -> InspectedText:
    """Return the findings in a text, but for those that are only noted (`Severity.LOW`)."""
    if one.kind is TextKind.RESULT:
        action = Action(tool=one.tool, kind=ActionKind.RESULT, arguments={"output": one.text})
    else:
        action = Action(tool=one.tool, arguments={}, description=one.text)
    return InspectedText(
        findings=tuple(
            TextFinding(
                detector=finding.detector, category=finding.category, evidence=finding.evidence
            )
            for finding in judge(action, FACTS).findings
            if finding.detector in LOOKED_FOR[one.kind] and finding.severity is not Severity.LOW
        )
    )
