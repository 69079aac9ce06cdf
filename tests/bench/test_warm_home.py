"""A home that was given its patterns is one in which nothing is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench.warm_home import give_patterns


@pytest.mark.parametrize("words", [("check", "--", "curl", "https://example.com"), ("demo",)])
def test_nothing_is_compiled_in_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A command takes the files as they are: it adds none and writes none again."""
    give_patterns(tmp_path)
    before = kept_in(tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "-m", "signoff", *words],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, len(before)) == (0, 2), done.stderr
    assert before == kept_in(tmp_path)


def kept_in(home: Path) -> list[tuple[str, int]]:
    """Return name and time of change of every file of patterns."""
    folder = home / ".local" / "state" / "signoff" / "patterns"
    return sorted((file.name, file.stat().st_mtime_ns) for file in folder.iterdir())
