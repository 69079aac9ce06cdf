"""The page of what was learned: an admin accepts a proposal with one press, others only look."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from inbox_station import Station

from signoff.effects.store import RecordDraft

PUSH = "git push --force-with-lease origin topic"


@pytest.fixture
def learned(empty: Station) -> Station:
    """Return an inbox whose log has three approvals of one call in it."""
    project = empty.folder / "app"
    (project / ".git").mkdir(parents=True)
    approval = RecordDraft(
        content={
            "ts": datetime.now(UTC).isoformat(timespec="microseconds"),
            "tool": "Bash",
            "session": "s1",
            "cwd": str(project),
            "verdict": "allow",
            "decided_by": "web",
            "leaning": "ask",
            "approver": "ada",
            "action_redacted": {"command": PUSH},
        }
    )
    empty.store.append_batch([approval] * 3)
    return empty


def rules_of(station: Station) -> Path:
    """Return the user's rules file."""
    return station.folder / "config" / "rules.yaml"


def id_on(page: str) -> str:
    """Return the id of the proposal on a page."""
    found = re.search(r"prop_[0-9a-f]{8}", page)
    assert found is not None, page
    return found[0]


def test_an_admin_accepts_and_removes_with_one_press(learned: Station) -> None:
    """The rule stands in the user's rules file from then on."""
    ada, rules = learned.signed_in("ada"), rules_of(learned)
    id = id_on(ada.get("/web/learned").text)

    assert "/web/learned" == ada.post("/web/learned/accept", id=id, days="7").location
    shown, written = ada.get("/web/learned").text, rules.read_text()
    name = re.findall(r"learned-git-push-[0-9a-f]{8}", shown)[0]
    ada.post("/web/learned/remove", id=name)

    assert "accepted by ada (web)" in written and PUSH in written
    assert "Nothing is proposed" in shown and "unused" in shown
    assert name not in rules.read_text()
    assert "removed by ada (web)" in ada.get("/web/learned").text


@pytest.mark.parametrize("person", ["bob", "vic"])
@pytest.mark.parametrize("act", ["accept", "dismiss", "remove"])
def test_others_only_look(learned: Station, person: str, act: str) -> None:
    """They see no button, and a form of their own is refused."""
    visitor = learned.signed_in(person)
    page = visitor.get("/web/learned").text
    id = id_on(page)
    assert f"/web/learned/{act}" not in page
    assert 403 == visitor.post(f"/web/learned/{act}", id=id).status
    assert not rules_of(learned).exists()


def test_a_proposal_that_is_dismissed_is_gone(learned: Station) -> None:
    """Also on the next visit; what is not there cannot be accepted."""
    ada = learned.signed_in("ada")
    id = id_on(ada.get("/web/learned").text)
    ada.post("/web/learned/dismiss", id=id)
    assert "Nothing is proposed" in ada.get("/web/learned").text
    assert 400 == ada.post("/web/learned/accept", id="prop_00000000").status
    assert 400 == ada.post("/web/learned/accept", id=id, days="31").status
