"""Charts say what the record says: counted once, by day, and quickly however long it is."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from inbox_station import HIGH, MEDIUM, Station
from test_web_pages import decided

from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import TamperedRecord
from signoff.frontends.hosts.canary import LINE, QUESTION, QUESTION_SESSIONS, SESSION
from signoff.frontends.web.pages.reports.oversight import approver_rows
from signoff.frontends.web.pages.reports.overview import charts_of
from signoff.frontends.web.statistics.charts import (
    BOTTOM,
    HEIGHT,
    NO_FIGURE,
    TOP,
    as_csv,
    columns_chart,
    csv_of,
    lines_chart,
    nice_top,
)
from signoff.frontends.web.statistics.events import read_event
from signoff.frontends.web.statistics.totals import (
    CALLS_KEPT,
    DAYS_KEPT,
    READ_LIMIT,
    RecordStatistics,
    reason_totals,
    week_totals,
)
from signoff.storage.chain import Head

TODAY = date(2026, 3, 10)
ALLOWED: dict[str, Any] = {
    "verdict": "allow",
    "leaning": "allow",
    "decided_by": "score",
    "risk": 0.2,
}
ASKED: dict[str, Any] = {
    "verdict": "allow",
    "leaning": "ask",
    "decided_by": "web",
    "approver": "ada",
    "channel": "web",
    "answered_in_ms": 4_000,
    "risk": 0.7,
    "findings": [{"category": "remote-change.pushed", "severity": "high"}],
}


class FakeRecord:
    """A record in memory that says which entries were read."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.read: list[int] = []

    def add(self, *, day: str = "2026-03-10", **said: Any) -> None:  # noqa: ANN401 - any JSON
        """Add an entry."""
        seq = len(self.bodies) + 1
        plain = {"seq": seq, "ts": f"{day}T10:00:00.000000", "session": "s", "tool": "Bash"}
        call = {"action_redacted": {"command": f"echo {seq}"}}
        self.bodies.append(json.dumps({**plain, **call, **said}).encode())

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[RecordEntry]:
        """Yield entries."""
        for seq in range(first, (last or len(self.bodies)) + 1):
            self.read.append(seq)
            yield RecordEntry(seq=seq, body=self.bodies[seq - 1], prev=b"", hash=b"", leaf=b"")

    def head(self) -> Head:
        """Return the end."""
        return Head(seq=len(self.bodies))


@pytest.fixture
def record() -> FakeRecord:
    """Return an empty record."""
    return FakeRecord()


def test_every_entry_is_counted_once(record: FakeRecord) -> None:
    """However often somebody looks; a later look reads what is new."""
    statistics = RecordStatistics(record)
    for _ in range(3):
        record.add(**ALLOWED)
        record.add(**ASKED)
        statistics.refresh()
        statistics.refresh()
    (day,) = statistics.days(1, today=TODAY)

    assert list(range(1, 7)) == record.read
    assert (6, 3, 3, 3) == (day.calls, day.asked, *(day.preliminary[v] for v in ("allow", "ask")))


def test_the_first_look_is_bounded(record: FakeRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest entries are what the charts are about."""
    monkeypatch.setattr("signoff.frontends.web.statistics.totals.READ_LIMIT", 10)
    for _ in range(25):
        record.add(**ALLOWED)
    RecordStatistics(record).refresh()

    assert READ_LIMIT >= 100_000
    assert list(range(16, 26)) == record.read


def test_old_days_and_long_sessions_are_forgotten(record: FakeRecord) -> None:
    """What is kept in memory has a limit."""
    statistics = RecordStatistics(record)
    for day in range(DAYS_KEPT + 20):
        record.add(day=date.fromordinal(TODAY.toordinal() - 200 + day).isoformat(), **ALLOWED)
    for _ in range(CALLS_KEPT + 5):
        record.add(**ALLOWED)
    statistics.refresh()

    assert DAYS_KEPT - 1 == sum(bool(day.calls) for day in statistics.days(300, today=TODAY)) - 1
    assert CALLS_KEPT == len(statistics.calls_of("s"))


@pytest.mark.parametrize(
    ("said", "outcome", "is_asked"),
    [
        (ASKED, "approved", True),
        ({**ASKED, "verdict": "deny"}, "denied", True),
        ({**ASKED, "verdict": "deny", "decided_by": "timeout", "approver": ""}, "expired", True),
        ({**ASKED, "verdict": "ask", "decided_by": "host", "approver": ""}, "handed on", True),
        ({**ASKED, "decided_by": "llm", "approver": "haiku"}, "approved", False),
        ({**ASKED, "decided_by": "grant"}, "approved", False),
        ({**ALLOWED, "verdict": "deny", "leaning": "deny"}, "denied", False),
    ],
)
def test_what_came_of_a_question(
    record: FakeRecord, said: dict[str, Any], outcome: str, is_asked: object
) -> None:
    """Only what interrupted somebody is a question."""
    record.add(**said)
    (entry,) = record.entries()
    event = read_event(entry)

    assert (outcome, is_asked) == (event.outcome, event.is_asked)


@pytest.mark.parametrize(
    ("said", "settled"),
    [
        (ASKED, "person"),
        ({**ASKED, "decided_by": "grant"}, "earlier approval"),
        ({**ASKED, "decided_by": "nap"}, "earlier approval"),
        ({**ASKED, "decided_by": "llm", "approver": ""}, "model"),
        ({**ALLOWED, "decided_by": "rule", "rule": "learned-git-push-1a2b3c4d"}, "learned rule"),
        ({**ASKED, "verdict": "deny", "decided_by": "timeout", "approver": ""}, "nobody"),
        (ALLOWED, ""),
        ({**ALLOWED, "decided_by": "rule", "rule": "mine"}, ""),
    ],
)
def test_what_settles_a_question(record: FakeRecord, said: dict[str, Any], settled: str) -> None:
    """So that what was learned shows in the pictures, and a nap is no interruption."""
    record.add(**said)
    statistics = RecordStatistics(record)
    statistics.refresh()
    (day,) = statistics.days(1, today=TODAY)

    assert ({settled: 1} if settled else {}) == day.settled
    assert (settled in ("person", "nobody")) == bool(day.asked)


def test_many_days_are_shown_by_weeks(record: FakeRecord) -> None:
    """Ninety columns are neither read nor small; the newest week is whole, and nothing is lost."""
    for ago in range(10):
        record.add(day=date.fromordinal(TODAY.toordinal() - ago).isoformat(), **ASKED)
    statistics = RecordStatistics(record)
    statistics.refresh()
    weeks = week_totals(statistics.days(16, today=TODAY))

    assert [0, 3, 7] == [week.calls for week in weeks]
    assert [0, 3, 7] == [week.settled["person"] for week in weeks]
    assert date(2026, 3, 4) == weeks[-1].day
    assert weeks[-1].risk_at(0.5) == pytest.approx(0.71)


def test_what_a_line_alone_led_to_is_told_apart(record: FakeRecord) -> None:
    """Else a softer line would promise too much."""
    other = [*ASKED["findings"], {"category": "destructive.rows", "severity": "medium"}]
    record.add(**ASKED)
    record.add(**{**ASKED, "findings": other})
    record.add(**{**ASKED, "findings": []})
    statistics = RecordStatistics(record)
    statistics.refresh()
    found = {
        name: (one.asked, one.alone) for name, one in reason_totals(statistics.days(1, today=TODAY))
    }

    assert {
        "remote-change.pushed": (2, 1),
        "destructive.rows": (1, 0),
        "risk score": (1, 1),
    } == found


def test_reading_times_and_overruled_models(record: FakeRecord) -> None:
    """10th percentile by nearest rank; an opinion counts where the model was sure."""
    for took_s in range(1, 11):
        opinion = "deny, confident: no" if took_s <= 2 else "allow, confident: ok"
        record.add(**{**ASKED, "answered_in_ms": took_s * 1_000, "model": opinion})
    # A model that failed is one that is not sure.
    unsure = "deny, unsure: LLM evaluation error: timeout"
    record.add(**{**ASKED, "verdict": "deny", "answered_in_ms": 11_000, "model": unsure})
    statistics = RecordStatistics(record)
    statistics.refresh()
    (row,) = approver_rows(statistics.days(1, today=TODAY))

    assert (6.0, 2.0, 2, 8) == (row.median_s, row.p10_s, row.total.overruled, row.total.agreed)
    assert pytest.approx(10 / 11) == row.approved_share


def test_the_median_of_two_is_between_them(record: FakeRecord) -> None:
    """Not the lower one."""
    for took_s in (10, 30):
        record.add(**{**ASKED, "answered_in_ms": took_s * 1_000})
    statistics = RecordStatistics(record)
    statistics.refresh()
    (row,) = approver_rows(statistics.days(1, today=TODAY))

    assert (20.0, 100.0) == (row.median_s, row.median_at)


def test_what_was_not_judged_has_no_risk(record: FakeRecord) -> None:
    """A lock denies without a judgement: its calls make no chart look harmless."""
    locked = {"verdict": "deny", "decided_by": "lock"}
    record.add(**{**ALLOWED, "risk": 0.6})
    for _ in range(3):
        record.add(**locked)
    record.add(day="2026-03-09", **locked)
    statistics = RecordStatistics(record)
    statistics.refresh()
    days = statistics.days(2, today=TODAY)
    chart = next(one for one in charts_of(days) if one.id == "risk")

    assert ["03-09,,", "03-10,0.61,0.61"] == as_csv(chart).splitlines()[1:]


def test_canaries_of_the_doctor_are_not_counted(record: FakeRecord) -> None:
    """They are no calls of an agent."""
    denied = {**ALLOWED, "verdict": "deny", "leaning": "deny"}
    record.add(**{**denied, "session": SESSION, "action_redacted": {"command": LINE}})
    record.add(**{**denied, "session": SESSION})
    statistics = RecordStatistics(record)
    statistics.refresh()

    assert 1 == statistics.days(1, today=TODAY)[0].calls


def test_the_question_of_init_is_not_counted(record: FakeRecord) -> None:
    """It asks nothing of an agent's; another call of its session counts."""
    session = f"{QUESTION_SESSIONS}1a2b"
    record.add(**{**ASKED, "session": session, "action_redacted": {"command": QUESTION}})
    record.add(**{**ASKED, "session": session})
    statistics = RecordStatistics(record)
    statistics.refresh()
    (day,) = statistics.days(1, today=TODAY)

    assert (1, 1, 1) == (day.calls, day.asked, day.approvers["ada"].approved)


def test_an_entry_that_is_no_decision_is_told(record: FakeRecord) -> None:
    """With its number."""
    record.bodies.append(b'{"seq": "x"}')

    with pytest.raises(TamperedRecord, match="entry 1 is no decision"):
        RecordStatistics(record).refresh()


def test_columns_are_as_high_as_their_figures() -> None:
    """Stacked from below, against an axis that holds the highest."""
    chart = columns_chart(
        "a", "A", "calls", ("x", "y"), [("one", (30.0, 10.0)), ("two", (0, 20.0))]
    )
    whole = HEIGHT - TOP - BOTTOM
    heights = [round(box.height / whole * 50) for box in chart.boxes]

    assert [30, 10, 20] == heights
    assert chart.boxes[1].y == pytest.approx(chart.boxes[0].y - chart.boxes[1].height, abs=0.2)


@pytest.mark.parametrize(("most", "top"), [(0, 1), (3, 5), (40, 50), (100, 100), (0.3, 0.5)])
def test_an_axis_ends_at_a_round_figure(most: float, top: float) -> None:
    """At or above the highest."""
    assert top == pytest.approx(nice_top(most))


def test_a_day_without_calls_is_a_gap() -> None:
    """Not a nought: nothing was measured. A day between two gaps is a dot."""
    rows = [("a", (NO_FIGURE,)), ("b", (2.0,)), ("c", (NO_FIGURE,)), ("d", (1.0,)), ("e", (2.0,))]
    chart = lines_chart("asks", "Asks", "asks", ("asks",), rows)
    (line,) = chart.lines

    assert (1, 1, 1) == (line.path.count("M"), line.path.count("L"), len(line.dots))
    assert "2" == chart.levels[-1].text
    assert ["a,", "b,2"] == as_csv(chart).splitlines()[1:3]
    assert lines_chart("asks", "Asks", "asks", ("asks",), rows[:1]).is_empty


def test_no_cell_of_a_table_is_a_formula() -> None:
    """Names come from outside, and spreadsheets run what begins like one."""
    text = csv_of(("a",), [("=1+1",), ("@x",), ("fine",), (-1.5,)])

    assert ["a", "'=1+1", "'@x", "fine", "-1.5"] == [
        row[0] for row in csv.reader(io.StringIO(text))
    ]


@pytest.fixture(scope="module")
def history(station: Station) -> Station:
    """Return an inbox with some calls, two of them answered, one of them with strange text."""
    decided(station, "rm -rf /", "ls", "echo '<b>&'", session="=cmd <i>")
    ada = station.signed_in("ada")
    for command, answer in ((MEDIUM, "approve"), (f"{HIGH} --tag x", "deny")):
        call = station.ask(command, session_id="=cmd <i>")
        ada.answer(call, answer)
        call.result()
    return station


@pytest.mark.parametrize("person", ["ada", "vic"])
@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("overview", "Questions per 100 calls"),
        ("overview?days=7", "What interrupts you most"),
        ("oversight", "signs that nobody reads"),
        ("timeline?session=%3Dcmd%20%3Ci%3E", "ada on web, after"),
    ],
)
def test_reports_are_shown(history: Station, person: str, path: str, shows: str) -> None:
    """To whoever may look; texts from outside stay texts."""
    reply = history.signed_in(person).get(f"/web/{path}")

    assert (200, True) == (reply.status, shows in reply.text)
    assert "<i>" not in reply.text
    assert "<b>&" not in reply.text


@pytest.mark.parametrize("name", ["decisions", "asks", "settled", "risk", "interruptions"])
def test_every_chart_has_its_table_as_a_file(history: Station, name: str) -> None:
    """With the figures that are plotted."""
    reply = history.signed_in("vic").get(f"/web/overview/{name}.csv?days=7")
    rows = list(csv.reader(io.StringIO(reply.text)))

    assert (200, "text/csv; charset=utf-8") == (reply.status, reply.headers["content-type"])
    assert len(rows) > 1
    if name != "interruptions":
        days = history.parts.statistics.days(7, today=date.fromisoformat(_newest_day(history)))
        chart = next(one for one in charts_of(days) if one.id == name)
        assert as_csv(chart) == reply.text


def _newest_day(history: Station) -> str:
    entries = list(history.parts.record.entries(first=history.parts.record.head().seq))
    return str(json.loads(entries[-1].body)["ts"][:10])


def test_people_and_timelines_have_files_too(history: Station) -> None:
    """And a session's name that begins like a formula runs nowhere."""
    ada = history.signed_in("ada")
    people = ada.get("/web/oversight.csv").text
    calls = ada.get("/web/timeline.csv?session=%3Dcmd%20%3Ci%3E").text

    assert people.splitlines()[1].startswith("ada,2,1,1,")
    assert 6 == len(calls.splitlines())


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("overview?days=0", 400),
        ("overview?days=x", 400),
        ("overview/other.csv", 404),
        ("timeline", 400),
        ("timeline?session=none", 200),
    ],
)
def test_what_makes_no_sense_is_refused(history: Station, path: str, status: int) -> None:
    """With a sentence."""
    assert status == history.signed_in("ada").get(f"/web/{path}").status


@pytest.mark.parametrize(
    "path", ["overview", "overview/asks.csv", "oversight", "timeline?session=s"]
)
def test_reports_are_for_those_who_are_signed_in(station: Station, path: str) -> None:
    """Nobody else."""
    assert 401 == station.request("GET", f"/web/{path}").status


def test_where_nothing_was_decided_the_next_step_is_told(empty: Station) -> None:
    """In words of each page."""
    ada = empty.signed_in("ada")

    assert "signoff install" in ada.get("/web/overview").text
    assert "No person answered" in ada.get("/web/oversight").text


def test_how_a_call_ended_is_what_later_entries_tell() -> None:
    """Ran, failed, not seen; nothing of a denied call, nor of one before what was counted."""
    record = FakeRecord()
    for verdict, id in (("allow", "a"), ("allow", "b"), ("ask", "c"), ("deny", "d")):
        record.add(verdict=verdict, id=id, approval_id=f"req_{id}")
    told = [{"of": "a", "result": "ran"}, {"of": "b", "result": "failed"}]
    record.add(verdict="allow", id="e", outcomes=told)
    statistics = RecordStatistics(record)
    statistics.refresh()
    calls = (("allow", "a"), ("allow", "b"), ("ask", "c"), ("deny", "d"))
    found = [statistics.result_of(seq=1, id=id, verdict=verdict) for verdict, id in calls]

    assert ["ran", "failed", "not seen", ""] == found
    assert ["failed", ""] == [statistics.result_of_request(f"req_{id}") for id in ("b", "z")]
    assert "" == statistics.result_of(seq=0, id="before", verdict="allow")


def test_pages_show_how_calls_ended(empty: Station) -> None:
    """In the history, on an entry, in the timeline, beside a rubber stamp, on a request."""
    call = empty.ask(MEDIUM, session_id="ended")
    ada = empty.signed_in("ada")
    ada.answer(call, "approve")
    call.result()
    entry = next(iter(empty.store.entries(first=empty.store.head().seq)))
    told = {"at": "2026-03-10T10:00:00", "of": json.loads(entry.body)["id"], "result": "failed"}
    empty.store.append_batch([RecordDraft(content={"verdict": "deny", "outcomes": [told]})])
    paths = {
        f"/web/history/{entry.seq}": '<dd id="result">failed</dd>',
        "/web/history": '<td data-label="outcome">failed</td>',
        "/web/timeline?session=ended": '<td data-label="outcome">failed</td>',
        call.page: '<span id="result">Outcome: failed.</span>',
    }

    assert {} == {path: words for path, words in paths.items() if words not in ada.get(path).text}


def test_answers_that_did_not_count_are_on_the_page(empty: Station) -> None:
    """A wrong quiz, as the real inbox takes it; who then denies it has answered once."""
    call = empty.ask(HIGH, session_id="tries")
    ada = empty.signed_in("ada")
    wrong = {name: str((int(value) + 1) % 2) for name, value in call.right_choices().items()}
    ada.answer(call, "approve", **wrong)
    ada.answer(call, "deny")
    call.result()
    row = next(csv.DictReader(io.StringIO(ada.get("/web/oversight.csv").text)))

    assert ("ada", "1", "1") == (row["approver"], row["denied"], row["quiz errors"])
    assert ">quiz errors</th>" in ada.get("/web/oversight").text
