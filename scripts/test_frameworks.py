"""Test the adapters of agent frameworks, each in a virtual environment of its own.

.venv/bin/python scripts/test_frameworks.py [--ci] [--install-only] [NAME...]
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "requirements" / "frameworks.toml"
PLACE = ROOT / ".cache" / "frameworks"
TESTS = ROOT / "tests" / "frameworks"
STAMP = ".signoff-stamp"
CI, INSTALL_ONLY = "--ci", "--install-only"
TESTED_WITH = ("pytest>=9",)
INSTALL_WITHIN_S, TEST_WITHIN_S = 900, 300

Result = TypeVar("Result")


def wanted(frameworks: dict[str, Any], words: list[str]) -> list[str]:
    """Return which frameworks to test.

    Raises:
        SystemExit: a name is unknown.
    """
    names = [word for word in words if word not in (CI, INSTALL_ONLY)]
    if unknown := sorted(set(names) - frameworks.keys()):
        raise SystemExit(f"unknown framework `{unknown[0]}` ({', '.join(frameworks)})")
    chosen = names or list(frameworks)
    return [name for name in chosen if CI not in words or frameworks[name]["ci"]]


def own_dependencies() -> list[str]:
    """Return what signoff itself needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[str] = project["project"]["dependencies"]
    return found


def made(name: str, requires: list[str]) -> Path:
    """Return the Python of a framework's environment, installed if it is not as wanted."""
    folder, packages = PLACE / name, [*requires, *own_dependencies(), *TESTED_WITH]
    digest = hashlib.sha256(json.dumps([packages, sys.version]).encode()).hexdigest()
    python, stamp = folder / "bin" / "python", folder / STAMP
    if stamp.is_file() and stamp.read_text(encoding="ascii") == digest:
        return python
    # Our own pip installs into it, and Python compiles what is imported: nearly half the processor
    # time goes to a pip of its own and to compiling modules that no test imports.
    venv = [sys.executable, "-m", "venv", "--without-pip", "--clear", str(folder)]
    subprocess.run(venv, check=True)  # noqa: S603 - our own words
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--no-compile", *packages]
    subprocess.run(install, check=True, timeout=INSTALL_WITHIN_S)  # noqa: S603 - as above
    # The sources themselves: nothing has to be built, and a change is tested at once.
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "signoff-sources.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")
    stamp.write_text(digest, encoding="ascii")
    return python


def tested(name: str, python: Path) -> bool:
    """Run the tests of one framework; tell whether they passed."""
    file = TESTS / f"test_{name.replace('-', '_')}.py"
    # Not our own warnings: frameworks have theirs.
    options = ("-o", "addopts=", "-o", "filterwarnings=default", "-p", "no:cacheprovider")
    variables = {
        **os.environ,
        "PYTHONPATH": f"{TESTS}:{ROOT}",
        "DAEMON_PYTHON": sys.executable,
    }
    command = [str(python), "-m", "pytest", "-q", *options, f"--confcutdir={TESTS}", str(file)]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            command, cwd=ROOT, env=variables, check=False, timeout=TEST_WITHIN_S
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def timed(work: Callable[..., Result], *arguments: object) -> tuple[Result, float]:
    """Return what a function returns, and the seconds it took."""
    started = time.monotonic()
    result = work(*arguments)
    return result, time.monotonic() - started


def main(words: list[str]) -> int:
    """Test what is named; return the exit status."""
    frameworks = tomllib.loads(DATA.read_text(encoding="utf-8"))
    failed: list[str] = []
    # One thread installs the next framework while this one tests the last.
    with ThreadPoolExecutor(max_workers=1) as installer:
        names = wanted(frameworks, words)
        installed = [installer.submit(timed, made, n, frameworks[n]["requires"]) for n in names]
        for name, one in zip(names, installed, strict=True):
            python, installing_s = one.result()
            testing_s = 0.0
            if INSTALL_ONLY not in words:
                passed, testing_s = timed(tested, name, python)
                failed += [] if passed else [name]
            sys.stdout.write(f"--- {name}: installed in {installing_s:.0f} s, ")
            sys.stdout.write(f"tested in {testing_s:.0f} s\n")
            sys.stdout.flush()
    if failed:
        sys.stdout.write(f"FAILED: {', '.join(failed)}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
