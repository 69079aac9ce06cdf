"""The terminal of `signoff serve`: prints each request with its confirmation code.

Nothing is answered here. Whoever reads the code can approve with `signoff approve` in another
terminal. A daemon in the background has no terminal and prints nothing, so no code gets into a log.

    open_console()      None in the background
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from msgspec import Struct

from signoff.challenge.channel import NobodyThere
from signoff.challenge.channels.scopes import session_scope
from signoff.challenge.channels.terminal import CHANNEL
from signoff.challenge.pending import PendingRequest
from signoff.challenge.proofs.seal import spaced
from signoff.system.terminals import open_terminal

SHORT = 8


class ConsoleChannel(Struct, frozen=True):
    """A channel that prints requests and codes to one terminal; it takes no answers."""

    stream: TextIO
    name: str = CHANNEL

    async def announce(self, pending: PendingRequest) -> None:
        """Print the request and its confirmation code."""
        # The terminal can be closed while the daemon goes on; a code must not go anywhere else.
        if not self.stream.isatty():
            raise NobodyThere
        card, id = pending.card, pending.id[:SHORT]
        covers = session_scope(pending)
        session = f"\n            signoff approve {id} --session covers: {covers}" if covers else ""
        code = spaced(pending.code) or "(printed before the restart)"
        self.print(
            f"signoff asks [{card.level.value}] {card.headline}\n"
            f"  call:     {card.command}\n"
            f"  why:      {card.why}\n"
            f"  details:  signoff show {id}   (digest {card.code})\n"
            f"  answer:   signoff approve {id}   confirmation code {code}{session}\n"
            f"            signoff deny {id}"
        )

    async def update(self, pending: PendingRequest) -> None:
        """Print the request's new state."""
        if self.stream.isatty():
            by = f" by {pending.decided_by} on {pending.channel}" if pending.decided_by else ""
            self.print(f"signoff: {pending.id[:SHORT]} is {pending.state.value}{by}")

    def print(self, text: str) -> None:
        """Print a text.

        Raises:
            NobodyThere: the terminal is gone.
        """
        try:
            self.stream.write(f"{text}\n")
            self.stream.flush()
        except (OSError, ValueError) as error:
            raise NobodyThere from error


def open_console() -> ConsoleChannel | None:
    """Return a channel on the controlling terminal; None if no person can be reading it.

    A process whose output is redirected was not started by a person who reads this terminal.
    """
    terminal = open_terminal() if sys.stderr.isatty() else None
    return None if terminal is None else ConsoleChannel(os.fdopen(terminal, "w"))
