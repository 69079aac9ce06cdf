"""Builds the content of a bundle from a folder, and reads bundles back for the admin who signs.

content = content_of_folder("policy", BundlePlan(version=7))
content_text(content)       what is signed
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime

import msgspec
from msgspec import Struct

from signoff.errors import BadSettings
from signoff.storage.bundles.bundle import (
    BUNDLE_LIMIT,
    FILE_LIMIT,
    GAP,
    PROFILES,
    RULES,
    SETTINGS,
    BadBundle,
    BundleContent,
    Release,
    read_content,
)
from signoff.storage.text_file import read_text


class BundlePlan(Struct, frozen=True, kw_only=True):
    """Options for a bundle beside its files.

    Args:
        rest: a bundle file whose last release all other nodes get.
    """

    version: int
    groups: tuple[str, ...] = ()
    share: int = 100
    rest: BundleContent | None = None
    expires: datetime | None = None
    next_keys: tuple[str, ...] = ()


def content_of_folder(folder: str, plan: BundlePlan) -> BundleContent:
    """Build the content of a bundle from a folder.

    Raises:
        BadBundle, BadSettings: the folder has no policy files, or other ones.
    """
    files = dict(_files(folder))
    if not files:
        raise BadBundle(f"`{folder}` holds none of {SETTINGS}, {RULES} and {PROFILES}*.yaml")
    version, rest = plan.version, plan.rest
    if rest is not None and rest.version >= version:
        raise BadBundle(f"version {version} is not higher than {rest.version} of the other bundle")
    release = Release(groups=plan.groups, share=plan.share, files=files)
    others = (rest.releases[-1],) if rest is not None else ()
    content = BundleContent(
        version=version,
        expires=plan.expires,
        next_keys=plan.next_keys,
        releases=(release, *others),
    )
    return read_content(content_text(content))


def _files(folder: str) -> Iterator[tuple[str, str]]:
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name in (SETTINGS, RULES):
            yield name, _text(path)
        elif f"{name}/" == PROFILES and os.path.isdir(path):
            for one in sorted(os.listdir(path)):
                yield f"{PROFILES}{one}", _text(os.path.join(path, one))
        elif not name.startswith("."):
            # Passed over in silence, it would be missing where everybody believes it is in force.
            raise BadBundle(f"`{path}` cannot be in a bundle: {SETTINGS}, {RULES}, {PROFILES}")


def _text(path: str) -> str:
    text = read_text(path, limit=FILE_LIMIT)
    if text is None:
        raise BadSettings(f"{path}: is gone while it is read")
    return text


def content_text(content: BundleContent) -> str:
    """Return a bundle's content in the form that is signed."""
    return msgspec.json.encode(content).decode()


def bundle_text(path: str) -> str:
    """Return the text of a bundle file.

    Raises:
        BadBundle, BadSettings: it cannot be read.
    """
    text = read_text(path, limit=BUNDLE_LIMIT)
    if text is None:
        raise BadBundle(f"`{path}` does not exist")
    return text


def read_bundle(path: str) -> BundleContent:
    """Parse the content of a bundle, signed or not, without checking the signature.

    Raises:
        BadBundle, BadSettings: it is not valid.
    """
    text = bundle_text(path)
    return read_content(text if text.startswith("{") else text.split(GAP, 2)[-1])


def releases_of(content: BundleContent) -> str:
    """Return which nodes get which files, in one line of text."""
    said = []
    for one in content.releases:
        whom = f"groups {', '.join(one.groups)}" if one.groups else "all"
        part = f"{one.share} % of {whom}" if one.share < 100 else whom
        said.append(f"{part}: {', '.join(sorted(one.files)) or 'no files'}")
    return "; ".join(said)
