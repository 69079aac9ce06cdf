"""Write the software bill of materials: what signoff runs on, as locked, in CycloneDX JSON.

Reads `requirements/lock.toml` alone, so it comes out the same on every machine. Each component has
its version, its package URL, and every file it may be installed from with its hash.

    .venv/bin/python scripts/write_sbom.py dist/signoff.cdx.json [group ...]
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import (
    ExternalReference,
    ExternalReferenceType,
    HashAlgorithm,
    HashType,
    XsUri,
)
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]
PROJECT = "signoff"
LICENSE = "Apache-2.0"

Package = Mapping[str, Any]
Key = tuple[str, str]


def packages_of(lock: Mapping[str, Any]) -> dict[Key, Package]:
    """Return the locked packages by name and version."""
    return {(package["name"], package["version"]): package for package in lock["package"]}


def keys_of(entry: Mapping[str, Any], known: Mapping[Key, Package]) -> list[Key]:
    """Return the packages an entry may stand for: one version, or one on each system."""
    said = entry.get("version")
    return [key for key in known if key[0] == entry["name"] and said in {None, key[1]}]


def required_by(package: Package, groups: Iterable[str]) -> list[Mapping[str, Any]]:
    """Return what a package requires, with its extras, and these of its groups."""
    lists = [package.get("dependencies", []), *package.get("optional-dependencies", {}).values()]
    lists += [package.get("dev-dependencies", {})[group] for group in groups]
    return [entry for one in lists for entry in one]


def reached(
    known: Mapping[Key, Package], start: Key, groups: Iterable[str]
) -> dict[Key, list[Key]]:
    """Return all that is reached from the project, each with what it requires."""
    found: dict[Key, list[Key]] = {}
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key in found:
            continue
        entries = required_by(known[key], groups if key == start else ())
        needs = dict.fromkeys(need for entry in entries for need in keys_of(entry, known))
        found[key] = sorted(needs)
        waiting += needs
    return found


def _sha256(said: str) -> str:
    """Return the digest of `sha256:...`; no other algorithm is locked with."""
    algorithm, _, digest = said.partition(":")
    if algorithm != "sha256":
        raise ValueError(f"hash `{said[:40]}` in lock.toml, expected `sha256:...`")
    return digest


def component(package: Package) -> Component:
    """Return a locked package as a component."""
    name, version = package["name"], package["version"]
    files = [package["sdist"]] if "sdist" in package else []
    purl = PackageURL("pypi", name=name, version=version)
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=version,
        purl=purl,
        bom_ref=str(purl),
        external_references=[
            ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION,
                url=XsUri(file["url"]),
                hashes=[HashType(alg=HashAlgorithm.SHA_256, content=_sha256(file["hash"]))],
            )
            for file in [*files, *package.get("wheels", [])]
        ],
    )


def build_bom(lock_text: str, groups: Iterable[str]) -> Bom:
    """Return the bill of materials of a lock."""
    known = packages_of(tomllib.loads(lock_text))
    [start] = [key for key in known if key[0] == PROJECT]
    tree = reached(known, start, tuple(groups))
    components = {key: component(known[key]) for key in tree}
    components[start].type = ComponentType.APPLICATION
    bom = Bom(
        components=[one for key, one in components.items() if key != start],
        dependencies=[
            Dependency(components[key].bom_ref, [Dependency(components[n].bom_ref) for n in needs])
            for key, needs in tree.items()
        ],
        serial_number=uuid5(NAMESPACE_URL, lock_text),
    )
    bom.metadata.component = components[start]
    bom.metadata.component.licenses.add(DisjunctiveLicense(id=LICENSE))
    bom.metadata.timestamp = None  # the same lock gives the same file, byte for byte
    return bom


def main(target: str, *groups: str) -> None:
    """Write the file."""
    bom = build_bom((ROOT / "requirements" / "lock.toml").read_text(encoding="utf-8"), groups)
    path = Path(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(JsonV1Dot6(bom).output_as_string(indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"{target}: {len(bom.components)} components\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
