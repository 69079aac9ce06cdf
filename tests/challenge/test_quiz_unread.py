"""A quiz tells who has read the card from who has not, over all of the project's own cases.

Each strategy below looks at the choices of a question and not at the call. Of four choices one in
four is right by chance; what a strategy gains over that is what the making of questions gives away.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.quality.cases import read_cases
from bench.quality.own import SESSIONS, own_files

from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.challenge.proofs.steps import make_quiz
from signoff.challenge.terms.step import Question
from signoff.errors import BadPayload
from signoff.frontends.payloads import parse_payload
from signoff.testing import make_request

FACTS = Facts(home="/home/dev", project="/home/dev/project")
POINTS = 7.0
ONLY_ON_CARD = 0.22
WORDS = re.compile(r"\w+")
# Calls that differ in one place have the same questions: the first of each group counts.
LATER_OF_GROUP = re.compile(r"(?:/[A-Z]{2}|-variants-[a-z]+-\d+)-\d{3}[b-z]$")
# One call in so many: some 11,000 questions, of which chance moves a share by half a point.
EVERY = 8
Strategy = Callable[[Question], int]


def words_of(text: str) -> Counter[str]:
    """Return the words of a choice."""
    return Counter(WORDS.findall(text.casefold()))


def by(score: Callable[[str, tuple[str, ...]], float]) -> Strategy:
    """Return the strategy that takes the choice of the highest score, the first of several."""

    def choose(question: Question) -> int:
        scores = [score(choice, question.choices) for choice in question.choices]
        return scores.index(max(scores))

    return choose


def shared(choice: str, choices: tuple[str, ...]) -> float:
    """Return how much a choice has in common with the others: which one were they made from?"""
    own = words_of(choice)
    return sum((own & words_of(other)).total() for other in choices)


def letters(choice: str, choices: tuple[str, ...]) -> float:
    """Return how many places of a choice are those of the others."""
    return sum(a == b for other in choices for a, b in zip(choice, other, strict=False))


STRATEGIES: Mapping[str, Strategy] = {
    "first": lambda _: 0,
    "last": lambda question: len(question.choices) - 1,
    "longest": by(lambda choice, _: len(choice)),
    "shortest": by(lambda choice, _: -len(choice)),
    "middle of the lengths": by(
        lambda choice, all_of: -abs(len(choice) - sum(map(len, all_of)) / len(all_of))
    ),
    "most words in common": by(shared),
    "fewest words in common": by(lambda choice, all_of: -shared(choice, all_of)),
    "most letters in common": by(letters),
    "fewest letters in common": by(lambda choice, all_of: -letters(choice, all_of)),
    "most unusual characters": by(lambda choice, _: sum(not c.isalnum() for c in choice)),
    "first by the alphabet": by(lambda choice, all_of: -sorted(all_of).index(choice)),
}


@cache
def questions() -> tuple[tuple[str, Question], ...]:
    """Return the questions of all calls of the corpus that change something, with their call."""
    return tuple(_questions())


def _questions() -> Iterator[tuple[str, Question]]:
    cases = (case for path in own_files() if path.name != SESSIONS for case in read_cases(path))
    asked = (
        case for case in cases if case.label != "allow" and not LATER_OF_GROUP.search(f"/{case.id}")
    )
    for case in islice(asked, 0, None, EVERY):
        try:
            action = parse_payload(case.document).action
        except BadPayload:
            continue
        request = make_request(action=action, operations=understand(action, FACTS).operations)
        text = f"{action.cwd} {json.dumps(dict(action.arguments), ensure_ascii=False)}"
        for question in make_quiz(request, case.id, min_review_s=0).questions:
            yield text, question


def rate(strategy: Strategy) -> float:
    """Return how often a strategy is right, in points over chance."""
    found = questions()
    right = sum(strategy(question) == question.right for _, question in found)
    chance = sum(1 / len(question.choices) for _, question in found)
    return 100 * (right - chance) / len(found)


@pytest.mark.parametrize("name", STRATEGIES)
def test_who_has_not_read_the_call_is_right_by_chance(name: str) -> None:
    """Within a few points; one way or the other."""
    gain = rate(STRATEGIES[name])

    assert abs(gain) <= POINTS, f"{name}: {gain:+.1f} points over chance"


def test_the_right_answer_is_seldom_the_only_one_on_the_card() -> None:
    """Whoever looks for the choices in the card has read some of it, and is right less often."""
    found = questions()
    alone = sum(
        question.choices[question.right] in card
        and not any(
            choice in card for at, choice in enumerate(question.choices) if at != question.right
        )
        for card, question in found
    )

    assert alone / len(found) <= ONLY_ON_CARD


def test_nearly_every_question_has_four_choices() -> None:
    """A wrong answer that is true of another part of the call is left out."""
    counts = Counter(len(question.choices) for _, question in questions())

    assert counts[4] / counts.total() > 0.98
