"""A sign-in at a remote server: real servers, and the attacks on them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from oauth_servers import Browser, OAuthServers, oauth_servers, redirect_of, visit

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.errors import BadSettings, SignoffError, StoreError
from signoff.frontends.mcp.oauth.exchange import Wire
from signoff.frontends.mcp.oauth.flow import renewed, revoke, sign_in
from signoff.frontends.mcp.oauth.login_file import LoginFile, StoredLogin
from signoff.frontends.mcp.oauth.loopback import listening
from signoff.frontends.mcp.oauth.server_login import ServerLogin
from signoff.frontends.mcp.oauth.signing_in import LoginFailed, LoginRequest
from signoff.frontends.mcp.relay.http_link import HttpLink
from signoff.settings import load_settings
from signoff.values import replace

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x"}}
Scene = Callable[[OAuthServers], Awaitable[None]]


def played(scene: Scene) -> None:
    """Play a scene with both servers."""

    async def play() -> None:
        async with oauth_servers() as servers, asyncio.timeout(60):
            await scene(servers)

    asyncio.run(play())


async def signed_in(
    servers: OAuthServers,
    browser: Browser | None = None,
    **told: Any,  # noqa: ANN401 - any field
) -> StoredLogin:
    """Sign in at the server, with a person who agrees."""
    async with listening(0) as redirect:
        ask = (browser or Browser()).ask
        return await sign_in(LoginRequest(resource=servers.resource, **told), redirect, ask)


def file_of(folder: Path, resource: str) -> LoginFile:
    """Return the file of a server in a state folder."""
    return LoginFile.of(replace(load_settings(), state_dir=str(folder / "state")), resource)


async def asked(file: LoginFile) -> dict[str, Any]:
    """Send one call as the proxy does; return the answer."""
    endpoint = OutboundEndpoint.parse(file.resource)
    link = HttpLink(endpoint, {}, limit=100_000, login=ServerLogin(file))
    try:
        await link.send(json.dumps(CALL).encode())
        line = await link.receive()
    finally:
        await link.close()
    assert line is not None
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_person_signs_in_and_the_proxy_calls(tmp_path: Path) -> None:
    """By discovery, registration, PKCE and the answer on this machine."""

    async def scene(servers: OAuthServers) -> None:
        file, browser = file_of(tmp_path, servers.resource), Browser()
        file.write(await signed_in(servers, browser))
        assert (await asked(file))["result"] == {"content": []}
        assert browser.hosts == [servers.issuer.removeprefix("http://")]
        assert "code_challenge_method=S256" in browser.links[0]
        (wanted,) = servers.clients.values()
        assert wanted["token_endpoint_auth_method"] == "none"
        assert wanted["redirect_uris"] == [redirect_of(browser.links[0])]
        assert "resource=" in servers.sent_to("/token")[0]

    played(scene)


def test_without_a_login_the_agent_is_told_what_its_person_does(tmp_path: Path) -> None:
    """As an error of the protocol, whatever the server's own body says."""

    async def scene(servers: OAuthServers) -> None:
        file = file_of(tmp_path, servers.resource)
        said = (await asked(file))["error"]["message"]
        assert f"`signoff mcp login {servers.resource}`" in said
        assert "person" in said

    played(scene)


def test_more_rights_are_named_and_asked_for(tmp_path: Path) -> None:
    """A token with too few gets the command that asks for them (RFC 6750)."""

    async def scene(servers: OAuthServers) -> None:
        servers.wrong = {"scope": "files:write"}
        file = file_of(tmp_path, servers.resource)
        file.write(await signed_in(servers))
        assert '--scope "files:write"`' in (await asked(file))["error"]["message"]
        file.write(await signed_in(servers, scope="files:write"))
        assert "result" in await asked(file)

    played(scene)


def test_scopes_that_a_shell_would_run_are_not_repeated(tmp_path: Path) -> None:
    """A person copies the command."""

    async def scene(servers: OAuthServers) -> None:
        servers.wrong = {"scope": "$(touch x)"}
        file = file_of(tmp_path, servers.resource)
        file.write(await signed_in(servers))
        said = (await asked(file))["error"]["message"]
        assert "signoff mcp login" in said
        assert "touch" not in said

    played(scene)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"server": {"issuer": "http://127.0.0.1:9"}}, "issuer mismatch"),
        ({"answer": {"iss": "http://127.0.0.1:9"}}, "iss mismatch"),
        ({"answer": {"iss": None}}, "missing iss"),
        ({"server": {"code_challenge_methods_supported": None}}, "PKCE"),
        ({"server": {"code_challenge_methods_supported": ["plain"]}}, "PKCE"),
        ({"resource": {"resource": "http://127.0.0.1:9/mcp"}}, "does not match"),
        ({"server": {"authorization_endpoint": "file:///etc/passwd"}}, "does not register"),
        ({"server": {"authorization_endpoint": "http://sign-in.example/a"}}, "this machine only"),
        ({"server": {"token_endpoint": "https://169.254.169.254/t"}}, "never called"),
        ({"server": {"registration_endpoint": "http://u:p@127.0.0.1/r"}}, "user's name"),
        ({"token": {"access_token": "a\r\nHost: evil"}}, "cannot be sent"),
        ({"token": {"token_type": "mac"}}, "cannot be read|no token"),
        ({"answer": {"code": None, "error": "access_denied"}}, "access_denied"),
        ({"token_status": 400}, "no token"),
    ],
)
def test_a_server_that_does_wrong_gets_nobody_signed_in(wrong: dict[str, Any], words: str) -> None:
    """Wrong issuer and mix-up (RFC 9207), no PKCE, foreign resource, addresses not to be called."""

    async def scene(servers: OAuthServers) -> None:
        servers.wrong = wrong
        with pytest.raises(SignoffError, match=words) as caught:
            await signed_in(servers)
        given = [*servers.access, *servers.refresh, *servers.codes]
        assert not any(secret in str(caught.value) for secret in given)

    played(scene)


def test_answers_that_are_not_the_persons_are_passed_over() -> None:
    """A foreign state or none, another host's name, a field given twice: 400, and it waits on."""
    pages: list[int] = []

    def forged(link: str) -> None:
        back = redirect_of(link)
        port = back.split(":")[2].split("/")[0]
        state = parse_qs(urlsplit(link).query)["state"][0]
        forms = (
            f"{back}?code=evil&state=guessed",
            f"{back}?code=evil",
            f"{back}?error=access_denied&state=",
            f"{back}?code=evil&code=b&state={state}",
            f"http://localhost:{port}/callback?code=evil&state={state}",
            f"http://127.0.0.1:{port}/other?code=evil&state={state}",
        )
        pages.extend(map(visit, forms))

    async def scene(servers: OAuthServers) -> None:
        browser = Browser(forged)
        assert (await signed_in(servers, browser)).access_token in servers.access
        assert pages == [400] * 6
        assert "evil" not in "".join(servers.sent_to("/token"))

    played(scene)


def test_nobody_answers_in_time() -> None:
    """Silence is no."""

    async def scene(servers: OAuthServers) -> None:
        async with listening(0) as redirect:
            wanted = LoginRequest(resource=servers.resource, answer_s=0.2)
            with pytest.raises(LoginFailed, match="in time"):
                await sign_in(wanted, redirect, lambda *_: None)

    played(scene)


def test_a_token_goes_to_no_other_host(tmp_path: Path) -> None:
    """Neither by a redirect, nor by a file under another server's name."""

    async def scene(servers: OAuthServers) -> None:
        async with oauth_servers() as foreign:
            file = file_of(tmp_path, servers.resource)
            file.write(await signed_in(servers))
            servers.wrong = {"redirect": foreign.resource}
            assert "HTTP 307" in (await asked(file))["error"]["message"]
            assert foreign.seen == []
            other = file_of(tmp_path, foreign.resource)
            os.replace(file.path, other.path)
            with pytest.raises(StoreError, match="was changed"):
                other.read()
            assert "signoff mcp login" in (await asked(other))["error"]["message"]
            assert not any("authorization" in headers for _, _, headers, _ in foreign.seen)

    played(scene)


def test_two_proxies_send_a_refresh_token_once(tmp_path: Path) -> None:
    """A second time looks like theft, and ends the login."""

    async def scene(servers: OAuthServers) -> None:
        file = file_of(tmp_path, servers.resource)
        file.write(replace(await signed_in(servers), expires_at=1.0))
        said = await asyncio.gather(*(asked(file_of(tmp_path, servers.resource)) for _ in range(4)))
        assert all("result" in one for one in said)
        assert servers.replays == 0
        assert sum("refresh_token" in body for body in servers.sent_to("/token")) == 1

    played(scene)


def test_a_token_that_was_taken_back_is_renewed_or_forgotten(tmp_path: Path) -> None:
    """The request is sent again with the new one; where there is none a person is asked for."""

    async def scene(servers: OAuthServers) -> None:
        file = file_of(tmp_path, servers.resource)
        file.write(await signed_in(servers))
        servers.access.clear()
        assert "result" in await asked(file)
        servers.access.clear()
        servers.refresh.clear()
        assert "signoff mcp login" in (await asked(file))["error"]["message"]
        assert file.read() is None
        before = len(servers.sent_to("/token"))
        await asked(file)
        assert len(servers.sent_to("/token")) == before

    played(scene)


def test_a_sign_in_server_that_is_down_costs_no_login(tmp_path: Path) -> None:
    """The token is renewed when it is back."""

    async def scene(servers: OAuthServers) -> None:
        file = file_of(tmp_path, servers.resource)
        file.write(replace(await signed_in(servers), expires_at=1.0))
        servers.wrong = {"token_status": 503}
        assert "error" in await asked(file)
        servers.wrong = {}
        assert "result" in await asked(file)

    played(scene)


def test_a_refresh_token_goes_where_it_came_from() -> None:
    """Not to where the server says by now."""

    async def scene(servers: OAuthServers) -> None:
        async with oauth_servers() as foreign:
            login = await signed_in(servers)
            servers.wrong = {"resource": {"authorization_servers": [foreign.issuer]}}
            assert (await renewed(login)).access_token in servers.access
            assert foreign.seen == []

    played(scene)


def test_a_login_is_revoked() -> None:
    """The sign-in server forgets it."""

    async def scene(servers: OAuthServers) -> None:
        login = await signed_in(servers)
        assert await revoke(login)
        assert servers.refresh == {}

    played(scene)


def test_a_client_registered_by_hand_is_used() -> None:
    """With its secret, and without registration."""

    async def scene(servers: OAuthServers) -> None:
        await signed_in(servers, client_id="by-hand", client_secret="s3cret-of-the-client")
        assert servers.clients == {}
        (body,) = servers.sent_to("/token")
        assert "client_id=by-hand" in body
        assert "client_secret=s3cret-of-the-client" in body

    played(scene)


def test_a_client_metadata_document_is_used_where_the_server_takes_it() -> None:
    """Its address is the client's id."""

    async def scene(servers: OAuthServers) -> None:
        servers.wrong = {"server": {"client_id_metadata_document_supported": True}}
        await signed_in(servers, client_url="https://me.example/client.json")
        assert servers.clients == {}
        assert "client_id=https%3A%2F%2Fme.example%2Fclient.json" in servers.sent_to("/token")[0]

    played(scene)


def test_the_file_is_its_owners_and_encrypted(tmp_path: Path) -> None:
    """No token stands in it; loose rights, a link or a changed byte make it no login."""

    async def scene(servers: OAuthServers) -> None:
        file = file_of(tmp_path, servers.resource)
        login = await signed_in(servers)
        file.write(login)
        raw = Path(file.path).read_bytes()
        assert os.stat(file.path).st_mode & 0o777 == 0o600
        assert login.access_token.encode() not in raw
        assert not any(secret in repr(login) for secret in (*servers.access, *servers.refresh))
        assert file.read() == login
        os.chmod(file.path, 0o644)
        with pytest.raises(StoreError, match="open to others"):
            file.read()
        os.chmod(file.path, 0o600)
        Path(file.path).write_bytes(raw[:-9] + (b"B" if raw[-9:-8] == b"A" else b"A") + raw[-8:])
        with pytest.raises(StoreError, match="was changed"):
            file.read()
        os.rename(file.path, f"{file.path}.x")
        os.symlink(f"{file.path}.x", file.path)
        with pytest.raises(StoreError, match="cannot read"):
            file.read()

    played(scene)


def test_no_token_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The SDK's own log quotes what servers answer."""

    async def scene(servers: OAuthServers) -> None:
        login = await signed_in(servers)
        servers.wrong = {"token": {"access_token": {"at": "at-that-is-no-text"}}}
        for _ in range(2):
            with pytest.raises(SignoffError):
                await signed_in(servers)
        with pytest.raises(SignoffError):
            await renewed(login)
        given = ["at-that-is-no-text", *servers.access, *servers.refresh, *servers.spent]
        assert len(given) >= 5
        assert not any(secret in caplog.text for secret in given)

    with caplog.at_level(logging.DEBUG):
        played(scene)


def test_a_remote_server_cannot_have_this_machine_called() -> None:
    """Its metadata may name any address."""

    async def checked(url: str) -> None:
        import httpx2  # noqa: PLC0415 - beside the test's other names it says little

        await Wire(is_local=False).checked(httpx2.URL(url))

    for url in ("https://127.0.0.1/token", "https://localhost:8443/token", "https://[::1]/x"):
        with pytest.raises(LoginFailed, match="this machine"):
            asyncio.run(checked(url))
    with pytest.raises(BadSettings):
        asyncio.run(checked("http://sign-in.example/token"))
