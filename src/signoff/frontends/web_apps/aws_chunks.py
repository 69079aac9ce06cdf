"""Reads a body as SDKs of AWS send it to object storage: `Content-Encoding: aws-chunked`.

    5;chunk-signature=<64 hex digits>
    hello
    0
    x-amz-checksum-crc32:NhCmhg==

Each piece has its size, and perhaps its signature; checksums may follow. An application that does
not know this form reads the lines between the pieces, too. So they may hold nothing else.
"""

from __future__ import annotations

import re

_HEAD = re.compile(rb"([0-9a-fA-F]{1,8})(?:;chunk-signature=[0-9a-fA-F]{64})?\r\n")
_TRAILERS = re.compile(rb"(?:x-amz-[a-z0-9-]{1,40}:[A-Za-z0-9+/=-]{1,200}\r?\n?\r\n)*(?:\r\n)?")
CHUNKS_MOST = 4096  # a body of them within the limits is read in some milliseconds


def without_chunks(body: bytes, *, is_beginning: bool) -> bytes:
    """Return the content of a body in this form.

    Args:
        is_beginning: the rest of the body was not read.

    Raises:
        ValueError: it has another form.
    """
    pieces: list[bytes] = []
    at = 0
    while (head := _HEAD.match(body, at)) is not None:
        if len(pieces) == CHUNKS_MOST:
            raise ValueError(f"it has more than {CHUNKS_MOST} chunks")
        size, begin = int(head[1], 16), head.end()
        if not size:
            if _TRAILERS.fullmatch(body, begin) is None and not is_beginning:
                raise ValueError("something else follows the last chunk")
            return b"".join(pieces)
        at = begin + size
        pieces.append(body[begin:at])
        if at >= len(body) and is_beginning:
            return b"".join(pieces)
        if body[at : at + 2] != b"\r\n":
            raise ValueError("a chunk does not end where it says")
        at += 2
    if is_beginning and len(body) - at < 100:  # a head that was cut in two
        return b"".join((*pieces, body[at:]))
    raise ValueError("a chunk does not begin with its size")
