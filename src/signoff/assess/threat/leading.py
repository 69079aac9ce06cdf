"""Which finding leads: the title, the reason and the advice of a call are about the same one.

ranked(findings, operations)[0]  ->  of two equally grave findings the one that cannot be undone
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from signoff.actions.operation import Operation, Operations, Verb
from signoff.actions.wording.sentence import say
from signoff.actions.wording.worst import worst_operation
from signoff.assess.finding import Finding
from signoff.assess.threat.score import severity_to_score

_Said: TypeAlias = tuple[Operation, str]  # with its sentence


def ranked(findings: Iterable[Finding], operations: Operations) -> tuple[Finding, ...]:
    """Return findings, the gravest first.

    Of equally grave findings one comes first whose operation deletes for good; of equals the
    first one.
    """
    found = sorted(findings, key=weight_of, reverse=True)
    if len(found) < 2 or weight_of(found[1]) < weight_of(found[0]):
        return tuple(found)
    # Said once: a line may have hundreds of both.
    said = _said(operations)
    return tuple(sorted(found, key=lambda one: (-weight_of(one), not _deletes(one, said))))


def weight_of(finding: Finding) -> float:
    """Return how much a finding weighs."""
    return severity_to_score(finding.severity) * finding.confidence


def operations_of(finding: Finding, operations: Operations) -> Operations:
    """Return the operations that a finding names, else those of its command, () for none."""
    return _named(finding, _said([op for op in operations if op.group == finding.group]))


def _said(operations: Iterable[Operation]) -> tuple[_Said, ...]:
    return tuple([(op, say(op)) for op in operations])


def _named(finding: Finding, said: Iterable[_Said]) -> Operations:
    same = [(op, words) for op, words in said if op.group == finding.group]
    # One line can hold several operations of one kind: the finding's own words say which one.
    named = [op for op, words in same if finding.evidence.startswith(words)]
    return tuple(named or [op for op, _ in same])


def _deletes(finding: Finding, said: Iterable[_Said]) -> bool:
    """Return whether what a finding names is deleted and nobody can undo it."""
    worst = worst_operation(_named(finding, said))
    if worst is None or worst.reversible or not worst.understood:
        return False
    return worst.verb is Verb.DELETE


def leading_operation(findings: Iterable[Finding], operations: Operations) -> Operation | None:
    """Return the operation that the leading finding is about; the worst one where none is."""
    for finding in ranked(findings, operations):
        named = operations_of(finding, operations)
        if named:
            return worst_operation(named) or named[0]
    return worst_operation(operations)


def alike(op: Operation, operations: Operations) -> int:
    """Return to how many other objects the same command does the same."""
    if op.call is not None or not op.understood or not op.target:
        return 0
    same = {one.target for one in operations if one.understood and _kind_of(one) == _kind_of(op)}
    others = {name for name in same if name and not _is_part(name, op.target)}
    # `upload false "Fix a crash"`: some are values of options, so nobody knows how many are names.
    return 0 if any(_is_no_name(name) for name in same) else len(others)


def _is_part(name: str, other: str) -> bool:
    """Tell a folder and what is in it, or one name twice."""
    one, two = (f"{text.rstrip('/')}/" for text in (name, other))
    return one.startswith(two) or two.startswith(one)


def _is_no_name(name: str) -> bool:
    return " " in name or name.startswith(("-", "+")) or name in ("true", "false")


def _kind_of(op: Operation) -> tuple[object, ...]:
    kind = op.file_kind
    return op.group, op.verb, op.thing, op.program, op.reach, op.traits, kind
