"""One step of a challenge: the proof of understanding that is asked of one person.

A step is made with the request and kept with it, so that every channel asks the same and a
restart changes nothing. What is given is checked by the file of its kind.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class ProofKind(StrEnum):
    """Kind of proof an approver gives, lightest first."""

    CONFIRM = "confirm"
    QUIZ = "quiz"
    TEACH_BACK = "teach-back"


class Question(Struct, frozen=True, kw_only=True):
    """One multiple-choice question of a quiz.

    Args:
        choices: the answers, in the order shown.
        right: index of the right answer.
    """

    text: str
    choices: tuple[str, ...]
    right: int


class ProofStep(Struct, frozen=True, kw_only=True):
    """One proof that one approver must give.

    Args:
        questions: the 1 to 3 questions of a quiz; else ().
        terms: key terms of the action; a teach-back must name some of them.
        min_review_s: least seconds of reading; a faster answer is rejected or marked.
        takes_all: whether every answer of a quiz must be right; else one.
    """

    kind: ProofKind
    questions: tuple[Question, ...] = ()
    terms: tuple[str, ...] = ()
    min_review_s: float = 0.0
    takes_all: bool = False


class Proof(Struct, frozen=True, kw_only=True):
    """What one approver gave as a proof.

    Args:
        choices: the chosen index for each question of a quiz, -1 for none.
        text: the explanation of a teach-back.
        code: the confirmation code, where the channel needs one.
    """

    choices: tuple[int, ...] = ()
    text: str = ""
    code: str = ""


NO_PROOF = Proof()
