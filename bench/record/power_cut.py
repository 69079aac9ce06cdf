"""Cut the power at every step of a writer: replay its writes as far as the disk may have them.

A writer is traced by strace. At each of its system calls the power is cut: what was flushed is
there; of what was not, nothing is, or all, or any sectors of 512 bytes in any order (seeded). Each
such disk is opened by the store: every entry that was acknowledged before must be in it, and the
chain must hold. A control writes without flushing at each commit: it must lose some.

    .venv/bin/python -m bench.record power-cut
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.storage import sqlite
from signoff.storage.sqlite import SqliteStore

COMMITS = 40
SUBSETS = 8  # random ones at each point
SECTOR = 512
PAGES = "PRAGMA wal_autocheckpoint = 12"  # so that the trace holds checkpoints
CALLS = "pwrite64,write,ftruncate,fsync,fdatasync,unlink,rename"
LINE = re.compile(
    r"^\d+ +(\w+)\((?:(\d+)<([^>]*)>|\"([^\"]*)\")(?:, \"([^\"]*)\")?(?:, )?(.*)\) = (\d+)"
)


@dataclass(slots=True)
class Disk:
    """Files as they are surely on disk, and what was written since without a flush."""

    durable: dict[str, bytes] = field(default_factory=dict)
    pending: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)

    def write(self, file: str, at: int, data: bytes) -> None:
        """Take in a write, in sectors."""
        if file in self.removed:  # made anew under the same name
            self.removed.discard(file)
            self.durable.pop(file, None)
        parts = self.pending.setdefault(file, [])
        end = at + len(data)
        while at < end:
            upto = min(end, (at // SECTOR + 1) * SECTOR)
            parts.append((at, data[: upto - at]))
            data, at = data[upto - at :], upto

    def flush(self, file: str) -> None:
        """Make durable what was written to a file."""
        self.durable[file] = _applied(self.durable.get(file, b""), self.pending.pop(file, []))

    def remove(self, file: str) -> None:
        """Remove a file; whether that is durable is open."""
        self.removed.add(file)
        self.pending.pop(file, None)

    def rename(self, file: str, to: str) -> None:
        """Give a file another name, with what was flushed of it; what was not is pending there."""
        self.durable[to] = self.durable.pop(file, b"")
        self.pending[to] = self.pending.pop(file, [])

    def flush_removals(self) -> None:
        """Make removals durable: the folder was flushed."""
        for file in self.removed:
            self.durable.pop(file, None)
        self.removed.clear()

    def images(self, dice: random.Random) -> Iterator[dict[str, bytes]]:
        """Yield the disks that a power cut may leave now."""
        yield self._image(lambda _: [], keeps_removed=True)
        yield self._image(list, keeps_removed=False)
        for _ in range(SUBSETS):
            yield self._image(
                lambda parts: [one for one in parts if dice.random() < 0.5],
                keeps_removed=dice.random() < 0.5,
            )

    def _image(self, chosen, *, keeps_removed: bool) -> dict[str, bytes]:  # type: ignore[no-untyped-def]
        names = {*self.durable, *self.pending} - (set() if keeps_removed else self.removed)
        return {
            name: _applied(self.durable.get(name, b""), chosen(self.pending.get(name, [])))
            for name in names
        }


def _applied(content: bytes, parts: list[tuple[int, bytes]]) -> bytes:
    """Return a file after some writes."""
    made = bytearray(content)
    for at, data in parts:
        if len(made) < at:
            made.extend(bytes(at - len(made)))
        made[at : at + len(data)] = data
    return bytes(made)


def write_all(path: str, *, is_control: bool) -> None:
    """Append entries, and say the number of each once it is durable."""
    flushes = "PRAGMA synchronous = NORMAL" if is_control else "PRAGMA synchronous = FULL"
    sqlite.PRAGMAS = (*sqlite.PRAGMAS, PAGES, flushes)  # type: ignore[assignment]  # for this process
    store = SqliteStore(path)
    for count in range(COMMITS):
        drafts = [RecordDraft(content={"n": count, "text": "x" * (137 * count % 4_000)})]
        store.append_batch(drafts)
        os.write(1, f"{count}\n".encode())
    store.close()


def traced(folder: Path, *, is_control: bool) -> list[str]:
    """Return the system calls of a writer, one a line."""
    trace, path = folder / "trace", folder / "state" / "record.db"
    control = ["--control"] if is_control else []
    line = [sys.executable, "-m", "bench.record.power_cut", str(path), *control]
    strace = ["strace", "-f", "-y", "-xx", "-s", "1000000", "-e", f"trace={CALLS}"]
    subprocess.run([*strace, "-o", str(trace), *line], check=True, stdout=subprocess.PIPE)
    return trace.read_text().splitlines()


def replayed(lines: list[str], state: str) -> Iterator[tuple[Disk, set[int]]]:
    """Yield the disk and what was acknowledged, after each system call on the record."""
    disk, acknowledged = Disk(), set[int]()
    for line in lines:
        found = LINE.match(line)
        if found is None:
            continue
        call, number, opened, path, data, rest = [one or "" for one in found.groups()[:6]]
        file = _text(opened or path)
        raw = bytes.fromhex(data.replace("\\x", ""))
        if call == "write" and number == "1":
            acknowledged.add(int(raw))
        elif file == state:
            disk.flush_removals()
        elif file.startswith(f"{state}/") and not file.endswith("-shm"):
            _take(disk, call, file, raw, rest)
        else:
            continue
        yield disk, acknowledged


def _take(disk: Disk, call: str, file: str, raw: bytes, rest: str) -> None:
    """Let a system call change the disk."""
    if call == "pwrite64":
        disk.write(file, int(rest.split(", ")[1]), raw)
    elif call == "write":  # new files only, written in one go
        disk.write(file, 0, raw)
    elif call in ("fsync", "fdatasync"):
        disk.flush(file)
    elif call == "ftruncate":
        disk.flush(file)  # what was written before goes with it, as ext4 orders it
        disk.durable[file] = disk.durable[file][: int(rest)]
    elif call == "unlink":
        disk.remove(file)
    elif call == "rename":
        disk.rename(file, raw.decode())


def _text(shown: str) -> str:
    """Return a path that strace shows in hexadecimal, or plainly."""
    return bytes.fromhex(shown.replace("\\x", "")).decode() if shown.startswith("\\x") else shown


def lost_on(image: dict[str, bytes], acknowledged: set[int], state: str, folder: Path) -> int:
    """Return how many acknowledged entries a disk does not hold; all, if the chain is broken."""
    for name, content in image.items():
        target = folder / Path(name).relative_to(state)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    store = SqliteStore(str(folder / "record.db"))
    try:
        result = store.verify()
        if not result.ok:
            print(f"after {len(acknowledged)}: {result.problem}", file=sys.stderr)
            return len(acknowledged) or 1
        kept = {json.loads(entry.body)["n"] for entry in store.entries()}
        store.append_now(RecordDraft(content={"n": -1}))
    except StoreError as error:
        print(f"after {len(acknowledged)}: {error}", file=sys.stderr)
        return len(acknowledged) or 1
    finally:
        store.close()
    return len(acknowledged - kept)


def run(*, is_control: bool, count: int = 0) -> int:
    """Cut the power at every point; `count` > 0 takes only so many points, evenly."""
    dice, points, disks, lost = random.Random(1), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        lines = traced(Path(folder), is_control=is_control)
        state = str(Path(folder) / "state")
        step = max(1, len(lines) // count) if count else 1
        for nth, (disk, acknowledged) in enumerate(replayed(lines, state)):
            if nth % step:
                continue
            points += 1
            for image in disk.images(dice):
                disks += 1
                with tempfile.TemporaryDirectory(dir=_fast()) as place:
                    lost += bool(lost_on(image, acknowledged, state, Path(place)))
    print(f"power cut at {points} points, {disks} disks, {lost} without an acknowledged entry")
    return 1 if lost or not points else 0


def _fast() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") else None


if __name__ == "__main__":
    write_all(sys.argv[1], is_control="--control" in sys.argv)
