"""What is installed is locked: by version, by hash, for every supported Python and system."""

from __future__ import annotations

import pytest
from lock_file import (
    GROUPS,
    PROJECT,
    ROOT,
    SUPPORTED,
    Machine,
    closure,
    exported,
    files_of,
    load_frameworks,
    load_lock,
    load_project,
    packages,
)
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name, parse_wheel_filename

LOCK = load_lock()
PACKAGES = packages(LOCK)
ALL_GROUPS = ("run", *GROUPS)

# How these read a text is part of the verdict.
PARSERS = ("tree-sitter", "tree-sitter-bash", "hyperscan", "google-re2")

each_group = pytest.mark.parametrize("group", ALL_GROUPS)


def test_the_lock_is_that_of_this_project() -> None:
    """Whoever changes a range in pyproject.toml locks again: `./scripts/lock`."""
    project, metadata = load_project(), PACKAGES[PROJECT][0]["metadata"]
    frameworks = load_frameworks()
    extras = {
        extra: said
        for extra, said in project["project"]["optional-dependencies"].items()
        if extra not in frameworks
    }
    declared = {
        "run": project["project"]["dependencies"],
        **project["dependency-groups"],
        **extras,
    }
    locked = {
        "run": _of_extra(metadata["requires-dist"], ""),
        **metadata["requires-dev"],
        **{extra: _of_extra(metadata["requires-dist"], extra) for extra in extras},
    }

    assert {group: {_plain(one) for one in said} for group, said in declared.items()} == {
        group: {(one["name"], SpecifierSet(one.get("specifier", ""))) for one in said}
        for group, said in locked.items()
    }, "pyproject.toml and requirements/lock.toml differ: run ./scripts/lock"


def test_each_framework_is_an_extra_in_the_versions_that_are_tested() -> None:
    """Of what its tests install, an extra leaves out only what they alone need."""
    extras = load_project()["project"]["optional-dependencies"]
    frameworks = load_frameworks()

    assert set() == frameworks.keys() - extras.keys()
    for name, tested in frameworks.items():
        assert extras[name], name
        assert set() == set(extras[name]) - set(tested["requires"]), name


def _of_extra(required: list[dict[str, str]], extra: str) -> list[dict[str, str]]:
    """Return what is required for an extra, "" is what is required in any case."""
    said = f"extra == '{extra}'" if extra else "extra =="
    return [one for one in required if (said in one.get("marker", "")) is bool(extra)]


def _plain(requirement: str) -> tuple[str, SpecifierSet]:
    read = Requirement(requirement)
    return canonicalize_name(read.name), read.specifier


def test_every_group_is_exported() -> None:
    """Each group of pyproject.toml has its file, and each file its group."""
    files = {path.stem for path in (ROOT / "requirements").glob("*.txt")}

    assert {"run", *load_project()["dependency-groups"]} == files == set(ALL_GROUPS)


@each_group
@pytest.mark.parametrize("machine", SUPPORTED, ids=str)
def test_pip_installs_what_is_locked(group: str, machine: Machine) -> None:
    """The exported file holds the group with all it needs, at the locked versions."""
    lines = [
        line
        for line in exported(group)
        if line.requirement.marker is None or line.requirement.marker.evaluate(machine.environment)
    ]

    assert closure(LOCK, group, machine) == {line.pin for line in lines}


@each_group
def test_every_file_has_the_hash_that_is_locked(group: str) -> None:
    """Source archive and wheels of all systems: the same file, or none."""
    locked = {
        (name, package["version"]): {file["hash"] for file in files_of(package)}
        for name, versions in PACKAGES.items()
        for package in versions
    }

    for line in exported(group):
        assert locked[line.pin] == line.hashes, line.pin
        assert all(one.startswith("sha256:") for one in line.hashes)


@pytest.mark.parametrize("machine", SUPPORTED, ids=str)
def test_every_package_has_a_wheel(machine: Machine) -> None:
    """Nothing is built on the user's machine, so no unlocked build tool runs there."""
    wanted = set[tuple[str, str]]().union(*(closure(LOCK, group, machine) for group in ALL_GROUPS))
    missing = [
        name
        for name, version in sorted(wanted)
        for package in PACKAGES[name]
        if package["version"] == version
        and not any(_fits(wheel["url"], machine) for wheel in package.get("wheels", []))
    ]

    assert [] == missing


def _fits(url: str, machine: Machine) -> bool:
    """Tell whether a wheel can be installed on a machine."""
    minor = int(machine.python.split(".")[1])
    tags = parse_wheel_filename(url)[3]
    return any(
        _fits_python(tag.interpreter, tag.abi, minor) and _fits_system(tag.platform, machine)
        for tag in tags
    )


def _fits_python(interpreter: str, abi: str, minor: int) -> bool:
    if interpreter in {"py3", f"py3{minor}"}:
        return abi == "none"
    if not interpreter.startswith("cp3"):
        return False
    built = int(interpreter.removeprefix("cp3"))
    return (built == minor and abi == f"cp3{minor}") or (abi == "abi3" and built <= minor)


def _fits_system(platform: str, machine: Machine) -> bool:
    if platform == "any":
        return True
    if machine.system == "linux":
        return platform.startswith("manylinux") and platform.endswith(machine.architecture)
    return platform.startswith("macosx") and platform.endswith((machine.architecture, "universal2"))


def test_the_lock_names_no_address() -> None:
    """Where files come from is the setting of whoever installs; names and hashes say which."""
    text = (ROOT / "requirements" / "lock.toml").read_text(encoding="utf-8")

    assert "://" not in text
    assert [] == [
        file["url"]
        for package in LOCK["package"]
        for file in files_of(package)
        if "/" in file["url"]
    ]


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_has_an_upper_bound(name: str) -> None:
    """A library user gets no version whose readings nobody compared."""
    [requirement] = [
        read
        for read in map(Requirement, load_project()["project"]["dependencies"])
        if canonicalize_name(read.name) == name
    ]

    assert {"<", ">="} == {one.operator for one in requirement.specifier}


def test_nothing_else_in_the_files_of_pip() -> None:
    """No index, no local file, no option that would weaken `--require-hashes`."""
    for group in ALL_GROUPS:
        for line in exported(group):
            assert line.requirement.url is None
            assert line.hashes
