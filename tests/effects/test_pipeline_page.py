"""The example of docs/python.md runs as it stands there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def example() -> Callable[[str, str], bool]:
    """Run the page's example and return its function."""
    code = PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    names: dict[str, object] = {}
    exec(compile(code, PAGE.name, "exec"), names)
    return cast("Callable[[str, str], bool]", names["is_served"])


def test_example_limits_calls() -> None:
    """With a limit of three the fourth call is refused; another client is served."""
    is_served = example()
    answers = [is_served("red shoes", "203.0.113.7") for _ in range(4)]
    assert ([True, True, True, False], True) == (answers, is_served("shoes", "203.0.113.8"))


def test_example_blocks_an_attacker() -> None:
    """After an attack the client's ordinary calls are refused too."""
    is_served = example()
    attack = is_served("1' or 1=1-- -", "203.0.113.9")
    assert (False, False) == (attack, is_served("shoes", "203.0.113.9"))
