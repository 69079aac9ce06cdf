"""Which of several Operations a title names: what cannot be undone, then what nobody understands.

worst_operation(operations)  ->  the Delete of `git add -A && git clean -fd`
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.operation import Operation, Verb

# Worst first, among operations that can be undone equally well.
WORST_FIRST = (
    *(Verb.SPEND, Verb.DELETE, Verb.PUBLISH, Verb.PERSIST, Verb.PRIVILEGE, Verb.NETWORK_OUT),
    *(Verb.CONTROL, Verb.CONFIGURE, Verb.INSTALL, Verb.WRITE, Verb.EXECUTE, Verb.NETWORK_IN),
    *(Verb.READ, Verb.INERT),
)


def worst_operation(operations: Iterable[Operation]) -> Operation | None:
    """Return the most severe Operation, the first of equals; None if none has an effect."""
    acting = [op for op in operations if op.verb is not Verb.INERT]
    return min(acting, key=_harmlessness, default=None)


def _harmlessness(op: Operation) -> tuple[bool, bool, int]:
    is_lost = not op.reversible and op.understood
    # What nobody understands comes before what is known to be harmless.
    return not is_lost, op.understood, WORST_FIRST.index(op.verb)
