"""Reading configuration files: ordinary ones, small ones, and in one go."""

from __future__ import annotations

import os
import stat

from signoff.errors import BadSettings


def read_text(file: str, *, limit: int) -> str | None:
    """Return the text of a configuration file, None if there is none.

    Raises:
        BadSettings: it cannot be read, is no ordinary file, or is too large.
    """
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadSettings(f"{file}: cannot be read: {error.strerror}") from error
    with open(handle, "rb") as source:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise BadSettings(f"{file}: expected an ordinary file")
        raw = source.read(limit + 1)
    if len(raw) > limit:
        raise BadSettings(f"{file}: larger than {limit} bytes")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadSettings(f"{file}: no UTF-8 text at byte {error.start}") from error
