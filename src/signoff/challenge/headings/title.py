"""The title of a request: the worst operation of the call in plain words.

The finding that settles the level leads: its operation is named. Where nothing was found, the
operation that is hardest to undo leads. Everything here is bounded and safe to show.

    title_of(assessment, mask=redactor.text)
        -> "Force-pushes `feature/login` to `origin`; commits already there can be lost"
"""

from __future__ import annotations

from collections.abc import Callable

from signoff.actions.operation import Operation, Operations, Verb
from signoff.actions.wording.sentence import say, sentence
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.threat.score import severity_to_score
from signoff.challenge.visible import visible
from signoff.values import replace

TITLE_LIMIT = 90
# Worst first, among operations that can be undone equally well.
WORST_FIRST = (
    *(Verb.SPEND, Verb.DELETE, Verb.PUBLISH, Verb.PERSIST, Verb.PRIVILEGE, Verb.NETWORK_OUT),
    *(Verb.CONTROL, Verb.CONFIGURE, Verb.INSTALL, Verb.WRITE, Verb.EXECUTE, Verb.NETWORK_IN),
    *(Verb.READ, Verb.INERT),
)
Mask = Callable[[str], str]


def title_of(assessed: Assessed, *, mask: Mask = str) -> str:
    """Return what would happen at worst, in at most `TITLE_LIMIT` characters."""
    worst = worst_of(assessed.operations, assessed.findings)
    if worst is None:
        return _cut(f"Calls `{visible(mask(assessed.action.tool))}`", TITLE_LIMIT)
    return _cut(mask(sentence(masked(worst, mask), TITLE_LIMIT)), TITLE_LIMIT)


def masked(op: Operation, mask: Mask) -> Operation:
    """Return an operation as it may be shown; masked first, since a cut secret is not found."""
    return replace(
        op,
        target=visible(mask(op.target)),
        program=visible(mask(op.program)),
        why=visible(mask(op.why)),
        place=tuple((kind, visible(mask(name))) for kind, name in op.place),
    )


def worst_of(operations: Operations, findings: tuple[Finding, ...] = ()) -> Operation | None:
    """Return the operation that a title names, None if the call does nothing that is known."""
    found = sorted(findings, key=lambda one: -severity_to_score(one.severity) * one.confidence)
    for finding in found:
        same = [op for op in operations if op.group == finding.group]
        named = [op for op in same if finding.evidence.startswith(say(op))]
        if named or same:
            return _worst(named or same)
    return _worst([op for op in operations if op.verb is not Verb.INERT])


def _worst(operations: list[Operation]) -> Operation | None:
    """Return the worst of several; of equals the first."""
    return min(operations, key=_harmlessness, default=None)


def _harmlessness(op: Operation) -> tuple[bool, bool, int]:
    is_lost = not op.reversible and op.understood
    return not is_lost, op.understood, WORST_FIRST.index(op.verb)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
