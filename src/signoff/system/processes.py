"""Processes on every system: start one apart from this one, ask one to end, end one.

Windows has no signals. A process that is to end well waits for an event there, which others of its
user set. `APART` is what `subprocess` needs there, beside `start_new_session`, for a process that
has no console and does not end with one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine

if sys.platform == "win32":
    import subprocess

    from signoff.system.kernel32 import failure, kernel32

    APART = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    MODIFY_STATE, INFINITE = 0x2, 0xFFFFFFFF

    def _name(pid: int) -> str:
        """Return the name of the event; `Local` is the session of the user who is logged in."""
        return f"Local\\signoff-end-{pid}"

    def run(work: Coroutine[object, object, None]) -> None:
        """Run the daemon's work on an event loop of its own."""
        asyncio.run(work)

    def on_end(
        loop: asyncio.AbstractEventLoop, act: Callable[[], object], *, is_at_terminal: bool = False
    ) -> None:
        """Call `act` on the loop when this process is asked to end.

        Args:
            is_at_terminal: it also ends with its terminal.
        """
        event = kernel32.CreateEventW(None, 1, 0, _name(os.getpid()))
        if not event:
            raise failure()

        def on_signal(*_: object) -> None:
            loop.call_soon_threadsafe(act)

        def wait() -> None:
            kernel32.WaitForSingleObject(event, INFINITE)
            on_signal()

        threading.Thread(target=wait, daemon=True).start()

        for number in (signal.SIGINT, signal.SIGBREAK):
            signal.signal(number, on_signal)

    def ask_to_end(pid: int) -> None:
        """Ask a process of this user to end; nothing happens if it does not listen."""
        event = kernel32.OpenEventW(MODIFY_STATE, 0, _name(pid))
        if event:
            kernel32.SetEvent(event)
            kernel32.CloseHandle(event)

    def end_now(pid: int) -> None:
        """End a process at once; one that has ended is ignored."""
        try:
            os.kill(pid, signal.SIGTERM)  # TerminateProcess there
        except OSError:
            return

else:
    import uvloop

    APART = 0

    def run(work: Coroutine[object, object, None]) -> None:
        """Run the daemon's work on an event loop of its own."""
        uvloop.run(work)

    def on_end(
        loop: asyncio.AbstractEventLoop, act: Callable[[], object], *, is_at_terminal: bool = False
    ) -> None:
        """Call `act` on the loop when this process is asked to end.

        Args:
            is_at_terminal: it also ends with its terminal.
        """
        ends = (signal.SIGTERM, signal.SIGINT, *((signal.SIGHUP,) if is_at_terminal else ()))
        for number in ends:
            loop.add_signal_handler(number, act)

    def ask_to_end(pid: int) -> None:
        """Ask a process of this user to end; nothing happens if it has ended."""
        # A stopped process hears SIGTERM only after it was continued.
        for number in (signal.SIGTERM, signal.SIGCONT):
            _send(pid, number)

    def end_now(pid: int) -> None:
        """End a process at once; one that has ended is ignored."""
        _send(pid, signal.SIGKILL)

    def _send(pid: int, number: signal.Signals) -> None:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
