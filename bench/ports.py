"""Ports of this machine: one that is free, and whether a daemon answers on it.

port = free_port()
is_listening(port)      # False, until a daemon serves there
"""

from __future__ import annotations

import socket


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_listening(port: int) -> bool:
    """Tell whether a server answers on the port: `GET /healthz` gets status 200."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as link:
            link.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            return b" 200 " in link.recv(100)
    except OSError:
        return False
