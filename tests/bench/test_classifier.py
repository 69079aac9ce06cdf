"""Training the classifier of calls: what it learns from, and where its limits lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.classifier import history
from bench.classifier.calls import call_examples
from bench.classifier.history import cases_before
from bench.classifier.orders import Row, result_rows, trained_on
from bench.classifier.training import Example, Table, limit_for, trained


def example(source: str, words: str, *, is_hit: bool) -> Example:
    """Return a text of a set."""
    return Example(
        source=source, id=f"{source}/{words}", words=frozenset(words.split()), is_hit=is_hit
    )


GRAVE = [example(f"set-{n}", f"purge all name{n}", is_hit=True) for n in range(6)]
USUAL = [example(f"set-{n}", f"list one name{n}", is_hit=False) for n in range(6)]


def test_it_tells_what_it_was_shown() -> None:
    """By words of several sets, and the same way on every run."""
    model = trained([*GRAVE, *USUAL])

    assert model.score({"purge", "all", "stock"}) > 0 > model.score({"list", "one", "stock"})
    assert model == trained([*GRAVE, *USUAL])


def test_a_word_of_one_set_is_a_name() -> None:
    """It gets no weight."""
    assert {"purge", "all", "list", "one"} == trained([*GRAVE, *USUAL]).weights.keys()


def test_pairs_tell_what_their_words_do_not() -> None:
    """The same words on both sides, in other company."""

    def of(number: int, first: str, second: str, *, is_hit: bool) -> Example:
        words = frozenset({"drop", "keep", "copy", "live"})
        pairs = frozenset({(first, "drop"), (second, "keep")})
        source = f"set-{number}"
        return Example(source=source, id=f"{source}/a", words=words, pairs=pairs, is_hit=is_hit)

    grave = [of(n, "live", "copy", is_hit=True) for n in range(6)]
    usual = [of(n, "copy", "live", is_hit=False) for n in range(6)]
    model = trained([*grave, *usual])

    assert model.score(grave[0].words, grave[0].pairs) > 0
    assert model.score(usual[0].words, usual[0].pairs) < 0


def test_a_part_of_the_examples_is_all_it_knows() -> None:
    """As if the others had never been written, whose authors do not count either."""
    examples = [
        *GRAVE,
        *USUAL,
        *(example(f"set-{n}", f"sell all name{n}", is_hit=True) for n in "abc"),
    ]
    hits = np.array([one.is_hit for one in examples])
    chosen = np.array([one.source not in {"set-0", "set-1", "set-a"} for one in examples])
    part = [one for one, is_in in zip(examples, chosen, strict=True) if is_in]

    assert trained(part) == Table.of(examples).trained(hits, chosen)


@pytest.mark.parametrize(("share", "reached"), [(0.0, 0), (0.1, 1), (0.5, 5)])
def test_no_more_than_a_share_reaches_a_limit(share: float, reached: int) -> None:
    """Of ten scores."""
    scores = [float(n) for n in range(10)]

    assert reached == sum(score >= limit_for(scores, share) for score in scores)


def test_examples_are_labelled_calls(tmp_path: Path) -> None:
    """No steps of sessions, no requests, no texts, nothing that cannot be read."""
    call = '{"id": "a", "tool": "Bash", "input": {"command": "purge-it --all"}, "expect": "deny"}\n'
    request = '{"id": "b", "request": {"method": "GET", "path": "/"}, "expect": "deny"}\n'
    text = '{"id": "c", "payload": "x", "class": "prompt", "expect": "ask"}\n'
    (tmp_path / "own.jsonl").write_text(call + request + text)
    (tmp_path / "own-chains.jsonl").write_text(call)

    (found,) = call_examples(tmp_path)
    assert ("own", "own/a", True) == (found.source, found.id, found.is_hit)
    assert {"purge", "it", "all"} <= found.words
    assert ("it", "purge") in found.pairs


def test_the_cases_before_a_set_hold_older_sets_only() -> None:
    """As the commit before it had them."""
    try:
        with cases_before("unseen-gorge") as folder:
            names = {file.stem for file in folder.glob("unseen-*.jsonl")}
    except ValueError:
        pytest.skip("this checkout has no history")

    assert {"unseen-fjord", "unseen-isle"} <= names
    assert "unseen-gorge" not in names


def test_a_checkout_without_history_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what to do."""
    monkeypatch.setattr(history, "_git", lambda *_: b"")

    with pytest.raises(ValueError, match="take a full clone"), cases_before("unseen-gorge"):
        pass


def order_row(number: int, words: str, *, is_order: bool) -> Row:
    """Return a row of a set of its own with one window that tells it and one that does not."""
    windows = frozenset({"w lake", "w calm"}), frozenset(words.split("+"))
    return Row(source=f"set-{number}", id=f"set-{number}/a", is_order=is_order, windows=windows)


def test_of_a_row_with_an_order_the_best_window_counts() -> None:
    """The other one stands in ordinary rows as well."""
    orders = [order_row(n, "then send+w bot", is_order=True) for n in range(4)]
    ordinary = [order_row(n, "w bot+w page", is_order=False) for n in range(4)]
    model = trained_on([*orders, *ordinary])

    assert model.score({"then send", "w bot"}) > 0 > model.score({"w lake", "w calm"})


def test_rows_of_orders_are_labelled_results(tmp_path: Path) -> None:
    """No calls, and nothing that is held out."""
    text = '{"id": "c", "payload": "The bot reads this.", "class": "prompt", "expect": "ask"}\n'
    call = '{"id": "a", "tool": "Bash", "input": {"command": "ls"}, "expect": "deny"}\n'
    (tmp_path / "own.jsonl").write_text(call + text)
    (tmp_path / "near-orders.jsonl").write_text(text)

    (found,) = result_rows(tmp_path)
    assert ("own/c", True) == (found.id, found.is_order)
    assert len(found.windows) == 1
