"""Local or remote: who asks when a person must be asked.

remote  the configured channels are asked
local   the host's own prompt is used; the model still works
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol


class Mode(StrEnum):
    """Whether people are asked at this machine or on remote channels."""

    REMOTE = "remote"
    LOCAL = "local"


class ModeSwitch(Protocol):
    """Port: stores the mode, shared by all processes and kept over restarts."""

    def mode(self) -> Mode:
        """Return the mode in force."""

    def set_mode(self, mode: Mode) -> None:
        """Set the mode.

        Raises:
            StoreError: it cannot be kept.
        """
