"""What users install: the wheel and the source distribution, in an environment that has neither.

The dependencies are those of the environment the tests run in; signoff itself is the built one.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("hatchling", reason="hatchling, which builds signoff, is not installed")
ROOT = Path(__file__).parents[2]
MOMENT = "1767225600"  # both archives hold times; the same one makes the same bytes
COMPILED = {
    "signoff/actions/programs/data/index.msgpack",
    "signoff/assess/rules/packs/default.nodes",
}


def run(*words: str, cwd: Path, home: Path, status: int = 0) -> str:
    """Run a program without this environment's settings; return what it prints."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "SOURCE_DATE_EPOCH": MOMENT},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert status == done.returncode, done.stdout + done.stderr
    return done.stdout


def build(kind: str, source: Path, folder: Path) -> Path:
    """Build a wheel or a source distribution out of a source tree."""
    words = (sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder))
    run(*words, cwd=source, home=folder)
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel out of this tree."""
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def signoff(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an empty environment; return its command."""
    folder = tmp_path_factory.mktemp("user")
    run(sys.executable, "-m", "venv", "--without-pip", "venv", cwd=folder, home=folder)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet")
    run(*pip, "--no-deps", "--no-index", str(wheel), cwd=folder, home=folder)
    packages = folder / "venv" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    # A line of a path file names a folder; path files in that folder are not read, so that
    # the editable signoff of this environment stays out.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder / "venv" / "bin" / "signoff"


def test_the_demo_runs_from_the_wheel(signoff: Path, tmp_path: Path) -> None:
    """In an empty home, without a terminal."""
    shown = run(str(signoff), "demo", "--no-pause", cwd=tmp_path, home=tmp_path)

    assert "rm -rf ~" in shown
    assert "median" in shown


def test_the_command_is_the_installed_one(signoff: Path, tmp_path: Path) -> None:
    """And not that of this tree."""
    python = signoff.with_name("python")
    place = run(
        str(python), "-c", "import signoff; print(signoff.__file__)", cwd=tmp_path, home=tmp_path
    )

    assert str(signoff.parents[1]) in place


def test_it_sets_itself_up_from_the_wheel(signoff: Path, tmp_path: Path) -> None:
    """Templates, static files and descriptions are in it: the whole way to a daemon and back."""
    (tmp_path / ".claude").mkdir()
    done = run(
        str(signoff), "init", "--yes", "--json", "--ask-in", "browser", cwd=tmp_path, home=tmp_path
    )
    run(str(signoff), "down", cwd=tmp_path, home=tmp_path)

    assert '"guarded"' in done
    hooks = (tmp_path / ".claude" / "settings.json").read_text(encoding="utf-8")
    assert str(signoff.parents[1]) in hooks


def test_the_wheel_has_all_that_is_no_code(wheel: Path) -> None:
    """Every file of the package but its caches."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    source = ROOT / "src"
    there = {
        path.relative_to(source).as_posix()
        for path in (source / "signoff").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert there | COMPILED <= packed


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """Byte for byte, so that whoever builds it gets what was published."""
    source = build("sdist", ROOT, tmp_path)
    with tarfile.open(source) as archive:
        # Our own archive; `filter` came with 3.11.4, and Debian 12 has 3.11.2.
        safe: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(tmp_path / "unpacked", **safe)
    (tree,) = (tmp_path / "unpacked").iterdir()
    again = build("wheel", tree, tmp_path / "again")

    assert digest(wheel) == digest(again)


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
