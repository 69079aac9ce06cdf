"""Compiled patterns, program descriptions and rules kept in files: a start need not wait for them.

Patterns are loaded into an engine as they are, so a file counts only if this installation made it:
it carries a seal made with the installation's key, and it must be an ordinary file of this user
that nobody else can write. Anything else is as if there were none. Files are written aside and
renamed, 0600 in a folder that is 0700; a failure to write is no failure.

A wheel brings the index of program descriptions and the nodes of the shipped rules
(`hatch_build.py`). In a checkout they are made in memory where they are missing or older than the
YAML files, and written beside them here. They are code of this package: whoever can write them can
write the Python files next to them.

    files = PatternFiles("/home/dev/.local/state/signoff/patterns", key_file=...)
    files.put("a3f0...", compiled)
    files.take("a3f0...")  ->  the same bytes
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import platform
import secrets
import stat

from signoff.actions.programs import registry
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_yaml
from signoff.documents.stored import read_stored, store_nodes
from signoff.errors import StoreError
from signoff.storage.installation import installation_key
from signoff.storage.text_file import make_own_folder, write_whole
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK, is_own, rights_of_others

BYTES_LIMIT = 64 << 20
FILES_KEPT = 6  # sets of this version and of those before
ENDING = ".compiled"
NODES_ENDING = ".nodes"
SEAL_BYTES = 32

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(registry.__file__)), "data")


class PatternFiles:
    """A cache folder of compiled patterns."""

    def __init__(self, folder: str, *, key_file: str) -> None:
        self._folder = folder
        self._key_file = key_file

    def take(self, name: str) -> bytes:
        """Return what is cached under a name, b"" if it is missing or not trustworthy."""
        try:
            sealed = _read_own(self._file(name))
            seal, compiled = sealed[:SEAL_BYTES], sealed[SEAL_BYTES:]
            is_ours = hmac.compare_digest(seal, self._seal(name, compiled))
        except (OSError, StoreError):
            return b""
        return compiled if is_ours else b""

    def put(self, name: str, compiled: bytes) -> None:
        """Cache something under a name; the oldest files are deleted beyond a limit."""
        try:
            make_own_folder(self._folder)
            write_whole(self._file(name), self._seal(name, compiled) + compiled, is_durable=False)
            _forget_oldest(self._folder)
        except (OSError, StoreError):
            return  # compiled again next time

    def _file(self, name: str) -> str:
        # What was compiled for one kind of machine is of no use to another with the same home.
        return os.path.join(self._folder, f"{name}.{platform.machine()}{ENDING}")

    def _seal(self, name: str, compiled: bytes) -> bytes:
        """Return what only this installation can make of these bytes."""
        text = b"signoff-compiled-patterns-v1\0" + name.encode() + b"\0"
        key = installation_key(self._key_file)
        return hmac.digest(key, text + hashlib.sha256(compiled).digest(), "sha256")


def _read_own(file: str) -> bytes:
    """Return the bytes of a file that only this user can have written, b"" of any other."""
    handle = os.open(file, os.O_RDONLY | NOFOLLOW | CLOEXEC | NONBLOCK)
    with open(handle, "rb") as source:
        found = os.fstat(handle)
        is_ours = stat.S_ISREG(found.st_mode) and is_own(found)
        # Before the seal: an engine is given these bytes as they are, and bad ones could crash
        # it.
        if not is_ours or rights_of_others(found) & 0o022 or found.st_size > BYTES_LIMIT:
            return b""
        return source.read(BYTES_LIMIT)


def _forget_oldest(folder: str) -> None:
    """Take away the oldest files beyond the number that is kept."""
    with os.scandir(folder) as entries:
        found = [(entry.stat().st_mtime_ns, entry.path) for entry in entries if _is_kept(entry)]
    for _, path in sorted(found)[:-FILES_KEPT]:
        os.unlink(path)


def _is_kept(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(ENDING) and entry.is_file(follow_symlinks=False)


def keep_index(folder: str = _FOLDER) -> bool:
    """Write the index of stored nodes if it is out of date; errors are ignored.

    Returns whether it was written.
    """
    made = registry.compiled_now()
    if made is None:
        return False
    return _write_beside(os.path.join(folder, registry.INDEX_FILE), made)


def read_shipped(path: str, *, file: str, form: FileForm) -> Node:
    """Read a YAML file of this package from its stored nodes; parse and store it if they are old.

    Args:
        file: its name in messages.

    Raises:
        BadFile: it is refused.
    """
    with open(path, "rb") as source:
        text = source.read()
    nodes = path.removesuffix(".yaml") + NODES_ENDING
    try:
        with open(nodes, "rb") as target:
            found = read_stored(target.read(), text, file=file, form=form)
    except OSError:
        found = None
    if found is None:
        found = read_yaml(text.decode("utf-8"), file=file, form=form)
        _write_beside(nodes, store_nodes(found, text))
    return found


def _write_beside(file: str, made: bytes) -> bool:
    """Write a file of this package whole; tell whether it could be written."""
    aside = f"{file}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        with open(aside, "xb") as target:
            target.write(made)
        os.replace(aside, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        return False
    return True
