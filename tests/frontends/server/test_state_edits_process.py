"""Every edit of what signoff keeps, made by another process of the same user while it runs.

Each is found, refused and told: in the log, on every channel, by `status` and by `doctor`. What
was waiting is asked again.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from inbox_caller import ASKS_ON_THE_WEB, Person, Scene, at_inbox, said_by
from live_daemon import LiveDaemon, served, wait_until
from test_inbox_process import post

from signoff.challenge.proofs.seal import ANSWER_PREFIX, GRANT_PREFIX
from signoff.storage.approvals.daemon_seal import asking_daemon

sys.path.append(str(Path(__file__).parents[2] / "channels" / "telegram"))
from fake_bot_api import ADA, CHAT, TOKEN, FakeBotApi, fake_bot_api

ASKED = "docker system prune -af"
UNLOCKED = "DROP TRIGGER states_follow_the_arrows"
Edit = Callable[[sqlite3.Connection, str], object]


def set_column(name: str, value: object) -> Edit:
    """Return the edit that puts a value into a column of the request."""
    return lambda db, id: db.execute(f"UPDATE requests SET {name} = ? WHERE id = ?", (value, id))


def edit_json(name: str, change: Callable[[object], object]) -> Edit:
    """Return the edit that changes a column that holds JSON."""

    def edit(db: sqlite3.Connection, id: str) -> None:
        row = db.execute(f"SELECT {name} FROM requests WHERE id = ?", (id,)).fetchone()
        set_column(name, json.dumps(change(json.loads(row[0]))).encode())(db, id)

    return edit


def forge_answer(db: sqlite3.Connection, id: str) -> None:
    """Approve the request without anybody."""
    row = (id, 0, "owner", "web", "allow", "confirm", "", 5.0, 0, time.time(), "0" * 64)
    db.execute(f"INSERT INTO given VALUES ({','.join('?' * 11)})", row)
    db.execute("UPDATE requests SET state = 'approved' WHERE id = ?", (id,))


def forge_step(db: sqlite3.Connection, id: str) -> None:
    """Give the part of the first of two people, and leave it waiting."""
    row = (id, 0, "bob", "web", "allow", "confirm", "", 5.0, 0, time.time(), "0" * 64)
    db.execute(f"INSERT INTO given VALUES ({','.join('?' * 11)})", row)


def later(seconds: float) -> Edit:
    """Return the edit that gives a request more time, by both clocks."""
    return lambda db, id: db.execute(
        "UPDATE requests SET expires_wall = expires_wall + ?, expires_running = expires_running + ?"
        " WHERE id = ?",
        (seconds, seconds, id),
    )


WAITING: dict[str, Edit] = {
    "card": edit_json("card", lambda card: {**card, "headline": "list files"}),  # type: ignore[dict-item]  # an object
    "call": set_column("action", b'{"tool":"Bash","arguments":{"command":"ls"}}'),
    "digest": set_column("digest", "0" * 64),
    "proof": edit_json("steps", lambda steps: [{"kind": "confirm", "min_review_s": 0.0}]),
    "two people": edit_json("steps", lambda steps: [*steps, *steps]),  # type: ignore[misc]  # a list
    "level": set_column("level", "low"),
    "challenge": set_column("challenge", "teach-back"),
    "no challenge": set_column("challenge", "none at all"),
    "no card": set_column("card", b"{"),
    "context": edit_json("context", lambda context: {**context, "session": "other"}),  # type: ignore[dict-item]  # an object
    "code": set_column("verifier", "0" * 64),
    "nonce": set_column("nonce", "0" * 32),
    "expiry": later(3_600),
    "less time": later(-3_600),
    "created": set_column("created_wall", 1.0),
    "whose it is": set_column("asker", '["other","s-other"]'),
    "whose it is, unreadable": set_column("asker", "not json"),
    "unknown state": set_column("state", "settled"),
    "approved by nobody": forge_answer,
    "a part of nobody": forge_step,
    "deleted": lambda db, id: db.execute("DELETE FROM requests WHERE id = ?", (id,)),
}


class Edited:
    """A daemon with Telegram and the inbox, and the hand that edits its files."""

    def __init__(self, daemon: LiveDaemon, bot: FakeBotApi, person: Person) -> None:
        self.daemon, self.bot, self.person = daemon, bot, person

    def edit(self, edit: Edit, id: str) -> None:
        """Edit a request with plain SQLite, the trigger out of the way."""
        path = self.daemon.state / "approvals.db"
        with closing(sqlite3.connect(path, timeout=60)) as db, db:
            trigger = db.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
            made = trigger.fetchone()[0]
            db.execute(UNLOCKED)
            edit(db, id)
            db.execute(made)

    def count(self) -> int:
        """Return how many alarms `status` lists."""
        problems = self.daemon.request("GET", "/v1/status").said["problems"]
        return sum("TAMPERING" in problem for problem in problems)

    def assert_told(self, about: str) -> None:
        """Check that the alarm is everywhere."""
        wait_until(lambda: self._is_in_status(about))
        log = (self.daemon.state / "log" / "daemon.log").read_text(encoding="utf-8")
        assert any(about in line for line in log.splitlines() if "TAMPERING" in line)
        wait_until(lambda: any("TAMPERING" in t and about in t for t in self.telegrams()))

    def _is_in_status(self, about: str) -> bool:
        problems = self.daemon.request("GET", "/v1/status").said["problems"]
        return any("TAMPERING" in problem and about in problem for problem in problems)

    def is_not_shown(self, id: str) -> bool:
        """Tell whether the inbox offers no answer to a request."""
        return 'value="approve"' not in self.person.get(f"/web/requests/{id}")

    def telegrams(self) -> list[str]:
        """Return what was sent to the chat."""
        return [message["text"] for message in self.bot.messages.values()]


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edited]:
    """Give a daemon that asks on Telegram and in the inbox."""
    home = tmp_path_factory.mktemp("home")
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    me = {"channel": "terminal", "id": f"uid:{os.getuid()}"}
    ada = {"channel": "telegram", "id": str(ADA)}
    owner = {"id": "owner", "role": "admin", "identities": [me, ada]}
    with fake_bot_api() as bot:
        files = {
            "signoff.yaml": ASKS_ON_THE_WEB.replace("[web]", "[web, telegram]"),
            "telegram.yaml": f"api: {bot.url}\nchat: {CHAT}\nusers: [{ADA}]\n",
            "telegram.token": TOKEN,
            "approvers.json": json.dumps({"version": 1, "approvers": [owner]}),
        }
        for name, text in files.items():
            (config / name).write_text(text, encoding="utf-8")
            (config / name).chmod(0o600)
        with served(home) as daemon:
            yield Edited(daemon, bot, at_inbox(daemon))


def asked_for(edited: Edited, session: str) -> tuple[Scene, str, subprocess.Popen[str]]:
    """Put a call, and return its session, its request and the hook that waits."""
    scene = Scene(daemon=edited.daemon, person=edited.person, session=session)
    hook = scene.hook(ASKED)
    return scene, scene.asked(), hook


def end(hook: subprocess.Popen[str]) -> None:
    """End a hook that still waits."""
    with hook:
        hook.kill()


@pytest.mark.parametrize("name", WAITING)
def test_an_edit_of_what_waits_is_found_refused_told_and_asked_again(
    edited: Edited, name: str
) -> None:
    """T-61: whichever field it is; nobody is shown it any more, and nothing runs."""
    scene, id, hook = asked_for(edited, f"s-{name}")

    edited.edit(WAITING[name], id)

    assert "deny" in json.dumps(said_by(hook))
    edited.assert_told(id[:8])
    assert edited.is_not_shown(id)
    again = scene.hook(ASKED)
    wait_until(lambda: any(state == "pending" for other, state in scene.requests() if other != id))
    end(again)


def test_a_used_approval_that_is_set_back_is_not_used_again(edited: Edited) -> None:
    """T-61: not in its time, and not with more time."""
    scene = Scene(daemon=edited.daemon, person=edited.person, session="s-used")
    scene.approved(ASKED, choice0="0")
    id = scene.asked()

    edited.edit(set_column("state", "approved"), id)
    edited.edit(later(3_600), id)
    again = scene.hook(ASKED)

    edited.assert_told(id[:8])
    wait_until(lambda: any(state == "pending" for other, state in scene.requests() if other != id))
    end(again)


def test_a_refusal_that_is_set_back_is_not_answered_again(edited: Edited) -> None:
    """T-61: whoever was refused does not get another chance by the file."""
    _, id, hook = asked_for(edited, "s-denied")
    assert edited.person.answer(id, "deny") == 303
    said_by(hook)

    edited.edit(set_column("state", "pending"), id)

    edited.assert_told(id[:8])
    assert edited.is_not_shown(id)


def granted(edited: Edited, session: str) -> Scene:
    """Return a session for which a call was approved, so that it is let go from now on."""
    scene = Scene(daemon=edited.daemon, person=edited.person, session=session)
    scene.approved(ASKED, button="session")
    assert "allow" in json.dumps(said_by(scene.hook(ASKED, "toolu_2")))
    return scene


def change_grants(edited: Edited, statement: str, *values: object) -> list[tuple[object, ...]]:
    """Change the grants with plain SQLite; return what the statement gives."""
    path = edited.daemon.state / "approvals.db"
    with closing(sqlite3.connect(path, timeout=60)) as db, db:
        return db.execute(statement, values).fetchall()


def test_a_grant_that_is_moved_to_another_session_is_refused(edited: Edited) -> None:
    """T-61: its seal is over the session, so the call is asked about."""
    granted(edited, "s-granted")
    change_grants(edited, "UPDATE grants SET session = 's-moved' WHERE session = 's-granted'")

    scene, _, hook = asked_for(edited, "s-moved")

    edited.assert_told("was not given here")
    assert hook.poll() is None
    assert ["pending"] == [state for _, state in scene.requests()]
    end(hook)


def test_a_grant_that_was_revoked_is_not_put_back(edited: Edited) -> None:
    """T-61: what has ended stays over, with its own good seal too."""
    scene = granted(edited, "s-revoked")
    (row,) = change_grants(edited, "SELECT * FROM grants WHERE session = 's-revoked'")
    cookie, token = edited.person.cookie, edited.person.token
    post(edited.daemon, "/web/grants/revoke", cookie, token=token, id=f"gr_{row[0]}")
    places = ", ".join("?" * len(row))
    change_grants(edited, f"INSERT INTO grants VALUES ({places})", *row)

    hook = scene.hook(ASKED, "toolu_3")

    edited.assert_told("was put back")
    wait_until(lambda: "pending" in [state for _, state in scene.requests()])
    assert hook.poll() is None
    end(hook)


def test_a_later_time_in_the_file_ends_requests_and_is_told(edited: Edited) -> None:
    """T-61: as if the clock had been set back; nothing runs, and every channel says why."""
    _, id, hook = asked_for(edited, "s-time")
    path = edited.daemon.state / "approvals.db"
    with closing(sqlite3.connect(path, timeout=60)) as db, db:
        db.execute("UPDATE clock SET highest_wall = highest_wall + 86400")

    assert "deny" in json.dumps(said_by(hook))
    edited.assert_told("nobody noted")
    assert edited.is_not_shown(id)


def test_the_socket_tells_of_a_seal_and_makes_none(edited: Edited) -> None:
    """T-61: a forged seal is not good there, nor is one of another kind."""
    granted(edited, "s-seals")
    query = (
        "SELECT digest, shape, session, agent, author, channel, said, expires_wall, seal"
        " FROM grants WHERE session = 's-seals'"
    )
    ((*parts, expires, seal),) = change_grants(edited, query)
    texts = [*map(str, parts), repr(expires)]
    made = asking_daemon(str(edited.daemon.state))

    assert made(GRANT_PREFIX, texts, str(seal))
    assert not made(GRANT_PREFIX, texts, "0" * 64)
    assert not made(GRANT_PREFIX, [*texts[:-1], repr(float(str(expires)) + 3_600)], str(seal))
    assert not made(ANSWER_PREFIX, texts, str(seal))
    assert not made("signoff-sign-in-v1", texts, str(seal))


def test_what_is_left_alone_raises_no_alarm(edited: Edited) -> None:
    """The control: asked, approved, run and reported without a word."""
    before = edited.count()
    scene = Scene(daemon=edited.daemon, person=edited.person, session="s-quiet")
    assert "allow" in json.dumps(scene.approved(ASKED))
    scene.reported("PostToolUse")
    time.sleep(1.2)

    assert edited.count() == before


def test_doctor_tells_as_well(edited: Edited) -> None:
    """T-61: a tampering is a problem, and `status` ends with 1."""
    _, id, hook = asked_for(edited, "s-doctor")
    edited.edit(set_column("level", "low"), id)
    said_by(hook)
    edited.assert_told(id[:8])

    assert "TAMPERING" in edited.daemon.signoff("doctor").stdout
    assert edited.daemon.signoff("status").returncode == 1
