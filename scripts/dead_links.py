"""Check the documents: every relative link in a Markdown file leads to a file that exists.

The documents are plain Markdown and need no build; this keeps them from pointing nowhere.

    .venv/bin/python scripts/dead_links.py
"""

from __future__ import annotations

import re
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
    pages = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
    dead = [f"{page.relative_to(ROOT)}: {link}" for page in pages for link in dead_links(page)]
    for line in dead:
        print(f"dead link: {line}")  # noqa: T201 - this is a command
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
