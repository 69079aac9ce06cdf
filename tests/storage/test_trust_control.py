"""Incidents and revocations are sealed with what an admin confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.challenge.terms.mode import Mode
from signoff.effects.learning.trust_ledger import ALL_REVOKED, TrustLedger
from signoff.storage.confirmed.head import ConfirmedHead, SealedEnforcement, StandingState
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.confirmed.outside import Sources
from signoff.storage.confirmed.trust_control import NoTrust, TrustControl

KEY = b"a key of thirty-two bytes, only!"


def in_force(path: Path, mode: Mode = Mode.REMOTE) -> InForce:
    """Return what is in force, started anew from a file."""
    sources = Sources(tuple, lambda: mode, tuple, tuple)
    made = InForce(sources, ConfirmedHead(str(path), KEY), lambda _: None)
    made.start()
    return made


def control(standing: InForce, told: list[str]) -> TrustControl:
    """Return what changes trust."""
    book = TrustLedger(lambda: standing.standing.trust)
    return TrustControl(book, standing, tell=told.append)


def test_incidents_outlive_the_daemon(tmp_path: Path) -> None:
    """They add up, and everybody is told."""
    told: list[str] = []
    first = control(in_force(tmp_path / "confirmed.json"), told)
    first.incident("claude-code", "databases", by="ada", note="dropped a table")
    first.incident("claude-code", "databases", by="bob")
    first.revoke("codex", by="ada")

    marks = in_force(tmp_path / "confirmed.json").standing.trust

    assert [("claude-code", 2, False), ("codex", 0, True)] == [
        (one.agent, one.incidents, one.is_revoked) for one in marks
    ]
    assert 3 == len(told) and "dropped a table" in told[0]
    outside = SealedEnforcement(str(tmp_path / "confirmed.json"), lambda: KEY)
    assert marks == outside.trust()


def test_a_new_start_forgets_incidents(tmp_path: Path) -> None:
    """And what was earned before."""
    standing = in_force(tmp_path / "confirmed.json")
    at = control(standing, [])
    at.revoke("claude-code", by="ada")
    at.restore("claude-code", by="ada")
    (mark,) = standing.standing.trust
    assert (0, False, True) == (mark.incidents, mark.is_revoked, mark.since_s > 0)


def test_nobody_is_trusted_after_the_seal_was_broken(tmp_path: Path) -> None:
    """In the daemon and beside it: the incidents may be gone."""
    path = tmp_path / "confirmed.json"
    control(in_force(path), []).incident("claude-code", by="ada")
    path.write_bytes(path.read_bytes().replace(b'"incidents":1', b'"incidents":0'))

    outside = SealedEnforcement(str(path), lambda: KEY).trust()

    assert (ALL_REVOKED,) == in_force(path).standing.trust == outside


@pytest.mark.parametrize("is_marked", [True, False])
def test_nobody_is_trusted_after_the_file_is_gone(tmp_path: Path, *, is_marked: bool) -> None:
    """It is no milder than a broken seal; an older version left no mark, the next start does."""
    path, mark = tmp_path / "confirmed.json", tmp_path / "seen" / "confirmed.json"
    first = in_force(path).standing.trust
    if not is_marked:
        mark.unlink()
        in_force(path)
    path.unlink()

    outside = SealedEnforcement(str(path), lambda: KEY).trust()

    assert () == first
    assert (ALL_REVOKED,) == in_force(path).standing.trust == outside


@pytest.mark.parametrize("is_damaged", [True, False])
def test_the_mode_waits_for_an_admin_after_the_seal_was_lost(
    tmp_path: Path, *, is_damaged: bool
) -> None:
    """Whoever loses the seal must not have fewer people asked; the first start needs no admin."""
    path = tmp_path / "confirmed.json"
    before = in_force(path, Mode.LOCAL).standing.mode
    if is_damaged:
        path.write_bytes(path.read_bytes()[:-2])
    else:
        path.unlink()

    found = in_force(path, Mode.LOCAL)
    found.look()

    assert (Mode.LOCAL, Mode.REMOTE) == (before, found.standing.mode)
    assert ["mode"] == [change.kind.value for change in found.waiting()]


def test_a_file_without_trust_keeps_its_seal(tmp_path: Path) -> None:
    """A file sealed before there was trust is still ours."""
    path = tmp_path / "confirmed.json"
    ConfirmedHead(str(path), KEY).write(StandingState())
    path.write_bytes(path.read_bytes().replace(b',"trust":[]', b""))
    assert StandingState() == ConfirmedHead(str(path), KEY).read()


@pytest.mark.parametrize(
    ("agent", "domain", "note"),
    [("", "", ""), ("a" * 201, "", ""), ("a", "cooking", ""), ("a", "", "n" * 501)],
)
def test_what_cannot_be_taken_is_refused(
    tmp_path: Path, agent: str, domain: str, note: str
) -> None:
    """Nothing is kept of it."""
    standing = in_force(tmp_path / "confirmed.json")
    with pytest.raises(NoTrust):
        control(standing, []).incident(agent, domain, by="ada", note=note)
    assert () == standing.standing.trust


def test_nothing_is_taken_where_trust_is_off(tmp_path: Path) -> None:
    """The message says how to switch it on."""
    off = TrustControl(None, in_force(tmp_path / "confirmed.json"), tell=lambda _: None)
    with pytest.raises(NoTrust, match="trust is off"):
        off.incident("claude-code", by="ada")
