"""Measures the pattern pass: compiling, restoring, and scanning ordinary and hostile texts.

    python bench/patterns.py [folder of text files]

Ordinary texts are slices of the files in the folder (this project's own, without one).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from signoff.assess.patterns.catalogue import CONTENT, REQUEST
from signoff.assess.patterns.decoding import forms
from signoff.assess.patterns.engines import Re2Engine
from signoff.assess.patterns.pattern_set import PatternSet

HOSTILE = {
    "braces": "{{",
    "dots": "../",
    "quotes": "'\"",
    "percent": "%25",
    "stars": "/*",
    "words": "ignore the ",
    "or": "' or ",
    "tags": "<a b=",
    "equals": "key=",
    "mails": "a@b.c ",
    "invisible": "a\u200b",
    "wide": "\uff41",
    "surrogates": "\ud800",
}


def slices(folder: Path, size: int, limit: int = 1500) -> Iterator[str]:
    """Give different slices of real files."""
    count = 0
    for file in sorted(folder.rglob("*.*")):
        if not file.is_file() or file.stat().st_size < size:
            continue
        text = file.read_text("utf-8", "ignore")
        for at in range(0, min(len(text), 10 * size) - size, size):
            yield text[at : at + size]
            count += 1
            if count == limit:
                return


def timed(work: Callable[[str], object], texts: list[str]) -> str:
    """Give median and 99th percentile in microseconds."""
    times: list[float] = []
    for text in texts:
        start = time.perf_counter()
        work(text)
        times.append((time.perf_counter() - start) * 1e6)
    times.sort()
    return f"p50 {statistics.median(times):8.1f} us   p99 {times[int(len(times) * 0.99)]:8.1f} us"


def main() -> None:
    """Print the table."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src"
    families = {
        "content": PatternSet(CONTENT),
        "request": PatternSet(REQUEST, chunk=18),
    }
    for name, patterns in families.items():
        start = time.perf_counter()
        stored = patterns.serialise()
        made = time.perf_counter()
        patterns.restore(stored).scan("x")
        restored = time.perf_counter()
        print(
            f"{name:8} {len(patterns.patterns)} patterns, compile {(made - start) * 1e3:.0f} ms, "
            f"restore {(restored - made) * 1e3:.1f} ms, stored {len(stored) >> 10} KB"
        )
        patterns.scan("warm")
        for size in (1 << 10, 20 << 10):
            texts = list(slices(folder, size))
            print(f"  {size >> 10:3} KB x{len(texts):5}  {timed(patterns.scan, texts)}")
        worst = max(
            (timed(patterns.scan, [(unit * (20 << 10))[: 20 << 10]] * 5), title)
            for title, unit in HOSTILE.items()
        )
        print(f"   20 KB hostile, worst {worst[1]}: {worst[0]}")
    fallback = PatternSet(CONTENT, Re2Engine(families["content"].patterns))
    print("content, RE2: 1 KB", timed(fallback.scan, list(slices(folder, 1 << 10))))
    for title, unit in HOSTILE.items():
        text = (unit * (64 << 10))[: 64 << 10]
        print(f"decode 64 KB {title:10} {timed(forms, [text] * 5)}")


if __name__ == "__main__":
    main()
