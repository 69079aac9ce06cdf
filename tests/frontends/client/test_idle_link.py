"""An idle connection to the daemon is good only while the daemon is there."""

from __future__ import annotations

import socket

from signoff.frontends.python.daemon_link import DaemonLink, TcpAddress


def test_a_daemon_that_ended_is_not_there() -> None:
    """Though a connection to it was kept a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = DaemonLink(TcpAddress("127.0.0.1", server.getsockname()[1], "t"))
        before = link.is_there()
        end, _ = server.accept()
        still = link.is_there()
        end.close()
    after = link.is_there()
    link.close()

    assert (True, True, False) == (before, still, after)
