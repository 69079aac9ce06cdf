"""Check the documents: every relative link in a Markdown file leads to a file that exists.

The documents are plain Markdown and need no build; this keeps them from pointing nowhere.

    .venv/bin/python scripts/dead_links.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")


def dead_links(page: Path) -> list[str]:
    """Return the relative links of one page that lead to no file."""
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    local = [t for t in targets if "://" not in t and not t.startswith("mailto:")]
    return [t for t in local if not (page.parent / t).exists()]


def main() -> int:
    """Print every dead link; exit status 1 if there is one."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    dead = [
        f"{name}: {target}"
        for name in listed.stdout.splitlines()
        if (ROOT / name).is_file()
        for target in dead_links(ROOT / name)
    ]
    for line in dead:
        print(f"dead link: {line}")  # noqa: T201 - this is a command
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
