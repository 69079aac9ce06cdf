"""How long each page of the inbox takes to its first paint in Chromium, in milliseconds.

The inbox runs in this process and holds ninety days of calls and requests of all kinds. Each round
opens every page once, so that a busy machine takes from all alike; what counts is the median of a
page and the fastest load of it. Needs Chromium (`apt-get install chromium`).

    python -m bench.first_paint --rounds 9
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

# The inbox under test is the one the tests fill.
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "frontends" / "web"))

from busy_inbox import page_paths
from inbox_station import running
from playwright.sync_api import sync_playwright
from test_web_chromium import CHROMIUM, FLAGS, browsing

GOAL_MS = 200
PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime"""


def painted_ms(page: Page, address: str) -> float:
    """Open a page and return when its first content was painted."""
    page.goto(address)
    page.wait_for_function(PAINT)
    return float(page.evaluate(PAINT))


def measured(rounds: int) -> dict[str, list[float]]:
    """Open every page once a round; return the times by page."""
    took: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as home, running(Path(home)) as station:
        paths = page_paths(station)
        with sync_playwright() as play:
            chromium = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            with browsing(chromium, station, "ada") as page:
                for path in paths * rounds:
                    took.setdefault(path, []).append(painted_ms(page, f"{station.origin}{path}"))
            chromium.close()
    return took


def main() -> int:
    """Measure and print; exit status 1 if the fastest load of a page misses the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    took = measured(parser.parse_args().rounds)
    rows = sorted((statistics.median(times), min(times), path) for path, times in took.items())
    for median, best, path in rows:
        print(f"{median:7.0f} {best:7.0f}  {path}")
    medians = [row[0] for row in rows]
    print(
        f"{len(rows)} pages: median {statistics.median(medians):.0f} ms, slowest {medians[-1]:.0f}"
    )
    return int(max(row[1] for row in rows) > GOAL_MS)


if __name__ == "__main__":
    sys.exit(main())
