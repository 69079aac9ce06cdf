"""A network between nodes and their database that can be cut, silenced and slowed: loopback only.

with CuttableLink(server.port) as link:
    link.mode = LinkMode.SILENT
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from enum import Enum
from types import TracebackType

PIECE = 65_536


class LinkMode(Enum):
    """What becomes of bytes."""

    OPEN = "open"
    CUT = "cut"  # connections end, new ones are refused
    SILENT = "silent"  # nothing arrives any more, and nobody is told; later it all arrives
    LOST = "lost"  # half-open: nothing arrives ever, nobody is told; new ones reach nobody
    SLOW = "slow"  # each piece takes `delay_s` longer


class CuttableLink:
    """Passes connections on to a port of loopback, in a thread of its own."""

    def __init__(self, port: int = 0, *, delay_s: float = 0.2) -> None:
        self.port, self.to_port, self.delay_s = 0, port, delay_s
        self.mode = LinkMode.OPEN
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._lost: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> CuttableLink:
        """Begin to listen."""
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End everything."""
        self.cut()
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        self.mode = LinkMode.CUT
        asyncio.run_coroutine_threadsafe(self._close_all(), self._loop).result(10)

    def lose(self) -> None:
        """Leave all connections half-open for good, as a firewall does that forgot them."""
        self.mode = LinkMode.LOST
        asyncio.run_coroutine_threadsafe(self._lose_all(), self._loop).result(10)

    async def _listen(self) -> int:
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self._server = server
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def _end(self) -> None:
        """Listen no more, and end what still passes something on."""
        if self._server is not None:
            self._server.close()
        self._lost.clear()
        await asyncio.sleep(0.1)  # half-open ones end by themselves
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.1)  # connections close in a later turn

    async def _close_all(self) -> None:
        self._lost.clear()
        for writer in self._writers:
            writer.transport.abort()

    async def _lose_all(self) -> None:
        self._lost |= self._writers

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.mode is LinkMode.CUT:
            writer.transport.abort()
            return
        try:
            there = await asyncio.open_connection("127.0.0.1", self.to_port)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, there[1]}
        self._writers |= both
        if self.mode is LinkMode.LOST:
            self._lost |= both
        try:
            await asyncio.gather(self._copy(reader, there[1]), self._copy(there[0], writer))
        finally:
            self._writers -= both
            self._lost -= both
            for one in both:
                one.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(PIECE):
                if self.mode is LinkMode.SLOW:
                    await asyncio.sleep(self.delay_s)
                while self.mode is LinkMode.SILENT:
                    await asyncio.sleep(0.01)
                if writer.transport.is_closing():
                    break
                if writer in self._lost:
                    continue
                writer.write(piece)
                await writer.drain()
        # Of a half-open connection not even its end arrives.
        while writer in self._lost:
            await asyncio.sleep(0.05)
        writer.transport.abort()
