"""`requirements/lock.toml` as tests see it: which files each group takes on each machine."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = "signoff"
GROUPS = ("build", "dev", "e2e", "audit", "docs", "fleet", "lock")

PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")
MACHINES = (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "x86_64"), ("darwin", "arm64"))

Package = Mapping[str, Any]
Pin = tuple[str, str]  # name and version


@dataclass(frozen=True, slots=True)
class Machine:
    """An interpreter on a system."""

    python: str
    system: str
    architecture: str

    def __str__(self) -> str:
        return f"{self.python}-{self.system}-{self.architecture}"

    @property
    def environment(self) -> dict[str, str]:
        """What markers are evaluated with."""
        return {
            "python_full_version": self.python,
            "python_version": self.python.rpartition(".")[0],
            "sys_platform": self.system,
            "platform_system": self.system.capitalize(),
            "platform_machine": self.architecture,
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
            "implementation_version": self.python,
            "os_name": "posix",
            "extra": "",
        }

    def meets(self, marker: str | None) -> bool:
        """Tell whether a marker holds here."""
        return marker is None or Marker(marker).evaluate(self.environment)


SUPPORTED = tuple(Machine(python, *machine) for python, machine in product(PYTHONS, MACHINES))


def load_lock() -> Mapping[str, Any]:
    """Read the lock."""
    return tomllib.loads((ROOT / "requirements" / "lock.toml").read_text(encoding="utf-8"))


def load_project() -> Mapping[str, Any]:
    """Read pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def load_frameworks() -> Mapping[str, Any]:
    """Read which agent frameworks adapters are tested with."""
    return tomllib.loads((ROOT / "requirements" / "frameworks.toml").read_text(encoding="utf-8"))


def packages(lock: Mapping[str, Any]) -> dict[str, list[Package]]:
    """Return the locked packages by name; a name may stand for a version each on two systems."""
    found: dict[str, list[Package]] = {}
    for package in lock["package"]:
        found.setdefault(package["name"], []).append(package)
    return found


def files_of(package: Package) -> list[Mapping[str, Any]]:
    """Return the source archive and the wheels of a package."""
    source = [package["sdist"]] if "sdist" in package else []
    return [*source, *package.get("wheels", [])]


def closure(lock: Mapping[str, Any], group: str, machine: Machine) -> set[Pin]:
    """Return what a group takes on a machine; the group `run` is what signoff itself takes."""
    known = packages(lock)
    project = known[PROJECT][0]
    wanted = project["dependencies"] if group == "run" else project["dev-dependencies"][group]
    waiting, found = list(wanted), set[Pin]()
    asked: set[tuple[str, str, tuple[str, ...]]] = set()
    while waiting:
        entry = waiting.pop()
        if not machine.meets(entry.get("marker")):
            continue
        package = _chosen(known, entry, machine)
        extras = tuple(entry.get("extra", ()))
        key = (package["name"], package["version"], extras)
        if key in asked:
            continue
        asked.add(key)
        found.add((package["name"], package["version"]))
        waiting += package.get("dependencies", [])
        for extra in extras:
            waiting += package.get("optional-dependencies", {}).get(extra, [])
    return found


def _chosen(
    known: Mapping[str, list[Package]], entry: Mapping[str, Any], machine: Machine
) -> Package:
    """Return the version of a package that is locked for a machine."""
    candidates = [
        package
        for package in known[entry["name"]]
        if entry.get("version", package["version"]) == package["version"]
        and _is_for(package, machine)
    ]
    [package] = candidates
    return package


def _is_for(package: Package, machine: Machine) -> bool:
    markers = package.get("resolution-markers")
    return not markers or any(machine.meets(marker) for marker in markers)


@dataclass(frozen=True, slots=True)
class Line:
    """One requirement as pip installs it."""

    requirement: Requirement
    hashes: frozenset[str]

    @property
    def pin(self) -> Pin:
        """Name and version; there is exactly one version."""
        [specifier] = self.requirement.specifier
        if specifier.operator != "==":
            raise AssertionError(f"`{self.requirement}` is not pinned")
        return canonicalize_name(self.requirement.name), specifier.version


def exported(group: str) -> Iterator[Line]:
    """Yield the requirements pip installs for a group."""
    text = (ROOT / "requirements" / f"{group}.txt").read_text(encoding="utf-8")
    for line in text.replace("\\\n", " ").splitlines():
        said, *hashes = line.split(" --hash=")
        yield Line(Requirement(said.strip()), frozenset(one.strip() for one in hashes))
