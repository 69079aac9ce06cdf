"""A messenger runs on one of many nodes at a time, and shows the requests of all of them there.

Two readers of one bot take each other's taps. So a node runs a channel only while it holds the
lease for the bot's account; the others wait, and one of them takes over when that node is gone.
Only notices are sent by every node.

    shower = AllRequests(channel, requests, among)
    await shower.run()
"""

from __future__ import annotations

import asyncio
import logging

from signoff.challenge.channel import PushChannel
from signoff.channels.context import AmongNodes, ReadableRequests
from signoff.errors import SignoffError
from signoff.values import replace

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.5
KEEP_EVERY_S = 1.0  # how often a node asks whether it has the lease


class AllRequests:
    """Shows the open requests of all nodes on one channel and keeps their cards up to date."""

    def __init__(self, channel: PushChannel, requests: ReadableRequests, among: AmongNodes) -> None:
        self._channel, self._requests, self._among = channel, requests, among
        self._shown: dict[str, int] = {}

    async def run(self) -> None:
        """Show and update cards until cancelled."""
        while True:
            try:
                await self._look()
            except SignoffError as error:
                log.info("requests of other nodes are shown later: %s", error)
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look(self) -> None:
        there = self._among.open_answers()
        for id, answers in there.items():
            if self._shown.get(id) != answers and await self._bring(id):
                self._shown[id] = answers
        for id in self._shown.keys() - there.keys():
            del self._shown[id]
            if (pending := await self._requests.get(id)) is not None:
                await self._channel.update(pending)

    async def _bring(self, id: str) -> bool:
        """Show a request, or what has changed of it; False while the channel is not asked yet."""
        pending = await self._requests.get(id)
        if pending is None or not pending.state.is_open:
            return False
        if id in self._shown:
            await self._channel.update(pending)
            return True
        if not self._among.is_due(self._channel.name, pending):
            return False
        await self._channel.announce(replace(pending, code=self._among.code_of(id)))
        return True
