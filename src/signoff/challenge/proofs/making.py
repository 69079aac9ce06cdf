"""The steps of a request: which proofs, by how many people, made when it is asked.

steps = make_steps(request, id, plan)
"""

from __future__ import annotations

from typing import assert_never

from signoff.challenge.proofs.confirm import make_confirm
from signoff.challenge.proofs.quiz import check_quiz, make_quiz
from signoff.challenge.proofs.teach_back import check_teach_back, make_teach_back
from signoff.challenge.request import Request
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.step import Proof, ProofKind, ProofStep


def make_steps(request: Request, id: str, plan: ApprovalPlan) -> tuple[ProofStep, ...]:
    """Return the steps an approval of the request takes."""
    return tuple(
        _make(kind, request, id, plan) for kind in plan.steps_of(request.assessment.challenge)
    )


def check_proof(step: ProofStep, proof: Proof) -> str:
    """Return "" if the proof is good, else what is wrong with it."""
    match step.kind:
        case ProofKind.CONFIRM:
            return ""
        case ProofKind.QUIZ:
            return check_quiz(step, proof)
        case ProofKind.TEACH_BACK:
            return check_teach_back(step, proof)
        case _:
            assert_never(step.kind)


def is_empty(step: ProofStep, proof: Proof) -> bool:
    """Tell whether nothing was given yet that the step asks for."""
    match step.kind:
        case ProofKind.CONFIRM:
            return False
        case ProofKind.QUIZ:
            return not proof.choices
        case ProofKind.TEACH_BACK:
            return not proof.text.strip()
        case _:
            assert_never(step.kind)


def _make(kind: ProofKind, request: Request, id: str, plan: ApprovalPlan) -> ProofStep:
    """Make one step."""
    least_s = plan.least_review_s(request.assessment.level, kind)
    match kind:
        case ProofKind.CONFIRM:
            return make_confirm(min_review_s=least_s)
        case ProofKind.QUIZ:
            return make_quiz(request, id, min_review_s=least_s)
        case ProofKind.TEACH_BACK:
            return make_teach_back(request, min_review_s=least_s)
        case _:
            assert_never(kind)
