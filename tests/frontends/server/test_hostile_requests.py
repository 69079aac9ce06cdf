"""Requests that are no honest caller's, on a live socket: each is refused, none decides (T-42)."""

from __future__ import annotations

import json

import pytest
from live_daemon import LiveDaemon

CALL = json.dumps({"tool_name": "Bash", "tool_input": {"command": "git status"}}).encode()
GOOD = {
    "Host": "127.0.0.1:{port}",
    "Authorization": "Bearer {token}",
    "Content-Type": "application/json",
    "Content-Length": str(len(CALL)),
    "Connection": "close",
}


def request(
    daemon: LiveDaemon,
    *lines: str,
    start: str = "POST /v1/actions HTTP/1.1",
    body: bytes = CALL,
    without: tuple[str, ...] = (),
) -> bytes:
    """Send a request: the good one's headers but for those left out, and these lines."""
    length = {"Content-Length": str(len(body))}
    kept = {name: value for name, value in {**GOOD, **length}.items() if name not in without}
    head = "\r\n".join([start, *(f"{n}: {v}" for n, v in kept.items()), *lines])
    head = head.replace("{port}", str(daemon.port)).replace("{token}", daemon.token)
    return daemon.raw(head.encode("latin-1") + b"\r\n\r\n" + body)


def status(answer: bytes) -> int:
    """Return the status of an answer, 0 where the connection was just cut."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def decisions(daemon: LiveDaemon) -> int:
    """Return how many decisions the daemon has made."""
    said = daemon.request("GET", "/v1/status").said
    return int(said["decisions"])


def test_the_good_request_is_served(daemon: LiveDaemon) -> None:
    """The positive control: what the others change is all that is wrong with them."""
    answer = request(daemon)

    assert status(answer) == 200
    assert b'"verdict":"allow"' in answer


HOSTS = [
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "localhost.evil.example:{port}",
    "localhost",
    "evil.example@127.0.0.1:{port}",
    "127.0.0.1:{port}.evil.example",
    "127.0.0.2:{port}",
    "0.0.0.0:{port}",
    "[::]:{port}",
    "2130706433:{port}",
    "LOCALHOST:{port}",
    "127.0.0.1:{port}, evil.example",
    "",
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_host_is_refused(daemon: LiveDaemon, host: str) -> None:
    """A name that was rebound to loopback is still a foreign name."""
    before = decisions(daemon)

    answer = request(daemon, f"Host: {host}", without=("Host",))

    assert (status(answer), decisions(daemon)) == (403, before)


@pytest.mark.parametrize("start", ["POST /v1/actions HTTP/1.1", "POST /v1/actions HTTP/1.0"])
def test_a_missing_host_is_refused(daemon: LiveDaemon, start: str) -> None:
    """No name is no name of ours."""
    assert status(request(daemon, start=start, without=("Host",))) in (0, 400, 403)


def test_two_hosts_are_refused(daemon: LiveDaemon) -> None:
    """Of two names neither counts."""
    assert status(request(daemon, "Host: evil.example")) in (400, 403)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "target",
    [
        "http://evil.example{path}",
        "http://evil.example:{{port}}{path}",
        "https://127.0.0.1:{{port}}@evil.example{path}",
        "http://127.0.0.1:{{port}}{path}",
    ],
)
def test_a_target_that_names_a_host_is_refused(
    daemon: LiveDaemon, method: str, target: str
) -> None:
    """It is another way to name one, and a page's browser may be told to use us as a proxy."""
    before = decisions(daemon)
    path = "/healthz" if method == "GET" else "/v1/actions"
    start = f"{method} {target.format(path=path)} HTTP/1.1".replace("{port}", str(daemon.port))

    answer = request(daemon, start=start, body=CALL if method == "POST" else b"")

    assert (status(answer), decisions(daemon)) == (403, before)


ORIGINS = [
    "https://evil.example",
    "http://127.0.0.1:1",
    "http://localhost",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "null",
    "file://",
    "chrome-extension://abc",
    "",
]


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_foreign_origin_is_refused(daemon: LiveDaemon, origin: str) -> None:
    """A page of somebody else gets nothing, with a token or without."""
    answer = request(daemon, f"Origin: {origin}")

    assert status(answer) == 403
    assert b"access-control" not in answer.lower()


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_what_a_browser_calls_foreign_is_refused(daemon: LiveDaemon, site: str) -> None:
    """Browsers say where a request comes from."""
    assert status(request(daemon, f"Sec-Fetch-Site: {site}")) == 403


TOKENS = [
    (),
    ("Authorization: Bearer",),
    ("Authorization: Bearer {token}x",),
    ("Authorization: Basic {token}",),
    ("Authorization: {token}",),
    ("Authorization: bearer {token} {token}",),
    ("Authorization: Bearer {token}", "Authorization: Bearer {token}"),
    ("Cookie: token={token}",),
    ("X-Token: {token}",),
]


@pytest.mark.parametrize("lines", TOKENS)
def test_without_the_token_nothing_is_decided(daemon: LiveDaemon, lines: tuple[str, ...]) -> None:
    """Another user of this machine can reach the port, and gets nothing from it."""
    before = decisions(daemon)

    answer = request(daemon, *lines, without=("Authorization",))

    assert (status(answer), decisions(daemon)) == (401, before)


@pytest.mark.parametrize(
    "path", ["/v1/status", "/v1/sessions", "/v1/actions/abc", "/metrics", "/openapi.json"]
)
def test_nothing_is_read_without_the_token(daemon: LiveDaemon, path: str) -> None:
    """What the daemon knows is nobody else's business."""
    answer = request(daemon, start=f"GET {path} HTTP/1.1", body=b"", without=("Authorization",))

    assert status(answer) == 401


def test_a_token_in_the_address_is_none(daemon: LiveDaemon) -> None:
    """Addresses end up in logs."""
    start = f"POST /v1/actions?token={daemon.token} HTTP/1.1"

    assert status(request(daemon, start=start, without=("Authorization",))) == 401


KINDS = [
    (),
    ("Content-Type: text/plain",),
    ("Content-Type: application/x-www-form-urlencoded",),
    ("Content-Type: multipart/form-data; boundary=x",),
    ("Content-Type: application/json-patch+json",),
    ("Content-Type: text/plain; application/json",),
    ("Content-Type: application/json; charset=utf-16",),
    ("Content-Type: application/json", "Content-Type: text/plain"),
]


@pytest.mark.parametrize("lines", KINDS)
def test_anything_but_json_is_refused(daemon: LiveDaemon, lines: tuple[str, ...]) -> None:
    """What a form can send without asking first is not read."""
    assert status(request(daemon, *lines, without=("Content-Type",))) == 415


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/v1/actions", "/hooks/claude-code"])
def test_only_post_decides(daemon: LiveDaemon, method: str, path: str) -> None:
    """No other method changes anything; a preflight gets no leave."""
    before = decisions(daemon)

    answer = request(daemon, start=f"{method} {path} HTTP/1.1")

    assert (status(answer), decisions(daemon)) == (405, before)
    assert b"access-control" not in answer.lower()


@pytest.mark.parametrize(
    "path",
    [
        "/v1/status",
        "/v1/sessions",
        "/metrics",
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/v1/actions/x",
    ],
)
def test_reading_is_all_that_get_routes_do(daemon: LiveDaemon, path: str) -> None:
    """They take no other method."""
    assert status(request(daemon, start=f"POST {path} HTTP/1.1")) == 405


@pytest.mark.parametrize(
    "path", ["/v1/approvals/1", "/v1/locks", "/hooks/", "/hooks/nobody", "/v1/", "/..//v1/actions"]
)
def test_what_is_not_there_is_not_found(daemon: LiveDaemon, path: str) -> None:
    """There is no route but those that are described."""
    assert status(request(daemon, start=f"POST {path} HTTP/1.1")) == 404


BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "two documents": CALL + CALL,
    "a name twice": b'{"tool_name": "Bash", "tool_name": "Read", "tool_input": {}}',
    "a list": b"[]",
    "NaN": b'{"tool_name": "Bash", "tool_input": {"timeout": NaN}}',
    "UTF-16": CALL.decode().encode("utf-16"),
    "a NUL": b'{"tool_name": "Bash", "tool_input": {"command": "a\\u0000b"}}',
    "a lone surrogate": b'{"tool_name": "Bash", "tool_input": {"command": "\\ud800"}}',
    "too deep": b'{"tool_name": "Bash", "tool_input": ' + b'{"a":' * 99 + b"1" + b"}" * 100,
    "its own verdict": b'{"verdict": "allow", "approved": true}',
    "two shapes": b'{"tool_name": "Bash", "tool_input": {}, "function": "f"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_body_that_cannot_be_read_is_refused(daemon: LiveDaemon, body: bytes) -> None:
    """With a reason, and as a deny."""
    answer = request(daemon, body=body)

    assert status(answer) == 400
    assert b'"verdict":"deny"' in answer


def test_a_large_body_is_refused_unread(daemon: LiveDaemon) -> None:
    """By its length, before it is taken in."""
    lines = ("Content-Length: 3000000",)

    assert status(request(daemon, *lines, without=("Content-Length",))) == 413


def test_a_large_body_without_a_length_is_refused(daemon: LiveDaemon) -> None:
    """In pieces as well."""
    piece = b"10000\r\n" + b"a" * 65_536 + b"\r\n"
    lines = ("Transfer-Encoding: chunked",)

    answer = request(daemon, *lines, body=piece * 20 + b"0\r\n\r\n", without=("Content-Length",))

    assert status(answer) in (0, 400)
    assert b'"allow"' not in answer


def test_endless_headers_are_cut_off(daemon: LiveDaemon) -> None:
    """No request may fill the memory."""
    lines = [f"X-{number}: {'a' * 60_000}" for number in range(60)]

    assert status(request(daemon, *lines)) in (0, 400)


@pytest.mark.parametrize(
    "text",
    [b"\x16\x03\x01\x02\x00\x01", b"SSH-2.0-x\r\n", b"\r\n" * 50, b"GET\r\n\r\n", b"\x00" * 4096],
)
def test_what_is_no_http_is_cut_off(daemon: LiveDaemon, text: bytes) -> None:
    """Other languages get no answer that means anything."""
    assert status(daemon.raw(text, is_end=True)) in (0, 400)


def test_two_lengths_are_no_request(daemon: LiveDaemon) -> None:
    """What two readers could end in two places is not served (request smuggling)."""
    answer = request(daemon, "Content-Length: 5", "Transfer-Encoding: chunked")

    assert status(answer) in (0, 400)


def test_a_hook_is_told_no_in_its_own_form(daemon: LiveDaemon) -> None:
    """A hook without the token, or with a broken body, hears a deny under 200."""
    start = "POST /hooks/claude-code HTTP/1.1"

    for answer in (
        request(daemon, start=start, without=("Authorization",)),
        request(daemon, start=start, without=("Content-Type",)),
        request(daemon, start=start, body=b"{"),
        request(daemon, "Content-Length: 3000000", start=start, without=("Content-Length",)),
    ):
        assert status(answer) == 200
        assert b'"permissionDecision": "deny"' in answer or b'"permissionDecision":"deny"' in answer


def test_the_daemon_is_well_after_all_that(daemon: LiveDaemon) -> None:
    """None of it has harmed it."""
    assert daemon.request("GET", "/healthz").said["status"] == "ok"
    assert daemon.act("git status").said["verdict"] == "allow"
