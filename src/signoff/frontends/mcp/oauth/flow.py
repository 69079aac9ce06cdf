"""Signs in at a remote MCP server by OAuth 2.1, and renews what came of it.

The official SDK's client does the protocol: it finds the metadata of resource and sign-in server
(RFC 9728, RFC 8414), registers (RFC 7591, or a client metadata document), and takes care of PKCE,
state, issuer (RFC 9207) and resource (RFC 8707). What is checked here besides: PKCE is offered, and
every address. The SDK's log is off, as it quotes answers.

    login = await sign_in(LoginRequest(resource="https://mcp.example.com/mcp"), redirect, ask)
    login = await renewed(login)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import (
    AuthorizationCodeResult,
    OAuthClientProvider,
    OAuthFlowError,
    OAuthRegistrationError,
    OAuthTokenError,
)
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl

from signoff.challenge.outbound.endpoint import CallFailed
from signoff.errors import SignoffError
from signoff.frontends.mcp.oauth.exchange import Wire, carried, wire_to
from signoff.frontends.mcp.oauth.login_file import StoredLogin
from signoff.frontends.mcp.oauth.loopback import BrowserReturn
from signoff.frontends.mcp.oauth.signing_in import LoginFailed, LoginRequest
from signoff.frontends.mcp.relay.http_link import SAFE, UNAUTHORIZED

SAID_MOST = 300
TOO_MANY = 429
VERSION = "2025-11-25"
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": VERSION,
}


class _LoginTokens:
    """What the SDK keeps during one exchange."""

    def __init__(
        self,
        tokens: OAuthToken | None = None,
        client: OAuthClientInformationFull | None = None,
    ) -> None:
        self.tokens, self.client = tokens, client
        self.expires_at: float | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens
        self.expires_at = None if tokens.expires_in is None else time.time() + tokens.expires_in

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def sign_in(
    wanted: LoginRequest, redirect: BrowserReturn, ask: Callable[[str, str], None]
) -> StoredLogin:
    """Sign a person in through their browser.

    Args:
        redirect: where the browser comes back to.
        ask: shows the sign-in server's host and the link to the person.

    Raises:
        SignoffError: nobody is signed in; the message says why.
    """
    wire = await wire_to(wanted.resource)
    kept = _LoginTokens(client=_registered_by_hand(wanted, redirect))
    states = [""]

    async def show(link: str) -> None:
        host = await _checked_link(link, provider.context.oauth_metadata, wire)
        states.extend(parse_qs(urlsplit(link).query)["state"])
        ask(host, link)

    async def answered() -> AuthorizationCodeResult:
        said = await redirect.answer(states[-1], within_s=wanted.answer_s)
        return AuthorizationCodeResult(
            code=said.get("code", ""), state=said.get("state"), iss=said.get("iss")
        )

    described = OAuthClientMetadata(
        client_name="signoff",
        redirect_uris=[AnyUrl(redirect.uri)],
        token_endpoint_auth_method="none",  # noqa: S106 - a public client (RFC 7591)
    )
    provider = OAuthClientProvider(
        wanted.resource, described, kept, show, answered, wanted.client_url or None
    )
    first = httpx2.Request("POST", wanted.resource, headers=HEADERS, content=PING)
    with _failures():
        last = await carried(provider, first, wire, scope=wanted.scope)
    if kept.tokens is None:
        raise LoginFailed(f"the server asks for no sign-in: it answers HTTP {last.status_code}")
    if last.status_code == UNAUTHORIZED:
        raise LoginFailed("the server does not take the new token")
    return _stored(wanted.resource, provider, kept)


async def renewed(login: StoredLogin) -> StoredLogin:
    """Return the login with a renewed token.

    The old refresh token must not be used again.

    Raises:
        LoginFailed: there is no refresh token, or the sign-in server does not take it.
        CallFailed: the sign-in server gave no answer.
    """
    wire = await wire_to(login.resource)
    with _failures():
        tokens = OAuthToken.model_validate_json(login.tokens)
        if not tokens.refresh_token:
            raise LoginFailed("the token has run out, and there is none to renew it")
        # Without an access token the SDK renews before it sends anything.
        old = tokens.model_copy(update={"access_token": ""})
        kept = _LoginTokens(old, OAuthClientInformationFull.model_validate_json(login.client))
        provider = _known(login, kept)
        first = httpx2.Request("POST", login.resource, headers=HEADERS, content=PING)
        async with aclosing(provider.async_auth_flow(first)) as flow:
            renewing = await anext(flow)
            # Only this one is sent: what follows is the request to the server itself.
            answer = await wire.sent(renewing)
            if answer.status_code >= 500 or answer.status_code == TOO_MANY:
                raise CallFailed(f"the sign-in server answers HTTP {answer.status_code}")
            await flow.asend(answer)
    if kept.tokens is old:
        raise LoginFailed("the sign-in server does not renew the token")
    return _stored(login.resource, provider, kept)


async def revoke(login: StoredLogin) -> bool:
    """Revoke the tokens at the sign-in server (RFC 7009); return whether it confirmed that.

    Raises:
        SignoffError: it gave no answer.
    """
    wire = await wire_to(login.resource)
    with _failures():
        tokens = OAuthToken.model_validate_json(login.tokens)
        client = OAuthClientInformationFull.model_validate_json(login.client)
        provider = _known(login, _LoginTokens(tokens, client))
        provider.context.client_info = client
        metadata = provider.context.oauth_metadata
        if metadata is None or metadata.revocation_endpoint is None:
            return False
        told = {"token": tokens.refresh_token or tokens.access_token, "client_id": client.client_id}
        form, headers = provider.context.prepare_token_auth(told, {})
        request = httpx2.Request(
            "POST", str(metadata.revocation_endpoint), data=form, headers=headers
        )
        return (await wire.sent(request)).status_code == 200


def _known(login: StoredLogin, kept: _LoginTokens) -> OAuthClientProvider:
    """Return a client that knows both servers, so that it looks for neither again."""
    client = kept.client
    uris = client.redirect_uris if client is not None else None
    described = OAuthClientMetadata(redirect_uris=uris or [AnyUrl("http://127.0.0.1/callback")])
    provider = OAuthClientProvider(login.resource, described, kept)
    # Else the SDK would send the refresh token to the server's own host.
    provider.context.oauth_metadata = OAuthMetadata.model_validate_json(login.server)
    if login.metadata:
        metadata = ProtectedResourceMetadata.model_validate_json(login.metadata)
        provider.context.protected_resource_metadata = metadata
    return provider


def _stored(resource: str, provider: OAuthClientProvider, kept: _LoginTokens) -> StoredLogin:
    """Return what is to be kept.

    Raises:
        LoginFailed: the token cannot be sent.
    """
    tokens, client, server = kept.tokens, kept.client, provider.context.oauth_metadata
    if tokens is None or client is None or server is None:
        raise LoginFailed("the sign-in server said too little of itself")
    if not SAFE.fullmatch(tokens.access_token):
        raise LoginFailed("the sign-in server gave a token that cannot be sent")
    metadata = provider.context.protected_resource_metadata
    return StoredLogin(
        resource=resource,
        tokens=tokens.model_dump_json(),
        access_token=tokens.access_token,
        expires_at=kept.expires_at,
        client=client.model_dump_json(),
        server=server.model_dump_json(),
        metadata=metadata.model_dump_json() if metadata is not None else "",
    )


def _registered_by_hand(
    wanted: LoginRequest, redirect: BrowserReturn
) -> OAuthClientInformationFull | None:
    if not wanted.client_id:
        return None
    return OAuthClientInformationFull(
        client_id=wanted.client_id,
        client_secret=wanted.client_secret or None,
        redirect_uris=[AnyUrl(redirect.uri)],
        token_endpoint_auth_method="client_secret_post" if wanted.client_secret else "none",
    )


async def _checked_link(link: str, metadata: OAuthMetadata | None, wire: Wire) -> str:
    """Return the host a person signs in at.

    Raises:
        SignoffError: the sign-in server is not described, does not offer PKCE, or the link leads
            where a browser must not be sent.
    """
    if metadata is None:
        raise LoginFailed("the server does not say where to sign in (RFC 8414 metadata)")
    # MCP: a client must refuse a server that does not offer PKCE.
    if "S256" not in (metadata.code_challenge_methods_supported or ()):
        raise LoginFailed("the sign-in server does not offer PKCE with S256")
    endpoint = await wire.checked(httpx2.URL(link))
    return endpoint.authority


@contextmanager
def _failures() -> Iterator[None]:
    """Turn the SDK's errors into ours, and keep its log still: both quote answers with tokens."""
    log = logging.getLogger("mcp")
    was, log.disabled = log.disabled, True
    client_log = logging.getLogger("mcp.client.auth.oauth2")
    client_was, client_log.disabled = client_log.disabled, True
    try:
        yield
    except SignoffError:
        raise
    except OAuthRegistrationError:
        raise LoginFailed(
            "the sign-in server does not register signoff: register it there by hand and give"
            " --client-id"
        ) from None
    except OAuthTokenError:
        raise LoginFailed("the sign-in server gives no token for the answer") from None
    except OAuthFlowError as error:
        # Of issuers and resources; the one that quotes a state never gets here (`BrowserReturn`).
        raise LoginFailed(str(error)[:SAID_MOST]) from None
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        raise LoginFailed(f"the answer cannot be read: {type(error).__name__}") from None
    finally:
        log.disabled, client_log.disabled = was, client_was
