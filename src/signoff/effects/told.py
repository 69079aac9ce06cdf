"""A masked decision: its reasons, findings and words without the secrets of its call."""

from __future__ import annotations

from signoff.challenge.answer import Answer
from signoff.decide.decision import Decision
from signoff.effects.store import SessionUpdate
from signoff.redaction.redact import Redactor
from signoff.redaction.told import told_assessment
from signoff.values import replace


def told_decision(decision: Decision, redactor: Redactor) -> Decision:
    """Return a decision without secrets; its `action` stays what was asked for, and may run."""
    if not redactor.known:
        return decision
    assessment, answer = decision.assessment, decision.answer
    return replace(
        decision,
        reason=redactor.text(decision.reason),
        assessment=told_assessment(assessment, redactor) if assessment else None,
        answer=_answer(answer, redactor) if answer else None,
    )


def _answer(answer: Answer, redactor: Redactor) -> Answer:
    return replace(answer, words=redactor.text(answer.words), model=redactor.text(answer.model))


def told_update(update: SessionUpdate, redactor: Redactor) -> SessionUpdate:
    """Return what a session's memory takes, its paths without the secrets of the call."""
    if not redactor.known:
        return update
    clean = redactor.without_known
    return replace(
        update,
        written=tuple(map(clean, update.written)),
        downloaded=tuple(map(clean, update.downloaded)),
        built=tuple(map(clean, update.built)),
        created=tuple(map(clean, update.created)),
        moved=tuple(map(clean, update.moved)),
        secrets_read=tuple(map(clean, update.secrets_read)),
        denials=tuple(replace(one, target=clean(one.target)) for one in update.denials),
    )
