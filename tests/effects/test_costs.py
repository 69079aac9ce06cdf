"""What model calls cost: prices, totals by day and month, and the budget."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from signoff.challenge.evaluators.model import TokenUsage
from signoff.effects.costs import Costs, CostTotal, ModelCall, PriceList
from signoff.errors import StoreError
from signoff.storage.costs.cost_file import CostFile, export_days

HAIKU = "claude-haiku-4-5-20251001"
MILLION = TokenUsage(input_tokens=1_000_000, output_tokens=1_000_000)
UNKNOWN = "a-model-nobody-knows"


class Clock:
    """A clock that is set by hand."""

    def __init__(self, text: str) -> None:
        self.set(text)

    def set(self, text: str) -> None:
        """Set it."""
        self.now = datetime.fromisoformat(text).replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        """Tell the time."""
        return self.now


@pytest.fixture
def book(tmp_path: Path) -> CostFile:
    """Return an empty book."""
    return CostFile(str(tmp_path / "state" / "costs.db"))


@pytest.mark.parametrize(
    ("usage", "cents"),
    [
        (TokenUsage(input_tokens=1_000_000), 100),
        (TokenUsage(output_tokens=1_000_000), 500),
        (TokenUsage(input_tokens=1_000, output_tokens=100), 0.15),
        (TokenUsage(), 0),
    ],
)
def test_haiku_costs_what_it_costs(usage: TokenUsage, cents: float) -> None:
    """100 cents a million tokens in, 500 out."""
    assert round(cents * 1_000_000) == PriceList().microcents(HAIKU, usage)


def test_an_unknown_model_costs_the_same_and_is_warned_of_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """So that nothing is free by mistake."""
    prices = PriceList()
    with caplog.at_level(logging.WARNING):
        found = [prices.microcents(UNKNOWN, MILLION) for _ in range(3)]

    assert [600_000_000] * 3 == found
    assert 1 == len([line for line in caplog.messages if UNKNOWN in line])


def test_other_models_are_looked_up() -> None:
    """In genai-prices, where it is installed."""
    pytest.importorskip("genai_prices")

    assert 225_000_000 == PriceList().microcents("gpt-5-mini", MILLION)


def record(costs: Costs, *, tokens: int = 1_000_000, purpose: str = "tool-eval") -> None:
    """Record a call of Haiku."""
    costs.record(model=HAIKU, purpose=purpose, usage=TokenUsage(input_tokens=tokens))


def test_totals_are_of_today_and_of_this_month(book: CostFile) -> None:
    """Other days and months do not count."""
    clock = Clock("2026-10-31T23:59:59")
    costs = Costs(book, clock=clock)
    record(costs)
    clock.set("2026-11-01T00:00:00")
    record(costs)
    clock.set("2026-11-21T10:00:00")
    record(costs)
    record(costs)

    assert (2, 200.0) == (costs.today().calls, costs.today().cents)
    assert (3, 300.0) == (costs.this_month().calls, costs.this_month().cents)


def test_many_small_sums_add_up(book: CostFile) -> None:
    """Nothing is lost in rounding."""
    costs = Costs(book)
    for _ in range(100):
        record(costs, tokens=1)

    assert CostTotal(calls=100, microcents=10_000) == costs.today()


def test_a_budget_is_spent_when_it_is_reached(book: CostFile) -> None:
    """And is there again the next day."""
    clock = Clock("2026-11-21T10:00:00")
    costs = Costs(book, budget_cents=100, clock=clock)
    before = costs.is_spent()
    record(costs)
    after = costs.is_spent()
    clock.set("2026-11-22T00:00:00")

    assert (False, True, False) == (before, after, costs.is_spent())


def test_no_budget_is_never_spent(book: CostFile) -> None:
    """None is no bound; nothing is a bound of its own."""
    costs = Costs(book)
    record(costs)

    assert not costs.is_spent()
    assert Costs(book, budget_cents=0).is_spent()


def test_a_book_that_is_not_there_is_empty(book: CostFile) -> None:
    """And reading does not make it."""
    assert (CostTotal(), ()) == (Costs(book).today(), book.days())
    assert not Path(book.path).exists()


def test_calls_come_back_as_they_were(book: CostFile) -> None:
    """With time, model, purpose, tokens and cents."""
    call = ModelCall(
        at=datetime(2026, 11, 21, 10, 0, 0, 5, tzinfo=UTC),
        model=HAIKU,
        purpose="summary",
        input_tokens=7,
        output_tokens=3,
        microcents=2_200,
    )
    book.add(call)

    assert [call] == list(book.calls(date(2026, 11, 21), date(2026, 11, 21)))


def test_an_export_has_one_file_a_day(book: CostFile, tmp_path: Path) -> None:
    """JSON lines, whole."""
    clock = Clock("2026-11-20T10:00:00")
    costs = Costs(book, clock=clock)
    record(costs)
    clock.set("2026-11-21T10:00:00")
    record(costs, purpose="reply-eval")
    record(costs)
    files = [Path(path) for path in export_days(book, str(tmp_path / "out"))]

    assert ["costs-2026-11-20.jsonl", "costs-2026-11-21.jsonl"] == [file.name for file in files]
    lines = [json.loads(line) for line in files[1].read_text().splitlines()]
    assert {
        "time": "2026-11-21T10:00:00.000000+00:00",
        "model": HAIKU,
        "purpose": "reply-eval",
        "input_tokens": 1_000_000,
        "output_tokens": 0,
        "cents": 100.0,
    } == lines[0]
    assert ["reply-eval", "tool-eval"] == [line["purpose"] for line in lines]


def test_an_export_leaves_nothing_half_done(book: CostFile, tmp_path: Path) -> None:
    """Only the files themselves are there."""
    record(Costs(book))
    export_days(book, str(tmp_path / "out"))

    assert 1 == len(list((tmp_path / "out").iterdir()))


def test_the_book_is_its_owners(book: CostFile) -> None:
    """Nobody else may read what was called."""
    record(Costs(book))

    assert 0o600 == Path(book.path).stat().st_mode & 0o777


def test_a_book_of_another_version_is_refused(book: CostFile) -> None:
    """And not written to."""
    record(Costs(book))
    with closing(sqlite3.connect(book.path)) as db, db:
        db.execute("PRAGMA user_version = 99")
    db.close()

    with pytest.raises(StoreError, match="version 99"):
        record(Costs(book))


def test_a_damaged_book_is_our_error(book: CostFile) -> None:
    """Not one of the database."""
    Path(book.path).parent.mkdir(parents=True)
    Path(book.path).write_bytes(b"no database" * 1_000)

    with pytest.raises(StoreError):
        record(Costs(book))
