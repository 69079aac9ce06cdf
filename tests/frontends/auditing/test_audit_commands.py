"""`signoff audit` as a user meets it: found, signed, proven, exported and checked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bench.record.tampering import served

from signoff.effects.store import RecordDraft
from signoff.storage.proof.note import Cosigner, NoteKey
from signoff.storage.proof.witness import Witness
from signoff.storage.sqlite import SqliteStore
from signoff_start import run_signoff


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with an audit log of six entries."""
    state = tmp_path / ".local/state/signoff"
    state.mkdir(parents=True, mode=0o700)
    store = SqliteStore(str(state / "record.db"))
    for n in range(6):
        content = {
            "ts": f"2026-03-0{n + 1}T10:00:00+00:00",
            "tool": "Bash",
            "verdict": "deny" if n % 2 else "allow",
            "decided_by": "score",
            "level": "low",
            "reason": "because",
            "action_redacted": {"command": f"echo {n}"},
        }
        store.append_now(RecordDraft(content=content))
    store.close()
    return tmp_path


def audit(home: Path, *arguments: str, status: int = 0) -> str:
    """Run `signoff audit` as this user; return what it says."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    done = run_signoff("audit", *arguments, env=environment, cwd=Path.cwd())
    assert status == done.returncode, done.stderr
    return done.stdout if not status else done.stderr


def test_entries_are_found(home: Path) -> None:
    """By fields, by text and by time; one is shown whole."""
    lines = audit(home, "query", "--verdict", "deny").splitlines()
    denied = [json.loads(line)["seq"] for line in lines]
    newest = audit(home, "query", "-n", "1", "--format", "csv").splitlines()
    by_text = audit(home, "query", "--text", "echo 3")

    assert [2, 4, 6] == denied
    assert newest[1].startswith("6,")
    assert 4 == json.loads(by_text)["seq"]
    assert "" == audit(home, "query", "--since", "1h")
    assert '"echo 2"' in audit(home, "show", "3")
    assert "there is no entry 9" in audit(home, "show", "9", status=2)


def test_a_log_is_signed_proven_and_checked(home: Path, tmp_path: Path) -> None:
    """From the checkpoint a user keeps to the proof an auditor checks with Python alone."""
    note, key = audit(home, "checkpoint"), audit(home, "checkpoint", "--key").strip()
    kept, proof, bundle = tmp_path / "kept", tmp_path / "proof", tmp_path / "bundle"
    kept.write_text(note)
    audit(home, "prove", "4", "-o", str(proof))
    audit(home, "export", "--format", "bundle", "-o", str(bundle))
    verify = [sys.executable, "-I", "-S", str(bundle / "verify.py")]
    one = subprocess.run([*verify, "--proof", str(proof), "--key", key], capture_output=True)
    all_of_it = subprocess.run(
        [*verify, str(bundle), "--key", key, "--checkpoint", str(kept)], capture_output=True
    )

    assert "1 checkpoint agrees, up to entry 6" in audit(home, "verify")
    assert "hash chain verified" in audit(home, "verify", "--checkpoint", str(kept), "--key", key)
    assert (0, 0) == (one.returncode, all_of_it.returncode)
    assert b'"echo 3"' in one.stdout
    assert b"NOTE" not in all_of_it.stdout


def test_a_rewritten_log_does_not_match_what_was_kept(home: Path, tmp_path: Path) -> None:
    """A log that verifies by itself is found out by a checkpoint kept elsewhere."""
    kept = tmp_path / "kept"
    kept.write_text(audit(home, "checkpoint"))
    key = audit(home, "checkpoint", "--key").strip()
    state = home / ".local/state/signoff"
    for one in ("record.db", "record.db-wal", "record.db-shm", "seen/record.db.head"):
        (state / one).unlink(missing_ok=True)
    store = SqliteStore(str(state / "record.db"))
    store.append_now(RecordDraft(content={"tool": "Bash", "verdict": "allow"}))
    store.close()

    said = audit(home, "verify", "--checkpoint", str(kept), "--key", key, status=1)

    assert "ends at entry 1, but 6 entries were signed" in said
    assert "6 entries were signed" in audit(home, "checkpoint", status=2)


def test_exports_are_written_whole_or_not_at_all(home: Path, tmp_path: Path) -> None:
    """A file that is there is not overwritten."""
    target = tmp_path / "log.csv"
    audit(home, "export", "--format", "csv", "-o", str(target))

    assert 7 == len(target.read_text().splitlines())
    assert "cannot write" in audit(home, "export", "-o", str(target), status=2)
    assert 3 == len(audit(home, "export", "--since", "2026-03-04").splitlines())
    assert "takes -o FOLDER" in audit(home, "export", "--format", "bundle", status=2)


def test_verify_asks_the_witness_of_the_settings(home: Path, tmp_path: Path) -> None:
    """It agrees with the log it saw, and not with one that was made anew with the same key."""
    key = NoteKey.parse(audit(home, "checkpoint", "--key"))
    witness = Witness(str(tmp_path / "witness"), Cosigner(bytes(32)), logs=(key,))
    settings = home / ".config/signoff/signoff.yaml"
    settings.parent.mkdir(parents=True)
    state = home / ".local/state/signoff"
    with served(witness) as target:
        settings.write_text(
            f"audit:\n  witnesses:\n    - url: {target.url}\n      key: {target.key.text}\n"
        )
        assert f"witness {target.key.name} agrees, up to entry 6" in audit(home, "verify")
        for one in ("record.db", "record.db-wal", "record.db-shm"):
            (state / one).unlink(missing_ok=True)
        shutil.rmtree(state / "seen")
        shutil.rmtree(state / "checkpoints")
        store = SqliteStore(str(state / "record.db"))
        store.append_batch([RecordDraft(content={"tool": "Bash", "n": n}) for n in range(9)])
        store.close()

        assert "contradicts this log" in audit(home, "verify", status=1)
        assert "hash chain verified" in audit(home, "verify", "--offline")
    assert "could not be asked" in audit(home, "verify", status=1)
