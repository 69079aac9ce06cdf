"""Every route of the inbox by every role, over real sockets: who may not gets 403."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_station import MEDIUM, Browser, Station, running

from signoff.challenge.terms.approver import ApproverRole
from signoff.effects.admin_acts import KIND
from signoff.frontends.web.routes import ENDPOINTS, WebRoute, is_allowed
from signoff.storage.reading import content_of

# Written out here, so that a route that is opened by mistake fails.
ADMIN_ONLY = {
    "/web/lines/{name}",
    "/web/softer-lines/keep",
    "/web/softer-lines/remove",
    "/web/policies/add",
    "/web/policies/edit",
    "/web/policies/remove",
    "/web/mode",
    "/web/changes/confirm",
    "/web/learned/accept",
    "/web/learned/dismiss",
    "/web/learned/remove",
    "/web/trust/restore",
}
APPROVERS = {
    "/web/requests/{id}/answer",
    "/web/requests/{id}/passkey",
    "/web/questions/{id}/answer",
    "/web/grants/revoke",
    "/web/trust/incident",
    "/web/trust/revoke",
    "/web/locks/add",
}
AUDITORS = {"/web/audit/export"}
OWN = {  # of everybody but auditors: their passkeys, and that a card was shown to them
    "/web/requests/{id}/seen",
    "/web/passkeys/prove",
    "/web/passkeys/options",
    "/web/passkeys/add",
    "/web/passkeys/remove",
    "/web/passkeys/codes",
}
NO_ACTS = {
    *("/web/requests/{id}/seen", "/web/requests/{id}/answer", "/web/requests/{id}/passkey"),
    *("/web/questions/{id}/answer", "/web/sign-out", "/web/passkeys/prove"),
    "/web/passkeys/options",
}


@pytest.fixture(scope="module")
def station(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Station]:
    """Return a running inbox."""
    with running(tmp_path_factory.mktemp("inbox")) as found:
        yield found


def expected(route: WebRoute) -> set[str]:
    """Return who may use a route."""
    if route.path in ADMIN_ONLY:
        return {"ada"}
    if route.path in APPROVERS:
        return {"ada", "bob"}
    if route.path in AUDITORS:
        return {"ada", "bob", "aud"}
    return {"ada", "bob", "vic"} if route.path in OWN else {"ada", "bob", "vic", "aud"}


def is_refused(browser: Browser, route: WebRoute) -> bool:
    """Send a request of this route; tell whether the role is what refuses it."""
    path = route.path.replace("{seq:int}", "1").replace("{id}", "none").replace("{name}", "x.y")
    reply = browser.post(path) if route.method == "POST" else browser.get(path)
    return reply.status == 403 and "that takes the role" in reply.text


@pytest.mark.parametrize(
    "route", [one for one in ENDPOINTS if one.path != "/web/events"], ids=lambda one: one.path
)
def test_every_route_takes_its_role(station: Station, route: WebRoute) -> None:
    """The server decides, whatever buttons a page shows."""
    people = ["vic", "aud", "bob", "ada"]
    let_in = {who for who in people if not is_refused(station.signed_in(who), route)}

    assert expected(route) == let_in


def test_a_request_is_answered_by_an_approver_only(station: Station) -> None:
    """A viewer and an auditor change nothing; then an approver does (positive control)."""
    call = station.ask(MEDIUM)
    replies = [station.signed_in(who).answer_at_once(call, "approve") for who in ("vic", "aud")]
    is_open = call.request.state.is_open
    station.signed_in("bob").answer(call, "approve")

    assert [403, 403] == [one.status for one in replies]
    assert is_open
    assert "allow" == call.result()["verdict"]


def test_nobody_without_a_session_gets_in(station: Station) -> None:
    """No route of the table is open."""
    for route in ENDPOINTS:
        path = route.path.replace("{seq:int}", "1").replace("{id}", "none").replace("{name}", "x")
        if route.method == "POST":
            assert 401 == station.post(path, {}, {}).status, path
        else:
            assert 401 == station.request("GET", path).status, path


def test_every_change_is_an_act_or_named_here() -> None:
    """A new route that changes signoff is on the audit log, or a test says why not."""
    changes = {one.path for one in ENDPOINTS if one.method == "POST"}

    assert changes - {one.path for one in ENDPOINTS if one.act} == NO_ACTS


def test_an_act_is_on_the_audit_log_before_it_is_done(tmp_path: Path) -> None:
    """With who did it; what cannot be recorded is not done."""
    with running(tmp_path) as station:
        ada = station.signed_in("ada")
        first = ada.post("/web/policies/add", text="tests may run", tool="Bash")
        entries = [content_of(one) for one in station.store.entries()]
        station.store.close()
        path = Path(station.store.path)
        path.write_bytes(b"no database")
        second = ada.post("/web/policies/add", text="deploys may run", tool="Bash")
        policies = [one.text for one in station.parts.policies.listed()]

    acts = [one for one in entries if one.get("kind") == KIND]
    assert [("ada", "web", {"command": "policy.add"})] == [
        (one["approver"], one["channel"], one["action_redacted"]) for one in acts
    ]
    assert (303, 400) == (first.status, second.status)
    assert ["tests may run"] == policies


def test_roles_are_in_order() -> None:
    """Each may see what the one before may."""
    order = [ApproverRole.VIEWER, ApproverRole.AUDITOR, ApproverRole.APPROVER, ApproverRole.ADMIN]
    reads = [one for one in ENDPOINTS if one.method == "GET"]
    counts = [sum(is_allowed(role, one) for one in reads) for role in order]

    assert sorted(counts) == counts
