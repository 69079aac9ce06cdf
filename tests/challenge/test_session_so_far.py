"""What a card says of its session: how often the same was done, and each denied call once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, Answer
from signoff.challenge.card import make_card
from signoff.challenge.request import Request
from signoff.decide.decide import decide
from signoff.effects.session_updates import session_update_of
from signoff.effects.store import RecordDraft, SessionKey
from signoff.storage.memory import MemoryStore
from signoff.storage.sqlite import SqliteStore
from signoff.values import replace

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)
KEY = SessionKey(agent="claude", session="s1")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore | SqliteStore]:
    """Give a store of either kind."""
    made = MemoryStore() if request.param == "memory" else SqliteStore(str(tmp_path / "s.db"))
    yield made
    made.close()


async def so_far(store: MemoryStore | SqliteStore, before: list[str], now: str) -> tuple[str, ...]:
    """Return what the card of a line says after others; what is not denied is approved."""
    for line in before:
        action = replace(shell_call(line), agent=KEY.agent, session=KEY.session)
        answer = Answer(verdict=Verdict.ASK, decided_by=BY_HOST)
        decision = decide(action, JUDGE(action, Facts()), answer=answer)
        update = session_update_of(decision)
        await store.append(RecordDraft(content={}, session_update=update))
    known = await store.remembered(KEY, "Bash")
    facts = Facts(prior_calls=known.prior_calls, acts=known.acts, denials=known.denials)
    action = shell_call(now)
    return make_card(Request(action=action, assessment=JUDGE(action, facts))).so_far


PUBLISHED = ["npm ci", "npm publish", "npm test", "npm publish"]


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (["ls", "npm test"], "git reset --hard", ()),
        (PUBLISHED[:1], "npm publish", ()),
        (PUBLISHED, "npm publish", ("`npm publish` was called before in this session: 2 times",)),
        (
            ["git branch new", "git branch -D a"],
            "git branch -D b",
            ("`git branch` was called before in this session: 1 time",),
        ),
    ],
)
def test_like_calls_are_counted(
    store: MemoryStore | SqliteStore, before: list[str], now: str, said: tuple[str, ...]
) -> None:
    """Of the same program and act; other commands in the same tool do not count."""
    assert said == asyncio.run(so_far(store, before, now))


def test_a_denied_call_is_one_line_that_names_the_act(
    store: MemoryStore | SqliteStore,
) -> None:
    """Although it had two effects."""
    lines = asyncio.run(so_far(store, ["docker system prune -af --volumes"], "npm publish"))

    assert lines == (
        "`npm publish` was called before in this session: 0 times",
        "was denied before: Deletes unused anonymous volumes, containers, images, networks and"
        " build cache; cannot be undone [destructive.whole-store]",
    )


def test_what_was_denied_again_is_counted(store: MemoryStore | SqliteStore) -> None:
    """And stays one line."""
    lines = asyncio.run(so_far(store, ["rm -rf ~", "rm -rf ~"], "npm publish"))

    assert len(lines) == 2
    assert lines[1].endswith(", 2 times")
