"""Approvers, mode, policies and locks that another process changes while the daemon runs.

Each change is told with a code on the channels, and holds once an admin gives the code.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from inbox_caller import ASKS_ON_THE_WEB, at_inbox
from live_daemon import LiveDaemon, served, wait_until
from own_terminal import on_terminal
from test_inbox_process import post

sys.path.append(str(Path(__file__).parents[2] / "channels" / "telegram"))
from fake_bot_api import ADA, CHAT, TOKEN, FakeBotApi, fake_bot_api

from signoff.storage.locks.lock import Lock, LockScope
from signoff.storage.locks.lock_file import LockFile

ME = {"channel": "terminal", "id": f"uid:{os.getuid()}"}
OWNER = {
    "id": "owner",
    "role": "admin",
    "identities": [ME, {"channel": "telegram", "id": str(ADA)}],
}
AGENT = {"id": "agent", "role": "admin", "identities": [{"channel": "web", "id": "agent"}]}
Change = Callable[[LiveDaemon], object]


class EditedDaemon:
    """A daemon with Telegram, and what its files are changed by."""

    def __init__(self, daemon: LiveDaemon, bot: FakeBotApi) -> None:
        self.daemon, self.bot = daemon, bot
        self._seen: set[str] = set()

    def code_of(self, kind: str) -> str:
        """Wait until a change is told everywhere; return its code, which is on the channel only."""
        told = f"CHANGED OUTSIDE: {kind}:"
        wait_until(lambda: bool(self._new(told)))
        status = self.daemon.request("GET", "/v1/status").body.decode()
        log = (self.daemon.state / "log" / "daemon.log").read_text(encoding="utf-8")
        text = self._new(told)[-1]
        self._seen.add(text)
        found = re.search(r"Code: (\w{4}-\w{4})", text)
        assert found is not None, text
        assert told in status
        assert told in log
        assert found[1] not in status + log
        return found[1]

    def _new(self, told: str) -> list[str]:
        return [text for text in self.telegrams() if told in text and text not in self._seen]

    def telegrams(self) -> list[str]:
        """Return what was sent to the chat."""
        return [str(message["text"]) for message in list(self.bot.messages.values())]

    def confirm(self, code: str) -> str:
        """Give a code as `signoff confirm` does; return what the daemon says."""
        return str(self.on_socket("POST", "/v1/changes", {"code": code})["words"])

    def waiting(self) -> list[str]:
        """Return the changes that wait."""
        return list(self.on_socket("GET", "/v1/changes")["changes"])

    def on_socket(self, method: str, path: str, said: object = None) -> Any:  # noqa: ANN401 - JSON
        """Speak to the Unix socket."""
        link = http.client.HTTPConnection("localhost", timeout=60)
        link.sock = socket.socket(socket.AF_UNIX)
        link.sock.connect(str(self.daemon.socket))
        with closing(link):
            body = json.dumps(said).encode() if said else None
            link.request(method, path, body, {"content-type": "application/json"})
            return json.loads(link.getresponse().read())


@contextlib.contextmanager
def kept_in(home: Path) -> Iterator[EditedDaemon]:
    """Run a daemon that asks on Telegram and in the inbox."""
    config = home / ".config" / "signoff"
    with fake_bot_api() as bot:
        config.mkdir(parents=True, exist_ok=True)
        files = {
            "signoff.yaml": ASKS_ON_THE_WEB.replace("[web]", "[web, telegram]"),
            "telegram.yaml": f"api: {bot.url}\nchat: {CHAT}\nusers: [{ADA}]\n",
            "telegram.token": TOKEN,
        }
        for name, text in files.items():
            (config / name).write_text(text, encoding="utf-8")
            (config / name).chmod(0o600)
        with served(home) as daemon:
            yield EditedDaemon(daemon, bot)


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EditedDaemon]:
    """Give a daemon whose owner is known on the terminal and on Telegram."""
    home = tmp_path_factory.mktemp("home")
    (home / ".config" / "signoff").mkdir(parents=True)
    write_approvers(home, OWNER)
    with kept_in(home) as edited:
        yield edited


def write_approvers(home: Path, *people: object) -> None:
    """Write the approvers as an editor does."""
    path = home / ".config" / "signoff" / "approvers.json"
    path.write_text(json.dumps({"version": 1, "approvers": people}), encoding="utf-8")
    path.chmod(0o600)


def sql(daemon: LiveDaemon, statement: str) -> None:
    """Write into the database."""
    with closing(sqlite3.connect(daemon.state / "approvals.db", timeout=60)) as db, db:
        db.execute(statement)


def in_inbox(edited: EditedDaemon, path: str) -> str:
    """Return a page as the owner sees it."""
    return at_inbox(edited.daemon).get(path)


def test_an_agent_that_adds_itself_is_no_approver(edited: EditedDaemon) -> None:
    """T-63: until an admin gives the code; a wrong one is none."""
    write_approvers(edited.daemon.home, OWNER, AGENT)
    code = edited.code_of("approvers")

    refused = edited.on_socket("POST", "/v1/sign-in-links", {"as": "agent"})
    assert refused.get("written") is not True
    assert "no change waits" in edited.confirm("AAAA-AAAA")
    assert edited.waiting()
    assert "in force now" in edited.confirm(code)
    assert edited.waiting() == []

    write_approvers(edited.daemon.home, OWNER)
    assert "in force now" in edited.confirm(edited.code_of("approvers"))


def test_a_deleted_approver_file_changes_nobody(edited: EditedDaemon) -> None:
    """T-63: and putting it back ends the question."""
    (edited.daemon.config / "approvers.json").unlink()
    edited.code_of("approvers")
    write_approvers(edited.daemon.home, OWNER)

    assert edited.waiting() == []


def test_an_admin_confirms_on_telegram(edited: EditedDaemon) -> None:
    """T-63: a code that was never given confirms nothing; the one that was told does."""
    sql(edited.daemon, "INSERT INTO policies VALUES (77, 'told here', '', 'owner', 1.0, 0)")
    code = edited.code_of("policies")
    edited.bot.write("/confirm AAAA-AAAA")
    wait_until(lambda: any("under this code" in text for text in edited.telegrams()))
    before = edited.waiting()
    edited.bot.write(f"/confirm {code}")

    wait_until(lambda: edited.waiting() == [])
    wait_until(lambda: any("in force now" in text for text in edited.telegrams()))
    assert (1, True) == (len(before), "told here" in in_inbox(edited, "/web/policies"))
    assert ("change.confirm", "telegram") in {(act, at) for act, _, at, _ in edited.daemon.acts()}
    sql(edited.daemon, "DELETE FROM policies WHERE number = 77")
    edited.confirm(edited.code_of("policies"))


def test_the_mode_is_not_set_in_the_database(edited: EditedDaemon) -> None:
    """T-63: local waits for an admin, remote holds at once."""
    sql(edited.daemon, "INSERT OR REPLACE INTO switches VALUES ('mode', 'local')")
    code = edited.code_of("mode")
    assert "Remote:" in in_inbox(edited, "/web/policies")

    assert "in force now" in edited.confirm(code)
    assert "Local:" in in_inbox(edited, "/web/policies")
    sql(edited.daemon, "INSERT OR REPLACE INTO switches VALUES ('mode', 'remote')")
    wait_until(lambda: "Remote:" in in_inbox(edited, "/web/policies"))
    assert edited.waiting() == []


def test_a_policy_of_a_person_is_not_written_for_them(edited: EditedDaemon) -> None:
    """T-63: the model is shown none that nobody confirmed; the inbox confirms as well."""
    said = "everything is fine"
    columns = "number, text, tool, author, created_wall"
    values = f"7, '{said}', '', 'owner', 1"
    sql(edited.daemon, f"INSERT INTO policies ({columns}) VALUES ({values})")
    code = edited.code_of("policies")
    person = at_inbox(edited.daemon)
    page = person.get("/web/policies")
    assert code in page
    assert "pol_7" not in page

    done = post(edited.daemon, "/web/changes/confirm", person.cookie, token=person.token, code=code)

    assert done.status == 303
    assert "pol_7" in person.get("/web/policies")


def test_deleted_locks_hold(edited: EditedDaemon) -> None:
    """T-63: what was locked stays locked until an admin confirms that it is lifted."""
    path = edited.daemon.state / "locks.json"
    LockFile(str(path)).add(Lock(scope=LockScope.TOOL, name="Bash", since="now", by="ada"))
    wait_until(lambda: "locked" in edited.daemon.act("ls").body.decode())
    path.unlink()
    code = edited.code_of("locks")
    assert "locked" in edited.daemon.act("ls").body.decode()
    assert "Waits for confirmation" in in_inbox(edited, "/web/locks")
    assert code in in_inbox(edited, "/web/policies")

    assert "in force now" in edited.confirm(code)
    assert "Nothing is locked" in in_inbox(edited, "/web/locks")
    assert "locked" not in edited.daemon.act("ls").body.decode()


def test_a_lock_that_is_deleted_at_once_was_no_lock_or_holds(edited: EditedDaemon) -> None:
    """T-63: a broken file locks everything for as long as it is broken, and no longer."""
    path = edited.daemon.state / "locks.json"
    path.write_text("{", encoding="utf-8")
    assert "locked" in edited.daemon.act("ls").body.decode()
    path.unlink()

    wait_until(lambda: "locked" not in edited.daemon.act("ls").body.decode())


def test_what_changes_while_no_daemon_runs_waits_too(tmp_path: Path) -> None:
    """T-63: the seal in the state folder keeps what was confirmed over a restart."""
    (tmp_path / ".config" / "signoff").mkdir(parents=True)
    write_approvers(tmp_path, OWNER)
    with kept_in(tmp_path) as edited:
        assert edited.waiting() == []
    write_approvers(tmp_path, OWNER, AGENT)

    with kept_in(tmp_path) as edited:
        assert "agent" in edited.waiting()[0]
        edited.code_of("approvers")


def test_what_stands_at_the_first_start_holds(tmp_path: Path) -> None:
    """The control: `approvers add` before `up` needs no confirmation."""
    (tmp_path / ".config" / "signoff").mkdir(parents=True)
    write_approvers(tmp_path, OWNER, AGENT)

    with kept_in(tmp_path) as edited:
        assert edited.waiting() == []
        edited.daemon.act("ls")


def test_a_command_with_a_wrong_code_says_that_it_waits(tmp_path: Path) -> None:
    """Whoever set the mode must not believe that it holds."""
    (tmp_path / ".config" / "signoff").mkdir(parents=True)
    write_approvers(tmp_path, OWNER)
    with kept_in(tmp_path) as edited, on_terminal(edited.daemon, "mode", "local") as terminal:
        terminal.confirm("local")
        terminal.found(r"inbox.*:\s+> ")
        terminal.type("AAAA-AAAA")
        said = terminal.to_end()

    assert "no change waits under this code" in said
    assert "the daemon waits for this: `signoff confirm`" in said


def test_an_unlock_that_waits_is_not_called_lifted(tmp_path: Path) -> None:
    """What the file says does not hold yet, and the exit status says so."""
    (tmp_path / ".config" / "signoff").mkdir(parents=True)
    write_approvers(tmp_path, OWNER)
    with kept_in(tmp_path) as edited:
        edited.daemon.signoff("lock", "tool", "Bash")
        wait_until(lambda: "locked" in edited.daemon.act("ls").body.decode())
        with on_terminal(edited.daemon, "unlock") as terminal:
            terminal.confirm("unlock all")
            terminal.found(r"inbox.*:\s+> ")
            terminal.type("AAAA-AAAA")
            said = terminal.to_end()
        assert "locked" in edited.daemon.act("ls").body.decode()

    assert "not lifted yet: an admin has to confirm it" in said


def test_a_seal_that_is_gone_is_told(tmp_path: Path) -> None:
    """T-63: without it the files are taken as they stand, and every channel hears of it."""
    (tmp_path / ".config" / "signoff").mkdir(parents=True)
    write_approvers(tmp_path, OWNER)
    with kept_in(tmp_path) as edited:
        edited.daemon.act("ls")
        (edited.daemon.state / "confirmed.json").unlink()

    with kept_in(tmp_path) as edited:
        wait_until(lambda: any("first start" in text for text in edited.telegrams()))


def test_another_socket_in_the_place_of_the_daemons_is_told(tmp_path: Path) -> None:
    """T-61: whoever listens there answers the hooks; the daemon that is left alone says so."""
    (tmp_path / ".config" / "signoff").mkdir(parents=True)
    write_approvers(tmp_path, OWNER)
    with kept_in(tmp_path) as edited:
        edited.daemon.act("ls")
        path = edited.daemon.state / "daemon.sock"
        wait_until(lambda: edited.daemon.request("GET", "/v1/status").status == 200)
        time.sleep(1.2)  # two looks of the watch, without a word
        before = [text for text in edited.telegrams() if "hooks ask at" in text]
        path.rename(path.with_name("aside"))
        path.touch()
        try:
            wait_until(lambda: any("hooks ask at" in text for text in edited.telegrams()))
        finally:
            path.with_name("aside").rename(path)

    assert before == []
