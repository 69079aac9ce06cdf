"""The newest entry of a record, kept outside its database: what a shorter record is compared with.

A record that was cut, emptied, replaced by an older copy, or robbed of its write-ahead log still
verifies by itself. The file is a lower bound: it is written after each commit, so a process that
is killed in between leaves it one commit behind. It is in a folder of its own, is no secret
and no proof: who may write it can forge it together with the record.

    SeenHead("/home/dev/.local/state/signoff/record.db").read()  ->  Head(seq=12, hash=b"...")
"""

from __future__ import annotations

import os

from signoff.errors import StoreError
from signoff.storage.chain import Head
from signoff.storage.text_file import make_folder, write_whole
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK, write_at

FOLDER = "seen"
HASH_CHARS = 64
LENGTH = 20 + 1 + HASH_CHARS + 1  # bytes: number, space, hash, line end; always as many


class SeenHead:
    """The newest entry this installation has seen in the record at a path.

    Args:
        record: the path of the record's database.

    `last` is what this process noted last; number 0 before that.
    """

    def __init__(self, record: str) -> None:
        folder, name = os.path.split(record)
        self.path = os.path.join(folder, FOLDER, f"{name}.head")
        self.last = Head()

    def note(self, head: Head) -> None:
        """Store the head after a durable commit, in memory and in the file.

        Raises:
            OSError: the file cannot be written.
        """
        self.last = head
        line = f"{head.seq:020d} {head.hash.hex()}\n".encode()
        flags = os.O_WRONLY | NOFOLLOW | CLOEXEC | NONBLOCK
        try:
            handle = os.open(self.path, flags)
        except FileNotFoundError:
            # Whole or not at all: a power cut must not leave an empty file, which would refuse
            # every call. Later lines are as long as this one, and go into the same sector.
            make_folder(os.path.dirname(self.path))
            write_whole(self.path, line)
            return
        try:
            # Not flushed: a lower bound may be one commit behind, and a flush a call would cost
            # as much again.
            write_at(handle, line, 0)
        finally:
            os.close(handle)

    def read(self) -> Head:
        """Return the head in the file; number 0 if there is no file.

        Raises:
            StoreError: the file is damaged or cannot be read.
        """
        flags = os.O_RDONLY | NOFOLLOW | CLOEXEC | NONBLOCK
        try:
            handle = os.open(self.path, flags)
        except FileNotFoundError:
            return Head()
        except OSError as error:
            raise StoreError(f"cannot read `{self.path}`: {error}") from error
        try:
            # One more than there may be, so that a longer file is seen to be no such file.
            text = os.read(handle, LENGTH + 1)
            number, _, digest = text.decode("ascii").rstrip("\n").partition(" ")
            if len(text) != LENGTH or len(digest) != HASH_CHARS:
                raise ValueError("another length")
            return Head(seq=int(number), hash=bytes.fromhex(digest))
        except (OSError, ValueError) as error:
            raise StoreError(
                f"`{self.path}` is damaged ({error}): compare the record with a copy, remove it"
            ) from error
        finally:
            os.close(handle)
