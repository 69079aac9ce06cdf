"""A record that failed for want of a working disk goes on by itself once the disk works again.

With a real full disk and with system calls that really fail; both take tools of Linux and root.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NAMESPACES = os.geteuid() == 0 and shutil.which("unshare") is not None
TRACED = shutil.which("strace") is not None

STORE = """
import json, os, sys, time
from signoff.errors import StoreError
from signoff.storage.sqlite import SqliteStore
from signoff.testing import make_action, make_gate

store = SqliteStore("FOLDER/record.db")
gate = make_gate(store=store)
seen = []
def decide():
    decision = gate.check_now(make_action())
    seen.append(decision.allowed)
    return decision.allowed
"""
FULL = """
decide()
with open("FOLDER/filler", "wb", buffering=0) as filler:
    try:
        while True:
            filler.write(b"x" * 4096)
    except OSError:
        pass
for _ in range(40):
    decide()
os.unlink("FOLDER/filler")
"""
FAILING = """
for _ in range(6):
    decide()
"""
AFTER = """
filled = seen[:]
until = time.monotonic() + 60
while not decide() and time.monotonic() < until:
    time.sleep(0.2)
later = [decide() for _ in range(3)]
allowed = sum(seen)
found = store.verify()
print(json.dumps([filled, later, found.ok, found.count >= allowed]))
"""


def said_by(folder: Path, code: str, *around: str) -> tuple[list[bool], list[bool], bool, bool]:
    """Run code in a process of its own; return what was allowed meanwhile, and after."""
    text = (STORE + code + AFTER).replace("FOLDER", str(folder))
    words = [*around, sys.executable, "-c", text]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=90)
    assert done.returncode == 0, done.stdout + done.stderr
    filled, later, is_whole, is_complete = json.loads(done.stdout.splitlines()[-1])
    return filled, later, is_whole, is_complete


@pytest.mark.skipif(not NAMESPACES, reason="it takes root to mount a small disk")
def test_a_disk_that_was_full_is_used_again(tmp_path: Path) -> None:
    """Calls are refused while it is full, and recorded as soon as there is space."""
    mount = f"mount -t tmpfs -o size=1m,mode=700 none {tmp_path} && exec "
    around = ["unshare", "--mount", "sh", "-c", f'{mount} "$@"', "sh"]

    filled, later, is_whole, is_complete = said_by(tmp_path, FULL, *around)

    assert filled[0]
    assert False in filled
    assert ([True] * 3, True, True) == (later, is_whole, is_complete)


@pytest.mark.skipif(not TRACED, reason="strace is not installed here")
@pytest.mark.parametrize(("call", "when"), [("fdatasync", "4..5"), ("pwrite64", "12..14")])
def test_a_disk_that_failed_is_read_afresh(tmp_path: Path, call: str, when: str) -> None:
    """What was acknowledged is there, what was not was refused, and the chain is whole."""
    files = [word for end in ("", "-wal") for word in ("-P", f"{tmp_path}/record.db{end}")]
    fault = f"inject={call}:error=EIO:when={when}"
    around = ["strace", "-f", "-qq", "-o", "/dev/null", *files, "-e", fault]

    filled, later, is_whole, is_complete = said_by(tmp_path, FAILING, *around)

    assert False in filled
    assert ([True] * 3, True, True) == (later, is_whole, is_complete)
