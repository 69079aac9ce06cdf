"""What follows from a decision: the record first, durable; then the handlers, in order.

Nothing but a refusal leaves without its record: if it cannot be written, `dispatch` raises and
the gate refuses. A refusal stands even so, and is counted. A handler's failure is logged and
changes nothing, neither the verdict nor the handlers after it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.effects.lesson import session_update_of
from signoff.effects.record import Origin, RecordBuilder
from signoff.effects.store import RecordDraft, Store
from signoff.redaction.redact import Redactor

log = logging.getLogger(__name__)


class Handler(Protocol):
    """Something done after a decision was recorded: log it, count it, tell somebody."""

    def __call__(self, decision: Decision, /) -> None:
        """Do it; what is raised is logged and goes no further."""


class Effects:
    """Records decisions and tells handlers."""

    def __init__(
        self,
        store: Store,
        redactor: Redactor,
        *,
        origin: Origin | None = None,
        handlers: Sequence[Handler] = (),
    ) -> None:
        self.store = store
        self.redactor = redactor
        self.origin = origin or Origin()
        self.handlers = tuple(handlers)
        self._records = RecordBuilder(redactor, origin=self.origin)
        self.unaudited_denials = 0

    async def dispatch(self, decision: Decision) -> None:
        """Record the decision durably, then tell the handlers.

        Raises:
            StoreError: it could not be recorded, and it is no refusal.
        """
        try:
            content = self._records.content(decision)
            session_update = session_update_of(decision, self.redactor.text)
            await self.store.append(RecordDraft(content=content, session_update=session_update))
        except Exception as error:
            if decision.verdict is not Verdict.DENY:
                raise
            self.unaudited_denials += 1
            log.error("a refusal could not be recorded: %s", type(error).__name__)
        self._tell(decision)

    def _tell(self, decision: Decision) -> None:
        """Tell every handler."""
        for handler in self.handlers:
            try:
                handler(decision)
            except Exception as error:  # noqa: BLE001 - the record stands, whatever a handler does
                # Only the kind of error: texts of errors carry addresses and tokens.
                log.error("a handler failed after its decision: %s", type(error).__name__)
