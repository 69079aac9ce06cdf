"""What an agent can do instead of a call that was refused: the safe form of each kind of finding.

A row belongs to a policy line (`detector.line`) and, where the line covers unlike calls, to some
kinds of Operation: the first row that fits is used. It names a narrower command or a step that
looks first; it is never another way to the refused end, so what protects signoff has no row. A
test judges every `safer` command: it must be milder than the `example` that has the finding.

    advice_of(findings, operations)  ->  "count the rows with SELECT, then change single ones by id"
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.operation import Operation, Operations
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.safe_forms.of_lines import OF_LINES
from signoff.assess.safe_forms.of_sharing import OF_SHARING
from signoff.assess.safe_forms.of_tools import OF_TOOLS
from signoff.assess.safe_forms.safe_form import SafeForm, is_called
from signoff.assess.threat.leading import operations_of, ranked
from signoff.assess.verdict import Verdict

# Rows for tools first: what they say never needs a shell.
TABLE: tuple[SafeForm, ...] = (*OF_TOOLS, *OF_SHARING, *OF_LINES)
# They find again what another detector finds, and say that it is worse.
ADDING = frozenset({"combined-facts", "call-classifier"})
LINES = frozenset(line for row in TABLE for line in row.lines.split())


def advice_of(findings: Iterable[Finding], operations: Operations = ()) -> str:
    """Return what to do instead of the worst finding, "" if no safe form is known."""
    row, op = _row_of(findings, operations)
    return row.said_of(op) if row is not None else ""


def advice_for(assessed: Assessed) -> str:
    """Return what to do instead of a call that is asked about or denied, "" if unknown.

    Nothing is added to a rule: its author says what they want.
    """
    if assessed.preliminary is Verdict.ALLOW or assessed.rule is not None:
        return ""
    return advice_of(assessed.findings, assessed.operations)


def safer_lines(assessed: Assessed) -> tuple[str, ...]:
    """Return example shell lines of the safe alternative, () if none is known.

    They are examples with names of their own: the agent puts in what it works on.
    """
    row, _ = _row_of(assessed.findings, assessed.operations)
    return row.safer if row is not None and advice_for(assessed) else ()


def _row_of(
    findings: Iterable[Finding], operations: Operations
) -> tuple[SafeForm | None, Operation | None]:
    """Return the row of the worst finding and the Operation it is about, None for none.

    What several facts together make worse, or what a call's words add, has the safe form of what
    is done.
    """
    found = tuple(findings)
    plain = tuple(one for one in found if one.detector not in ADDING)
    worst = next(iter(ranked(plain or found, operations)), None)
    if worst is None or worst.category not in LINES:
        return None, None
    op = _operation_of(worst, operations)
    # Found in a call as a whole: a tool has no shell there, either.
    if op is None and operations and is_called(operations[0]):
        op = operations[0]
    return next((row for row in TABLE if row.fits(worst.category, op)), None), op


def _operation_of(finding: Finding, operations: Operations) -> Operation | None:
    """Return the Operation a finding is about, None if it is about the call as a whole."""
    return next(iter(operations_of(finding, operations)), None)
