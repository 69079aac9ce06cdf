"""Where proofs end: what is cut, what is left out, and what counts as the same."""

from __future__ import annotations

import pytest

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.assess.level import Challenge, Level
from signoff.challenge.proofs import steps
from signoff.challenge.proofs.questions import QuestionDraft
from signoff.challenge.proofs.steps import (
    CHOICE_LIMIT,
    MIN_DIFFERENT,
    TERM_LIMIT,
    check_quiz,
    check_teach_back,
    key_terms,
    make_quiz,
    make_steps,
    why_not_again,
)
from signoff.challenge.request import Request
from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.plan import ApprovalPlan, QuizPass
from signoff.challenge.terms.step import Proof, ProofKind, ProofStep
from signoff.testing import InMemoryApprovals, make_action, make_request
from signoff.values import replace

CALL = make_request(
    action=make_action(user_id="usr_123", amount=1200, env="production"),
    challenge=Challenge.QUIZ,
)


def on(target: str, **fields: object) -> Request:
    """Return a request for a deletion of something."""
    operation = Operation(
        verb=Verb.DELETE,
        thing=ResourceType.FILE,
        target=target,
        program="rm",
        **fields,  # type: ignore[arg-type]  # its fields
    )
    return make_request(operations=(operation,))


def quiz_of(monkeypatch: pytest.MonkeyPatch, *drafts: QuestionDraft) -> ProofStep:
    """Return the quiz of these questions."""
    monkeypatch.setattr(steps, "questions_of", lambda *_: iter(drafts))
    return make_quiz(CALL, "r1", min_review_s=0)


def draft(
    text: str = "What?", right: str = "a", wrong: tuple[str, ...] = ("b", "c")
) -> QuestionDraft:
    """Return a question."""
    return QuestionDraft(text=text, right=right, wrong=wrong)


def test_the_steps_of_a_request_are_of_its_id() -> None:
    """The same each time, and another order for another request."""
    ids = [f"request {number}" for number in range(12)]
    made = [make_steps(CALL, id, ApprovalPlan()) for id in ids]
    quizzes = [make_quiz(CALL, id, min_review_s=10.0) for id in ids]

    offered = {frozenset(quiz.questions[0].choices) for quiz in quizzes}

    assert [(quiz,) for quiz in quizzes] == made
    assert 1 < len({quiz.questions for quiz in quizzes})
    assert 1 < len(offered)


def test_whoever_signed_in_alone_gives_the_first_of_several() -> None:
    """Nobody let them in, unless it is said."""
    approvals = InMemoryApprovals()
    approvals.ask(make_request(level=Level.CRITICAL, challenge=Challenge.MULTI_PARTY))

    assert "" == why_not_again(approvals.channel.announced[-1], Approver(id="ada"))


def test_questions_with_one_text_or_one_answer_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who knows the first has the second."""
    found = quiz_of(
        monkeypatch,
        draft("first", "a"),
        draft("first", "x"),
        draft("second", "a"),
        draft("third", "y"),
    )

    assert ["first", "third"] == [one.text for one in found.questions]


@pytest.mark.parametrize(
    ("right", "wrong"), [("", ("b",)), ("a", ()), ("a", ("a", "a")), ("a", ("", ""))]
)
def test_what_leaves_nothing_to_choose_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, right: str, wrong: tuple[str, ...]
) -> None:
    """No right answer, or no other one beside it."""
    assert () == quiz_of(monkeypatch, draft(right=right, wrong=wrong)).questions


def test_a_choice_is_offered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And three wrong ones at most."""
    (found,) = quiz_of(monkeypatch, draft(wrong=("b", "b", "a", "", "c", "d", "e"))).questions

    assert ["a", "b", "c", "d"] == sorted(found.choices)
    assert "a" == found.choices[found.right]


@pytest.mark.parametrize(
    ("length", "expected"),
    [(CHOICE_LIMIT, CHOICE_LIMIT), (CHOICE_LIMIT + 1, 119), (10 * CHOICE_LIMIT, 119)],
)
def test_of_a_long_choice_both_ends_are_shown(
    monkeypatch: pytest.MonkeyPatch, length: int, expected: int
) -> None:
    """As much as there is room for."""
    text = "".join(chr(ord("a") + at % 26) for at in range(length))
    (found,) = quiz_of(monkeypatch, draft(right=text)).questions
    shown = found.choices[found.right]

    assert expected == len(shown)
    assert (text[:58], text[-58:]) == (shown[:58], shown[-58:])


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ((0, 0), ""),
        ((0, 9), ""),
        ((9, 9), "no answer of the quiz is right: read the card again"),
        ((0,), "answer every question of the quiz"),
        ((9,), "answer every question of the quiz"),
        ((9, 9, 9), "answer every question of the quiz"),
    ],
)
def test_a_quiz_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, choices: tuple[int, ...], expected: str
) -> None:
    """Answers, or a right one."""
    quiz = quiz_of(monkeypatch, draft("first", "a"), draft("second", "x"))
    rights = [one.right for one in quiz.questions]
    given = tuple(
        right if choice == 0 else choice
        for right, choice in zip([*rights, 0], choices, strict=False)
    )

    assert expected == check_quiz(quiz, Proof(choices=given))


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ((0, 0), ""),
        ((0, 9), "not every answer of the quiz is right: read the card again"),
        ((9, 9), "not every answer of the quiz is right: read the card again"),
        ((0,), "answer every question of the quiz"),
    ],
)
def test_a_quiz_may_take_every_answer(
    monkeypatch: pytest.MonkeyPatch, choices: tuple[int, ...], expected: str
) -> None:
    """Which of them is wrong is not told."""
    quiz = replace(quiz_of(monkeypatch, draft("first", "a"), draft("second", "x")), takes_all=True)
    given = [
        one.right if choice == 0 else choice
        for one, choice in zip(quiz.questions, choices, strict=False)
    ]

    assert expected == check_quiz(quiz, Proof(choices=tuple(given)))


@pytest.mark.parametrize(("quiz", "takes_all"), [(QuizPass.ONE, False), (QuizPass.ALL, True)])
def test_the_plan_says_how_much_of_a_quiz_must_be_right(quiz: QuizPass, *, takes_all: bool) -> None:
    """One answer, unless it says all."""
    (step,) = make_steps(CALL, "r1", ApprovalPlan(quiz=quiz))

    assert (ProofKind.QUIZ, takes_all) == (step.kind, step.takes_all)


@pytest.mark.parametrize("different", [MIN_DIFFERENT - 1, MIN_DIFFERENT])
def test_an_explanation_takes_different_words(different: int) -> None:
    """Eight of fifteen."""
    words = [f"word{min(at, different - 1)}" for at in range(15)]
    said = check_teach_back(ProofStep(kind=ProofKind.TEACH_BACK), Proof(text=" ".join(words)))

    assert (different == MIN_DIFFERENT) == (said == "")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/srv/data/", "data"),
        ("/srv/INDEX/", "INDEX"),
        ("/srv/ab", "ab"),
        ("https://one.example/two/three", "one.example"),
        ("https://one.example/?next=http://two.example/", "one.example"),
        ("/srv/my data", "data"),
    ],
)
def test_the_last_part_of_a_target_names_it(target: str, expected: str) -> None:
    """Of an address the host."""
    assert (expected,) == key_terms(on(target))


@pytest.mark.parametrize(
    ("target", "fields", "expected"),
    [
        ("/srv/a", {}, "rm"),
        ("*", {}, "rm"),
        ("/srv/*", {"reach": Reach.SYSTEM}, "system"),
        ("~", {"reach": Reach.HOME}, "home"),
    ],
)
def test_what_names_nothing_is_named_by_its_reach_or_program(
    target: str, fields: dict[str, object], expected: str
) -> None:
    """One letter, or none, is in nearly every text."""
    assert (expected,) == key_terms(on(target, **fields))


def test_a_program_is_named_by_its_last_word() -> None:
    """As people say it."""
    operation = Operation(
        verb=Verb.EXECUTE, thing=ResourceType.FILE, target="", program="npm run build"
    )

    assert ("build",) == key_terms(make_request(operations=(operation,)))


@pytest.mark.parametrize(
    ("value", "is_named"),
    [
        ("usr_123", True),
        ("x", True),
        ("k" * TERM_LIMIT, True),
        ("k" * (TERM_LIMIT + 1), False),
        ("two words", False),
        ("", False),
        (1200, False),
    ],
)
def test_a_plain_call_is_named_by_its_tool_and_short_values(
    value: str | int, *, is_named: bool
) -> None:
    """Nobody is made to type a whole text."""
    terms = key_terms(make_request(action=make_action(one=value)))

    assert (("delete_user", value) if is_named else ("delete_user",)) == terms
