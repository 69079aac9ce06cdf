"""How the time of some work grows with its text: a ratio, so that it holds on any machine."""

from __future__ import annotations

import time
from collections.abc import Callable

BEST_OF = 3
MOST_GROWTH = 9.0  # of a text four times as long: 4 in step, 16 with the square
NOISE_S = 0.005


def grows_in_step(work: Callable[[str], object], short: str, long: str) -> bool:
    """Tell whether a text four times as long takes about four times as long, not sixteen."""
    return spent_s(work, long) < MOST_GROWTH * spent_s(work, short) + NOISE_S


def spent_s(work: Callable[[str], object], text: str) -> float:
    """Return the processor time of one piece of work in seconds, the best of three."""
    spent = []
    for _ in range(BEST_OF):
        began = time.thread_time()
        work(text)
        spent.append(time.thread_time() - began)
    return min(spent)
