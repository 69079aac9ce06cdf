"""What pages show: everything there is, safely, and what to do where there is nothing."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from html.parser import HTMLParser

import pytest
from inbox_station import HIGH, MEDIUM, Call, Station

from signoff.actions.action import Action
from signoff.assess.level import Challenge, Level
from signoff.challenge.card import make_card
from signoff.challenge.pending import NewRequest, PendingRequest
from signoff.challenge.request import Request
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.challenge.visible import FILLERS
from signoff.frontends.hosts.canary import LINE, MARK, SESSION
from signoff.frontends.web.drawing import shown
from signoff.storage.locks.lock import EVERYTHING
from signoff.testing import FakeAssessment

PAGES = ["/web/", "/web/history", "/web/sessions", "/web/rules", "/web/policies", "/web/costs",
         "/web/learned", "/web/audit", "/web/audit?verify=1", "/web/locks"]  # fmt: skip
EVIL = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\x1b[31m\u202e\u200b\r&amp;'
PLAIN = "\n"  # what may stand in a page besides what can be seen


class Text(HTMLParser):
    """Collects the text of a page, its tags and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.names: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append(tag)
        self.names += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All texts."""
        return " ".join(self.texts)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("person", ["ada", "bob", "vic"])
def test_every_page_is_drawn_where_there_is_nothing(
    station: Station, path: str, person: str
) -> None:
    """For everybody who may look."""
    assert 200 == station.signed_in(person).get(path).status


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/web/", "signoff demo"),
        ("/web/history", "signoff install"),
        ("/web/sessions", "signoff doctor"),
        ("/web/policies", "A policy is a sentence"),
        ("/web/learned", "three equal approvals"),
        ("/web/costs", "evaluator"),
        ("/web/locks", "Nothing is locked"),
        ("/web/audit", "None: every approval"),
    ],
)
def test_where_there_is_nothing_the_next_step_is_told(empty: Station, path: str, hint: str) -> None:
    """Each in its own words."""
    assert hint in Text(empty.signed_in("ada").get(path).text).text


def test_the_inbox_lists_what_waits_most_serious_first(empty: Station) -> None:
    """With level, headline and session."""
    for command in (MEDIUM, HIGH):
        empty.ask(command)
    page = empty.signed_in("ada").get("/web/").text

    assert 0 < page.index("Publishes this package") < page.index("Deletes unused containers")


def test_a_request_shows_the_whole_call(station: Station) -> None:
    """However long it is, to its last line."""
    lines = [f"echo line {number}" for number in range(2_000)]
    call = station.ask("\n".join([HIGH, *lines]))
    page = Text(station.signed_in("vic").get(call.page).text).text

    assert [line for line in lines if line not in page] == []


def test_nothing_of_a_request_gets_into_the_markup(station: Station) -> None:
    """Neither tags nor control characters, wherever they stand."""
    given = {"command": f"{HIGH} --tag '{EVIL}'", EVIL: EVIL, "description": EVIL}
    call = station.ask({"tool_name": "Bash", "tool_input": given, "session_id": "s<b>"})
    page = station.signed_in("ada").get(call.page).text
    read = Text(page)
    unsafe = {char for char in page if char not in PLAIN and not char.isprintable()}

    assert (set(), 1, 0) == (unsafe, read.tags.count("script"), read.names.count("onerror"))


def test_what_cannot_be_seen_is_marked(station: Station) -> None:
    """And counted beside the call."""
    call = station.ask(f"{HIGH} --tag 'a\u202eb'")
    page = station.signed_in("ada").get(call.page).text

    assert '<b class="unseen">\\u{202E}</b>' in page
    assert "cannot be seen (1 place)" in page


def test_no_character_gets_into_a_page_unseen() -> None:
    """Whatever there is of them."""
    every = "".join(map(chr, range(0x110000)))
    found = shown(every)

    assert isinstance(found, str)
    assert set() == {c for c in found if not c.isprintable() or ord(c) in FILLERS}


def test_the_agents_words_stand_apart(station: Station) -> None:
    """Marked as not checked."""
    call = station.ask(
        {"tool_name": "Bash", "tool_input": {"command": HIGH, "description": "quite harmless"}}
    )
    page = Text(station.signed_in("ada").get(call.page).text).text

    assert page.index("not checked") < page.index("quite harmless")


def test_a_viewer_is_offered_no_answer(station: Station) -> None:
    """They see everything and answer nothing."""
    call = station.ask(f"{HIGH} --tag viewed")
    page = station.signed_in("vic").get(call.page).text

    assert ("<form" in page.partition("<main")[2], "an approver must answer" in page) == (
        False,
        True,
    )


def test_the_right_answer_is_not_given_away(station: Station) -> None:
    """Nothing in the page tells one choice from another."""
    call = station.ask(f"{HIGH} --tag quizzed")
    page = station.signed_in("ada").get(call.page).text

    quiz = page.partition("<fieldset")[2].partition("How far it reaches")[0]
    labels = re.findall(r'<label class="choice">.*?</label>', quiz)
    shapes = {re.sub(r'"choice\d"|value="\d"|<span>.*</span>', "", label) for label in labels}
    assert (True, 1) == (len(labels) > 2, len(shapes))


def opened(station: Station, text: str) -> PendingRequest:
    """Open a request whose call has one long argument."""
    action = Action(tool="send", arguments={"text": text})
    new = NewRequest(
        id="long",
        nonce="0" * 32,
        digest="1" * 64,
        action=action.canonical_bytes,
        card=make_card(Request(action=action, assessment=FakeAssessment(action=action))),
        level=Level.MEDIUM,
        challenge=Challenge.CONFIRM,
        steps=(ProofStep(kind=ProofKind.CONFIRM),),
    )
    return station.now(station.parts.requests.open(new))


def test_a_call_nobody_reads_can_only_be_denied(station: Station) -> None:
    """There is no form to approve it, and none is taken."""
    ada = station.signed_in("ada")
    call = Call(station=station, number="", request_id=opened(station, "word " * 45_000).id)
    page = ada.get(call.page).text
    reply = ada.answer(call, "approve", choice0="0")

    assert ('id="approve"' in page, reply.status, call.request.state.value) == (
        False,
        422,
        "pending",
    )


def decided(station: Station, *commands: str, session: str = "h1") -> None:
    """Have calls decided."""
    for command in commands:
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "session_id": session}
        station.request(
            "POST",
            "/v1/actions",
            json.dumps({**call, "cwd": str(station.folder)}).encode(),
            headers=station.program,
        )


@pytest.fixture(scope="module")
def history(station: Station) -> Station:
    """Return an inbox with a history of over one page."""
    decided(station, "rm -rf /", *(f"echo number {n}" for n in range(60)), "echo 'needle &lt;'")
    return station


def test_history_is_paged(history: Station) -> None:
    """Fifty at a time, newest first."""
    ada = history.signed_in("ada")
    first = ada.get("/web/history?session=h1")
    older = first.text.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0]
    second = ada.get("/web/history" + older.replace("&amp;", "&"))

    assert ("number 59" in first.text, "number 0<" in first.text) == (True, False)
    assert ("number 59" in second.text, "number 0<" in second.text) == (False, True)


@pytest.mark.parametrize(
    ("query", "shows", "hides"),
    [
        ("verdict=deny", "rm -rf /", "echo number"),
        ("verdict=allow&session=h1", "echo number", "rm -rf /"),
        ("text=NEEDLE", "needle &amp;lt;", "echo number"),
        ("tool=Bash&session=h1", "echo number", "Nothing among"),
        ("decided_by=score", "echo number", "Nothing among"),
        ("tool=Nothing", "Nothing among the last", "echo number"),
        ("session=other", "Nothing among the last", "echo number"),
    ],
)
def test_history_is_filtered(history: Station, query: str, shows: str, hides: str) -> None:
    """By verdict, tool, session, who decided, and text."""
    page = history.signed_in("vic").get(f"/web/history?{query}").text

    assert (shows in page, hides in page) == (True, False)


@pytest.mark.parametrize("query", ["before=x", "before=-1", "text=" + "x" * 300, "a=1&a=2"])
def test_a_query_that_makes_no_sense_is_refused(history: Station, query: str) -> None:
    """With a sentence."""
    assert 400 == history.signed_in("ada").get(f"/web/history?{query}").status


def test_an_entry_says_that_it_holds(history: Station) -> None:
    """With the whole of what was recorded."""
    page = history.signed_in("ada").get("/web/history/2").text

    assert "This entry holds" in page
    assert "policy_digest" in page


@pytest.mark.parametrize("seq", ["0", "999999999", "99999999999999999999999999"])
def test_an_entry_that_is_not_there(history: Station, seq: str) -> None:
    """Is said not to be there."""
    assert history.signed_in("ada").get(f"/web/history/{seq}").status in (400, 404)


def test_canaries_of_the_doctor_are_marked(empty: Station) -> None:
    """In the list and on their page; no other call of that session, and not the like of others."""
    decided(empty, LINE, "rm -rf ~", session=SESSION)
    decided(empty, LINE)
    ada = empty.signed_in("ada")
    pages = [ada.get(f"/web/history{path}").text for path in ("", "/1", "/2", "/3")]

    assert [1, 1, 0, 0] == [page.count(MARK) for page in pages]


def test_an_entry_that_was_changed_is_found_out(empty: Station) -> None:
    """On its own page and by the whole record."""
    decided(empty, "echo one", "echo two", "echo three")
    with closing(sqlite3.connect(empty.store.path)) as db, db:
        db.execute("DROP TRIGGER records_are_never_changed")
        db.execute(
            "UPDATE records SET body = CAST(replace(body, 'echo two', 'echo 2!!') AS BLOB)"
            " WHERE seq = 2"
        )
    db.close()
    ada = empty.signed_in("ada")

    assert "does not hold: its hash" in ada.get("/web/history/2").text
    assert "Entry 2 fails verification" in ada.get("/web/audit?verify=1").text


def test_the_record_can_be_taken_along(history: Station) -> None:
    """As it is stored, every entry a line."""
    lines = history.signed_in("aud").get("/web/audit/export").text.splitlines()

    assert list(range(1, len(lines) + 1)) == [json.loads(line)["seq"] for line in lines]


def test_approvals_that_came_too_fast_are_listed(empty: Station) -> None:
    """By the times of their level; those of the tests' plan are short."""
    ada, call = empty.signed_in("ada"), empty.ask(MEDIUM)
    ada.answer(call, "approve")
    call.result()
    entries = [json.loads(line) for line in ada.get("/web/audit/export").text.splitlines()]

    assert "ada" == entries[-1]["approver"]
    assert "None: every approval" in ada.get("/web/audit").text


def test_sessions_are_listed(history: Station) -> None:
    """With a link to what they did."""
    assert "/web/history?session=h1" in history.signed_in("vic").get("/web/sessions").text


def test_rules_are_listed_with_their_place(station: Station) -> None:
    """Those that ship with signoff, at least."""
    page = station.signed_in("vic").get("/web/rules").text

    assert "signoff-guards-itself" in page


def test_policies_come_and_go(empty: Station) -> None:
    """With who said them."""
    ada = empty.signed_in("ada")
    ada.post("/web/policies/add", text="pushing is fine <b>", tool="Bash")
    with_it = ada.get("/web/policies").text
    ada.post("/web/policies/remove", id="pol_0")

    assert ("pushing is fine &lt;b&gt;" in with_it, "for Bash" in with_it) == (True, True)
    assert "pushing is fine &lt;b&gt;" not in ada.get("/web/policies").text


def test_a_policy_is_changed_on_its_page(empty: Station) -> None:
    """Text, tools and end, with who changed it; nobody but an admin may."""
    ada = empty.signed_in("ada")
    ada.post("/web/policies/add", text="pushing is fine", tool="Bash", expires="30d")
    before = ada.get("/web/policies").text
    changed = {"id": "pol_0", "text": "pushing is fine unless forced", "tool": "Bash|Write"}
    ada.post("/web/policies/edit", **changed, expires="2035-01-01")
    after = ada.get("/web/policies").text
    refused = [
        ada.post("/web/policies/edit", **changed, expires="yesterday").status,
        ada.post("/web/policies/edit", **{**changed, "id": "pol_9"}).status,
        empty.signed_in("vic").post("/web/policies/edit", **changed).status,
    ]

    assert "until " in before
    for words in ("unless forced</p>", "for Bash|Write", "by ada", "until 2035-01-01 00:00 UTC"):
        assert words in after
    assert [400, 400, 403] == refused


def test_an_empty_policy_is_refused(empty: Station) -> None:
    """With a sentence."""
    assert 400 == empty.signed_in("ada").post("/web/policies/add", text=" ").status


@pytest.mark.parametrize("mode", ["local", "remote"])
def test_the_mode_is_switched(empty: Station, mode: str) -> None:
    """By an admin."""
    empty.signed_in("ada").post("/web/mode", mode=mode)

    assert mode == empty.parts.mode.mode().value


def test_a_lock_is_set_by_a_press_and_shown_on_every_page(empty: Station) -> None:
    """It refuses from then on; there is no way here to lift it."""
    bob = empty.signed_in("bob")
    bob.post("/web/locks/add", scope="all")
    decided(empty, "echo locked")
    page = bob.get("/web/history").text

    assert ("everything is locked" in page, "echo locked" in page) == (True, True)
    assert EVERYTHING.scope == empty.parts.locks.locks()[0].scope


@pytest.mark.parametrize(
    "fields", [{"scope": "tool"}, {"scope": "x"}, {"scope": "all", "name": "a"}]
)
def test_a_lock_on_nothing_is_refused(empty: Station, fields: dict[str, str]) -> None:
    """With a sentence."""
    assert 400 == empty.signed_in("bob").post("/web/locks/add", **fields).status


def test_pages_are_labelled(station: Station) -> None:
    """A language, one heading, a way past the menu, and a name for every field."""
    page = station.signed_in("ada").get("/web/policies").text
    read = Text(page)

    assert 'lang="en"' in page
    assert (1, 1) == (read.tags.count("h1"), read.tags.count("main"))
    assert page.index('class="skip"') < page.index("<header")
