"""`signoff mcp login` and `logout`: a sign-in at a remote MCP server, by OAuth in the browser.

signoff mcp login https://mcp.example.com/mcp
signoff mcp logout https://mcp.example.com/mcp

The link is written to the terminal itself, as nothing that reads the output of commands may answer
in the person's place.
"""

from __future__ import annotations

import asyncio
import os
import re
import webbrowser

import click

from signoff.build.acts import record_own_act
from signoff.challenge.channels.terminal import here
from signoff.challenge.visible import visible
from signoff.effects.admin_acts import AdminAct
from signoff.errors import SignoffError, StoreError
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.open import has_screen
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.typed import words_of
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import daemon_places, service_here
from signoff.frontends.mcp.oauth.login_file import LoginFile, StoredLogin
from signoff.frontends.mcp.oauth.loopback import listening
from signoff.frontends.mcp.oauth.server_login import NEEDED
from signoff.frontends.mcp.oauth.signing_in import LoginRequest
from signoff.frontends.server.control import tell
from signoff.settings import Settings, load_settings
from signoff.system.terminals import open_terminal

OWN_ACTS = "/v1/own-acts"
REVOKE_S = 10.0
# RFC 6749, 3.3; a quote in it could end the parameter of a header.
SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*")


@click.command("login", short_help="Sign in at a remote server; opens your browser.")
@click.argument("url")
@click.option("--scope", default="", help="Ask for these scopes, with spaces between them.")
@click.option(
    "--client-id",
    default="",
    metavar="ID|URL",
    help="A client that you registered at the sign-in server, or your client metadata document.",
)
@click.option("--client-secret-env", default="", metavar="VARIABLE", help="Holds its secret.")
@click.option("--port", type=click.IntRange(1_024, 65_535), help="The browser comes back to it.")
@click.option("--no-browser", is_flag=True, help="Print the link only.")
def login(
    *,
    url: str,
    scope: str,
    client_id: str,
    client_secret_env: str,
    port: int | None,
    no_browser: bool,
) -> None:
    """Sign in at the MCP server with this address, for `signoff mcp --url`."""
    if scope and not SCOPE.fullmatch(scope):
        raise click.UsageError("--scope: expected names with single spaces between them")
    secret = os.environ.get(client_secret_env, "") if client_secret_env else ""
    is_document = client_id.startswith("https://")
    if client_secret_env and (not secret or not client_id or is_document):
        raise click.UsageError("--client-secret-env needs --client-id ID, and a value to send")
    with errors_as_messages():
        settings = load_settings()
        file = LoginFile.of(settings, url)
        wanted = LoginRequest(
            resource=file.resource,
            scope=scope,
            client_id="" if is_document else client_id,
            client_secret=secret,
            client_url=client_id if is_document else "",
        )
        made = _at_terminal(wanted, port or 0, has_browser=not no_browser and has_screen())
        _record("mcp.login", file.resource, settings)
        with file.changing():
            file.write(made)
    say(f"signed in at {file.resource}: proxies use it from the next request on")


@click.command("logout", short_help="Forget the sign-in at a remote server.")
@click.argument("url")
def logout(*, url: str) -> None:
    """Forget the sign-in at a server, and have the sign-in server forget it."""
    with errors_as_messages():
        settings = load_settings()
        file = LoginFile.of(settings, url)
        try:
            stored = file.read()
        except SignoffError:
            stored = None  # unreadable: it is removed all the same
        _record("mcp.logout", file.resource, settings)
        with file.changing():
            was_there = file.forget()
    if not was_there:
        say("nobody is signed in there")
        return
    with progress("telling the sign-in server"):
        is_told = stored is not None and _revoked(stored)
    said = "the sign-in server was told" if is_told else "the sign-in server was not told"
    say(f"signed out; {said}")


def _record(act: str, resource: str, settings: Settings) -> None:
    """Write an act to the audit log: that of the service, where there is one.

    Raises:
        SignoffError: it is not recorded; then it must not be done.
    """
    if service_here() is None:
        noted = AdminAct(act=act, by=str(here()), said=resource, channel="terminal")
        record_own_act(settings, noted)
        return
    said = tell(daemon_places(), OWN_ACTS, {"act": act, "said": resource})
    if said.get("recorded") is not True:
        raise StoreError(words_of(said) or "the service did not record it")


def _at_terminal(wanted: LoginRequest, port: int, *, has_browser: bool) -> StoredLogin:
    """Sign in with the person at this terminal.

    Raises:
        SignoffError: nobody is signed in.
        Refusal: there is no terminal.
    """
    terminal = open_terminal()
    if terminal is None:
        raise Refusal("a person signs in at a terminal, and there is none here")
    try:
        return asyncio.run(_signed_in(wanted, port, _Shown(terminal, has_browser=has_browser)))
    finally:
        os.close(terminal)


class _Shown:
    """Shows the link on the terminal, and opens it."""

    def __init__(self, terminal: int, *, has_browser: bool) -> None:
        self._terminal, self._has_browser = terminal, has_browser

    def ask(self, host: str, link: str) -> None:
        """Show the link, and where it leads."""
        lines = ("", f"Sign in at {host}:", "", link, "", "waiting for your browser ...", "")
        os.write(self._terminal, "\n".join(map(visible, lines)).encode())
        if self._has_browser:
            try:
                webbrowser.open(link)
            except (webbrowser.Error, OSError):
                self._has_browser = False


async def _signed_in(wanted: LoginRequest, port: int, shown: _Shown) -> StoredLogin:
    try:
        from signoff.frontends.mcp.oauth.flow import sign_in  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise SignoffError(NEEDED) from error
    async with listening(port) as redirect:
        return await sign_in(wanted, redirect, shown.ask)


def _revoked(stored: StoredLogin) -> bool:
    async def told() -> bool:
        from signoff.frontends.mcp.oauth.flow import revoke  # noqa: PLC0415 - an extra

        async with asyncio.timeout(REVOKE_S):
            return await revoke(stored)

    try:
        return asyncio.run(told())
    except (SignoffError, TimeoutError, ImportError):
        return False
