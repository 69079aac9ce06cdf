"""A small file is written whole or not at all, for its owner only."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from signoff.storage.text_file import write_whole


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_it_has_the_content_and_the_mode(tmp_path: Path, mode: int) -> None:
    """Whatever stood there before, and with nothing left beside it."""
    path = tmp_path / "kept"
    path.write_bytes(b"before, and longer")
    path.chmod(0o666)

    write_whole(str(path), b"after", mode=mode)

    assert (b"after", mode) == (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    assert [path] == list(tmp_path.iterdir())


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, as the flush tells it."""
    path = tmp_path / "kept"
    path.write_bytes(b"before")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(str(path), b"after")

    assert b"before" == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())
