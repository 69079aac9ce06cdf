"""Asking the daemon whether it made a seal, from a process beside it.

The daemon's key is in its memory only: it says yes or no to a seal that is shown, and makes none.
A daemon that is gone, or says anything else, has made none.

    Seal.fresh(asking_daemon(settings.state_dir))
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence

from signoff.system.links import connect

PATH = "/v1/seals"
SOCKET = "daemon.sock"
WITHIN_S = 3.0  # a daemon that does not say it made the seal has not made it: no is the answer
ANSWER_LIMIT = 65_536


def asking_daemon(state_dir: str) -> Callable[[str, Sequence[str], str], bool]:
    """Return a function that asks the daemon of a state folder whether it made a seal."""
    path = os.path.join(state_dir, SOCKET)

    def made(prefix: str, parts: Sequence[str], seal: str) -> bool:
        said = {"prefix": prefix, "parts": list(parts), "seal": seal}
        try:
            return _answer(path, json.dumps(said).encode())
        except (OSError, ValueError):
            return False

    return made


def _answer(path: str, body: bytes) -> bool:
    """Return what the daemon says."""
    head = (
        f"POST {PATH} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    with connect(path, within_s=WITHIN_S) as link:
        link.sendall(head.encode() + body)
        found = b""
        while len(found) < ANSWER_LIMIT and (piece := link.recv(ANSWER_LIMIT)):
            found += piece
    status, _, said = found.partition(b"\r\n\r\n")
    # Exactly true: any other answer, a cut one too, is no (T-04).
    return b" 200 " in status.partition(b"\r\n")[0] and json.loads(said).get("made") is True
