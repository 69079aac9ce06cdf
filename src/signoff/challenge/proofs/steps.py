"""The steps of a request: which proofs, by how many people, made when it is asked.

- Confirm: yes or no after the card could be read; no default. The lightest proof.
- Quiz: one to three multiple-choice questions made from what the call does. What matters is asked
  first: what is lost, which target, which host, whose rights; then numbers and names in the
  arguments; last the tool. Every channel asks the same questions in the same order.
- Teach-back: the approver says in at least 15 words what would happen, and names what it is done
  to. That is checked here; a model may check the rest, and may only refuse.
- Several people: each gives one proof, and one refusal ends it. People are different, not
  accounts: two identities of one approver are one person, and whoever another person signed in may
  be that other person.

    steps = make_steps(request, id, plan)
    check_teach_back(step, Proof(text="This deletes the whole data folder in my home ..."))
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterator
from typing import Protocol, assert_never

from signoff.actions.operation import Operation, Reach
from signoff.challenge.pending import PendingRequest
from signoff.challenge.proofs.questions import QuestionDraft, questions_of, ranked
from signoff.challenge.request import Request
from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.plan import ApprovalPlan, QuizPass
from signoff.challenge.terms.step import Proof, ProofKind, ProofStep, Question
from signoff.challenge.visible import visible
from signoff.values import replace

QUESTIONS = 3
WRONG_CHOICES = 3  # with the right one four: a guess is right once in four times
CHOICE_LIMIT = 120  # of a longer one both ends are shown

MIN_WORDS = 15
MIN_DIFFERENT = 8  # of those words: one word fifteen times explains nothing
TERMS = 3
TERM_LIMIT = 60
TEXT_LIMIT = 10_000  # characters; what is behind them is not looked at
REACH_TERMS = {Reach.HOME: "home", Reach.SYSTEM: "system", Reach.PRODUCTION: "production"}


def make_steps(request: Request, id: str, plan: ApprovalPlan) -> tuple[ProofStep, ...]:
    """Return the proofs that an approval of the request needs, one per person.

    Args:
        id: the request's id, which seeds the quiz.
        plan: settings for proofs and reading times.
    """
    return tuple(
        _make(kind, request, id, plan) for kind in plan.steps_of(request.assessment.challenge)
    )


def check_proof(step: ProofStep, proof: Proof) -> str:
    """Return what is wrong with a proof, "" if it is good."""
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
    """Return whether the proof contains nothing of what the step asks for."""
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
    """Build one proof step of this kind."""
    least_s = plan.least_review_s(request.assessment.level, kind)
    match kind:
        case ProofKind.CONFIRM:
            # The yes itself is the answer: this proof takes time, and the service measures it.
            return ProofStep(kind=ProofKind.CONFIRM, min_review_s=least_s)
        case ProofKind.QUIZ:
            step = make_quiz(request, id, min_review_s=least_s)
            return replace(step, takes_all=plan.quiz is QuizPass.ALL)
        case ProofKind.TEACH_BACK:
            return make_teach_back(request, min_review_s=least_s)
        case _:
            assert_never(kind)


def why_not_again(pending: PendingRequest, approver: Approver, *, let_in_by: str = "") -> str:
    """Return why this person cannot give the next proof, "" if they can."""
    # One person could otherwise sign in twice, under two names, and be several (four eyes).
    if let_in_by and len(pending.steps) > 1:
        words = (
            f"`{let_in_by}` signed you in: what takes several people takes a sign-in of your own"
        )
        return f"{words}, or another channel"
    if any(given.approver == approver.id for given in pending.answers):
        left = len(pending.steps) - len(pending.answers)
        return f"you gave your part; {left} more must come from somebody else"
    return ""


def make_quiz(request: Request, id: str, *, min_review_s: float) -> ProofStep:
    """Build the quiz step of a request.

    Args:
        id: seeds the random choices.
        min_review_s: least seconds of reading before an answer counts.
    """
    questions: list[Question] = []
    for asked in questions_of(request, id):
        question = _question(asked, f"{id} {len(questions)}")
        # Two questions with one answer are one: who knows the first has the second.
        if question is not None and not any(_is_same(question, other) for other in questions):
            questions.append(question)
        if len(questions) == QUESTIONS:
            break
    return ProofStep(kind=ProofKind.QUIZ, questions=tuple(questions), min_review_s=min_review_s)


def check_quiz(step: ProofStep, proof: Proof) -> str:
    """Return what to do about a quiz that was answered wrongly, "" if enough is right."""
    right = sum(
        question.right == choice
        for question, choice in zip(step.questions, proof.choices, strict=False)
    )
    if len(proof.choices) != len(step.questions):
        return "answer every question of the quiz"
    if step.takes_all and right < len(step.questions):
        # How many and which is not told: that would leave fewer to guess.
        return "not every answer of the quiz is right: read the card again"
    return "" if right else "no answer of the quiz is right: read the card again"


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


class TeachBackValidator(Protocol):
    """Judges the meaning of an explanation, after its words were checked."""

    async def validate(self, text: str, step: ProofStep, headline: str) -> str:
        """Return "" if the text explains `headline`, else what is missing."""


class WordsOnly:
    """A validator that accepts every text: length and key terms were checked before."""

    async def validate(self, text: str, step: ProofStep, headline: str) -> str:
        """Return "": nothing is missing."""
        return ""


def make_teach_back(request: Request, *, min_review_s: float) -> ProofStep:
    """Build the step that asks for an explanation of the call.

    Args:
        min_review_s: least seconds of reading before an answer counts.
    """
    return ProofStep(kind=ProofKind.TEACH_BACK, terms=key_terms(request), min_review_s=min_review_s)


def check_teach_back(step: ProofStep, proof: Proof) -> str:
    """Return "" if the text is long enough and names the key terms, else what is missing."""
    text = proof.text[:TEXT_LIMIT].casefold()
    # Fifteen dashes are no words.
    words = [word for word in text.split() if any(char.isalnum() for char in word)]
    if len(words) < MIN_WORDS:
        return f"explain in at least {MIN_WORDS} words what would happen; that were {len(words)}"
    if len(set(words)) < MIN_DIFFERENT:
        return "explain it in your own words, not the same ones again"
    missing = [term for term in step.terms if term.casefold() not in text]
    if missing:
        return f"say what would happen to {', '.join(f'`{term}`' for term in missing)}"
    return ""


def key_terms(request: Request) -> tuple[str, ...]:
    """Return the terms an explanation must name: the call's targets, or else the tool."""
    found: dict[str, None] = {}
    for operation in ranked(request.assessment.operations):
        for term in _terms_of(operation):
            found.setdefault(visible(term), None)
    if not found:
        found = {visible(term): None for term in _names(request)}
    return tuple(found)[:TERMS]


def _terms_of(operation: Operation) -> Iterator[str]:
    """Yield what names one operation's target."""
    target = operation.target
    # The last part: people write `data`, not `/home/dev/data`, when they explain.
    name = _host(target) if "://" in target else posixpath.basename(target.rstrip("/"))
    name = name.split()[-1] if name.split() else ""
    # `*` or `.` would be found in nearly every text, and asks for nothing.
    if sum(char.isalnum() for char in name) > 1:
        yield name[:TERM_LIMIT]
    elif operation.reach in REACH_TERMS:
        yield REACH_TERMS[operation.reach]
    elif operation.program:
        yield operation.program.split()[-1][:TERM_LIMIT]


def _host(url: str) -> str:
    """Return the host of an address."""
    return url.partition("://")[2].partition("/")[0]


def _names(request: Request) -> Iterator[str]:
    """Yield the tool and the short values it is called with."""
    yield request.action.tool[:TERM_LIMIT]
    for value in request.action.arguments.values():
        if isinstance(value, str) and 0 < len(value) <= TERM_LIMIT and " " not in value:
            yield value
