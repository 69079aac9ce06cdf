"""What a slow hash took for a moment is not kept."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

HASH = """
import hashlib, sys, threading
from pathlib import Path
from signoff.serving.listening import return_large_blocks

def rss_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

def hash_thrice():
    for _ in range(3):
        hashlib.scrypt(b"code", salt=b"salt", n=2**14, r=8, p=1, maxmem=2**26)

if sys.argv[1] == "with":
    return_large_blocks()
before = rss_mb()
thread = threading.Thread(target=hash_thrice)
thread.start()
thread.join()
print(rss_mb() - before)
"""


def kept_mb(mode: str) -> float:
    """Return how much a process holds more after some slow hashes."""
    command = [sys.executable, "-c", HASH, mode]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps them")
def test_what_a_slow_hash_took_goes_back() -> None:
    """16 MB stay with the process otherwise."""
    assert kept_mb("with") < 8.0 < kept_mb("without")
