"""What this process is known by: its session and its folder."""

from __future__ import annotations

import functools
import os
import uuid


def working_folder() -> str:
    """Return the working folder, "" if it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return ""


@functools.cache
def own_session() -> str:
    """Return the session id of this process, the same for its whole life."""
    return f"python-{uuid.uuid4().hex[:12]}"
