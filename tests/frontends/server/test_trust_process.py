"""Trust in agents and a real daemon: off until switched on, lowered at once, begun anew."""

from __future__ import annotations

import json
from pathlib import Path

from inbox_caller import ASKS_ON_THE_WEB, Scene, asking_on_the_web, at_inbox
from live_daemon import LiveDaemon, served, wait_until
from own_terminal import typed_code

from signoff.frontends.client.places import Places
from signoff.frontends.server.control import ask

ASKED = "docker system prune -af"


def trust_in(daemon: LiveDaemon, domain: str) -> dict[str, object]:
    """Return the row of Claude Code in a domain, {} if there is none."""
    rows = json.loads(daemon.signoff("trust", "--json").stdout)
    found = [row for row in rows if (row["agent"], row["domain"]) == ("claude-code", domain)]
    return found[0] if found else {}


def test_trust_from_start_to_end(home: Path) -> None:
    """An approval is counted, an incident and a revocation hold at once and outlive a restart."""
    with asking_on_the_web(home, f"{ASKS_ON_THE_WEB}trust: {{enabled: true}}\n") as daemon:
        scene = Scene(daemon=daemon, person=at_inbox(daemon), session="s1")
        scene.approved(ASKED)
        wait_until(lambda: trust_in(daemon, "infrastructure").get("approved") == 1)
        before = trust_in(daemon, "infrastructure")
        told = daemon.signoff("trust", "incident", "claude-code", "--note", "wrong host")
        after = trust_in(daemon, "infrastructure")
        daemon.signoff("trust", "revoke", "claude-code", "--domain", "infrastructure")
        revoked = trust_in(daemon, "infrastructure")
        page = scene.person.get("/web/trust")
        figures = ask(Places(str(daemon.state)), "/v1/oversight")

        assert '"approved": 1' in json.dumps(figures["approvers"])
        assert "wrong host" in told.stdout
        assert abs(0.7 * float(str(before["trust"])) - float(str(after["trust"]))) < 0.001
        assert (0.0, True) == (revoked["trust"], revoked["is_revoked"])
        assert "revoked" in page and "wrong host" in page
        assert 404 == daemon.request("POST", "/v1/trust", b'{"restore": "claude-code"}').status
        refused = daemon.act("signoff trust restore claude-code", session_id="s2")
        assert "deny" == refused.said["verdict"]

    with served(home) as daemon:
        kept = trust_in(daemon, "infrastructure")
        piped = daemon.signoff("trust", "restore", "claude-code")
        status, said = typed_code(daemon, "trust", "restore", "claude-code", after="anew")
        again = daemon.signoff("trust", "restore", "claude-code", "--domain", "cooking")
        acts = {act for act, _, _, how in daemon.acts() if how.startswith("claude-code")}

    assert (True, 1) == (kept["is_revoked"], kept["approved"])
    assert 2 == piped.returncode == again.returncode
    assert (0, True) == (status, "begins anew" in said), said
    assert {"trust.incident", "trust.revoke", "trust.restore"} <= acts


def test_trust_is_off_until_it_is_switched_on(home: Path) -> None:
    """Nothing is shown, taken or left as a warning; the page says how to switch it on."""
    with asking_on_the_web(home) as daemon:
        listed = daemon.signoff("trust")
        taken = daemon.signoff("trust", "incident", "claude-code")
        revoked = daemon.signoff("trust", "revoke", "claude-code")
        page = at_inbox(daemon).get("/web/trust")
        state = daemon.signoff("status")

    assert "is not changed" not in state.stdout + state.stderr
    assert (2, 2, 2) == (listed.returncode, taken.returncode, revoked.returncode)
    assert "trust: {enabled: true}" in listed.stderr + listed.stdout
    assert "Trust is off" in page
