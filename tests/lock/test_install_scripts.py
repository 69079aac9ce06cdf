"""`scripts/install` and `scripts/try`: from the lock, and within their folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from lock_file import GROUPS, ROOT

PIP_STUB = """#!/bin/sh
case "$1" in
    -m) echo "$PIP_CACHE_DIR $*" >>"$PIP_LOG"; exit "${{PIP_STATUS:-0}}";;
    *) exec "{python}" -c "import runpy, sys; sys.executable, sys.prefix = sys.argv[1:3]
sys.argv = sys.argv[3:]; runpy.run_path(sys.argv[0], run_name='__main__')" "$0" "{prefix}" "$@";;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a copy of what the scripts need, as a fresh clone has it, without .venv."""
    folder = tmp_path / "clone"
    for name in ("scripts", "requirements"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "src").symlink_to(ROOT / "src")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return an empty home."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def run(clone: Path, home: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a new user's shell does: nothing set but the home and the usual folders."""
    return subprocess.run(
        [f"./scripts/{words[0]}", *words[1:]],
        cwd=clone,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def with_stub(clone: Path) -> Path:
    """Give the clone an environment whose pip only writes down how it is called; return where."""
    folder = clone / ".venv"
    (folder / "bin").mkdir(parents=True)
    python = folder / "bin" / "python"
    python.write_text(PIP_STUB.format(python=sys.executable, prefix=folder), encoding="utf-8")
    python.chmod(0o755)
    return clone / "pip.log"


def test_everything_is_installed_by_hash(clone: Path, home: Path) -> None:
    """pip gets no name to look up: files with hashes, wheels only, and the project itself."""
    log = with_stub(clone)
    done = run(clone, home, "install", "dev", PIP_LOG=str(log))
    calls = log.read_text(encoding="utf-8").splitlines()

    assert (0, "") == (done.returncode, done.stderr)
    assert ["build.txt", "run.txt", "dev.txt"] == [
        call.rpartition("/")[2] for call in calls if "--requirement" in call
    ]
    assert all(
        "--require-hashes --no-deps --only-binary :all:" in call
        for call in calls
        if "--requirement" in call
    )
    assert 1 == sum("--no-deps --no-build-isolation --editable" in call for call in calls)
    assert 4 == len(calls)
    # pip is quiet: what is done, and how much of it, is said before each of its runs.
    told = [line for line in done.stdout.splitlines() if line.startswith("installing ")]
    assert ["`build`", "`run`", "`dev`"] == [line.split()[4] for line in told]
    assert all(int(line.split()[1]) > 0 for line in told)


def test_what_is_installed_is_not_installed_again(clone: Path, home: Path) -> None:
    """Until the lock changes."""
    log = with_stub(clone)
    counts = []
    for change in (False, False, True):
        if change:
            with (clone / "requirements" / "run.txt").open("a", encoding="utf-8") as file:
                file.write("\n")
        run(clone, home, "install", PIP_LOG=str(log))
        counts.append(len(log.read_text(encoding="utf-8").splitlines()))

    assert [3, 3, 6] == counts


def test_a_failed_install_is_told_and_tried_again(clone: Path, home: Path) -> None:
    """A hash that does not match ends it, and nothing is taken for installed."""
    log = with_stub(clone)
    failed = run(clone, home, "install", PIP_LOG=str(log), PIP_STATUS="1")
    again = run(clone, home, "install", PIP_LOG=str(log))

    assert (1, 0) == (failed.returncode, again.returncode)
    assert 4 == len(log.read_text(encoding="utf-8").splitlines())


def test_an_unknown_group_is_named(clone: Path, home: Path) -> None:
    """With those there are."""
    log = with_stub(clone)
    done = run(clone, home, "install", "devv", PIP_LOG=str(log))

    assert (2, True) == (done.returncode, "unknown group `devv`" in done.stderr)
    assert all(group in done.stderr for group in GROUPS)


def test_downloads_stay_in_the_folder(clone: Path, home: Path) -> None:
    """pip keeps what it loaded beside the project, not in the user's cache."""
    log = with_stub(clone)
    run(clone, home, "install", PIP_LOG=str(log))
    caches = {call.partition(" ")[0] for call in log.read_text(encoding="utf-8").splitlines()}

    assert {str(clone / ".cache" / "pip")} == caches


def test_a_try_touches_nothing_outside_the_folder(clone: Path, home: Path) -> None:
    """README says so: no state, no settings, no cache in the user's home."""
    environment = clone / ".venv"
    venv.create(environment, symlinks=True, with_pip=False)
    site = next(environment.glob("lib/python*/site-packages"))
    (site / "here.pth").write_text(
        f"{sysconfig.get_path('purelib')}\n{ROOT / 'src'}\n", encoding="utf-8"
    )
    program = environment / "bin" / "signoff"
    program.write_text(
        f"#!{environment / 'bin' / 'python'}\n"
        "import sys\nfrom signoff.__main__ import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    stamped = [sys.executable, "-c", "import install_groups as i; print(i.lock_digest())"]
    digest = subprocess.check_output(stamped, cwd=clone / "scripts", text=True).strip()
    (environment / ".signoff-installed").write_text(f"{digest}\nproject\n", encoding="ascii")

    done = run(clone, home, "try", "--no-pause", PYTHONDONTWRITEBYTECODE="1")

    assert 0 == done.returncode, done.stderr
    assert "ms each (first time seen, warm process)" in done.stdout
    assert [] == list(home.rglob("*"))
    assert (environment / "try" / "state" / "redaction.key").is_file()


def test_a_fresh_clone_has_no_cache_under_version_control() -> None:
    """What installing leaves in the folder is ignored."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()

    assert {".venv/", "/.cache/"} <= set(ignored)
    assert os.access(ROOT / "scripts" / "lock", os.X_OK)
