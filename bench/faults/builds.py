"""The signoff under test: as it is, or deliberately broken for a positive control.

A broken build is made at run time, in a copy or in the process that is started: the product has
no switch for it. `patch` is Python that runs in every process of signoff before anything else;
`client` replaces texts in a copy of the hook client, `line` rewrites the installed shell line.

    Build(name="client lets all pass", client={"posix._exit(2)": "posix._exit(0)"})
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from signoff.frontends.client.words import CLIENT

START = (
    "import runpy, sys\nsys.argv[0] = 'signoff'\nrunpy.run_module('signoff', run_name='__main__')"
)


def as_it_is(line: str) -> str:
    """Change nothing."""
    return line


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One signoff."""

    name: str = "as it is"
    patch: str = ""
    client: Mapping[str, str] = field(default_factory=dict)
    line: Callable[[str], str] = as_it_is

    def words(self, *arguments: str) -> list[str]:
        """Return the command for our command line."""
        if not self.patch:
            return [sys.executable, "-I", "-m", "signoff", *arguments]
        return [sys.executable, "-I", "-c", f"{self.patch}\n{START}", *arguments]

    def python(self, code: str) -> list[str]:
        """Return the command for a program that uses signoff."""
        return [sys.executable, "-I", "-c", f"{self.patch}\n{code}"]

    def client_in(self, folder: Path) -> Path:
        """Return the hook client of this build.

        Raises:
            ValueError: a text that is to be replaced is not there: the control shows nothing.
        """
        if not self.client:
            return CLIENT
        place = folder / "broken-client"
        place.mkdir(exist_ok=True)
        for file in ("client.py", "exchange.py"):
            shutil.copy(CLIENT.with_name(file), place)
        path = place / "exchange.py"
        text = path.read_text(encoding="utf-8")
        for old, new in self.client.items():
            if old not in text:
                raise ValueError(f"`{old}` is not in the client")
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        return place / "client.py"
