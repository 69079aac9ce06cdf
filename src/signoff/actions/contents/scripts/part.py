"""One part of a file that a shell or interpreter runs."""

from __future__ import annotations

from typing import NamedTuple

SHELL, POWERSHELL, PYTHON = "shell", "powershell", "python"


class ScriptPart(NamedTuple):
    """A text that is run, and the language it is in: one of the names above."""

    language: str
    text: str
