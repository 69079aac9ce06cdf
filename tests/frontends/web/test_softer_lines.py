"""A softer policy line from the inbox: tried on the audit log, written by one press, taken back."""

from __future__ import annotations

import re

import pytest
from inbox_station import MEDIUM, Browser, Station

from signoff.errors import BadSettings
from signoff.frontends.web.pages.reports.overview import TRUSTED_AT
from signoff.frontends.web.softening.line_setting import with_line, without_line

LINE = "remote-change.pushed"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"lines:\n  {LINE}: allow\n"),
        ("pack: strict", f"pack: strict\nlines:\n  {LINE}: allow\n"),
        ("lines: {}\n", f"lines: {{{LINE}: allow}}\n"),
        ("lines: {opaque: ask} # x\n", f"lines: {{{LINE}: allow, opaque: ask}} # x\n"),
        (
            "lines:\n    # mine\n    opaque: ask\npack: strict\n",
            f"lines:\n    # mine\n    {LINE}: allow\n    opaque: ask\npack: strict\n",
        ),
    ],
)
def test_a_line_is_written_and_taken_out(before: str, after: str) -> None:
    """All else stays: order, comments, layout."""
    assert after == with_line(before, LINE)
    left = without_line(after, LINE)
    assert LINE not in left
    assert ("opaque" in before, "pack" in before) == ("opaque" in left, "pack" in left)
    assert before.count("#") == left.count("#")


def test_the_last_of_several_lines_in_braces_is_taken_out() -> None:
    """With its comma."""
    assert "lines: {opaque: ask}\n" == without_line(
        f"lines: {{opaque: ask, {LINE}: allow}}\n", LINE
    )


@pytest.mark.parametrize("text", [f"lines: {{{LINE}: ask}}", f"lines:\n  {LINE}: deny\n"])
def test_what_the_user_has_said_stays(text: str) -> None:
    """Neither changed nor taken out."""
    with pytest.raises(BadSettings, match="already"):
        with_line(text, LINE)
    with pytest.raises(BadSettings, match="does not let"):
        without_line(text, LINE)


def answered(station: Station, ada: Browser, *answers: str) -> str:
    """Ask and answer so often; return the policy line that asked."""
    for answer in answers:
        call = station.ask(MEDIUM)
        ada.answer(call, answer)
        call.result()
    shown = ada.get("/web/overview").text
    found = re.search(r'id="line-1"><p><strong><code>([\w.-]+)<', shown)
    assert found is not None
    return found[1]


def test_one_press_writes_what_the_backtest_allows(empty: Station) -> None:
    """Not without the backtest; what it wrote is listed, and another press takes it back."""
    ada = empty.signed_in("ada")
    line = answered(empty, ada, *["approve"] * TRUSTED_AT)
    file = empty.folder / "config" / "signoff.yaml"

    assert f'href="/web/lines/{line}"' in ada.get("/web/overview").text
    assert 400 == ada.post("/web/softer-lines/keep", line=line).status
    tried = ada.get(f"/web/lines/{line}").text
    assert f"<dd>{TRUSTED_AT}</dd>" in tried
    assert MEDIUM in tried
    assert 303 == ada.post("/web/softer-lines/keep", line=line).status
    assert f"{line}: allow" in file.read_text("utf-8")
    assert f"Ask about {line} again" in ada.get("/web/policies").text
    assert 303 == ada.post("/web/softer-lines/remove", line=line).status
    assert not file.exists()


def test_a_line_people_denied_keeps_asking(empty: Station) -> None:
    """The page shows the denied call, has no button, and a forged form writes nothing."""
    ada = empty.signed_in("ada")
    line = answered(empty, ada, "approve", "deny")
    shown = ada.get(f"/web/lines/{line}").text

    assert "Denied by people" in shown
    assert 'action="/web/softer-lines/keep"' not in shown
    refused = ada.post("/web/softer-lines/keep", line=line)
    assert (400, True) == (refused.status, "denied" in refused.text)
    assert not (empty.folder / "config" / "signoff.yaml").exists()


def test_only_an_admin_moves_lines(station: Station) -> None:
    """Looking at the backtest reads the whole log, so that takes one, too."""
    for who in ("bob", "vic"):
        browser = station.signed_in(who)
        assert 403 == browser.get(f"/web/lines/{LINE}").status
        assert 403 == browser.post("/web/softer-lines/keep", line=LINE).status
        assert 403 == browser.post("/web/softer-lines/remove", line=LINE).status


def test_a_request_that_waits_is_one_press_away(empty: Station) -> None:
    """What interrupts most leads to it: there it can be approved for the session."""
    ada = empty.signed_in("ada")
    answered(empty, ada, "approve")
    call = empty.ask(MEDIUM)

    assert f'href="{call.page}">Answer the one that waits' in ada.get("/web/overview").text
    ada.answer(call, "deny")
    call.result()
