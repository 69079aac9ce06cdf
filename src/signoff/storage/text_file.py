"""Small files: read in one go, and again when they change; written whole or not at all.

Settings name files by paths that `absolute` reads.

What is changed by several processes is changed by one at a time, under a lock. The system lets go
of the lock when its process ends, however it ends; nobody clears it away.

    with file_lock(folder, "lock"):
        ...
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from signoff.documents.node import Node
from signoff.errors import BadSettings, StoreError
from signoff.system.files import CLOEXEC, DIRECTORY, NONBLOCK, is_own, rights_of_others, set_mode
from signoff.system.locks import lock, lock_path

SETTLED_AFTER_S = 0.1  # some programs write a file in several steps
READABLE = 0o755  # for folders of hosts and the system: others may read there, and not write
Signature = tuple[int, int, int, int]

# Files of which one at least stands in a state folder that signoff has used before.
OWN_FILES = (
    *("record.db", "approvals.db", "costs.db", "redaction.key", "token", "daemon.lock"),
    *("sessions.json", "locks.json", "patterns", "daemon.log", "start.log"),
)


def read_text(file: str, *, limit: int) -> str | None:
    """Return the text of a configuration file, None if it does not exist.

    Raises:
        BadSettings: it cannot be read, is not a regular file, or is larger than `limit` bytes.
    """
    try:
        handle = os.open(file, os.O_RDONLY | NONBLOCK | CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadSettings(f"{file}: cannot be read: {error.strerror}") from error
    with open(handle, "rb") as source:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise BadSettings(f"{file}: expected an ordinary file")
        # By what is read and not by its size: a file may grow, and files of `/proc` have size 0.
        raw = source.read(limit + 1)
    if len(raw) > limit:
        raise BadSettings(f"{file}: larger than {limit} bytes")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadSettings(f"{file}: no UTF-8 text at byte {error.start}") from error


def signature_of(file: str) -> Signature | None:
    """Return a value that changes whenever the file does, None if it does not exist."""
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return None
    # The change time too: programs can set back the modification time, but not this one.
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def are_settled(signatures: Iterable[Signature | None]) -> bool:
    """Return whether all files are unchanged for a moment; newer ones may be half written."""
    now_ns = time.time_ns()
    written = (signature[0] for signature in signatures if signature is not None)
    return not any(0 <= now_ns - one < SETTLED_AFTER_S * 1e9 for one in written)


def make_folder(folder: str, *, mode: int = 0o700) -> None:
    """Create a folder and its missing parents, none with more permissions than `mode`.

    `os.makedirs` leaves those above to the umask, which may let everybody write there.

    Raises:
        OSError: it cannot be created.
    """
    try:
        os.mkdir(folder, mode)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
    except FileNotFoundError:
        if os.path.dirname(folder) == folder:
            raise
        make_folder(os.path.dirname(folder), mode=mode)
        make_folder(folder, mode=mode)


def make_own_folder(folder: str) -> None:
    """Create a private folder and its parents; make an existing one of signoff's private.

    Raises:
        StoreError: it holds somebody else's files, is shared, or belongs to another user.
        OSError: it cannot be created.
    """
    try:
        os.mkdir(folder, 0o700)
    except FileNotFoundError:
        if os.path.dirname(folder) == folder:
            raise
        make_own_folder(os.path.dirname(folder))
        os.mkdir(folder, 0o700)
    except FileExistsError:
        _tighten(folder)


def own_state_folder(state_dir: str, name: str) -> str:
    """Create a private folder below the state folder, and return its path.

    Raises:
        StoreError: one of them cannot be created or is not private to its owner.
    """
    folder = os.path.join(state_dir, name)
    try:
        make_own_folder(state_dir)
        make_own_folder(folder)
    except OSError as error:
        raise StoreError(f"cannot use the folder `{folder}`: {error}") from error
    return folder


def _tighten(folder: str) -> None:
    found = os.stat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(f"`{folder}` is no folder")
    if not rights_of_others(found):
        return
    # The sticky bit marks folders for everybody, `/tmp` first of all.
    is_shared = found.st_mode & stat.S_ISVTX or not is_own(found)
    is_foreign = bool(os.listdir(folder)) and not any(
        os.path.lexists(os.path.join(folder, name)) for name in OWN_FILES
    )
    if is_shared or is_foreign:
        raise StoreError(
            f"the folder `{folder}` is open to others and not signoff's own: set SIGNOFF_STATE_DIR"
            " to a folder of its own, or close this one by `chmod 700`"
        )
    os.chmod(folder, 0o700)


def write_whole(file: str, content: bytes, *, mode: int = 0o600, is_durable: bool = True) -> None:
    """Write a file atomically: it has either all of the content or the old one.

    Args:
        mode: permissions of the file, by default for its owner only.
        is_durable: False = after a crash of the machine the file may be empty.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    # In the same folder: a rename works within one file system only.
    handle, aside = tempfile.mkstemp(
        dir=os.path.dirname(file), prefix=f".{os.path.basename(file)}."
    )
    try:
        with open(handle, "wb") as target:
            target.write(content)
            # On the open file, before it has its name: nobody may read it in between.
            set_mode(handle, mode)
            if is_durable:
                # Before the rename: after a crash the file could be empty otherwise.
                target.flush()
                os.fsync(handle)
        os.replace(aside, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise


@contextmanager
def file_lock(
    folder: str, name: str = "", *, make: Callable[[str], None] = make_own_folder
) -> Iterator[None]:
    """Hold a lock file for the block; waits until it is free.

    Args:
        name: of the lock file; "" locks the folder itself, so that no file is left behind.
        make: creates the folder if it is missing.

    Raises:
        StoreError: it cannot be locked. Other errors are those of the block.
    """
    path = os.path.join(folder, name) if name else lock_path(folder)
    flags = os.O_RDONLY | DIRECTORY if path == folder else os.O_RDWR | os.O_CREAT
    try:
        make(folder)
        # Not inherited: a child with the handle would hold the lock longer than its parent.
        handle = os.open(path, flags | CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(f"cannot lock `{path}`: {error.strerror or error}") from error
    try:
        lock(handle)
        yield
    finally:
        os.close(handle)


def read_folder(node: Node | None) -> str:
    """Read the setting `programs`: the folder of the user's descriptions, "" if not set."""
    folder = node.text(limit=1_000) if node else ""
    if node and "\0" in folder:
        raise node.refuse("programs: expected the name of a folder")
    return folder


def read_inner_folder(node: Node | None) -> str:
    """Read the folder of a project's program descriptions, relative to the project; "" for none.

    Raises:
        BadFile: it leads out of the project.
    """
    folder = read_folder(node)
    # Normal first: `a/../../b` leads out of the project as well.
    parts = os.path.normpath(folder).split("/") if folder else []
    if node and (folder.startswith(("/", "~")) or parts[0] in {"..", "."}):
        raise node.refuse(f"programs: `{folder}` is no folder inside the project")
    return "/".join(parts)


def absolute(config: str, folder: str) -> str:
    """Return a folder relative to the settings folder as an absolute path; "" stays ""."""
    named = os.path.expanduser(folder)
    return os.path.normpath(os.path.join(config, named)) if folder else ""


def target_of(config: str, named: str) -> str:
    """Return a checkpoint target: an address unchanged, a file as an absolute path."""
    return named if named.startswith(("https://", "http://")) else absolute(config, named)
