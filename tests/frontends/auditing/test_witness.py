"""A witness on loopback: it cosigns a log that grows, and contradicts every other one."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from bench.record.tampering import served

from signoff.effects.store import RecordDraft
from signoff.frontends.auditing.checkpoint_watch import CheckpointWatch
from signoff.frontends.auditing.witness_client import (
    WitnessClient,
    WitnessContradiction,
    WitnessReport,
    WitnessTarget,
    ask_witnesses,
)
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import BadCheckpoint, CheckpointSigner, Cosigner, cosigned_at
from signoff.storage.proof.offline_verifier import checked, notes_in, read_key
from signoff.storage.proof.witness import Witness
from signoff.storage.sqlite import SqliteStore

SIGNER = CheckpointSigner(bytes(range(32)))
COSIGNER = Cosigner(bytes(range(1, 33)))


class Log:
    """An audit log in a folder, and what signs it."""

    def __init__(self, folder: Path, *, signer: CheckpointSigner = SIGNER) -> None:
        self.folder, self.signer = folder, signer
        self.store = SqliteStore(str(folder / "record.db"))

    @property
    def keeper(self) -> CheckpointKeeper:
        """What signs it."""
        return CheckpointKeeper(self.store, self.signer, folder=str(self.folder / "checkpoints"))

    def fill(self, n: int, *, said: str = "as it was") -> str:
        """Add entries; return the signed checkpoint."""
        self.store.append_batch([RecordDraft(content={"n": k, "said": said}) for k in range(n)])
        return self.keeper.update() or ""

    def replaced(self, n: int, *, said: str) -> str:
        """Make the log anew as its owner can: other entries, signed with the same key."""
        self.store.close()
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.store = SqliteStore(self.store.path)
        return self.fill(n, said=said)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Return an empty log."""
    (tmp_path / "log").mkdir()
    log = Log(tmp_path / "log")
    yield log
    log.store.close()


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    """Return a witness that knows the log."""
    return Witness(str(tmp_path / "witness"), COSIGNER, logs=(SIGNER.key,))


def test_a_growing_log_is_cosigned(log: Log, witness: Witness) -> None:
    """Each checkpoint continues the last one; both signatures stand in the note."""
    with served(witness) as target:
        client = WitnessClient(target, log.store, folder=str(log.folder / "checkpoints"))
        for added in (1, 2, 5, 1, 300):
            note = log.fill(added)
            cosigned = asyncio.run(client.cosign(note, SIGNER.key))
            assert cosigned_at(cosigned, COSIGNER.key) > 0
            assert cosigned.startswith(note)
    (seen,) = witness.seen()
    assert seen.note == cosigned
    assert [cosigned] == list(notes_in(f"what was shown:\n{cosigned}\n"))
    assert (309, True) == (checked(cosigned, read_key(SIGNER.key.text))[0], client.size == 309)


def test_a_client_that_forgot_learns_what_the_witness_saw(log: Log, witness: Witness) -> None:
    """The state file is lost: the witness tells its size, and the proof starts there."""
    with served(witness) as target:
        asyncio.run(WitnessClient(target, log.store).cosign(log.fill(7), SIGNER.key))
        fresh = WitnessClient(target, log.store)
        asyncio.run(fresh.cosign(log.fill(9), SIGNER.key))

    assert fresh.size == 16


@pytest.mark.parametrize(
    ("n", "said", "words"),
    [
        (20, "other", "other entries"),  # as many as before
        (40, "other", "does not continue"),  # more than before
        (5, "as it was", "cut off"),  # the same beginning, but shorter
    ],
)
def test_a_log_made_anew_with_its_key_is_contradicted(
    log: Log, witness: Witness, n: int, said: str, words: str
) -> None:
    """Whoever has the signing key and the disk still cannot make the witness sign."""
    with served(witness) as target:
        asyncio.run(WitnessClient(target, log.store).cosign(log.fill(20), SIGNER.key))
        note = log.replaced(n, said=said)

        with pytest.raises(WitnessContradiction, match=words):
            asyncio.run(WitnessClient(target, log.store).cosign(note, SIGNER.key))
        (report,) = asyncio.run(ask_witnesses(log.store, note, SIGNER.key, (target,)))
    assert report.is_contradiction
    assert "\n20\n" in witness.seen()[0].note


def test_another_installation_is_not_known(log: Log, witness: Witness) -> None:
    """A log with another key has another name, which the witness was never told."""
    other = CheckpointSigner(bytes(32))
    log.signer = other
    with served(witness) as target:
        (report,) = asyncio.run(ask_witnesses(log.store, log.fill(3), other.key, (target,)))

    assert report.is_contradiction
    assert "knows no log of this name" in report.problem


def test_a_witness_with_another_key_is_not_believed(log: Log, witness: Witness) -> None:
    """What answers at the address of the witness must have its key."""
    with served(witness) as target:
        mine = WitnessTarget(url=target.url, key=Cosigner(bytes(32)).key)
        with pytest.raises(BadCheckpoint, match="not cosigned"):
            asyncio.run(WitnessClient(mine, log.store).cosign(log.fill(3), SIGNER.key))


def test_a_witness_that_is_away_is_a_problem_until_it_is_back(log: Log, witness: Witness) -> None:
    """The daemon goes on signing, says so, and catches up."""
    with served(witness) as target:
        pass
    log.fill(3)
    client = WitnessClient(target, log.store, folder=str(log.folder / "checkpoints"))
    watch = CheckpointWatch(log.keeper, witnesses=(client,))
    asyncio.run(watch.look())
    assert "did not cosign" in watch.problems[0]

    with served(witness) as back:
        client.target = back
        asyncio.run(watch.look(is_last=True))
    assert () == watch.problems
    assert client.size == 3


def test_a_contradiction_is_logged_after_a_time_without_answers(
    log: Log, witness: Witness, caplog: pytest.LogCaptureFixture
) -> None:
    """Each is said once, and the weaker one hides nothing."""
    log.signer = CheckpointSigner(bytes(32))  # the witness knows no such log
    with served(witness) as target:
        pass
    log.fill(3)
    client = WitnessClient(target, log.store, folder=str(log.folder / "checkpoints"))
    watch = CheckpointWatch(log.keeper, witnesses=(client,))
    asyncio.run(watch.look())
    with served(witness) as back:
        client.target = back
        for _ in range(2):
            asyncio.run(watch.look(is_last=True))
    said = [one.getMessage() for one in caplog.records if "witness" in one.getMessage()]
    assert [1, 1] == [sum(w in one for one in said) for w in ("did not cosign", "contradicts")]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"old 00\n\n", 400),
        (b"old -1\n\nx\n1\n\n", 400),
        (b"old 0\n" + b"AA==\n" * 64 + b"\n", 400),
        (b"old 0\n\xff\n\n", 400),
        (b"old 0\n\nno note", 400),
    ],
)
def test_a_request_that_is_none_is_refused(witness: Witness, body: bytes, status: int) -> None:
    """And nothing is kept."""
    assert status == witness.add_checkpoint(body).status
    assert () == witness.seen()


def test_a_request_is_answered_as_c2sp_says(log: Log, witness: Witness) -> None:
    """404, 403, 400, 409 with the size, 422, and 200 with one line a signature."""
    note = log.fill(4)
    stranger = CheckpointSigner(bytes(32)).sign(size=4, root=bytes(32))
    forged = note[:-20] + ("A" if note[-20] != "A" else "B") + note[-19:]

    assert 404 == witness.add_checkpoint(f"old 0\n\n{stranger}".encode()).status
    assert 403 == witness.add_checkpoint(f"old 0\n\n{forged}".encode()).status
    assert 400 == witness.add_checkpoint(f"old 5\n\n{note}".encode()).status
    first = witness.add_checkpoint(f"old 0\n\n{note}".encode())
    assert (200, True) == (first.status, first.text.startswith("\u2014 signoff.witness/"))
    again = witness.add_checkpoint(f"old 0\n\n{note}".encode())
    assert (409, "4\n", "text/x.tlog.size") == (again.status, again.text, again.content_type)
    larger = log.fill(4)
    assert 422 == witness.add_checkpoint(f"old 4\n\n{larger}".encode()).status
    assert 200 == witness.add_checkpoint(f"old 4\n\n{note}".encode()).status


def test_the_command_serves_until_it_is_told_to_end(log: Log, tmp_path: Path) -> None:
    """`signoff witness serve` in a process of its own, on a free port."""
    line = [sys.executable, "-m", "signoff", "witness"]
    folder = ["--folder", str(tmp_path / "w")]
    process = subprocess.Popen(
        [*line, "serve", "--log", SIGNER.key.text, *folder, "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        key = process.stdout.readline().removeprefix("witness ").strip()
        address = re.search(r"http://\S+", process.stdout.readline())
        target = WitnessTarget.parse(address[0] if address else "", key)
        reports = asyncio.run(ask_witnesses(log.store, log.fill(3), SIGNER.key, (target,)))
    finally:
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(60)
        process.stdout.close()

    expected = WitnessReport(name=target.key.name, size=3, at_s=reports[0].at_s)
    assert [expected] == reports
    shown = subprocess.run([*line, "show", "--json", *folder], capture_output=True, check=True)
    assert [3] == [one["size"] for one in json.loads(shown.stdout)]


def test_a_log_whose_rows_were_changed_beside_the_daemon_is_contradicted(
    log: Log, witness: Witness
) -> None:
    """The checkpoint says what was signed, the rows say another thing: the proof fails."""
    with served(witness) as target:
        asyncio.run(WitnessClient(target, log.store).cosign(log.fill(5), SIGNER.key))
        note = log.fill(5)
        with closing(sqlite3.connect(log.store.path)) as db, db:
            db.execute("DROP TRIGGER records_are_never_changed")
            db.execute("UPDATE records SET leaf = zeroblob(32) WHERE seq = 7")

        with pytest.raises(WitnessContradiction, match="does not continue"):
            asyncio.run(WitnessClient(target, log.store).cosign(note, SIGNER.key))
