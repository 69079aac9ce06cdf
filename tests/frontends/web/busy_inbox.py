"""An inbox in which something of everything happened, and the address of each of its pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from inbox_station import CRITICAL, HIGH, Station
from test_statistics import ALLOWED, ASKED
from test_web_pages import decided
from test_web_questions import COLOUR
from test_web_questions import asked as begun

from signoff.effects.store import RecordDraft

PAGES = (
    *(
        "",
        "passkeys",
        "overview",
        "overview?days=90",
        "oversight",
        "history",
        "history/1",
        "sessions",
        "timeline?session=h1",
    ),
    *("rules", "policies", "learned", "costs", "audit?verify=1", "locks"),
)
EDIT = {
    "tool_name": "Edit",
    "tool_input": {"file_path": "/home/dev/.bashrc", "old_string": "a\nb", "new_string": "a\nc"},
}
LONG = "\n".join([HIGH, *(f"echo 'line {n}' >> log.txt  # step {n}" for n in range(80))])


def page_paths(station: Station) -> list[str]:
    """Fill an inbox and return the path of every page."""
    _fill(station)
    decided(station, "rm -rf /", "ls", f"echo {'word ' * 200}")
    requests = [station.ask(one) for one in (HIGH, LONG, EDIT, CRITICAL)]
    ended = station.ask(f"{HIGH} --tag ended")
    station.signed_in("ada").answer_at_once(ended, "deny", words="no")
    ended.result()
    _, waiting = begun(station, COLOUR)
    pages = [f"/web/{name}" for name in PAGES]
    return [*pages, *(one.page for one in (*requests, ended)), f"/web/questions/{waiting.id}"]


def _fill(station: Station) -> None:
    """Record ninety days of calls with long commands, of all kinds."""
    drafts = []
    for at in range(90 * 4):
        day = datetime.now(UTC) - timedelta(days=90 - at // 4)
        said = (ALLOWED, ASKED, {**ASKED, "verdict": "deny"}, {**ALLOWED, "leaning": "deny"})[
            at % 4
        ]
        call = {"command": f"echo {at} && {'some/long/path ' * 40}"}
        content = {**said, "ts": day.isoformat(), "session": "h1", "action_redacted": call}
        drafts.append(RecordDraft(content={**content, "reason": "reason " * 70, "tool": "Bash"}))
    station.store.append_batch(drafts)
