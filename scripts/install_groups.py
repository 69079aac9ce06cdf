"""Install this project and dependency groups of its pyproject.toml with plain pip.

pip learned `--group` late; the groups are read here instead, so that pyproject.toml stays the one
list. A stamp in the environment remembers what was installed for which pyproject.toml.

    .venv/bin/python scripts/install_groups.py dev e2e
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STAMP = Path(sys.prefix) / ".signoff-installed"


def group_requirements(groups: dict[str, list[str | dict[str, str]]], name: str) -> list[str]:
    """Return the requirements of one group, with the groups it includes."""
    found: list[str] = []
    for entry in groups[name]:
        if isinstance(entry, str):
            found.append(entry)
        else:
            found.extend(group_requirements(groups, entry["include-group"]))
    return found


def main(names: list[str]) -> int:
    """Install what is not installed yet; return pip's exit status."""
    text = (ROOT / "pyproject.toml").read_bytes()
    groups = tomllib.loads(text.decode())["dependency-groups"]
    digest = hashlib.sha256(text).hexdigest()
    done = STAMP.read_text(encoding="ascii").split() if STAMP.is_file() else []
    if done[:1] != [digest]:
        done = [digest]
    missing = [name for name in ["project", *names] if name not in done]
    if not missing:
        return 0
    wanted = ["--editable", str(ROOT)]
    for name in missing:
        wanted += group_requirements(groups, name) if name != "project" else []
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    status = subprocess.run([*pip, *wanted], check=False).returncode  # noqa: S603 - our own list
    if status == 0:
        STAMP.write_text("\n".join(done + missing) + "\n", encoding="ascii")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
