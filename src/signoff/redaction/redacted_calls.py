"""A call and its assessment as they may be shown, sent and kept: without its secrets.

What runs is never taken from here. A mask stands for one secret, so who edits masked arguments
gets the secrets put back by `restored`, in the memory of the process that asked.

    told = redacted_action(action, redactor_of(redactor, action))
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.redaction.calls import masks_of
from signoff.redaction.redact import Redactor
from signoff.values import replace

MASK = re.compile(r"hmac:[0-9a-f]{16}")


def redacted_action(action: Action, redactor: Redactor) -> Action:
    """Return a copy of a call with its secrets masked, to show or store; never to run."""
    arguments = redactor.value(action.arguments)
    if not isinstance(arguments, Mapping):
        raise TypeError("the arguments of a call are a mapping")
    return replace(action, arguments=arguments, description=redactor.text(action.description))


def redacted_assessment(assessment: Assessed, redactor: Redactor) -> Assessed:
    """Return an assessment with the secrets of its call masked everywhere."""
    say, risk, threat = redactor.text, assessment.risk, assessment.threat
    factors = tuple(replace(one, evidence=say(one.evidence)) for one in risk.factors)
    told: Assessed = replace(
        assessment,
        action=redacted_action(assessment.action, redactor),
        # Parsed commands hold their secrets in plain letters, and nobody is shown them.
        commands=(),
        operations=tuple(_operation(one, redactor) for one in assessment.operations),
        findings=tuple(_finding(one, redactor) for one in assessment.findings),
        threat=replace(threat, results=tuple(_finding(one, redactor) for one in threat.results)),
        risk=replace(risk, factors=factors),
        reason=say(assessment.reason),
    )  # type: ignore[type-var]  # a protocol of what is a frozen value everywhere
    return told


def _operation(one: Operation, redactor: Redactor) -> Operation:
    say = redactor.text
    return replace(
        one, target=say(one.target), path=say(one.path), source=say(one.source), why=say(one.why)
    )


def _finding(one: Finding, redactor: Redactor) -> Finding:
    return replace(one, evidence=redactor.text(one.evidence))


def restored(told: Mapping[str, Json], action: Action, redactor: Redactor) -> dict[str, Json]:
    """Put the call's secrets back in place of their masks, in arguments a person edited.

    Args:
        told: the edited arguments, in which secrets are masked.
    """
    secrets = masks_of(redactor, action)

    def put_back(value: Json) -> Json:
        match value:
            case str():
                # A mask of another call stays the text it is.
                return MASK.sub(lambda found: secrets.get(found[0], found[0]), value)
            case Mapping():
                return {name: put_back(item) for name, item in value.items()}
            case None | bool() | int() | float():
                return value
            case _:
                return [put_back(item) for item in value]

    return {name: put_back(value) for name, value in told.items()}
