"""The card: what an approver is shown, drawn from the action's own bytes and never cut off.

First what would happen and why it is asked; then how careful to be and what was found; then the
call in full, everything in it visible; the agent's own story last and marked as not checked. All
text of a card is safe to show: it has passed `visible`. The code is the start of the action's
digest, to compare channels by.

    card = make_card(Request(action=action, assessment=assessment))
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation
from signoff.actions.shell.data_flow.staged import known_secrets
from signoff.actions.wording.sentence import say
from signoff.assess.advice import advice_for
from signoff.assess.finding import Finding
from signoff.assess.level import Challenge, Level
from signoff.challenge.headings.command_line import command_line
from signoff.challenge.headings.title import masked, title_of
from signoff.challenge.request import Request
from signoff.challenge.visible import visible, visible_lines

CODE_LENGTH = 8
OPERATIONS_SHOWN = 12
FINDINGS_SHOWN = 12
DENIALS_SHOWN = 5
THOUGHT_LIMIT = 400

Mask = Callable[[str], str]


class Argument(Struct, frozen=True, kw_only=True):
    """One argument of the call, whole: a text by its lines, anything else as one line of JSON."""

    name: str
    lines: tuple[str, ...]
    is_text: bool = True


class CardFactor(Struct, frozen=True, kw_only=True):
    """One factor of the risk."""

    name: str
    raw: float
    weight: float
    contribution: float
    evidence: str


class Card(Struct, frozen=True, kw_only=True):
    """What approvers see of a request; fields stand in the order they are shown.

    Args:
        headline: what would happen at worst, in plain words, at most 90 characters.
        command: the call in one line, cut where it is long; the whole of it is in `arguments`.
        risk: 0..1, with its factors; threat: 0..100.
        findings: severity, policy line and evidence of each.
        so_far: what the session did before, one line each.
        host: name of the adapter or frontend the call came through.
        project: the project's folder, "" if unknown.
        hidden: number of operations not listed; the call itself is always shown whole.
        thought: the model's opinion if it did not decide; it read the call and may be misled.
        said: the agent's own explanation, not checked.
        instead: a safer form of the call, "" if none is known.
        code: 8 digits that are equal on all channels, to compare cards.
        log: size and start of the root of the audit log's newest checkpoint: whoever keeps the
            card can show later that the log was rewritten; "" if none was signed.
    """

    headline: str
    level: Level
    challenge: Challenge
    why: str
    risk: float = 0.0
    factors: tuple[CardFactor, ...] = ()
    threat: float = 0.0
    findings: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    hidden: int = 0
    so_far: tuple[str, ...] = ()
    tool: str = ""
    cwd: str = ""
    host: str = ""
    project: str = ""
    agent: str = ""
    session: str = ""
    arguments: tuple[Argument, ...] = ()
    thought: str = ""
    said: tuple[str, ...] = ()
    code: str = ""
    command: str = ""
    instead: str = ""
    log: str = ""


def make_card(request: Request, *, mask: Mask = str) -> Card:
    """Return the card of a request.

    Args:
        mask: takes secrets out of what is shown, for channels that leave this machine.

    Raises:
        ValueError: the action has no canonical form.
    """
    action, assessment = request.action, request.assessment
    operations = assessment.operations
    return Card(
        headline=title_of(assessment, mask=mask),
        level=assessment.level,
        challenge=assessment.challenge,
        why=visible(mask(assessment.reason)),
        risk=assessment.risk.value,
        factors=_factors(request, mask),
        threat=assessment.threat.score,
        findings=tuple(_finding(f, mask) for f in assessment.findings[:FINDINGS_SHOWN]),
        operations=tuple(_operation(op, mask) for op in operations[:OPERATIONS_SHOWN]),
        hidden=max(0, len(operations) - OPERATIONS_SHOWN),
        so_far=tuple(map(visible, map(mask, _so_far(assessment.facts)))),
        tool=visible(action.tool),
        cwd=visible(action.cwd),
        host=visible(action.source),
        project=visible(assessment.facts.project),
        agent=visible(action.agent),
        session=visible(action.session),
        arguments=tuple(_argument(name, value, mask) for name, value in action.arguments.items()),
        thought=_thought(request.thought, mask),
        said=visible_lines(mask(action.description)) if action.description else (),
        code=code_of(action),
        command=command_line(action, mask=mask),
        instead=advice_for(assessment),
    )


def code_of(action: Action) -> str:
    """Return the short code of an action, the start of its digest."""
    return action.digest[:CODE_LENGTH]


def _operation(operation: Operation, mask: Mask) -> str:
    """Return an operation in words."""
    return visible(mask(say(masked(operation, mask))))


def _factors(request: Request, mask: Mask) -> tuple[CardFactor, ...]:
    """Return the factors of the risk, their evidence safe to show."""
    return tuple(
        CardFactor(
            name=visible(factor.name),
            raw=factor.raw,
            weight=factor.weight,
            contribution=factor.contribution,
            evidence=visible(mask(factor.evidence)),
        )
        for factor in request.assessment.risk.factors
    )


def _finding(finding: Finding, mask: Mask) -> str:
    """Return a finding in one line."""
    return visible(mask(f"{finding.severity.value} {finding.category}: {finding.evidence}"))


def _thought(said: str, mask: Mask) -> str:
    """Return what a model said, in one line that is short enough to leave room for the call."""
    safe = visible(mask(said))
    return safe if len(safe) <= THOUGHT_LIMIT else f"{safe[:THOUGHT_LIMIT]}..."


def _so_far(facts: Facts) -> list[str]:
    """Say what the session did before, as far as it matters now."""
    lines = [f"called before in this session: {facts.prior_calls} times"]
    for what, paths in (
        ("wrote", facts.written),
        ("downloaded", facts.downloaded),
        ("read secrets in", known_secrets(facts.secrets_read)),
    ):
        if paths:
            shown = ", ".join(sorted(paths)[:DENIALS_SHOWN])
            more = f" and {len(paths) - DENIALS_SHOWN} more" if len(paths) > DENIALS_SHOWN else ""
            lines.append(f"{what} {shown}{more}")
    lines.extend(
        f"was refused {denial.tool} on {denial.target} ({denial.category})"
        for denial in facts.denials[-DENIALS_SHOWN:]
    )
    return lines if len(lines) > 1 or facts.prior_calls else []


def _argument(name: str, value: Json, mask: Mask) -> Argument:
    """Return an argument as it is shown."""
    if isinstance(value, str):
        return Argument(name=visible(name), lines=visible_lines(mask(value)))
    import rfc8785  # noqa: PLC0415 - `import signoff` loads msgspec alone

    text = mask(rfc8785.dumps(value).decode("utf-8"))
    return Argument(name=visible(name), lines=(visible(text),), is_text=False)
