"""Install this project and dependency groups of its pyproject.toml, exactly as they are locked.

Every file comes with its hash from `requirements/`, which `scripts/lock` writes;
plain pip is enough. Only wheels are installed: nothing is built but this project. A stamp in the
environment remembers what was installed for which lock.

    .venv/bin/python scripts/install_groups.py dev e2e
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements"
STAMP = Path(sys.prefix) / ".signoff-installed"
PROJECT = ("build", "run")  # what `signoff` itself takes
PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
LOCKED = ("--require-hashes", "--no-deps", "--only-binary", ":all:")


def lock_digest() -> str:
    """Return what changes whenever anything else would be installed."""
    digest = hashlib.sha256()
    for path in (ROOT / "pyproject.toml", *sorted(REQUIREMENTS.glob("*.txt"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def pip_install(*arguments: str) -> int:
    """Run pip; return its exit status."""
    return subprocess.run([*PIP, *arguments], check=False).returncode  # noqa: S603 - our own list


def install(group: str) -> int:
    """Install one group, or the project with what it runs on; return pip's exit status."""
    for name in PROJECT if group == "project" else (group,):
        packages = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8").count("==")
        # pip is quiet, and the first time it downloads for a while.
        sys.stdout.write(f"installing {packages} packages of `{name}` into {sys.prefix} ...\n")
        sys.stdout.flush()
        if status := pip_install(*LOCKED, "--requirement", str(REQUIREMENTS / f"{name}.txt")):
            return status
    if group == "project":
        return pip_install("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    return 0


def main(names: list[str]) -> int:
    """Install what is not installed yet; return the exit status."""
    digest = lock_digest()
    done = STAMP.read_text(encoding="ascii").split() if STAMP.is_file() else []
    if done[:1] != [digest]:
        done = [digest]
    for name in dict.fromkeys(["project", *names]):
        if name in done:
            continue
        if name != "project" and not (REQUIREMENTS / f"{name}.txt").is_file():
            known = ", ".join(sorted(path.stem for path in REQUIREMENTS.glob("*.txt")))
            sys.stderr.write(f"scripts/install: unknown group `{name}` ({known})\n")
            return 2
        if status := install(name):
            return status
        done.append(name)
        STAMP.write_text("\n".join(done) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
