"""Paths as people write them in settings: absolute, from the home folder, or beside the settings.

absolute("/home/dev/.config/signoff", "programs")      /home/dev/.config/signoff/programs
"""

from __future__ import annotations

import os


def absolute(config: str, folder: str) -> str:
    """Return a folder the user named, read against the configuration folder; "" for none."""
    named = os.path.expanduser(folder)
    return os.path.normpath(os.path.join(config, named)) if folder else ""


def target_of(config: str, named: str) -> str:
    """Return where checkpoints go: an address as it is, a file by its absolute path."""
    return named if named.startswith(("https://", "http://")) else absolute(config, named)
