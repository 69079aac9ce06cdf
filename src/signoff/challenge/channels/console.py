"""The daemon's own terminal: prints each request with its confirmation code, and what became of it.

Nothing is answered here. Who reads the code here can approve with `signoff approve` on another
terminal; a daemon without a terminal of its own prints nothing, above all no code into a log.

    ConsoleChannel(sys.stderr)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TextIO

from signoff.challenge.channel import NobodyThere
from signoff.challenge.pending import PendingRequest

SHORT = 8
HALF = 4


@dataclass(frozen=True, slots=True)
class ConsoleChannel:
    """Prints to one terminal."""

    stream: TextIO
    name: str = "console"

    async def announce(self, pending: PendingRequest) -> None:
        """Print what is asked, and the code."""
        if not self.stream.isatty():
            raise NobodyThere
        card = pending.card
        code = f"{pending.code[:HALF]}-{pending.code[HALF:]}" if pending.code else "(shown before)"
        self._print(
            f"signoff asks [{card.level.value}] {card.headline}\n"
            f"  why:  {card.why}\n"
            f"  see:  signoff show {pending.id[:SHORT]}   (compare {card.code})\n"
            f"  code: {code}   for: signoff approve {pending.id[:SHORT]}"
        )

    async def update(self, pending: PendingRequest) -> None:
        """Print what became of it."""
        if self.stream.isatty():
            by = f" by {pending.decided_by} on {pending.channel}" if pending.decided_by else ""
            self._print(f"signoff: {pending.id[:SHORT]} is {pending.state.value}{by}")

    def _print(self, text: str) -> None:
        self.stream.write(f"{text}\n")
        self.stream.flush()
