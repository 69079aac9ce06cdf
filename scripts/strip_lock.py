"""Turn uv's lock into the one this project keeps: the same, without the addresses files came from.

    python scripts/strip_lock.py write uv.lock            # writes requirements/lock.toml
    python scripts/strip_lock.py pin pyproject.toml       # adds the locked versions as constraints
    python scripts/strip_lock.py locked pyproject.toml    # leaves out what is not locked

Versions, markers and hashes say what is installed; where it comes from is the installer's setting.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "requirements" / "lock.toml"
FRAMEWORKS = ROOT / "requirements" / "frameworks.toml"
CONSTRAINTS = "constraint-dependencies = ["


def stripped(lock: str) -> str:
    """Return a lock whose files are names and whose sources are left out."""
    lock = re.sub(r'url = "[^"]*/([^"/]+)"', r'url = "\1"', lock)
    lock = re.sub(r'^source = \{ registry = "[^"]*" \}\n', "", lock, flags=re.MULTILINE)
    return re.sub(r', source = \{ registry = "[^"]*" \}', "", lock)


def pinned(project: str, lock: str) -> str:
    """Return a pyproject.toml that asks for the locked versions; of a name with two, for none."""
    versions: dict[str, set[str]] = {}
    for package in tomllib.loads(lock)["package"]:
        versions.setdefault(package["name"], set()).add(package["version"])
    pins = [
        f'"{name}=={min(found)}"' for name, found in sorted(versions.items()) if len(found) == 1
    ]
    own = tomllib.loads(project)["project"]["name"]
    pins = [pin for pin in pins if not pin.startswith(f'"{own}==')]
    if CONSTRAINTS not in project:
        return f"{project}\n[tool.uv]\n{CONSTRAINTS}{', '.join(pins)}]\n"
    return project.replace(CONSTRAINTS, f"{CONSTRAINTS}{', '.join(pins)}, ", 1)


def without_frameworks(project: str) -> str:
    """Return a pyproject.toml without the extras of agent frameworks: their pins collide."""
    frameworks = tomllib.loads(FRAMEWORKS.read_text(encoding="utf-8"))
    starts = tuple(f"{name} = [" for name in frameworks)
    return "".join(
        line for line in project.splitlines(keepends=True) if not line.startswith(starts)
    )


def main(what: str, file: str) -> None:
    """Run the command line."""
    path = Path(file)
    text = path.read_text(encoding="utf-8")
    if what == "write":
        KEPT.write_text(stripped(text), encoding="utf-8")
    elif what == "locked":
        path.write_text(without_frameworks(text), encoding="utf-8")
    elif KEPT.is_file():
        path.write_text(pinned(text, KEPT.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
