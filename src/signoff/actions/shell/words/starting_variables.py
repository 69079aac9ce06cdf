"""Variables that a shell line starts with, by the folders of the call.

variables_of("/home/dev", "/home/dev/project", "/home/dev/project")["USER"] == "dev"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from signoff.actions.shell.words.made_names import TOPLEVEL
from signoff.actions.windows.variables import bash_variables


@lru_cache(maxsize=64)
def variables_of(home: str, cwd: str, project: str) -> Mapping[str, str]:
    """Return the variables of a shell in `cwd`, by name."""
    return MappingProxyType(
        {
            **bash_variables(home),
            "HOME": home,
            "PWD": cwd,
            **dict.fromkeys(("SHELL", "BASH"), "/bin/bash"),  # whichever it is, it runs a line
            "USER": home.rsplit("/", 1)[-1],
            "TMPDIR": "/tmp",  # noqa: S108 - the shell's own variable, nothing is written here
            TOPLEVEL: project,
        }
    )
