"""How many ordinary documents of this machine are flagged as results of tools, and by what.

Manuals, package metadata and HTML pages hold no order to a model and no secret of anybody. What is
flagged here is a false alarm, or a document that shows an attack.

    python -m bench.documents [FOLDER ...] [--most N]
"""

from __future__ import annotations

import argparse
import os
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from bench.quality.cases import Case
from bench.quality.guard import judge_text
from signoff.assess.detectors.detector import TextSource
from signoff.assess.patterns.catalogue import catalogue

ENDINGS = (".md", ".rst", ".txt", ".html", "METADATA")
LEAST, MOST = 500, 60_000  # bytes
AROUND, SHOWN = 40, 160  # characters
FOLDERS = (sysconfig.get_paths()["purelib"], sys.base_prefix, "/usr/share", "/usr/lib")
# The pattern that a category of a finding is named after.
PATTERNS = {"prompt-injection": "prompt", "secrets": "secret", "file-content-leak": "leak"}


def documents(folders: Iterable[str]) -> Iterator[Path]:
    """Give the documents below folders, one of each name and size."""
    seen = set[tuple[str, int]]()
    for folder in folders:
        for parent, _, names in os.walk(folder):
            for name in sorted(names):
                path = Path(parent, name)
                if not name.endswith(ENDINGS) or path.is_symlink():
                    continue
                size = path.stat().st_size
                if LEAST <= size <= MOST and (name, size) not in seen:
                    seen.add((name, size))
                    yield path


def judge(text: str) -> str:
    """Judge a document as the result of a tool; give what was found, "" for nothing."""
    outcome = judge_text(Case(id="", source="", label="", text=text, group="prompt"))
    return outcome.reason if outcome.is_flagged else ""


def place(found: str, text: str) -> str:
    """Show the first place of a text that matched; "" where no single pattern did."""
    detector, _, line = found.partition(" ")[0].partition(".")
    try:
        spans = catalogue().of(TextSource.RESULT).spans(f"{PATTERNS[detector]}.{line}", text)
    except KeyError:
        return ""
    start, end = next(iter(spans), (0, -AROUND))
    return " ".join(text[max(0, start - AROUND) : end + AROUND].split())[:SHOWN]


def main() -> int:
    """Judge the documents and print what is flagged, by kind."""
    parser = argparse.ArgumentParser(prog="python -m bench.documents", description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", default=FOLDERS)
    parser.add_argument("--most", type=int, default=None, metavar="N", help="read only N documents")
    options = parser.parse_args()
    read, kinds = 0, Counter[str]()
    for path in islice(documents(options.folders), options.most):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        read += 1
        if found := judge(text):
            kinds[found] += 1
            print(f"{found}  {path}  {place(found, text)!r}", flush=True)
    flagged = kinds.total()
    print(f"{read} documents, {flagged} flagged ({100 * flagged / max(read, 1):.2f} %)")
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
