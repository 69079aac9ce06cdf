"""The card: what an approver is shown, drawn from the action's own bytes and never cut off.

First what would happen and why it is asked; then the call in full, everything in it visible; the
agent's own story last and marked as not checked. The code at the end is the start of the action's
digest, to compare channels by.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation, Reach, Thing, Verb
from signoff.challenge.request import Request
from signoff.challenge.visible import visible, visible_lines

CODE_LENGTH = 8
OPERATIONS_SHOWN = 12
FIRST_LINE_LIMIT = 200


def draw_card(request: Request) -> str:
    """Return the card of a request as plain text.

    Raises:
        ValueError: the action has no canonical form.
    """
    return "\n".join(_lines(request))


def _lines(request: Request) -> Iterator[str]:
    """Yield the lines of the card."""
    action, assessment = request.action, request.assessment
    yield f"[{assessment.level.value}] {_headline(request)}"
    yield f"why:   {visible(assessment.reason)}"
    for operation in assessment.operations[:OPERATIONS_SHOWN]:
        yield f"  - {_operation(operation)}"
    hidden = len(assessment.operations) - OPERATIONS_SHOWN
    if hidden > 0:
        yield f"  - and {hidden} more"
    yield f"tool:  {visible(action.tool)}"
    if action.cwd:
        yield f"in:    {visible(action.cwd)}"
    if action.agent or action.session:
        yield f"agent: {visible(action.agent)} {visible(action.session)}".rstrip()
    for name, value in action.arguments.items():
        yield from _argument(visible(name), value)
    if action.description:
        yield "the agent says (not checked):"
        yield from (f"  ~ {line}" for line in visible_lines(action.description))
    yield f"code:  {code_of(action)}"


def code_of(action: Action) -> str:
    """Return the short code of an action, the start of its digest."""
    return action.digest[:CODE_LENGTH]


def _headline(request: Request) -> str:
    """Say in one line what would happen; the whole of it follows below."""
    operations = request.assessment.operations
    worst = next((op for op in operations if op.verb not in (Verb.INERT, Verb.READ)), None)
    if worst is None:
        return f"call {visible(request.action.tool)}"
    return _operation(worst)


def _operation(operation: Operation) -> str:
    """Return an operation in words: verb, thing, target, reach."""
    target = visible(operation.target)
    if len(target) > FIRST_LINE_LIMIT:
        target = f"{target[:FIRST_LINE_LIMIT]}... (all of it below)"
    known = "" if operation.understood else f" - not understood: {visible(operation.why)}"
    thing = "" if operation.thing is Thing.NOTHING else operation.thing.value
    reach = "" if operation.reach is Reach.NONE else f"({operation.reach.value})"
    return " ".join(word for word in (operation.verb.value, thing, target, reach) if word) + known


def _argument(name: str, value: Json) -> Iterator[str]:
    """Yield an argument: a text line by line with a bar before each, anything else as JSON."""
    if isinstance(value, str):
        yield f"{name}:"
        yield from (f"  | {line}" for line in visible_lines(value))
        return
    import rfc8785  # noqa: PLC0415 - `import signoff` loads the standard library only

    yield f"{name}: {visible(rfc8785.dumps(value).decode('utf-8'))}"
