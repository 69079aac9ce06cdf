"""Run the tests that the verdict rests on with every supported Python of this machine.

Finds Debian's, pyenv's, uv's and the PATH's CPython 3.11 to 3.14, one of each version. Each gets an
environment in `.venvs/`, with what `scripts/install dev` installs. Standard library only.

    ./scripts/test-pythons --oldest-and-newest -n 2 actions corpus storage
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / ".venvs"
FOLDERS = ("actions", "assess", "corpus", "decide", "effects", "storage")
OLDEST, NEWEST = (3, 11), (3, 14)
TOLD_LINES = 40
COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed)")
ASKED = """
import json, platform, sys
base = getattr(sys, "_base_executable", "") or sys.executable
print(json.dumps([platform.python_implementation(), list(sys.version_info[:3]), base]))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Python:
    """One interpreter."""

    version: tuple[int, int, int]
    path: str

    @property
    def name(self) -> str:
        """Its version in words."""
        return ".".join(map(str, self.version))

    @property
    def environment(self) -> Path:
        """Where its environment stands."""
        return ENVIRONMENTS / self.name


class Unusable(Exception):
    """An interpreter that no test can be run with."""


def candidates() -> Iterator[str]:
    """Give every place an interpreter may stand in."""
    minors = range(OLDEST[1], NEWEST[1] + 1)
    for folder in dict.fromkeys(("/usr/bin", "/usr/local/bin", *os.get_exec_path())):
        for name in ("python3", *(f"python3.{minor}" for minor in minors)):
            yield os.path.join(folder, name)
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv") / "versions"
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv" / "python")
    for versions in (pyenv, uv):
        yield from (str(path) for path in sorted(versions.glob("*/bin/python3")))


def examined(path: str) -> Python | None:
    """Ask an interpreter what it is; None if it is none, or none that is supported."""
    if not os.access(path, os.X_OK):
        return None
    command = [path, "-I", "-c", ASKED]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)  # noqa: S603 - an interpreter
        kind, version, base = json.loads(said.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    if kind != "CPython" or not OLDEST <= tuple(version[:2]) <= NEWEST:
        return None
    return Python(version=tuple(version), path=base or path)


def found(named: list[str]) -> list[Python]:
    """Return one interpreter of each version, oldest first, those named before all others."""
    by_version: dict[tuple[int, int, int], Python] = {}
    for path in (*named, *candidates()):
        python = examined(path)
        if python is None and path in named:
            raise SystemExit(f"scripts/test-pythons: `{path}` is no CPython 3.11 to 3.14")
        if python is not None:
            by_version.setdefault(python.version, python)
    return [python for _, python in sorted(by_version.items())]


def ends(pythons: list[Python]) -> list[Python]:
    """Return the oldest and the newest, without the version that `.venv` has."""
    default = examined(str(ROOT / ".venv" / "bin" / "python"))
    chosen = dict.fromkeys((pythons[0], pythons[-1]))
    return [one for one in chosen if default is None or one.version != default.version]


def prepare(python: Python) -> str:
    """Make the environment of an interpreter as it is locked; return its interpreter.

    Raises:
        Unusable: it cannot be made.
    """
    inside = python.environment / "bin" / "python"
    if examined(str(inside)) is None:
        shutil.rmtree(python.environment, ignore_errors=True)
        _run([python.path, "-m", "venv", str(python.environment)], "no environment")
    _run([str(inside), "scripts/install_groups.py", "dev"], "cannot install")
    # Once for all processes, as far as this Python can.
    _run([str(inside), "-m", "compileall", "-q", "src", "bench"], "cannot compile")
    return str(inside)


def _run(command: list[str], what: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason given"]
        raise Unusable(f"{what}: {last[0]}")


def test(inside: str, folders: list[str], workers: int) -> tuple[bool, str, str]:
    """Run the tests of these folders; return whether they pass, the counts, and the output."""
    command = [inside, "-m", "pytest", "-q", "-n", str(workers), "--dist", "loadfile"]
    command += [f"tests/{folder}" for folder in folders]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    counts = {"passed": 0, "failed": 0}
    last = done.stdout.strip().splitlines()[-1:] or [""]
    counts.update({what: int(number) for number, what in COUNT.findall(last[0])})
    said = ", ".join(f"{number} {what}" for what, number in counts.items())
    return done.returncode == 0, said, done.stdout + done.stderr


def verdicts(inside: str, every: int) -> dict[str, str]:
    """Return the digest over the answers to one in `every` cases of each set.

    Raises:
        Unusable: they cannot be judged.
    """
    command = [inside, "-m", "bench.verdicts", "--every", str(every)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        raise Unusable(f"cannot judge the corpora: {done.stderr.strip()[-200:]}")
    return {line.split()[0]: line for line in done.stdout.splitlines()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """What the tests of one interpreter came to."""

    python: Python
    is_good: bool
    said: str
    output: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    spent_s: float


def tested(python: Python, options: argparse.Namespace) -> Tested:
    """Test with one interpreter, and let it answer the corpora if that is wanted."""
    started, output, answers, is_good = time.monotonic(), "", {}, False
    try:
        inside = prepare(python)
        is_good, said, output = test(inside, options.folders, options.workers)
        if options.verdicts:
            answers = verdicts(inside, options.every)
    except Unusable as error:
        is_good, said = False, str(error)
    spent_s = time.monotonic() - started
    return Tested(
        python=python,
        is_good=is_good,
        said=said,
        output=output,
        answers=answers,
        spent_s=spent_s,
    )


def report(found: Tested, told: dict[str, str]) -> bool:
    """Print the line of an interpreter, and say whether all is well.

    Args:
        told: the first answers to each set of cases; added to.
    """
    said, is_good = found.said, found.is_good
    if found.answers:
        other = [
            name for name, line in found.answers.items() if told.setdefault(name, line) != line
        ]
        is_good = is_good and not other
        said += f", answers differ: {' '.join(other)}" if other else ", same answers"
    what, python = "ok" if is_good else "FAILED", found.python
    print(f"{python.name:<8} {what:<7} {said}, {found.spent_s:.0f} s  {python.path}")  # noqa: T201 - a command
    if not is_good and found.output:
        print("\n".join(found.output.splitlines()[-TOLD_LINES:]))  # noqa: T201 - a command
    sys.stdout.flush()
    return is_good


def all_good(pythons: list[Python], options: argparse.Namespace) -> bool:
    """Test with each interpreter, some at the same time, and report in their order."""
    default = ROOT / ".venv" / "bin" / "python"
    with ThreadPoolExecutor(1) as beside, ThreadPoolExecutor(options.at_once) as pool:
        first: Future[dict[str, str]] | None = None
        if options.verdicts and default.exists():
            first = beside.submit(verdicts, str(default), options.every)
        runs = [pool.submit(tested, python, options) for python in pythons]
        told = first.result() if first else {}
        return all([report(run.result(), told) for run in runs])


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="scripts/test-pythons")
    parser.add_argument("folders", nargs="*", help=f"folders of tests/ ({' '.join(FOLDERS)})")
    parser.add_argument("--oldest-and-newest", action="store_true", help="beside the one in .venv")
    parser.add_argument("--python", action="append", default=[], help="one more, by its path")
    parser.add_argument(
        "--only", action="append", default=[], metavar="VERSION", help="3.12, 3.11.2"
    )
    parser.add_argument(
        "--verdicts", action="store_true", help="compare the answers to the corpora"
    )
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="only each Nth case of a set"
    )
    parser.add_argument("--list", action="store_true", help="only list the interpreters")
    parser.add_argument("-n", dest="workers", type=int, default=2, help="processes of each (2)")
    parser.add_argument("--at-once", type=int, default=2, help="interpreters at the same time (2)")
    options = parser.parse_args()
    options.folders = options.folders or list(FOLDERS)
    pythons = found(options.python)
    if options.only:
        pythons = [
            p for p in pythons if any(f"{p.name}.".startswith(f"{v}.") for v in options.only)
        ]
    if options.oldest_and_newest and pythons:
        pythons = ends(pythons)
    if options.list:
        print("\n".join(f"{python.name:<8} {python.path}" for python in pythons))  # noqa: T201 - a command
        return 0
    if not pythons:
        print("scripts/test-pythons: no such CPython here")  # noqa: T201 - a command
        return 1 if options.only else 0
    return 0 if all_good(pythons, options) else 1


if __name__ == "__main__":
    sys.exit(main())
