"""What follows from a decision: the record first, durable; then the handlers, in order.

This is also where the secrets of a call end: the record, the session, the handlers and whoever
is answered get the decision without them, in its reasons, findings and words. Only
`Decision.action` is what runs.

Nothing but a refusal leaves without its record: if it cannot be written, `dispatch` raises and
the gate refuses. A refusal stands even so, and is counted. A handler's failure is logged and
changes nothing, neither the verdict nor the handlers after it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

from signoff.actions.canonical import RawJson, RawJsonTree
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.decide.decision import Decision
from signoff.effects.record import RecordBuilder
from signoff.effects.session_updates import session_update_of
from signoff.effects.store import Origin, RecordDraft, SessionUpdate, Store
from signoff.redaction.calls import redactor_of, secrets_of_call
from signoff.redaction.redact import NEVER_CUT, Redactor
from signoff.redaction.redacted_calls import redacted_action, redacted_assessment
from signoff.values import replace

log = logging.getLogger(__name__)

MASKED = b"hmac:"  # stands where a secret was


class Handler(Protocol):
    """Port: does something after a decision was recorded, such as logging or notifying."""

    def __call__(self, decision: Decision, /) -> None:
        """Do it; what is raised is logged and goes no further."""


class Effects:
    """Records decisions in the audit log, then calls the handlers."""

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

    async def dispatch(self, decision: Decision) -> Decision:
        """Record the decision durably, then tell the handlers; return it with its secrets masked.

        Raises:
            StoreError: it could not be recorded, and it is no refusal.
        """
        try:
            content, told, redactor = self._redacted(decision)
            session_update = redacted_update(session_update_of(decision, redactor.text), redactor)
            await self.store.append(RecordDraft(content=content, session_update=session_update))
        except Exception as error:
            # An allowed call without its record must not run; a refused one does not run anyway.
            if decision.verdict is not Verdict.DENY:
                raise
            self.unaudited_denials += 1
            # The second place of such refusals: the daemon's log, or standard error elsewhere.
            log.error(
                "a refusal could not be recorded (%s): tool %.100r, session %.100r",
                type(error).__name__,
                decision.action.tool,
                decision.action.session,
            )
            told = redacted_decision(decision, redactor_of(self.redactor, decision.action))
        self._tell(told)
        return told

    def _redacted(self, decision: Decision) -> tuple[dict[str, RawJsonTree], Decision, Redactor]:
        """Return the record's content, the masked decision, and what masks it."""
        action, assessment = decision.action, decision.assessment
        # Most calls hold no secret: then nothing is copied, and the record is written as it is.
        if not secrets_of_call(action, assessment):
            content = self._records.content(decision)
            arguments = content["action_redacted"]
            # The redactor may find by its form what the call did not tell: then all of it is
            # masked.
            if not (isinstance(arguments, RawJson) and arguments.holds(MASKED)):
                return content, decision, self.redactor
        redactor = redactor_of(self.redactor, action, assessment)
        told = redacted_decision(decision, redactor)
        content = RecordBuilder(redactor, origin=self.origin).content(told)
        if decision.digest:
            # A weak secret could be guessed from the digest of the call; this one is the card's.
            whole = replace(self.redactor, text_limit=NEVER_CUT)
            shown = redacted_action(action, redactor_of(whole, action, assessment))
            content["action_digest"] = shown.digest
        return content, told, redactor

    def _tell(self, decision: Decision) -> None:
        """Call every handler with the decision."""
        for handler in self.handlers:
            try:
                handler(decision)
            except Exception as error:  # noqa: BLE001 - the record stands, whatever a handler does
                # Only the kind of error: texts of errors carry addresses and tokens.
                log.error("a handler failed after its decision: %s", type(error).__name__)


def redacted_decision(decision: Decision, redactor: Redactor) -> Decision:
    """Return a copy of a decision with secrets masked.

    Its `action` keeps the secrets, since it may run.
    """
    if not redactor.known:
        return decision
    assessment, answer = decision.assessment, decision.answer
    return replace(
        decision,
        reason=redactor.text(decision.reason),
        assessment=redacted_assessment(assessment, redactor) if assessment else None,
        answer=_answer(answer, redactor) if answer else None,
    )


def _answer(answer: Answer, redactor: Redactor) -> Answer:
    return replace(answer, words=redactor.text(answer.words), model=redactor.text(answer.model))


def redacted_update(update: SessionUpdate, redactor: Redactor) -> SessionUpdate:
    """Return a session update whose paths have the call's secrets masked."""
    if not redactor.known:
        return update
    clean = redactor.without_known
    return replace(
        update,
        acts=tuple(map(clean, update.acts)),
        written=tuple(map(clean, update.written)),
        downloaded=tuple(map(clean, update.downloaded)),
        built=tuple(map(clean, update.built)),
        created=tuple(map(clean, update.created)),
        moved=tuple(map(clean, update.moved)),
        secrets_read=tuple(map(clean, update.secrets_read)),
        denials=tuple(replace(one, target=clean(one.target)) for one in update.denials),
    )
