"""The token of one remote server for a running proxy: read from its file, renewed in time.

Two proxies of one server renew one after the other, and the second finds what the first one got:
a refresh token is sent once. What takes long (the SDK, the network) happens in a thread.

    login = ServerLogin(LoginFile.of(settings, url))
    await login.authorization()            "Bearer ...", "" without a login
    await login.after_refusal("Bearer ...")    another one, "" if a person must sign in
"""

from __future__ import annotations

import asyncio
import time

from signoff.errors import SignoffError
from signoff.frontends.mcp.oauth.login_file import LoginFile, StoredLogin
from signoff.frontends.mcp.oauth.signing_in import LoginFailed
from signoff.frontends.mcp.relay.links import note

NEEDED = "signing in at MCP servers needs `pip install 'signoff[mcp-login]'`"
EARLY_S = 30.0  # before it runs out: the request must still arrive with it
RENEW_S = 30.0


class ServerLogin:
    """This user's stored login at one server."""

    def __init__(self, file: LoginFile) -> None:
        self._file = file

    def wanted(self, scope: str = "") -> str:
        """Return the message for an agent that a person must sign in.

        Args:
            scope: permission that is missing, "" if none is named.
        """
        more = f' --scope "{scope}"' if scope else ""
        return (
            f"this MCP server wants a sign-in{' with more rights' if more else ''}, which only a"
            f" person can do: ask yours to run `signoff mcp login {self._file.resource}{more}` in a"
            " terminal, then try again"
        )

    async def authorization(self) -> str:
        """Return the `Authorization` header, "" without a login."""
        return await self._current("")

    async def after_refusal(self, refused: str) -> str:
        """Return a new `Authorization` header after the server refused one, "" if there is none."""
        return await self._current(refused)

    async def _current(self, refused: str) -> str:
        try:
            login = self._file.read()
            if login is not None and self._is_spent(login, refused):
                login = await asyncio.to_thread(self._renewed, refused)
        except SignoffError as error:
            note(f"no sign-in at {self._file.resource}: {error}")
            return ""
        return f"Bearer {login.access_token}" if login is not None else ""

    def _is_spent(self, login: StoredLogin, refused: str) -> bool:
        has_run_out = login.expires_at is not None and time.time() >= login.expires_at - EARLY_S
        return has_run_out or refused == f"Bearer {login.access_token}"

    def _renewed(self, refused: str) -> StoredLogin | None:
        """Renew the token, unless another process has; None if a person must sign in.

        Raises:
            SignoffError: it cannot be renewed now.
        """
        with self._file.changing():
            login = self._file.read()
            if login is None or not self._is_spent(login, refused):
                return login
            try:
                made = asyncio.run(_renew(login))
            except LoginFailed:
                # Refused once it stays refused, and sending it again looks like theft.
                self._file.forget()
                raise
            self._file.write(made)
            return made


async def _renew(login: StoredLogin) -> StoredLogin:
    """Renew a login within a bound.

    Raises:
        SignoffError: it cannot be renewed.
    """
    try:
        from signoff.frontends.mcp.oauth.flow import renewed  # noqa: PLC0415 - an extra, and slow
    except ImportError as error:
        raise SignoffError(NEEDED) from error
    try:
        async with asyncio.timeout(RENEW_S):
            return await renewed(login)
    except TimeoutError:
        raise SignoffError("the sign-in server took too long") from None
