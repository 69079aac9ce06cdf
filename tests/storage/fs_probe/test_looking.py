"""Looks at files: at once where all is near, aside and for so long where it may not answer."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from signoff.errors import StoreError
from signoff.storage.fs_probe.mounts import Mounts
from signoff.storage.fs_probe.offloaded import OffloadedProbe
from signoff.storage.fs_probe.probe import HERE, FileProbe

LOCAL = (
    "22 1 0:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n23 22 0:5 / /proc rw - proc proc rw\n"
)
BINFMT = "30 23 0:9 / /proc/sys/fs/binfmt_misc rw shared:2 - autofs systemd-1 rw\n"
FAR = {
    "another machine": "40 22 0:40 / /mnt/share rw shared:9 - nfs4 server:/share rw\n",
    "a program": "41 22 0:41 / /home/dev/box rw - fuse.sshfs box: rw\n",
    "what mounts itself": "42 22 0:42 / /net rw - autofs /etc/auto.net rw\n",
    "an unknown kind": "43 22 0:43 / /odd rw - oddfs odd rw\n",
    "a line of another form": "44 22\n",
}


def mounts(tmp_path: Path, table: str) -> Mounts:
    """Make mounts by a table of our own."""
    file = tmp_path / "mountinfo"
    file.write_text(table, encoding="utf-8")
    return Mounts(str(file))


def thread_of(looking: FileProbe) -> int:
    """Return which thread a look is taken in."""
    return asyncio.run(looking.taken(threading.get_ident))


def test_a_near_table_is_looked_at_here(tmp_path: Path) -> None:
    """Disks and memory of this machine, and what systemd mounts itself below /proc."""
    looking = OffloadedProbe(mounts(tmp_path, LOCAL + BINFMT))

    assert thread_of(looking) == threading.get_ident()


@pytest.mark.parametrize("line", FAR.values(), ids=FAR.keys())
def test_one_far_mount_makes_all_looks_far(tmp_path: Path, line: str) -> None:
    """As a link can lead anywhere."""
    looking = OffloadedProbe(mounts(tmp_path, LOCAL + line))

    assert thread_of(looking) != threading.get_ident()


def test_without_a_table_everything_is_far(tmp_path: Path) -> None:
    """Nothing is known of where a look would lead."""
    looking = OffloadedProbe(Mounts(str(tmp_path / "none")))

    assert thread_of(looking) != threading.get_ident()


def test_a_mount_that_comes_later_is_seen(tmp_path: Path) -> None:
    """With the next look at the table."""
    known = mounts(tmp_path, LOCAL)
    mounts(tmp_path, LOCAL + FAR["a program"])
    known.look()

    assert not known.are_near


def test_what_does_not_answer_is_not_known(tmp_path: Path) -> None:
    """The look is given up, and the next one is taken."""
    looking = OffloadedProbe(mounts(tmp_path, FAR["a program"]), within_s=0.05)
    is_over = threading.Event()

    async def run() -> int:
        with pytest.raises(StoreError):
            await looking.taken(lambda: is_over.wait(5))
        return await looking.taken(lambda: 1)

    assert asyncio.run(run()) == 1
    is_over.set()


def test_here_a_failure_is_the_looker_s_own() -> None:
    """Nothing is turned into anything else."""

    def fail() -> int:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        asyncio.run(HERE.taken(fail))
