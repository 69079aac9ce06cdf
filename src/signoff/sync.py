"""The sync face: runs one of our coroutines to its end from code that is not async.

A caller that is inside a running loop is served by a thread of its own, as a loop cannot
wait for itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def run_now(coroutine: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine from code that is not async; return its result or raise its error."""
    if not _is_in_loop():
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="signoff") as pool:
        return pool.submit(asyncio.run, coroutine).result()


def _is_in_loop() -> bool:
    """Tell whether this thread runs an event loop right now."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
