"""Lay the documents out as the pages of a site: `docs/`, and the pages at the top beside them.

    .venv/bin/python scripts/stage_docs.py build/site

README.md becomes the first page. A link that leads to a file that is no page (a test, a script)
becomes plain text: the site has pages only.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TOP = {"README.md": "index.md"} | {
    name: name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
PICTURE = re.compile(r'\b(src|srcset)="([^":\s]+)"')
DECISION = re.compile(r"adr/\d{4}-")  # listed on a page of their own
SEPARATE = ("://", "mailto:")


def place_of(file: Path) -> Path | None:
    """Return where a file of this repository stands on the site, None if it is no part of it."""
    if file.is_relative_to(DOCS) and file.is_file():
        inside = file.relative_to(DOCS)
        # The site has one first page; a list of a folder keeps its own.
        return inside.with_name("index.md") if inside.name == "README.md" else inside
    if file.is_relative_to(DOCS) and (file / "README.md").is_file():
        return file.relative_to(DOCS) / "index.md"
    name = TOP.get(file.relative_to(ROOT).as_posix()) if file.is_relative_to(ROOT) else None
    return Path(name) if name else None


def staged(text: str, page: Path) -> str:
    """Return the text of a page with its links as they lead on the site."""
    here = place_of(page)

    def lead(found: re.Match[str]) -> str:
        mark, label, target, part = found[1], found[2], found[3], found[4] or ""
        if any(sign in target for sign in SEPARATE) or here is None:
            return found[0]
        there = place_of((page.parent / target).resolve())
        if there is None:
            return label
        return f"{mark}[{label}]({Path(os.path.relpath(there, here.parent)).as_posix()}{part})"

    def show(found: re.Match[str]) -> str:
        there = place_of((page.parent / found[2]).resolve())
        if there is None or here is None:
            return found[0]
        return f'{found[1]}="{Path(os.path.relpath(there, here.parent)).as_posix()}"'

    return PICTURE.sub(show, LINK.sub(lead, text))


def stage(folder: Path) -> int:
    """Write settings and pages of the site into a folder; return how many pages there are."""
    shutil.rmtree(folder, ignore_errors=True)
    settings, folder = folder / "zensical.toml", folder / "pages"
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.md"))
    pages = [*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in TOP)]
    for page in pages:
        there = place_of(page)
        if there is None:
            continue
        target = folder / there
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(staged(page.read_text(encoding="utf-8"), page), encoding="utf-8")
    settings.write_text(with_all((ROOT / "zensical.toml").read_text(encoding="utf-8"), folder))
    return len(pages)


def with_all(settings: str, folder: Path) -> str:
    """Return the settings with the pages in the navigation that stand nowhere in it."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    left = [one for one in names if f'"{one}"' not in settings and not DECISION.match(one)]
    entries = "".join(f'        "{name}",\n' for name in left)
    group = f'    {{ "More" = [\n{entries}    ] }},\n' if left else ""
    return re.sub(r"^    # more: .*\n", group, settings, flags=re.MULTILINE)


if __name__ == "__main__":
    print(f"{stage(Path(sys.argv[1]).resolve())} pages")  # noqa: T201 - this is a command
