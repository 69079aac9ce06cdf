"""The inbox of the service under a public name: over its socket, as a TLS proxy reaches it."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from public_inbox import NAME, Proxy, public_machine
from service_machine import AGENT, why_not

from signoff.frontends.client.service_layout import LAYOUT

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")
TYPED = re.compile(r"type this code: (\S+)")


@pytest.fixture(scope="module")
def proxy() -> Iterator[Proxy]:
    """Return a proxy before a service that runs."""
    with public_machine() as machine, machine.started():
        yield Proxy(machine)


def test_the_cookie_is_for_this_host_over_tls_alone(proxy: Proxy) -> None:
    """No other host, port or plain page gets it, and the browser keeps to TLS."""
    found = TYPED.search(proxy.machine.at_terminal("root", "open", "--public"))
    assert found is not None
    reply = proxy.post("/web/sign-in", code=found[1])
    name, *attributes = reply.headers["set-cookie"].lower().split("; ")

    assert name.startswith("__host-signoff=")
    assert {"secure", "httponly", "path=/", "samesite=strict"} <= set(attributes)
    assert not any(one.startswith("domain") for one in attributes)
    assert "strict-transport-security" in reply.headers


def test_who_is_signed_in_sees_and_changes(proxy: Proxy) -> None:
    """With cookie and token; the cookie alone changes nothing."""
    cookie, token = proxy.signed_in()
    without = proxy.post("/web/locks/add", cookie, target="all")

    assert (200, 403) == (proxy.get("/web/", cookie).status, without.status)
    assert 303 == proxy.post("/web/sign-out", cookie, token=token).status
    assert 303 == proxy.get("/web/", cookie).status


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost"},
        {"Host": f"{NAME}:8443"},
        {"Host": "127.0.0.1"},
        {"Host": f"x.{NAME}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://other.example.com"},
        {"Origin": f"http://{NAME}"},
    ],
)
def test_what_comes_from_elsewhere_is_refused(proxy: Proxy, headers: dict[str, str]) -> None:
    """Other names, and pages of others."""
    cookie, _ = proxy.signed_in()

    assert 403 == proxy.get("/web/", cookie, **headers).status


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/actions"),
        ("POST", "/hooks/claude-code"),
        ("GET", "/v1/status"),
        ("GET", "/metrics"),
        ("GET", "/healthz"),
        ("POST", "/v1/sign-in-links"),
        ("POST", "/v1/seals"),
    ],
)
def test_nothing_but_the_inbox_is_served(proxy: Proxy, method: str, path: str) -> None:
    """Not even with the token of this machine."""
    token = proxy.machine.run(["cat", f"{LAYOUT.state}/token"], user="root").stdout.strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    assert 403 == proxy.ask(method, path, headers, "{}").status


def test_codes_are_good_at_their_own_address_only(proxy: Proxy) -> None:
    """Wrong guesses from outside void no code of this machine."""
    shown = proxy.machine.at_terminal("root", "open")
    found = TYPED.search(shown)
    assert found is not None
    guesses = [proxy.post("/web/sign-in", code=found[1]).status for _ in range(12)]

    assert {403} == set(guesses)
    local = re.search(r"http://([^/]+)/web", shown)
    assert local is not None
    link = http.client.HTTPConnection("127.0.0.1", proxy.machine.port, timeout=60)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    here = {"Host": local[1], "Origin": f"http://{local[1]}", **form}
    link.request("POST", "/web/sign-in", urlencode({"code": found[1]}), here)
    with link.getresponse() as answer:
        assert 200 == answer.status
    link.close()


def test_an_agents_user_gets_no_link(proxy: Proxy) -> None:
    """It is no approver."""
    assert NAME not in proxy.machine.at_terminal(AGENT, "open", "--public")
