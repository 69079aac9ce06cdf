"""A signoff that runs from a cache installs itself to stay before anything names its path."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from signoff.frontends.onboarding.lasting_install import (
    CannotInstall,
    LastingInstall,
    lasting_install,
    without_environment,
)

INSTALLER = """#!/bin/sh
echo "$@" >> {log}
case "$*" in "tool dir --bin") echo {folder} ;; esac
exit {status}
"""
INSTALLED = '#!/bin/sh\necho "went on with: $*; PATH=$PATH"\n'


def program(path: Path, text: str) -> Path:
    """Write a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def installer(tmp_path: Path, name: str = "uv", status: int = 0) -> Path:
    """Write an installer that notes what it was told; what it installs prints what it was told."""
    folder = tmp_path / "programs"
    program(folder / "signoff", INSTALLED)
    words = INSTALLER.format(log=tmp_path / "log", folder=folder, status=status)
    return program(tmp_path / "installers" / name, words)


@pytest.mark.parametrize(
    ("folder", "marked"),
    [(".cache/uv/archive-v0/x", ""), ("uv/archive-v0/x", "uv"), ("pipx/.cache/x", "")],
)
def test_a_cache_is_known(tmp_path: Path, folder: str, marked: str) -> None:
    """By its name, or by the tag that programs leave in their caches."""
    prefix = tmp_path / folder
    prefix.mkdir(parents=True)
    if marked:
        (tmp_path / marked / "CACHEDIR.TAG").touch()

    assert lasting_install(prefix, {"PATH": ""}) is not None


def test_an_environment_of_its_own_stays(tmp_path: Path) -> None:
    """Also one that uv marked itself, as it marks each."""
    (tmp_path / "CACHEDIR.TAG").touch()

    assert lasting_install(tmp_path, {"PATH": ""}) is None


@pytest.mark.parametrize(("name", "words"), [("uv", "uv tool install"), ("pipx", "pipx install")])
def test_the_installer_of_this_machine_is_used(tmp_path: Path, name: str, words: str) -> None:
    """What is installed is named by where this signoff came from."""
    found = installer(tmp_path, name)
    made = lasting_install(tmp_path / ".cache" / "x", {"PATH": str(found.parent)})

    assert made is not None
    assert made.said.startswith(f"{words} 'signoff")
    assert " @ file://" in made.said or "==" in made.said


def test_a_commit_is_installed_again_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PEP 610 keeps the address, the kind of repository and the commit apart."""
    folder = tmp_path / "signoff-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: signoff\nVersion: 1.0\n", encoding="utf-8")
    direct = {
        "url": "https://example.org/signoff.git",
        "vcs_info": {"vcs": "git", "commit_id": "0123abc", "requested_revision": "main"},
        "subdirectory": "python",
    }
    (folder / "direct_url.json").write_text(json.dumps(direct), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    made = lasting_install(tmp_path / ".cache" / "x", {"PATH": ""})

    assert made is not None
    place = "git+https://example.org/signoff.git@0123abc#subdirectory=python"
    assert made.source == f"signoff @ {place}"


def test_without_an_installer_it_says_what_to_do(tmp_path: Path) -> None:
    """And leaves everything as it is."""
    made = lasting_install(tmp_path / ".cache" / "x", {"PATH": ""})

    assert made is not None
    with pytest.raises(CannotInstall, match=r"pipx install 'signoff.*signoff init"):
        made.carry_out()


def test_a_failed_installation_is_said(tmp_path: Path) -> None:
    """With the command, so that it can be tried by hand."""
    uv = str(installer(tmp_path, status=3))
    made = LastingInstall(command=(uv, "tool", "install", "x"), source="x", folder=(uv,))

    with pytest.raises(CannotInstall, match="`uv tool install x` failed with status 3"):
        made.carry_out()


def test_programs_of_the_cache_are_not_found_any_more() -> None:
    """So that the shell's own `signoff` is looked for."""
    told = {"PATH": "/x/bin:/usr/bin", "VIRTUAL_ENV": "/x", "HOME": "/h"}

    assert {"PATH": "/usr/bin", "HOME": "/h"} == without_environment(Path("/x"), told)


def test_init_from_a_cache_goes_on_in_the_installed_one(tmp_path: Path) -> None:
    """In a real environment below a cache: it installs, and hands over with what was chosen."""
    cached = tmp_path / ".cache" / "uv" / "archive-v0" / "x"
    venv.create(cached, symlinks=True)
    packages = cached / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    line = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    (packages / "all.pth").write_text(line, encoding="utf-8")
    uv = installer(tmp_path)
    path = f"{cached}/bin:{uv.parent}:/usr/bin:/bin"

    done = subprocess.run(
        [str(cached / "bin" / "python"), "-m", "signoff", "init", "--yes", "--no-test"],
        env={"HOME": str(tmp_path), "PATH": path, "UV": str(uv)},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert 0 == done.returncode, done.stderr
    told = "went on with: init --yes --no-test --yes --ask-in browser"
    assert f"{told}; PATH={uv.parent}:/usr/bin:/bin" in done.stdout
    assert "tool install signoff" in (tmp_path / "log").read_text("utf-8")
    assert not (tmp_path / ".config" / "signoff" / "signoff.yaml").exists()
