"""Bundles for tests: signed by keys that are made of one letter."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from signoff.frontends.fleet.bundle_files import content_text
from signoff.storage.bundles.bundle import BundleContent, BundleSigner, Release

ADMIN, OTHER = BundleSigner(b"a" * 32), BundleSigner(b"b" * 32)
RULES = "version: 1\nrules:\n  - {name: no-curl, action: deny, match: {command: {command: curl}}}\n"
SETTINGS = "pack: strict\n"
FILES = {"settings.yaml": SETTINGS, "rules.yaml": RULES}


def bundle(
    version: int,
    files: Mapping[str, str] | None = None,
    *,
    by: BundleSigner = ADMIN,
    next_keys: tuple[str, ...] = (),
    expires: datetime | None = None,
) -> str:
    """Return a signed bundle with one release for all."""
    releases = (Release(files=FILES if files is None else files),)
    content = BundleContent(
        version=version, releases=releases, next_keys=next_keys, expires=expires
    )
    return by.sign(content_text(content))
