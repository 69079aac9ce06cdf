"""The token of one user's hook over HTTP, asked of the service on its socket.

wanted_token(LAYOUT.socket, "claude-code")      its port and the token
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json

from signoff.errors import BadSettings
from signoff.system.links import connect

PATH = "/v1/hook-tokens"
PREFIX = b"signoff-user-hook-v1\0"
WITHIN_S = 5.0
LIMIT = 10_000


def user_hook_token(token: str, host: str, uid: int) -> str:
    """Return the token that only this user's hooks of this host can have.

    Args:
        token: the service's secret.
    """
    # One way only: the user keeps it in the host's settings, where their agent can read it.
    text = PREFIX + f"{host}\0{uid}".encode()
    return hmac.new(token.encode(), text, hashlib.sha256).hexdigest()


def wanted_token(path: str, host: str) -> tuple[int, str]:
    """Ask the service for its port and this user's token for a host's hook.

    Args:
        path: the service's socket.

    Raises:
        BadSettings: the service gives none; the message says why.
    """
    link = _SocketLink(path)
    try:
        body = json.dumps({"host": host})
        link.request("POST", PATH, body, {"content-type": "application/json"})
        said = json.loads(link.getresponse().read(LIMIT))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise BadSettings("the service is not running: `systemctl start signoff`") from error
    finally:
        link.close()
    token, port = said.get("token"), said.get("port")
    if not isinstance(token, str) or not isinstance(port, int):
        raise BadSettings(str(said.get("words") or "the service gives no token for this hook"))
    return port, token


class _SocketLink(http.client.HTTPConnection):
    """An HTTP connection over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=WITHIN_S)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket."""
        self.sock = connect(self._path, within_s=WITHIN_S)
