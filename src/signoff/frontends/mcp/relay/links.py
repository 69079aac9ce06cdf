"""Lines in and out: towards the client on this process's own pipes, towards a server in a process.

One message is one line. A line over the limit ends the link, as what follows it cannot be told from
its rest. Nobody but the relay writes to the client's pipe: standard output of this process leads to
standard error afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import sys
from collections.abc import Sequence
from typing import Protocol

from signoff.errors import SignoffError

END_S = 2.0  # a server has so long to end after its input did, and again after each signal


class MessageLink(Protocol):
    """Port: one side of the relay."""

    async def receive(self) -> bytes | None:
        """Return the next message, None at the end."""

    async def send(self, raw: bytes) -> None:
        """Send one message."""

    async def close(self) -> None:
        """End the connection."""


class LineLink:
    """A side of the relay that exchanges lines over streams."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, whose: str
    ) -> None:
        self._reader, self._writer, self._whose = reader, writer, whose

    async def receive(self) -> bytes | None:
        """Return the next line that is not empty; None at the end or if it is too long."""
        try:
            while line := await self._reader.readline():
                if not line.endswith(b"\n"):
                    return None  # cut off: the rest may change what it says
                if line.strip():
                    return line
        except (ValueError, ConnectionError):
            # asyncio: `readline` raises ValueError for a line over the reader's limit.
            note(f"a message of {self._whose} is over the limit: the connection ends")
        return None

    async def send(self, raw: bytes) -> None:
        """Send one line; errors are ignored, as `receive` notices the end."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._writer.write(raw + b"\n")
            await self._writer.drain()

    async def close(self) -> None:
        """Close the output."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._writer.close()


class ProcessLink(LineLink):
    """A server that runs as a child process and shares our standard error."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        reader, writer = process.stdout, process.stdin
        if reader is None or writer is None:
            raise RuntimeError("the process has no pipes")
        super().__init__(reader, writer, whose="the server")
        self._process = process

    @classmethod
    async def start(cls, words: Sequence[str], *, limit: int) -> ProcessLink:
        """Start a server as a child process.

        Args:
            words: its command.
            limit: largest message in bytes.

        Raises:
            OSError: it cannot be started.
        """
        process = await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=limit
        )
        return cls(process)

    async def close(self) -> None:
        """Close its input; end the process if it does not end by itself."""
        await super().close()
        # The order of MCP's stdio transport: end of input, SIGTERM, SIGKILL.
        for end in (None, self._process.terminate, self._process.kill):
            if end is not None:
                with contextlib.suppress(ProcessLookupError):
                    end()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_S):
                    await self._process.wait()
                    return


async def own_pipes(*, limit: int) -> LineLink:
    """Return the link to the client that started this process.

    Raises:
        SignoffError: standard input or output is no pipe.
        OSError, ValueError: it cannot be waited for.
    """
    for number, name in ((0, "input"), (1, "output")):
        mode = os.fstat(number).st_mode
        # libuv ends the whole process at a pipe transport over a file or `/dev/null`.
        if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(number)):
            raise SignoffError(
                f"standard {name} is no pipe; start `signoff mcp` from an MCP client"
            )
    loop = asyncio.get_running_loop()
    own_in, own_out = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # whatever is printed from now on is no message
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    reader = asyncio.StreamReader(limit=limit)
    protocol = asyncio.StreamReaderProtocol(reader)
    await loop.connect_read_pipe(lambda: protocol, os.fdopen(own_in, "rb", buffering=0))
    transport, flow = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(own_out, "wb", buffering=0)
    )
    writer = asyncio.StreamWriter(transport, flow, None, loop)
    return LineLink(reader, writer, whose="the client")


def note(text: str) -> None:
    """Print a line on standard error, which clients keep in their logs."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"signoff mcp: {text}\n")
        sys.stderr.flush()
