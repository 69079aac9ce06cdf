"""Signing in at an OpenID provider: a real provider, a real daemon, everything over sockets."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from inbox_caller import Person, Scene, asking_on_the_web, at_inbox
from live_daemon import LiveDaemon, Reply, served, wait_until
from openid_provider import CLIENT, Claims, Provider, providing
from test_inbox_process import post

BEGIN, CALLBACK = "/web/oidc/begin", "/web/oidc/callback"
ASKS = """
channels: [web]
limits: {min_review_s: 1}
approval: {review_s: {low: 0, medium: 0, high: 0, critical: 0}}
"""


def section(provider: Provider) -> str:
    """Return the settings of sign-ins at a provider."""
    return (
        f"oidc:\n  issuer: {provider.issuer}\n  client_id: {CLIENT}\n  role_claim: groups\n"
        "  roles: {viewer: [staff], auditor: [audit], approver: [payments], admin: [admins]}\n"
        "  groups: {team: [payments]}\n"
    )


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Return a provider."""
    with providing() as found:
        yield found


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, provider: Provider) -> Iterator[LiveDaemon]:
    """Return a daemon whose inbox people sign in to at the provider."""
    home = tmp_path_factory.mktemp("home")
    with asking_on_the_web(home, ASKS + section(provider)) as running:
        provider.redirects.add(f"http://localhost:{running.port}{CALLBACK}")
        yield running


@pytest.fixture(autouse=True)
def _usual(provider: Provider) -> None:
    """Let the provider behave."""
    provider.change, provider.told_issuer = (lambda _, __: None), provider.issuer
    provider.claims = {"sub": "u-1", "name": "Ada", "groups": ["payments"]}


def get(address: str, cookie: str = "", *, host: str = "") -> Reply:
    """Load an address as a browser that is led there from another site; follow nothing."""
    parts = urlsplit(address)
    link = http.client.HTTPConnection("127.0.0.1", parts.port or 80, timeout=60)
    headers = {"Host": host or parts.netloc, "Cookie": cookie, "Sec-Fetch-Site": "cross-site"}
    try:
        link.request("GET", f"{parts.path}?{parts.query}", headers=headers)
        answer = link.getresponse()
        return Reply(status=answer.status, headers=dict(answer.headers), body=answer.read())
    finally:
        link.close()


def begun(daemon: LiveDaemon) -> tuple[str, str]:
    """Begin to sign in; return the browser's cookie, and the address at the provider."""
    reply = get(f"http://localhost:{daemon.port}{BEGIN}")
    assert 303 == reply.status, reply.body
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=lax" in cookie.lower()
    return cookie.partition(";")[0], reply.headers["location"]


def came_back(daemon: LiveDaemon) -> Reply:
    """Go the whole way to the provider and back."""
    cookie, address = begun(daemon)
    return get(get(address).headers["Location"], cookie)


def person(daemon: LiveDaemon) -> Person:
    """Return somebody who signed in at the provider."""
    reply = came_back(daemon)
    assert 303 == reply.status, reply.body
    link = reply.headers["location"]
    daemon.links.append(link)
    taken = post(daemon, "/web/sign-in", "", code=link.partition("#")[2])
    cookie = taken.headers["set-cookie"].partition(";")[0]
    return Person(daemon=daemon, cookie=cookie, token=taken.said["token"])


def test_who_signs_in_at_the_provider_approves_a_call(
    daemon: LiveDaemon, provider: Provider
) -> None:
    """From the provider to the agent that may go on, and to the record."""
    ada = person(daemon)
    scene = Scene(daemon=daemon, person=ada, session="s1")
    answer = scene.approved("docker system prune -af")
    entries = [json.loads(line) for line in daemon.signoff("audit", "export").stdout.splitlines()]
    asked = provider.asked[-1]

    assert "allow" == answer["permissionDecision"]
    assert "oidc:u-1" in {one["approver"] for one in entries if one["verdict"] == "allow"}
    acts = [one for one in entries if one.get("kind") == "admin"]
    assert ("oidc:u-1", "sign-in.oidc") == (
        acts[-1]["approver"],
        acts[-1]["action_redacted"]["command"],
    )
    assert ("S256", "login", "300") == (
        asked["code_challenge_method"],
        asked["prompt"],
        asked["max_age"],
    )


@pytest.mark.parametrize(
    ("groups", "answered", "exported", "managed"),
    [
        (["staff"], 403, 403, 403),
        (["audit", "staff"], 403, 200, 403),
        (["payments"], 0, 200, 403),
        (["admins"], 0, 200, 0),
    ],
)
def test_claims_give_a_role(
    daemon: LiveDaemon,
    provider: Provider,
    groups: list[str],
    answered: int,
    exported: int,
    managed: int,
) -> None:
    """The server holds each to it; 0 = anything but a refusal of the role."""
    provider.claims = {"sub": f"u-{groups[0]}", "groups": groups}
    who = person(daemon)
    answer = post(daemon, "/web/requests/none/answer", who.cookie, token=who.token)
    export = daemon.request("GET", "/web/audit/export", headers={"Cookie": who.cookie})
    policy = post(daemon, "/web/policies/remove", who.cookie, token=who.token, id="pol_9")

    assert (answered == 403) == ("that takes the role" in answer.body.decode())
    assert exported == export.status
    assert (managed == 403) == ("that takes the role" in policy.body.decode())


def claims(**changed: object) -> Callable[[Claims, dict[str, Any]], None]:
    """Return what changes claims of a token."""
    return lambda said, _: said.update(changed)


def dropped(name: str) -> Callable[[Claims, dict[str, Any]], None]:
    """Return what leaves a claim out."""

    def drop(said: Claims, _: dict[str, Any]) -> None:
        said.pop(name)

    return drop


def unsigned(_: Claims, signing: dict[str, Any]) -> None:
    """Sign nothing."""
    signing.update(algorithm="none", key=None)


def symmetric(_: Claims, signing: dict[str, Any]) -> None:
    """Sign by a secret that anybody could take."""
    signing.update(algorithm="HS256", key="k" * 32)


def unknown_key(_: Claims, signing: dict[str, Any]) -> None:
    """Name a key the provider does not publish."""
    signing.update(kid="k2")


BAD_TOKENS: dict[str, Callable[[Claims, dict[str, Any]], None]] = {
    "issuer": claims(iss="https://login.example"),
    "audience": claims(aud="another-client"),
    "several audiences": claims(aud=[CLIENT, "another-client"]),
    "party": claims(azp="another-client"),
    "expired": claims(exp=int(time.time()) - 3_600),
    "not yet": claims(iat=int(time.time()) + 3_600, nbf=int(time.time()) + 3_600),
    "nonce": claims(nonce="another"),
    "no nonce": dropped("nonce"),
    "no expiry": dropped("exp"),
    "old session": claims(auth_time=int(time.time()) - 7_200),
    "no auth_time": dropped("auth_time"),
    "unsigned": unsigned,
    "symmetric": symmetric,
    "unknown key": unknown_key,
    "no role": claims(groups=["visitors"]),
    "no groups": claims(groups={"payments": True}),
    "nobody": claims(sub=""),
}


@pytest.mark.parametrize("change", BAD_TOKENS.values(), ids=list(BAD_TOKENS))
def test_a_token_that_is_not_good_signs_nobody_in(
    daemon: LiveDaemon, provider: Provider, change: Callable[[Claims, dict[str, Any]], None]
) -> None:
    """The same way with an unchanged token is the control, in between."""
    provider.change = change
    refused = came_back(daemon)
    provider.change = lambda _, __: None

    assert (400, True) == (refused.status, "location" not in refused.headers)
    assert 303 == came_back(daemon).status


def test_a_token_signed_by_another_key_signs_nobody_in(
    daemon: LiveDaemon, provider: Provider
) -> None:
    """Under the name of the right one."""
    provider.change = lambda _, signing: signing.update(key=provider.other)

    assert 400 == came_back(daemon).status


def test_a_sign_in_belongs_to_its_browser_and_works_once(
    daemon: LiveDaemon, provider: Provider
) -> None:
    """No stolen address, no forged state, no second use, no answer of another provider."""
    cookie, address = begun(daemon)
    back = get(address).headers["Location"]
    other, _ = begun(daemon)
    state = urlsplit(back).query.partition("state=")[2].partition("&")[0]
    forged = {
        "another browser": get(back, other),
        "no browser": get(back),
        "another state": get(back.replace(state, "x" * len(state)), cookie),
    }
    doubled = get(f"{back}&state={state}", cookie)
    first, second = get(back, cookie), get(back, cookie)
    cookie, address = begun(daemon)
    back = get(address).headers["Location"]
    mixed = get(back.replace(urlencode({"iss": provider.issuer}), "iss=https://x.example"), cookie)

    assert {400} == {one.status for one in forged.values()}
    assert (400, 303, 400, 400) == (doubled.status, first.status, second.status, mixed.status)


def test_only_its_two_addresses_are_served_under_localhost(daemon: LiveDaemon) -> None:
    """The inbox itself keeps the name nobody can guess."""
    plain = f"http://localhost:{daemon.port}"
    paths = ("/web/", "/web/sign-in", "/web/audit/export")

    assert {403} == {get(f"{plain}{path}").status for path in paths}
    assert 403 == get(f"{plain}{BEGIN}", host="evil.example").status
    assert 303 == get(f"{plain}{BEGIN}").status


def test_a_provider_under_another_name_is_refused(home: Path, provider: Provider) -> None:
    """One that describes itself as somebody else (mix-up)."""
    provider.told_issuer = "https://login.example"
    with asking_on_the_web(home, ASKS + section(provider)) as daemon:
        reply = get(f"http://localhost:{daemon.port}{BEGIN}")

    assert (400, True) == (reply.status, b"calls itself" in reply.body)


def test_a_provider_that_an_agent_names_waits_for_an_admin(home: Path, provider: Provider) -> None:
    """An edit of `signoff.yaml` lets nobody in; an admin who confirms it does."""
    with asking_on_the_web(home, ASKS) as daemon:
        wait_until(lambda: (daemon.state / "confirmed.json").exists())
    (daemon.config / "signoff.yaml").write_text(ASKS + section(provider))
    with served(home) as again:
        provider.redirects.add(f"http://localhost:{again.port}{CALLBACK}")
        begin = f"http://localhost:{again.port}{BEGIN}"
        before = get(begin)
        wait_until(lambda: "CHANGED OUTSIDE: sign_in" in again.signoff("status").stdout)
        owner = at_inbox(again)
        found = re.search(r"\b[2-9A-Z]{4}-[2-9A-Z]{4}\b", owner.get("/web/policies"))
        assert found is not None
        code = {"token": owner.token, "code": found[0]}
        done = post(again, "/web/changes/confirm", owner.cookie, **code)
        after = get(begin)

    assert (400, True) == (before.status, b"waits for an admin" in before.body)
    assert (303, 303) == (done.status, after.status)
