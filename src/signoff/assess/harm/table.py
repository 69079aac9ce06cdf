"""How much harm one Operation can do, by reversibility, reach and loss: the table of severities.

A detector says what a HIGH finding is about; this table says which of them are bounded. The harm
of an Operation is bounded if one row holds of it: it can be undone, it reaches no further than the
row says, and it loses nothing unique. A bounded finding is still asked about in every pack, but
its score (75 * 0.8 = 60) makes the call MEDIUM: an approval takes one tap.

    git reset --hard           bounded: unsaved edits of this project are lost
    git update-ref -d HEAD     not bounded: history of the project is lost
"""

from __future__ import annotations

from signoff.actions.operation import Operation
from signoff.assess.harm.evidence import BY_EVIDENCE
from signoff.assess.harm.far import FAR
from signoff.assess.harm.near import NEAR
from signoff.assess.harm.row import UNBOUNDED_TRAITS, UNBOUNDED_TYPES, BoundedHarm

TABLE: tuple[BoundedHarm, ...] = (*NEAR, *FAR, *BY_EVIDENCE)
_READ_ROWS = tuple([row for row in TABLE if not row.is_unread])
_UNREAD_ROWS = tuple([row for row in TABLE if row.is_unread])


def is_bounded(op: Operation) -> bool:
    """Return whether an Operation's harm is limited, so that one tap is enough.

    The result is that of asking each row; what excludes all rows is checked first.
    """
    if op.thing in UNBOUNDED_TYPES:
        return False
    barring = UNBOUNDED_TRAITS & op.traits
    rows = _READ_ROWS if op.understood else _UNREAD_ROWS
    return any([barring <= row.despite and row.holds(op) for row in rows])
