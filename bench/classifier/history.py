"""The own cases as they were before a set was added: what a classifier could have known of it.

A set held back is not enough. After a set was judged, cases of the same mechanisms are written, and
a classifier that has seen those has seen the set. So the cases are taken from the commit before.

    "near-stores/near-stores-001" in ids_before("unseen-isle")
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from bench.quality.cases import read_rows
from bench.quality.sets import OWN, ROOT


@cache
def ids_before(name: str) -> frozenset[str]:
    """Return the ids of the own cases of the commit before a set was added, as `FILE/ID`.

    Raises:
        ValueError: the history of the checkout does not reach back to it.
    """
    with cases_before(name) as folder:
        return frozenset(
            f"{file.stem}/{row['id']}" for file in folder.glob("*.jsonl") for row in read_rows(file)
        )


@contextmanager
def cases_before(name: str) -> Iterator[Path]:
    """Give a folder with the own cases of the commit before a set was added.

    Raises:
        ValueError: the history of the checkout does not reach back to it.
    """
    place = OWN.relative_to(ROOT).as_posix()
    added = _git("log", "--diff-filter=A", "--format=%H %P", "--", f"{place}/{name}.jsonl")
    commits = added.decode().splitlines()
    before = commits[-1].split()[1:] if commits else []
    if not before:
        raise ValueError(f"no commit before {place}/{name}.jsonl is known: take a full clone")
    packed = _git("archive", before[0], place)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            # Python 3.11.2 knows no filters yet; git made the archive from our own files.
            known: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
            archive.extractall(folder, **known)
        yield Path(folder) / place


def _git(*arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments],
        check=True,
        capture_output=True,
    ).stdout
