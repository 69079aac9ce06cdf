"""While the daemon runs, checkpoints are signed, kept elsewhere, and shown on cards."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from signoff.build.approvals import build_approvals, build_people
from signoff.challenge.card import render_text
from signoff.effects.store import RecordDraft
from signoff.frontends.auditing.checkpoint_watch import SIGN_EVERY, CheckpointWatch
from signoff.settings import Settings
from signoff.storage.proof import checkpoints
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import CheckpointSigner, checked_note
from signoff.storage.proof.offline_verifier import notes_in
from signoff.storage.sqlite import SqliteStore
from signoff.testing import make_request

SIGNER = CheckpointSigner(bytes(range(32)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return an audit log of three entries."""
    store = SqliteStore(str(tmp_path / "record.db"))
    fill(store, 3)
    yield store
    store.close()


def fill(store: SqliteStore, n: int) -> None:
    """Add entries."""
    store.append_batch([RecordDraft(content={"n": k}) for k in range(n)])


def watch_of(store: SqliteStore, *targets: str) -> CheckpointWatch:
    """Return a watch that hands checkpoints to these targets."""
    folder = str(Path(store.path).parent / "checkpoints")
    return CheckpointWatch(CheckpointKeeper(store, SIGNER, folder=folder), targets)


def test_a_file_elsewhere_holds_every_checkpoint(store: SqliteStore, tmp_path: Path) -> None:
    """Signed at once at the start, after 256 entries, and at the end; not in between."""
    kept = tmp_path / "kept.txt"
    watch = watch_of(store, str(kept))

    async def day() -> None:
        await watch.look()
        await watch.look()
        fill(store, 1)
        await watch.look()  # too soon for one entry
        fill(store, SIGN_EVERY)
        await watch.look()
        fill(store, 1)
        await watch.look(is_last=True)

    asyncio.run(day())

    notes = list(notes_in(kept.read_text()))
    assert [3, 260, 261] == [checked_note(note, SIGNER.key).size for note in notes]
    assert watch.short().startswith("261 ")
    assert () == watch.problems


class _Taker(BaseHTTPRequestHandler):
    """Takes what is posted."""

    taken: list[bytes]

    def do_POST(self) -> None:
        self.taken.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_an_address_gets_every_checkpoint(store: SqliteStore) -> None:
    """Posted as text."""
    taken: list[bytes] = []
    server = HTTPServer(("127.0.0.1", 0), type("Taker", (_Taker,), {"taken": taken}))
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    try:
        asyncio.run(watch_of(store, f"http://127.0.0.1:{server.server_port}/add").look())
    finally:
        thread.join()
        server.server_close()

    assert [3] == [checked_note(one.decode(), SIGNER.key).size for one in taken]


def test_what_cannot_be_handed_on_is_a_problem(store: SqliteStore, tmp_path: Path) -> None:
    """It is told, the others are still served, and it goes away once it works."""
    folder, kept = tmp_path / "not-mounted", tmp_path / "kept.txt"
    watch = watch_of(store, str(folder / "kept.txt"), str(kept))
    asyncio.run(watch.look())
    assert "not-mounted" in watch.problems[0]
    assert kept.exists()

    folder.mkdir()
    fill(store, 1)
    asyncio.run(watch.look(is_last=True))
    assert () == watch.problems


def test_a_full_disk_is_a_problem_and_no_end(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, and signing goes on once there is room: the daemon must not end of it."""
    watch = watch_of(store)

    def full(path: str, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(checkpoints, "write_whole", full)
        asyncio.run(watch.look())
    problems = watch.problems
    fill(store, SIGN_EVERY)
    asyncio.run(watch.look())

    assert 1 == len(problems)
    assert "No space left" in problems[0]
    assert () == watch.problems


def test_a_log_that_lost_entries_is_a_problem(store: SqliteStore, tmp_path: Path) -> None:
    """Nothing is signed over it, and the status says so."""
    asyncio.run(watch_of(store).look())
    store.close()
    Path(store.path).unlink()
    (tmp_path / "seen" / "record.db.head").unlink()
    other = SqliteStore(store.path)
    fill(other, 1)

    watch = watch_of(other)
    asyncio.run(watch.look())

    assert "run `signoff audit verify`" in watch.problems[0]
    other.close()


def test_a_card_shows_the_state_of_the_log(tmp_path: Path) -> None:
    """Whoever keeps the card keeps a witness of the log."""
    approvals = build_approvals(
        Settings(config_dir=str(tmp_path / "c"), state_dir=str(tmp_path / "s"))
    )
    approvals.shared.log_state = lambda: "1838 CsUYapGGPo4dkMgI"
    card = build_people(approvals, ()).card(make_request())

    assert "audit log: 1838 CsUYapGGPo4dkMgI" in render_text(card).text
