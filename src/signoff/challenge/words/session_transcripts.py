"""The transcripts of sessions: the last turns of one, and their summary for approvers.

text = await SessionTranscripts(sources, summarizer).summary(pending)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from signoff.challenge.pending import PendingRequest
from signoff.challenge.words.stopping import SessionTurn
from signoff.challenge.words.summary import Summarizer
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

Source: TypeAlias = Callable[[str], Sequence[SessionTurn]]  # by the session's id


class SessionTranscripts(Struct, frozen=True):
    """Summarises what the session of a request did so far.

    Args:
        sources: asked in order; the first that knows any turns is used.
    """

    sources: Sequence[Source]
    summarizer: Summarizer

    async def summary(self, pending: PendingRequest) -> str:
        """Return the summary, safe to show; never raises."""
        return await self.summary_of(await self.turns(pending.context.session))

    async def turns(self, session: str) -> Sequence[SessionTurn]:
        """Return the last turns of a session verbatim; never raises."""
        # In a thread: transcripts are files of the host's, and can be large.
        return await asyncio.to_thread(self._turns, session)

    async def summary_of(self, turns: Sequence[SessionTurn]) -> str:
        """Return a summary of these turns, safe to show; never raises."""
        return await self.summarizer.summarize(turns)

    def _turns(self, session: str) -> Sequence[SessionTurn]:
        """Return the turns of the first source that knows any."""
        for source in self.sources:
            try:
                turns = source(session)
            except SignoffError as error:
                log.warning("turns of a session cannot be read: %s", error)
                continue
            if turns:
                return turns
        return ()
