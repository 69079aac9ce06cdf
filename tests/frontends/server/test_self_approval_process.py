"""An agent's own processes, with nothing judging them first: none of them answers a request.

Every attempt is a real process of the same user on the same machine as a real daemon. What such a
process could still do SECURITY.md says; what is refused first, `tests/assess/test_self_approval.py`
shows, and what signoff's files are worth, `test_forged_sign_in_process.py`.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench.ports import free_port, is_listening
from inbox_caller import asking_on_the_web
from live_daemon import LiveDaemon, Reply, wait_until
from test_inbox_process import new_code, post, signed_in

COMMAND = "docker system prune -af"
SIGNOFF = f"{sys.executable} -I -m signoff"
SETTINGS = "channels: [web]\nlimits: {min_review_s: 1}\napproval: {review_s: {medium: 0}}\n"


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web."""
    with asking_on_the_web(tmp_path_factory.mktemp("home"), SETTINGS) as daemon:
        yield daemon


def pending_at(daemon: LiveDaemon, session: str) -> tuple[str, Reply]:
    """Let an agent ask; return the id of the request and where its answer will be."""
    before = states(daemon)
    waiting = daemon.act(COMMAND, session_id=session)
    assert 202 == waiting.status, waiting.body
    wait_until(lambda: len(states(daemon)) > len(before))
    return (states(daemon).keys() - before.keys()).pop(), waiting


def states(daemon: LiveDaemon) -> dict[str, str]:
    """Return where each request stands, as the file says."""
    path = daemon.state / "approvals.db"
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return dict(db.execute("SELECT id, state FROM requests").fetchall())


def told(daemon: LiveDaemon, waiting: Reply, seconds: int = 0) -> str:
    """Return the verdict the agent got, "" while there is none."""
    return verdict_of(daemon.request, "GET", f"{waiting.headers['location']}?wait={seconds}")


def verdict_of(ask: Callable[..., Reply], *words: str, **names: str) -> str:
    """Return the verdict of a reply, "" where there is none; a daemon that is gone says none."""
    try:
        return str(ask(*words, **names).said.get("verdict", ""))
    except (OSError, http.client.HTTPException):
        return ""


def run(daemon: LiveDaemon, line: str, **more: str) -> str:
    """Run a shell line as an agent would, without a guard; return everything it said."""
    done = subprocess.run(
        ["bash", "-c", line],
        env={**daemon.environment, **more},
        cwd=daemon.home,
        input="yes\nyes\nAAAA-AAAA\nyes\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        start_new_session=True,
    )
    return done.stdout + done.stderr


CURL = "curl -sS -m 10 -o - -w ' %{http_code}'"
# What is tried on one open request, and what shows that it was really tried.
ATTEMPTS = {
    "the command, with a pipe": (f"yes | {SIGNOFF} approve ID", "nothing was answered"),
    "the command, with words": (f"{SIGNOFF} approve ID --because yes", "nothing was answered"),
    "a refusal by the command": (f"{SIGNOFF} deny ID", "confirm"),
    "the mode": (f"{SIGNOFF} mode local", "not confirmed on a terminal"),
    "the approvers": (
        f"{SIGNOFF} approvers add eve --identity web:eve",
        "not confirmed on a terminal",
    ),
    "a policy": (f"{SIGNOFF} policies add 'all is fine'", "only to a person at a terminal"),
    "a link without a terminal": (f"{SIGNOFF} open --port PORT", "terminal"),
    "another module of ours": (f"{sys.executable} -I -m signoff.__main__ approve ID", "answered"),
    "another home": (f"HOME=/tmp/nowhere-ID {SIGNOFF} approve ID", "no request"),
    "another folder of settings": (
        f"SIGNOFF_STATE_DIR=/tmp/nowhere-ID {SIGNOFF} approve ID",
        "no request",
    ),
    "a terminal made by script": (
        "(for n in 1 2 3 4 5 6; do sleep 1; echo yes; sleep 1; echo AAAA-AAAA; done) |"
        f" script -qec '{SIGNOFF} approve ID' /dev/null",
        "too many wrong answers",
    ),
    "a form without a sign-in": (
        f"{CURL} -d answer=approve -H 'Host: INBOX' http://127.0.0.1:PORT/web/requests/ID/answer",
        " 40",
    ),
    "a form of our own origin": (
        f"{CURL} -H 'Origin: http://INBOX' -d answer=approve"
        " -H 'Host: INBOX' http://127.0.0.1:PORT/web/requests/ID/answer",
        " 40",
    ),
    "a form with a made-up cookie": (
        f"{CURL} -H 'Origin: http://INBOX' -b signoff_web=x -d 'answer=approve&token=x'"
        " -H 'Host: INBOX' http://127.0.0.1:PORT/web/requests/ID/answer",
        " 40",
    ),
    "a form with the daemon's token": (
        f"{CURL} -H 'Origin: http://INBOX' -H \"Authorization: Bearer $(cat TOKEN)\""
        " -d answer=approve -H 'Host: INBOX' http://127.0.0.1:PORT/web/requests/ID/answer",
        " 40",
    ),
    "a page that is only loaded": (
        f"{CURL} -H 'Host: INBOX' 'http://127.0.0.1:PORT/web/requests/ID/answer?answer=approve'",
        " 40",
    ),
    "a sign-in with a made-up code": (
        f"{CURL} -H 'Origin: http://INBOX' -d code=WyJvd25lciJd.00"
        " -H 'Host: INBOX' http://127.0.0.1:PORT/web/sign-in",
        " 403",
    ),
    "the interface of hooks": (
        f"{CURL} -H \"Authorization: Bearer $(cat TOKEN)\" -H 'Content-Type: application/json'"
        ' -d \'{"verdict":"allow"}\' http://127.0.0.1:PORT/v1/requests/ID/answer',
        " 404",
    ),
    "the socket": (
        f"{CURL} --unix-socket SOCKET -d answer=approve http://x/web/requests/ID/answer",
        " 4",
    ),
    "another client": (
        f'{sys.executable} -c "import urllib.request as u;'
        " u.urlopen('http://127.0.0.1:PORT/web/requests/ID/answer', b'answer=approve')\"",
        "HTTP Error 40",
    ),
    "a row that says approved": (
        f"{sys.executable} -c \"import sqlite3; db = sqlite3.connect('DATABASE');"
        " db.execute('UPDATE requests SET state = 9 WHERE 1')\"",
        "Error",
    ),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_leaves_the_request_open(inbox: LiveDaemon, name: str) -> None:
    """T-43: whatever program it is, the request waits for a person; the daemon goes on."""
    line, shows = ATTEMPTS[name]
    new_code(inbox)  # the one who tries knows the inbox's address
    request, waiting = pending_at(inbox, name)
    for word, value in {
        "ID": request,
        "PORT": str(inbox.port),
        "INBOX": inbox.inbox_host,
        "TOKEN": str(inbox.state / "token"),
        "SOCKET": str(inbox.socket),
        "DATABASE": str(inbox.state / "approvals.db"),
    }.items():
        line = re.sub(rf"\b{word}\b", value, line)
    said = run(inbox, line)

    assert shows in said
    assert ("pending", "") == (states(inbox)[request], told(inbox, waiting))


def test_a_person_goes_on_to_answer(inbox: LiveDaemon) -> None:
    """The control: the way that is meant is open all the time."""
    request, waiting = pending_at(inbox, "a person")
    cookie, token = signed_in(inbox)
    path = f"/web/requests/{request}"
    page = inbox.request("GET", path, headers={"Cookie": cookie}).body.decode()
    nonce = re.search(r'name="nonce" value="(\w+)"', page)
    assert nonce is not None
    post(inbox, f"{path}/seen", cookie, token=token)
    time.sleep(3.1)
    post(inbox, f"{path}/answer", cookie, token=token, nonce=nonce[1], answer="approve")

    assert "allow" == told(inbox, waiting, 10)


def test_a_link_signs_in_once(inbox: LiveDaemon) -> None:
    """A link that an agent finds afterwards, in a scrollback or a history, is worth nothing."""
    code = new_code(inbox)

    replies = [post(inbox, "/web/sign-in", code=code).status for _ in range(3)]

    assert [200, 403, 403] == replies


# Each of these spoils what it is done to: nothing afterwards is an approval.
SPOILING = {
    "state": "DROP TRIGGER IF EXISTS arrows; UPDATE requests SET state = 'approved',"
    " decided_by = 'owner', channel = 'web'",
    "rows": "DELETE FROM requests",
    "answers": "INSERT INTO given SELECT id, 0, 'owner', 'web', 'allow', 'confirm', '', 9.0, 0,"
    " 0.0, 'ab' FROM requests",
}


@pytest.mark.parametrize("name", SPOILING)
def test_a_changed_database_approves_nothing(home: Path, name: str) -> None:
    """T-43: states are kept in a file of the same user, and sealed with a key that is in none."""
    with asking_on_the_web(home, SETTINGS) as daemon:
        _, waiting = pending_at(daemon, name)
        with contextlib.closing(sqlite3.connect(daemon.state / "approvals.db")) as db:
            triggers = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (trigger,) in triggers.fetchall():
                db.execute(f"DROP TRIGGER {trigger}")
            with contextlib.suppress(sqlite3.DatabaseError):
                db.executescript(SPOILING[name])
            db.commit()
        verdict = told(daemon, waiting, 5)
        again = verdict_of(daemon.act, COMMAND, session_id=name)

    assert {verdict, again} <= {"deny", ""}


@pytest.mark.parametrize("line", ["rm -f FILES", "truncate -s 0 FILES", "cp /dev/null DATABASE"])
def test_a_database_that_is_gone_approves_nothing(home: Path, line: str) -> None:
    """T-43: it costs the agent its answer."""
    with asking_on_the_web(home, SETTINGS) as daemon:
        _, waiting = pending_at(daemon, "gone")
        database = str(daemon.state / "approvals.db")
        run(daemon, line.replace("FILES", f"{database}*").replace("DATABASE", database))
        verdict = told(daemon, waiting, 5)
        again = verdict_of(daemon.act, COMMAND, session_id="gone")

    assert {verdict, again} <= {"deny", ""}


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_keys_typed_by_a_multiplexer_are_not_the_code(inbox: LiveDaemon, tmp_path: Path) -> None:
    """T-43: an agent can make a terminal and type into it; the code stands elsewhere."""
    request, waiting = pending_at(inbox, "tmux")
    tmux = f"tmux -S {tmp_path}/t"
    said = run(
        inbox,
        f"{tmux} new-session -d -x 200 -y 200 '{SIGNOFF} approve {request}; sleep 30'; sleep 3;"
        f" {tmux} send-keys yes Enter; sleep 1; {tmux} send-keys ABCD-EF23 Enter; sleep 2;"
        f" {tmux} capture-pane -p; {tmux} kill-server",
        TERM="xterm",
    )

    assert "code" in said
    assert ("pending", "") == (states(inbox)[request], told(inbox, waiting))


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not installed")
@pytest.mark.skipif(sys.platform != "linux", reason="what is tested is Linux's")
def test_no_process_of_the_same_user_looks_into_the_daemon(home: Path) -> None:
    """T-43: its memory holds keys; only what may trace everybody reads it."""
    # Root without its powers is a user like any other.
    plain = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.getuid() == 0 else []
    daemon = LiveDaemon(home=home, port=free_port())
    serve = [sys.executable, "-I", "-m", "signoff", "serve", "--port", str(daemon.port)]
    null = subprocess.DEVNULL
    guard = subprocess.Popen([*plain, *serve], env=daemon.environment, stdout=null, stderr=null)
    other = subprocess.Popen([*plain, "sleep", "60"])
    try:
        wait_until(lambda: is_listening(daemon.port))
        look = [*plain, "head", "-c", "1"]
        outcomes = [
            subprocess.run(
                [*look, f"/proc/{one.pid}/environ"], stdout=null, stderr=null, check=False
            ).returncode
            for one in (guard, other)
        ]
    finally:
        for one in (guard, other):
            one.terminate()
            one.wait(20)

    assert [1, 0] == outcomes


def test_a_port_of_its_own_is_known_to_the_judgement(inbox: LiveDaemon) -> None:
    """The daemon tells the judgement where it really listens, whatever the settings say."""
    line = f"curl -d answer=approve http://127.0.0.1:{inbox.port}/v1/actions"
    said = inbox.act(line, session_id="port").said

    assert ("deny", True) == (said["verdict"], "self-protection" in json.dumps(said))
