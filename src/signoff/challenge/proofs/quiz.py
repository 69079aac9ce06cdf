"""Quiz: one to three multiple-choice questions made from what the call does.

What matters is asked first: what is lost, which target, which host, whose rights; then numbers
and names in the arguments; last the tool. The same request gives the same questions in the same
order on every channel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from signoff.challenge.proofs.questions import QuestionDraft, questions_of
from signoff.challenge.request import Request
from signoff.challenge.terms.step import Proof, ProofKind, ProofStep, Question
from signoff.challenge.visible import visible

QUESTIONS = 3
WRONG_CHOICES = 3
CHOICE_LIMIT = 120


def make_quiz(request: Request, id: str, *, min_review_s: float) -> ProofStep:
    """Return the step for a request of this id."""
    questions: list[Question] = []
    for asked in questions_of(request, id):
        question = _question(asked, f"{id} {len(questions)}")
        if question is not None and not any(_is_same(question, other) for other in questions):
            questions.append(question)
        if len(questions) == QUESTIONS:
            break
    return ProofStep(kind=ProofKind.QUIZ, questions=tuple(questions), min_review_s=min_review_s)


def check_quiz(step: ProofStep, proof: Proof) -> str:
    """Return "" if enough is right, else what to do."""
    right = sum(
        question.right == choice
        for question, choice in zip(step.questions, proof.choices, strict=False)
    )
    if right >= 1 and len(proof.choices) == len(step.questions):
        return ""
    if len(proof.choices) != len(step.questions):
        return f"answer all {len(step.questions)} questions"
    return "no answer of the quiz is right: read the card again"


def _question(asked: QuestionDraft, salt: str) -> Question | None:
    """Return a question with its choices mixed; None if nothing wrong can be offered."""
    right = _short(asked.right)
    wrong = list(_distinct((_short(choice) for choice in asked.wrong), right))[:WRONG_CHOICES]
    if not right or not wrong:
        return None
    choices = sorted([right, *wrong], key=lambda choice: _mixed(salt, choice))
    return Question(text=asked.text, choices=tuple(choices), right=choices.index(right))


def _is_same(one: Question, other: Question) -> bool:
    """Tell whether two questions ask the same, or have the same right answer."""
    return one.text == other.text or one.choices[one.right] == other.choices[other.right]


def _distinct(choices: Iterator[str], right: str) -> Iterator[str]:
    """Yield each choice once, and never the right one."""
    seen = {right, ""}
    for choice in choices:
        if choice not in seen:
            seen.add(choice)
            yield choice


def _mixed(salt: str, choice: str) -> bytes:
    """Return where a choice stands: by chance, but the same each time."""
    return hashlib.sha256(f"{salt}\0{choice}".encode()).digest()


def _short(text: str) -> str:
    """Return a choice safe to show; of a long one both ends."""
    shown = visible(text)
    if len(shown) <= CHOICE_LIMIT:
        return shown
    half = CHOICE_LIMIT // 2 - 2
    return f"{shown[:half]}...{shown[-half:]}"


def score_of(questions: Sequence[Question], choices: Sequence[int]) -> int:
    """Return how many choices are right."""
    return sum(q.right == choice for q, choice in zip(questions, choices, strict=False))
