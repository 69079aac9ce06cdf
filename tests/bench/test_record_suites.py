"""The suites of faults and attacks on the audit log: short ones pass, and notice a broken build."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def can_trace() -> bool:
    """Tell whether this machine has strace, and lets it trace."""
    if shutil.which("strace") is None:
        return False
    line = ["strace", "-o", "/dev/null", "-e", "trace=pwrite64", sys.executable, "-c", ""]
    return subprocess.run(line, check=False, capture_output=True).returncode == 0


NO_STRACE = pytest.mark.skipif(not can_trace(), reason="strace is not installed, or may not trace")
SUITES = (
    pytest.param("power-cut", 10, marks=NO_STRACE),
    ("forged-proofs", 400),
    ("two-writers", 200),
    ("bit-flips", 60),
)


def suite(name: str, count: int, *more: str) -> subprocess.CompletedProcess[str]:
    """Run a suite in a process of its own."""
    line = [sys.executable, "-m", "bench.record", name, "--count", str(count), *more]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize(("name", "count"), SUITES)
def test_a_suite_finds_nothing(name: str, count: int) -> None:
    """Nothing acknowledged is lost, nothing changed goes unseen, nothing forged is accepted."""
    done = suite(name, count)

    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("name", "count"), SUITES)
def test_a_suite_notices_a_broken_build(name: str, count: int) -> None:
    """Positive control."""
    done = suite(name, count, "--control")

    assert (1, True) == (done.returncode, bool(done.stdout)), done.stderr
