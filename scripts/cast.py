"""Draw what a command prints in a terminal as an SVG picture, colours and all.

    python scripts/cast.py docs/images/demo.svg 82 signoff demo --no-pause

The picture names no font file and loads nothing.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

FONT_FACES = re.compile(r"@font-face \{.*?\}", re.DOTALL)


def printed(command: list[str], width: int) -> str:
    """Run a command on a terminal of its own and give what it prints."""
    reader, writer = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(width), "TERM": "xterm-256color"}
    process = subprocess.Popen(  # noqa: S603 - the command is the caller's own
        command, stdout=writer, stderr=writer, stdin=subprocess.DEVNULL, env=environment
    )
    os.close(writer)
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(reader, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    process.wait()
    return b"".join(parts).decode("utf-8", "replace").replace("\r\n", "\n")


def main() -> None:
    """Run the command line."""
    target, width, *command = sys.argv[1:]
    console = Console(record=True, width=int(width), file=StringIO())
    console.print(Text.from_ansi(printed(command, int(width))))
    svg = console.export_svg(title=f"$ {' '.join(command)}", theme=MONOKAI)
    Path(target).write_text(FONT_FACES.sub("", svg), encoding="utf-8")


if __name__ == "__main__":
    main()
