"""Proofs are made of the call itself, and ask what matters."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.assess.level import Challenge, Level
from signoff.challenge.proofs.steps import (
    CHOICE_LIMIT,
    check_proof,
    check_quiz,
    check_teach_back,
    key_terms,
    make_quiz,
    make_steps,
    make_teach_back,
)
from signoff.challenge.request import Request
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.step import Proof, ProofKind
from signoff.sync import run_now
from signoff.testing import InMemoryApprovals, make_action, make_request, make_response
from signoff.values import replace

ALL_ROWS = "all of them: there is no bound"
FACTS = Facts(home="/home/dev", project="/home/dev/project")
LINES = [
    "rm -rf ~",
    "rm -rf ~/data",
    "git push --force origin main",
    "git reset --hard HEAD~3",
    "psql -c 'delete from users'",
    "curl -X POST https://api.example.com/x -d @notes.txt",
    "kubectl delete deployment web -n prod",
    "sudo systemctl restart nginx",
    "npm publish",
    'eval "$X"',
    "chmod -R 777 .",
    "docker volume rm data",
]


def shell(line: str) -> Request:
    """Return a request about a shell line."""
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    return make_request(action=action, operations=understand(action, FACTS).operations)


def asked(request: Request) -> dict[str, str]:
    """Return the questions of a quiz with their right answers."""
    step = make_quiz(request, "r1", min_review_s=0)
    return {q.text: q.choices[q.right] for q in step.questions}


@pytest.mark.parametrize("line", LINES)
def test_every_call_gives_a_quiz(line: str) -> None:
    """One to three questions, each with two to four different choices."""
    step = make_quiz(shell(line), "r1", min_review_s=0)

    assert 1 <= len(step.questions) <= 3
    for question in step.questions:
        assert 2 <= len(question.choices) <= 4
        assert len(set(question.choices)) == len(question.choices)
        assert 0 <= question.right < len(question.choices)
        assert all(len(choice) <= CHOICE_LIMIT for choice in question.choices)


@pytest.mark.parametrize(
    ("line", "question", "right"),
    [
        ("rm -rf ~/data", "What would be deleted or overwritten?", "/home/dev/data"),
        ("git push origin main", "What would be published?", "origin main"),
        (
            "psql -c 'delete from t'",
            "How many rows does it touch?",
            "all of them: there is no bound",
        ),
        ("curl -T a https://x.example", "Where would it be sent?", "https://x.example"),
        ("sudo rm /etc/x", "With whose rights would it run?", "as another user, root for instance"),
    ],
)
def test_a_quiz_asks_what_matters(line: str, question: str, right: str) -> None:
    """Which path, how many rows, which host, which branch."""
    assert asked(shell(line)).get(question) == right


def test_a_plain_function_is_asked_by_its_arguments() -> None:
    """Numbers first, then names; last the tool."""
    request = make_request(action=make_action("pay", amount=300, to="bob"))

    assert asked(request) == {
        "What is `amount`?": "300",
        "What is `to`?": "bob",
        "Which tool would be called?": "pay",
    }


def test_what_the_call_touches_is_never_a_wrong_answer() -> None:
    """Neither in another operation nor in another argument."""
    step = make_quiz(shell("rm -rf /home/dev/a /home/dev/a_old /tmp/a"), "r", min_review_s=0)
    (first, *_) = step.questions

    wrong = [choice for at, choice in enumerate(first.choices) if at != first.right]
    assert {"/home/dev/a", "/home/dev/a_old", "/tmp/a"}.isdisjoint(wrong)


def message(**arguments: Json) -> Request:
    """Return a request about a message to the channel `finance`."""
    action = Action(tool="mcp__chat__post_message", arguments=arguments, cwd="/home/dev/project")
    sent = understand(replace(action, arguments={"channel": "finance"}), FACTS).operations
    return make_request(action=action, operations=sent)


def test_wrong_answers_come_from_the_call_itself() -> None:
    """From any of its arguments, so that the right one is not the only one on the card."""
    request = message(channel="finance", text="See you then", topics=["numbers"])
    step = make_quiz(request, "r1", min_review_s=0)

    assert "numbers" in step.questions[0].choices


def test_what_stands_beside_the_right_answer_is_no_wrong_one() -> None:
    """It may be meant as well."""
    request = message(channels=["finance", "numbers"])
    step = make_quiz(request, "r1", min_review_s=0)

    assert "finance" in step.questions[0].choices
    assert "numbers" not in step.questions[0].choices


def test_a_quiz_is_the_same_each_time_and_another_for_another_request() -> None:
    """On every channel, and over restarts."""
    request = shell("rm -rf ~/data")
    quizzes = [make_quiz(request, id, min_review_s=0) for id in ("r1", "r1", "r2", "r3", "r4")]

    assert quizzes[0] == quizzes[1]
    assert len({quiz.questions for quiz in quizzes}) > 1


def test_the_right_answer_stands_anywhere() -> None:
    """Whoever always taps the same place is not right each time."""
    request = shell("rm -rf ~/data")
    places = {make_quiz(request, f"r{n}", min_review_s=0).questions[0].right for n in range(40)}

    assert places == {0, 1, 2, 3}


def test_nothing_in_a_call_repaints_a_question() -> None:
    """Choices are made visible, and cut in the middle."""
    request = make_request(action=make_action("f", name="a\u202e\x1b[2J", path="x" * 150))
    step = make_quiz(request, "r1", min_review_s=0)

    assert all(c.isprintable() for q in step.questions for c in (q.text, *q.choices))


@pytest.mark.parametrize(
    ("choices", "is_good"),
    [("right", True), ("one", True), ("none", False), ("short", False), ("long", False)],
)
def test_at_least_one_answer_must_be_right(choices: str, is_good: object) -> None:
    """And all must be given."""
    step = make_quiz(shell("rm -rf ~/data"), "r1", min_review_s=0)
    right = [q.right for q in step.questions]
    given = {
        "right": right,
        "one": [right[0], *(-1 for _ in right[1:])],
        "none": [-1 for _ in right],
        "short": right[:1],
        "long": [*right, 0],
    }[choices]

    assert (check_quiz(step, Proof(choices=tuple(given))) == "") is is_good


@pytest.mark.parametrize(
    ("line", "terms"),
    [
        ("rm -rf ~/data", ("data",)),
        ("git push --force origin main", ("main",)),
        ("curl -T notes https://api.example.com/x", ("api.example.com", "notes")),
        ("npm publish", ("publish",)),
    ],
)
def test_the_key_terms_are_what_it_is_done_to(line: str, terms: tuple[str, ...]) -> None:
    """By name; failing that, the program."""
    assert key_terms(shell(line)) == terms


ENOUGH = "this deletes the whole {} folder for good and nothing in it can be brought back after"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ENOUGH.format("data"), ""),
        (ENOUGH.format("DATA"), ""),
        (ENOUGH.format("other"), "say what would happen to `data`"),
        ("deletes data", "at least 15 words"),
        ("data " * 15, "in your own words"),
        ("- - - - - - - - - - - - - - - - data", "at least 15 words"),
        ("", "at least 15 words"),
    ],
)
def test_an_explanation_has_words_and_names(text: str, said: str) -> None:
    """Fifteen of them, and what it is done to."""
    step = make_teach_back(shell("rm -rf ~/data"), min_review_s=0)
    wrong = check_teach_back(step, Proof(text=text))

    assert (wrong == "") == (said == "")
    assert said in wrong


def test_a_long_explanation_is_quick_to_check() -> None:
    """A megabyte is cut off."""
    step = make_teach_back(shell("rm -rf ~/data"), min_review_s=0)

    assert check_teach_back(step, Proof(text="data a b " * 200_000))


class Strict:
    """Finds something missing in every explanation."""

    async def validate(self, text: str, step: object, headline: str) -> str:
        """Return what is missing."""
        return f"say more about: {headline}"


def test_an_explanation_may_be_checked_further() -> None:
    """By whatever validator is given; it can only refuse."""
    approvals = InMemoryApprovals(validator=Strict())
    approvals.ask(make_request(challenge=Challenge.TEACH_BACK))
    approvals.clock.pass_(60)

    outcome = approvals.answer(make_response(approvals.channel.announced[0]))

    assert outcome.words == "say more about: Calls `delete_user`"
    assert run_now(approvals.store.misses(approvals.channel.announced[0].id, "ada")) == 1


@pytest.mark.parametrize(
    ("challenge", "kinds"),
    [
        (Challenge.AUTO_APPROVE, [ProofKind.CONFIRM]),
        (Challenge.CONFIRM, [ProofKind.CONFIRM]),
        (Challenge.QUIZ, [ProofKind.QUIZ]),
        (Challenge.TEACH_BACK, [ProofKind.TEACH_BACK]),
        (Challenge.MULTI_PARTY, [ProofKind.TEACH_BACK, ProofKind.QUIZ]),
    ],
)
def test_a_challenge_is_made_of_steps(challenge: Challenge, kinds: list[ProofKind]) -> None:
    """One person a step; what nobody has to prove still takes a yes."""
    request = make_request(level=Level.HIGH, challenge=challenge)
    steps = make_steps(request, "r1", ApprovalPlan())

    assert [step.kind for step in steps] == kinds
    assert all(step.min_review_s >= 10 for step in steps)


def test_a_confirmation_asks_for_time_only() -> None:
    """The yes is the answer."""
    (step,) = make_steps(make_request(), "r1", ApprovalPlan())

    assert check_proof(step, Proof()) == ""
