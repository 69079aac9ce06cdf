"""The software bill of materials lists what is locked, no more and no less."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.model.bom import Bom
from lock_file import ROOT, SUPPORTED, closure, files_of, load_lock, packages

LOCK = load_lock()
PACKAGES = packages(LOCK)
READ = Bom.from_json  # type: ignore[attr-defined] # the library's decorator adds it


def sbom(target: Path, *groups: str) -> dict[str, Any]:
    """Write it with the script and read it."""
    script = str(ROOT / "scripts" / "write_sbom.py")
    subprocess.run([sys.executable, "-W", "error", script, str(target), *groups], check=True)
    found: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return found


def test_it_is_cyclonedx(tmp_path: Path) -> None:
    """A kept-up library reads it, and says which version it is."""
    said = sbom(tmp_path / "s.json")

    assert ("CycloneDX", "1.6") == (said["bomFormat"], said["specVersion"])
    assert ("signoff", "application") == (
        said["metadata"]["component"]["name"],
        said["metadata"]["component"]["type"],
    )
    assert len(said["components"]) == len(READ(said).components)


@pytest.mark.parametrize("group", ["run", "dev", "e2e"])
def test_it_holds_everything_that_is_installed(tmp_path: Path, group: str) -> None:
    """On every supported machine."""
    said = sbom(tmp_path / "s.json", *([] if group == "run" else [group]))
    held = {(one["name"], one["version"]) for one in said["components"]}

    for machine in SUPPORTED:
        assert closure(LOCK, "run", machine) | closure(LOCK, group, machine) <= held


def test_each_component_has_its_files_with_their_hashes(tmp_path: Path) -> None:
    """Those of the lock."""
    for one in sbom(tmp_path / "s.json")["components"]:
        [package] = [p for p in PACKAGES[one["name"]] if p["version"] == one["version"]]
        files = {(file["url"], file["hash"]) for file in files_of(package)}

        assert f"pkg:pypi/{one['name']}@{one['version']}" == one["purl"]
        assert files == {
            (file["url"], f"sha256:{file['hashes'][0]['content']}")
            for file in one["externalReferences"]
        }


def test_it_says_what_needs_what(tmp_path: Path) -> None:
    """A finding in a package leads to who brought it in."""
    said = sbom(tmp_path / "s.json")
    needs = {one["ref"].partition("@")[0]: one.get("dependsOn", []) for one in said["dependencies"]}

    assert any(ref.startswith("pkg:pypi/h11@") for ref in needs["pkg:pypi/uvicorn"])
    assert any(ref.startswith("pkg:pypi/hyperscan@") for ref in needs["pkg:pypi/signoff"])


def test_the_same_lock_gives_the_same_file(tmp_path: Path) -> None:
    """Byte for byte: no time, no chance, nothing of this machine."""
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    sbom(first)
    sbom(second)

    assert first.read_bytes() == second.read_bytes()
