"""Attack signoff itself, then attack builds without the protections: those must be seen to fall.

python -m bench.redteam                  every attack and its control
python -m bench.redteam --only record    those whose name holds the word
python -m bench.redteam --no-browser     without the attack through Chromium

Exit status 1 if an attack gets through, if fewer attempts were made than an attack says, or if a
control finds nothing. `python -m bench.redteam.origin` attacks the inbox through a browser.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as Xml

from bench.redteam.attacks import ATTACKS, RedteamAttack
from bench.redteam.broken_build import ROOT, broken_build

WORKERS = "2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What came of the attempts of one run."""

    stopped: int
    through: tuple[str, ...]
    skipped: int
    took_s: float
    said: str


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="attacks whose name holds this")
    parser.add_argument("--no-browser", action="store_true", help="leave out the inbox's origin")
    chosen = parser.parse_args()
    started = time.monotonic()
    good = [is_stopped(attack) for attack in ATTACKS if chosen.only in attack.name]
    if not chosen.no_browser and chosen.only in "origin":
        good.append(is_origin_safe())
    print(f"{sum(good)} of {len(good)} held, in {time.monotonic() - started:.0f} s")
    return 0 if good and all(good) else 1


def is_stopped(attack: RedteamAttack) -> bool:
    """Attack, and attack the build without the protection; tell whether both ended as they must."""
    found = tried(sys.executable, attack.tests)
    is_whole = found.stopped >= attack.least or (bool(attack.needs) and found.skipped > 0)
    is_good = is_whole and not found.through
    skipped = f", {found.skipped} skipped without {attack.needs}" if found.skipped else ""
    _say(is_good, attack.name, f"{found.stopped} stopped{skipped}", found)
    if found.skipped and not found.stopped:
        return is_good
    control = attack.control
    with broken_build(control.file, control.old, control.new) as python:
        broken = tried(python, control.tests)
    is_seen = bool(broken.through)
    _say(is_seen, f"  without {control.file}", f"{len(broken.through)} got through", broken)
    return is_good and is_seen


def is_origin_safe() -> bool:
    """Attack the inbox's origin through a browser, with and without its protection."""
    held: list[bool] = []
    for more in ((), ("--control",)):
        command = [sys.executable, "-m", "bench.redteam.origin", "--runs", "1", *more]
        started = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        took_s = time.monotonic() - started
        said = done.stdout[-2_000:] + done.stderr[-2_000:]
        result = Tried(stopped=0, through=(), skipped=0, took_s=took_s, said=said)
        held.append(done.returncode == 0)
        name = "  without the inbox's protection" if more else "the inbox's port and origin"
        _say(held[-1], name, "", result)
    return all(held)


def tried(python: str, tests: Sequence[str]) -> Tried:
    """Run tests with an interpreter and return what came of them."""
    with tempfile.TemporaryDirectory(prefix="redteam-") as folder:
        report = Path(folder) / "report.xml"
        options = ["-q", f"--junitxml={report}"]
        options += ["-n", WORKERS, "--dist", "loadfile"] if len(tests) > 1 else []
        started = time.monotonic()
        done = subprocess.run(
            [python, "-m", "pytest", *options, *tests],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        took_s = time.monotonic() - started
        said = done.stdout[-3_000:] + done.stderr[-1_000:]
        if not report.exists():
            return Tried(stopped=0, through=(), skipped=0, took_s=took_s, said=said)
        cases = list(Xml.parse(report).iter("testcase"))
    bad = tuple(case.get("name", "") for case in cases if _has(case, "failure"))
    skipped = sum(_has(case, "skipped") for case in cases)
    errors = sum(_has(case, "error") for case in cases)
    # An attempt that could not be made was not stopped.
    stopped = len(cases) - len(bad) - skipped - errors if done.returncode in (0, 1) else 0
    return Tried(stopped=stopped, through=bad, skipped=skipped, took_s=took_s, said=said)


def _has(case: Xml.Element, name: str) -> bool:
    return case.find(name) is not None


def _say(is_good: bool, name: str, words: str, result: Tried) -> None:  # noqa: FBT001 - prints it
    sign = "good" if is_good else "BAD "
    print(f"{sign} {name:<70} {words:<40} {result.took_s:6.1f} s", flush=True)
    if not is_good:
        print(result.said, flush=True)


if __name__ == "__main__":
    sys.exit(main())
