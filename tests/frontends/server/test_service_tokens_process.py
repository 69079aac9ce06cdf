"""Service tokens and a real daemon: an admin makes them, they are good for their scope and time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from live_daemon import LiveDaemon, served
from own_terminal import typed_code

from signoff.frontends.server.wire.service_tokens import (
    FILE,
    PATHS,
    ServiceToken,
    ServiceTokens,
    TokenScope,
)

CALL = json.dumps({"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/"}).encode()
ROUTES = {
    ("POST", "/v1/actions"): TokenScope.DECIDE,
    ("GET", "/v1/actions/none"): TokenScope.DECIDE,
    ("POST", "/v1/inspections"): TokenScope.DECIDE,
    ("GET", "/v1/status"): TokenScope.READ,
    ("GET", "/v1/sessions"): TokenScope.READ,
    ("GET", "/openapi.json"): TokenScope.READ,
    ("GET", "/metrics"): TokenScope.METRICS,
    # Good for no scope: hooks, outcomes, and what is served on the Unix socket alone.
    ("POST", "/hooks/claude-code"): None,
    ("POST", "/v1/calls/outcome"): None,
    ("POST", "/v1/tokens"): None,
    ("POST", "/v1/seals"): None,
}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a running daemon."""
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


def made(daemon: LiveDaemon, scope: TokenScope, *, typed: str = "") -> tuple[int, str]:
    """Make a token at a terminal; return the exit status and the token."""
    words = ("tokens", "create", f"for-{scope}", "--scope", scope, "--days", "7")
    status, shown = typed_code(daemon, *words, after="7 days", typed=typed)
    found = re.search(r"signoff_[\w-]{43}", shown)
    return status, found[0] if found else ""


def status_of(daemon: LiveDaemon, method: str, path: str, token: str) -> int:
    """Return how a route answers to a token."""
    headers = {"Authorization": f"Bearer {token}"}
    body = CALL if method == "POST" else None
    # A hook answers in its host's form, under 200, and says no there.
    reply = daemon.request(method, path, body, headers=headers)
    return 401 if b"no good token" in reply.body else reply.status


def test_a_token_is_good_for_its_scope_alone(daemon: LiveDaemon) -> None:
    """Each route by each scope; then it is revoked."""
    tokens = {scope: made(daemon, scope)[1] for scope in TokenScope}
    for (method, path), wanted in ROUTES.items():
        let_in = {
            scope
            for scope, one in tokens.items()
            if status_of(daemon, method, path, one) not in (401, 403)
        }
        # Known, and not good for this: but a hook is told in its host's form.
        refused = {status_of(daemon, method, path, tokens[one]) for one in {*tokens} - let_in}
        assert refused == ({401} if path.startswith("/hooks/") else {403}), path
        assert status_of(daemon, method, path, "signoff_" + "a" * 43) == 401
        assert ({wanted} if wanted else set()) == let_in, path
    listed = json.loads(daemon.signoff("tokens", "list", "--json").stdout)
    ids = {one["name"]: one["id"] for one in listed}
    gone = daemon.signoff("tokens", "revoke", ids["for-read"])
    kept = (daemon.state / FILE).read_text()
    entries = [json.loads(line) for line in daemon.signoff("audit", "export").stdout.splitlines()]
    acts = [one["action_redacted"]["command"] for one in entries if one.get("kind") == "admin"]

    assert 0 == gone.returncode
    assert 401 == status_of(daemon, "GET", "/v1/status", tokens[TokenScope.READ])
    assert 200 == status_of(daemon, "GET", "/metrics", tokens[TokenScope.METRICS])
    assert not [one for one in tokens.values() if one in kept]
    assert ["token.create"] * 3 + ["token.revoke"] == acts


def test_no_token_without_an_admin_at_a_terminal(daemon: LiveDaemon) -> None:
    """Neither by a wrong code nor by a command of a program."""
    before = daemon.signoff("tokens", "list").stdout
    wrong, token = made(daemon, TokenScope.READ, typed="AAAAAA")
    alone = daemon.signoff("tokens", "create", "x", "--scope", "read")

    assert (2, "", 2) == (wrong, token, alone.returncode)
    assert before == daemon.signoff("tokens", "list").stdout


def test_an_expired_token_and_a_damaged_file_let_nobody_in(tmp_path: Path) -> None:
    """The same token is good before (positive control)."""
    tokens = ServiceTokens(str(tmp_path))
    new = ServiceToken(
        id="1", name="ci", scopes=(TokenScope.READ,), created_by="ada", expires_s=time.time() + 99
    )
    secret = tokens.create(new)
    good = tokens.objection(secret, "/v1/status")
    kept = tokens.listed()[0]
    over = msgspec.structs.replace(kept, expires_s=time.time() - 1)
    (tmp_path / FILE).write_bytes(msgspec.json.encode([over]) + b" ")
    expired = tokens.objection(secret, "/v1/status")
    (tmp_path / FILE).write_text("{")

    assert ("", "token") == (good, expired)
    assert "token" == tokens.objection(secret, "/v1/status")
    assert "token" == tokens.objection(kept.digest, "/v1/status")


def test_no_scope_answers_a_request() -> None:
    """Nobody signs by a token: no path of the inbox, of seals or of switches is in any scope."""
    paths = [path for one in PATHS.values() for path in one]

    assert not [one for one in paths if one.startswith(("/web", "/v1/seals", "/v1/tokens"))]
