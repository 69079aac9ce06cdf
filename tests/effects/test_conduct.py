"""A client is judged by what it does, never by its own refusals."""

from __future__ import annotations

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.detectors import xss
from signoff.assess.detectors.blocklist import blocklist
from signoff.assess.detectors.rate import brute_force, rate_limit
from signoff.assess.detectors.reputation import reputation
from signoff.effects.handlers.blocklist import BlocklistHandler
from signoff.effects.handlers.rate_counter import RateCounterHandler
from signoff.effects.handlers.reputation import ReputationHandler
from signoff.effects.pipeline import Pipeline

CLIENT = "203.0.113.7"
ATTACK = "<script>steal()</script>"


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def call(q: str = "shoes") -> Action:
    arguments: dict[str, Json] = {"path": "/", "query": {"q": q}, "client_ip": CLIENT}
    return Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments)


def answers(pipeline: Pipeline, *calls: Action) -> list[bool]:
    found = []
    for one in calls:
        decision = pipeline.decide(one)
        pipeline.act(decision)
        found.append(decision.is_allowed)
    return found


def test_call_after_the_limit_is_blocked() -> None:
    """With a limit of three the fourth call is the first that is refused."""
    counter = RateCounterHandler(clock=Clock())
    pipeline = Pipeline(rate_limit(counter.count, limit=3)).on("proceed", counter)
    assert [True, True, True, False, False] == answers(pipeline, *[call()] * 5)


def test_limit_does_not_count_its_refusals() -> None:
    """A client that retries all the time is served again after the window."""
    clock = Clock()
    counter = RateCounterHandler(window_s=60, clock=clock)
    pipeline = (
        Pipeline(rate_limit(counter.count, limit=1)).on("proceed", counter).on("block", counter)
    )
    first = answers(pipeline, call(), call())
    clock.now += 40
    again = answers(pipeline, call())
    clock.now += 21
    assert [True, False, False, True] == first + again + answers(pipeline, call())


def test_attacks_count_as_failures() -> None:
    """Calls refused for what is in them are counted, and the limit refuses the client."""
    counter = RateCounterHandler(clock=Clock())
    pipeline = Pipeline(xss.DETECTOR, brute_force(counter.count, limit=2)).on("block", counter)
    assert [True, False, False, False] == answers(
        pipeline, call(), call(ATTACK), call(ATTACK), call()
    )


def test_reputation_is_not_lowered_by_its_own_refusals() -> None:
    """What a low reputation refuses leaves the reputation as it is."""
    clock = Clock()
    handler = ReputationHandler(share=0.9, half_life_s=100, clock=clock)
    pipeline = Pipeline(xss.DETECTOR, reputation(handler.of)).on("update_reputation", handler)
    answers(pipeline, call(ATTACK))
    before = handler.of(CLIENT)
    refused = answers(pipeline, call(), call(), call())
    assert ([False] * 3, before) == (refused, handler.of(CLIENT))


def test_blocklist_is_not_prolonged_by_its_own_refusals() -> None:
    """A client leaves the list on time, however often it tried."""
    clock = Clock()
    handler = BlocklistHandler(for_s=60, clock=clock)
    pipeline = Pipeline(xss.DETECTOR, blocklist(has=handler.has)).on("block", handler)
    answers(pipeline, call(ATTACK))
    clock.now += 40
    tried = answers(pipeline, call())
    clock.now += 21
    assert [False, True] == tried + answers(pipeline, call())


def test_new_attack_prolongs_the_time_on_the_list() -> None:
    """Who attacks while on the list stays on it."""
    clock = Clock()
    handler = BlocklistHandler(for_s=60, clock=clock)
    pipeline = Pipeline(xss.DETECTOR, blocklist(has=handler.has)).on("block", handler)
    answers(pipeline, call(ATTACK))
    clock.now += 40
    answers(pipeline, call(ATTACK))
    clock.now += 21
    assert [False] == answers(pipeline, call())
