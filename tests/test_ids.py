"""Ids: never twice, whoever asks and however often."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from signoff.ids import BLOCK, is_same_secret, new_id

FORKED = """
import os
from signoff.ids import new_id

new_id()
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, " ".join(new_id() for _ in range(500)).encode())
    os._exit(0)
os.close(write)
with open(read) as child:
    theirs = child.read().split()
os.wait()
print(len({*theirs, *(new_id() for _ in range(500))}))
"""


def test_an_id_is_128_bits_in_hex() -> None:
    """Of the system's randomness."""
    assert re.fullmatch("[0-9a-f]{32}", new_id())


def test_no_id_comes_twice() -> None:
    """Over many blocks."""
    count = 10 * BLOCK + 1

    assert count == len({new_id() for _ in range(count)})


def test_threads_share_none() -> None:
    """Even where they use up the same block."""
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: [new_id() for _ in range(999)], range(16)))

    assert 16 * 999 == len({one for ids in taken for one in ids})


def test_a_child_shares_none_with_its_parent() -> None:
    """What was drawn before the fork is the parent's."""
    done = subprocess.run(
        [sys.executable, "-c", FORKED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )

    assert "1000" == done.stdout.strip()


@pytest.mark.parametrize("given", ["abd", "ab", "abcd", "", "\u00e4bc", "ab\udc80", "?"])
def test_another_text_is_another_secret(given: str) -> None:
    """Whatever characters it holds, none of them an error."""
    assert not is_same_secret("abc", given)
    assert is_same_secret(given, given)
