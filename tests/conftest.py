"""Settings every test shares, and what must hold after all of them."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

# No deadline: two shared cores make the time of one example say nothing. No example database:
# a run leaves nothing behind and a failure prints the blob that repeats it.
settings.register_profile(
    "signoff",
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("signoff")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage once all tests are found: what is found stays, and there is a lot of it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _nothing_spins() -> Iterator[None]:
    """Fail where a test left a thread that never rests: it takes a core from all that follow."""
    yield
    rests = any(_spent_in_half_a_second() < 0.1 for _ in range(4))  # what just ends may do so
    names = [thread.name for thread in threading.enumerate()]
    assert rests, f"a thread still runs, one of {names}"


def _spent_in_half_a_second() -> float:
    """Return the processor time this process takes while it should rest."""
    began = time.process_time()
    time.sleep(0.5)
    return time.process_time() - began
