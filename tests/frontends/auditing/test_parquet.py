"""The audit log as a Parquet file, read again by the library that analysts use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="signoff[parquet] is not installed")

from click.testing import CliRunner
from pyarrow import parquet

from signoff.actions.canonical import RawJsonTree
from signoff.effects.store import RecordDraft
from signoff.frontends.cli.audit import command
from signoff.storage.sqlite import SqliteStore

CONTENT: dict[str, RawJsonTree] = {
    "tool": "Bash",
    "verdict": "deny",
    "risk": 0.5,
    "action_redacted": {"command": "ls"},
}


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where to write, in a home with a log of three entries, one of them odd."""
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path / "s"))
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(tmp_path / "c"))
    store = SqliteStore(str(tmp_path / "s" / "record.db"))
    odd: dict[str, RawJsonTree] = {
        "risk": "high",
        "answered_in_ms": True,
        "tool": ["x"],
        "verdict": "allow",
    }
    store.append_batch([RecordDraft(content=one) for one in (CONTENT, odd, CONTENT)])
    store.close()
    return tmp_path / "log.parquet"


def test_the_columns_are_those_of_the_csv(target: Path) -> None:
    """With numbers as numbers, and the whole entry beside them."""
    done = CliRunner().invoke(command, ["export", "--format", "parquet", "-o", str(target)])
    rows = parquet.read_table(target).to_pylist()

    assert "3 entries in" in done.output
    assert [(1, 0.5, "ls"), (2, None, ""), (3, 0.5, "ls")] == [
        (row["seq"], row["risk"], row["call"]) for row in rows
    ]
    assert ["", "not seen", ""] == [row["outcome"] for row in rows]
    assert "Bash" == json.loads(rows[0]["entry"])["tool"]


def test_a_file_that_is_there_is_not_overwritten(target: Path) -> None:
    """And standard output takes no Parquet."""
    target.write_text("mine")
    done = CliRunner().invoke(command, ["export", "--format", "parquet", "-o", str(target)])
    none = CliRunner().invoke(command, ["export", "--format", "parquet"])

    assert (2, 2) == (done.exit_code, none.exit_code)
    assert "mine" == target.read_text()
