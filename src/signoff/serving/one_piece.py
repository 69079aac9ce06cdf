"""A transport that writes head and body by one system call."""

from __future__ import annotations

import asyncio


class OnePiece(asyncio.Transport):
    """Writes what is written within one turn of the loop, head and body, by one system call.

    A call costs more than everything else there is to do for a head.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport, self._loop, self._held = transport, loop, b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hold a first piece for this turn; a second one takes it along."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif data:
            self._held = bytes(data)
            self._loop.call_soon(self._flush)

    def write_whole(self, data: bytes) -> None:
        """Write what needs no other piece."""
        if self._held:
            self._flush()
        self._transport.write(data)

    def _flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        """Write what is held and close."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        self._held = b""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Tell whether it is closed or about to be."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: object = None) -> object:
        """Return what is known of the connection."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Take nothing in."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take in again."""
        self._transport.resume_reading()
