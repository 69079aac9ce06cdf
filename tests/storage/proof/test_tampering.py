"""Every row of the table in docs/audit.md, by force: what each check sees of it, and what not.

The tamperer can write the database, and knows how entries, hashes and leaves are made. In the last
rows they also have the key, and rewrite the checkpoints kept beside the log.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.record.tampering import (
    ENTRIES,
    TABLE,
    Log,
    checks,
    forked,
    rechained,
    rolled_back,
    seen_by,
    tail_cut,
    untouched,
)

from signoff.errors import TamperedRecord
from signoff.frontends.auditing.bundle import write_bundle
from signoff.storage.proof import offline_verifier
from signoff.storage.proof.note import CheckpointSigner


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Return a log of 24 entries, 20 of them signed."""
    return Log(tmp_path)


def offline(log: Log, *arguments: str) -> int:
    """Export what stands there and check it by the single file, with nothing else."""
    folder = log.folder / "export"
    folder.mkdir()
    with (folder / "entries.jsonl").open("wb") as target:
        for entry in log.store.entries():
            target.write(entry.body + b"\n")
    (folder / "verify.py").write_text(Path(offline_verifier.__file__).read_text())
    kept = log.folder / "kept.txt"
    kept.write_text(f"a card of mine\n\n{log.kept_elsewhere}\nand more\n")
    line = [str(folder / "verify.py"), str(folder), "--checkpoint", str(kept), *arguments]
    return subprocess.run(
        [sys.executable, "-I", "-S", *line], check=False, capture_output=True
    ).returncode


def test_an_untouched_log_verifies(log: Log) -> None:
    """By all five, and the daemon goes on signing it."""
    untouched(log)

    assert (False, False, False, False) == checks(log)
    assert 0 == offline(log, "--key", log.public.text)
    assert f"\n{ENTRIES}\n" in log.keeper.newest_note()


@pytest.mark.parametrize("tamper", TABLE, ids=lambda one: one.__name__)
def test_tampering(log: Log, tamper: Callable[[Log], None]) -> None:
    """What is promised is seen, and what is not promised is not seen."""
    *expected, status = TABLE[tamper]
    tamper(log)
    # Of another installation the key differs, and the entries too.
    assert status == offline(log, "--key", log.public.text)
    assert tuple(expected) == checks(log)


@pytest.mark.parametrize("tamper", [tail_cut, rolled_back, rechained, forked])
def test_nothing_is_signed_over_a_tampered_log(log: Log, tamper: Callable[[Log], None]) -> None:
    """The keeper refuses, or signs a root that still shows it."""
    tamper(log)
    try:
        log.keeper.update()
    except TamperedRecord as error:
        assert "signed" in str(error)
    assert seen_by(log, [log.kept_elsewhere], own=False)


def test_another_key_is_refused(log: Log) -> None:
    """A checkpoint of somebody else's key proves nothing."""
    forged = CheckpointSigner(bytes(32)).sign(size=3, root=bytes(32))

    assert seen_by(log, [forged], own=False)
    (log.folder / "kept.txt").write_text(forged)
    log.kept_elsewhere = forged
    assert 3 == offline(log, "--key", log.public.text)


def test_a_changed_checkpoint_is_refused(log: Log) -> None:
    """Each character of a checkpoint counts, for both verifiers."""
    note, key = log.kept_elsewhere, offline_verifier.read_key(log.public.text)
    signature = base64.b64decode(note.split()[-1])
    for at in range(len(signature)):
        changed = bytearray(signature)
        changed[at] ^= 1
        line = note.replace(note.split()[-1], base64.b64encode(bytes(changed)).decode())
        with pytest.raises(offline_verifier.CheckFailed):
            offline_verifier.checked(line, key)
        assert seen_by(log, [line], own=False)


def test_every_bit_of_an_entry_counts(log: Log) -> None:
    """A single flipped bit of any stored byte of an entry is seen by the chain."""
    rows = list(log.store.entries())
    bodies = [rows[k].body for k in range(3)]
    for number, body in enumerate(bodies):
        for at in range(0, len(body), 7):
            changed = bytes([*body[:at], body[at] ^ 1, *body[at + 1 :]])
            lines = [*bodies[:number], changed, *bodies[number + 1 :]]
            with pytest.raises(offline_verifier.CheckFailed):
                offline_verifier.check([*lines, rows[3].body], [])


def test_a_bundle_checks_itself(log: Log, tmp_path: Path) -> None:
    """The export holds all that is needed, and says what it cannot show."""
    folder = tmp_path / "bundle"
    assert ENTRIES == write_bundle(log.store, log.keeper, folder)

    done = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "verify.py"), str(folder)],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert f"{ENTRIES} of them are signed" in done.stdout
    assert "compare it with one that you kept" in done.stdout


def test_what_is_nested_too_deep_is_unreadable_or_no_entry(log: Log) -> None:
    """Hostile files end the verifier with a status of its own, with no trace of its code."""
    deep = '{"a":' * 100_000
    kept = log.folder / "deep.txt"
    kept.write_text(deep)

    assert 4 == offline(log, "--key", log.public.text, "--checkpoint", str(kept))
    with pytest.raises(offline_verifier.CheckFailed, match="entry 1: its bytes are no entry"):
        offline_verifier.check([deep.encode()], [])
