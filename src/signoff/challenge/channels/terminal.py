"""The controlling terminal of the asking process: card, proof, and yes or no typed out.

Asks only where somebody can be there: on a real terminal, in the foreground. It talks in a thread
of its own and stops as soon as the request is answered elsewhere.

    TerminalChannel(approval_service=service)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import termios

from msgspec import Struct, field

from signoff.challenge.channel import AnswerIntake, AnswerOutcome, NobodyThere, Response
from signoff.challenge.channels.conversation import Conversation, here, open_terminal
from signoff.challenge.pending import PendingRequest

STOP_S = 1.0
ANSWER_S = 30.0  # how long the approval service may take for one answer


class TerminalChannel(Struct, frozen=True, kw_only=True):
    """Asks on a terminal.

    Args:
        timeout_s: how long an answer is waited for.
    """

    approval_service: AnswerIntake
    path: str = "/dev/tty"
    timeout_s: float = 300.0
    name: str = "terminal"
    _talks: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def announce(self, pending: PendingRequest) -> None:
        """Begin to talk, where somebody is there."""
        if pending.id in self._talks:
            return
        terminal = open_terminal(self.path)
        if terminal is None:
            raise NobodyThere
        await self.approval_service.open(pending.id, here())
        talk = asyncio.get_running_loop().create_task(self._talk(terminal, pending))
        self._talks[pending.id] = talk
        talk.add_done_callback(lambda _: self._talks.pop(pending.id, None))

    async def update(self, pending: PendingRequest) -> None:
        """Stop to talk once it is settled."""
        talk = self._talks.get(pending.id)
        if talk is not None and not pending.state.is_open:
            talk.cancel()
            await asyncio.wait({talk})

    async def _talk(self, terminal: int, pending: PendingRequest) -> None:
        """Talk in a thread, until it is over or this is cancelled."""
        loop = asyncio.get_running_loop()
        stopped, stop = os.pipe()
        talk = Conversation(terminal=terminal, stop=stopped, identity=here(), code=pending.code)

        def answer(response: Response) -> AnswerOutcome:
            taken = asyncio.run_coroutine_threadsafe(self.approval_service.answer(response), loop)
            return taken.result(ANSWER_S)

        def hold() -> None:
            try:
                # A terminal that goes away ends it, and so does a service that does not answer.
                with contextlib.suppress(OSError, termios.error, TimeoutError):
                    talk.hold(pending, answer, timeout_s=self.timeout_s)
            finally:
                os.close(terminal)
                os.close(stopped)

        thread = loop.run_in_executor(None, hold)
        try:
            await asyncio.shield(thread)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):  # it has just ended by itself
                os.write(stop, b"x")
            await asyncio.wait({thread}, timeout=STOP_S)
            raise
        finally:
            os.close(stop)
