"""The bundle a machine is under: what is kept of it, and what is wrong.

bundle_in_force(state_dir, section)      None: this machine is judged by its own files
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from signoff.bundled_policy.shared_file import SharedFile, read_shared
from signoff.errors import BadSettings
from signoff.sections import BundleSection, PackName
from signoff.storage.bundles.bundle import PROFILES, BadBundle, BundleContent
from signoff.storage.bundles.stored_bundle import FILE, StoredBundle, read_kept
from signoff.storage.text_file import absolute
from signoff.values import replace

WAITING = "no bundle has come yet, so the strict pack holds and own files only tighten"
LEAVE = "`signoff bundle leave` ends it"


class BundleInForce(Struct, frozen=True, kw_only=True):
    """The policy bundle a machine is under.

    Args:
        version: 0 = none has come yet, and the strict pack stands in for it.
        group: of this machine.
        problem: what is wrong, "" if nothing is.
        differences: what `signoff.yaml` says beside it, and whether that holds.
    """

    settings: SharedFile
    version: int = 0
    digest: str = ""
    group: str = ""
    files: Mapping[str, str] = msgspec.field(default_factory=dict)
    problem: str = ""
    differences: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What messages call its files."""
        return f"bundle {self.version}"

    def profile_text(self, name: str) -> str | None:
        """Return the text of a domain profile in it, None if it has none of that name."""
        return self.files.get(f"{PROFILES}{name}.yaml")


def source_of(config: str, said: BundleSection | None) -> BundleSection | None:
    """Return where bundles are fetched from; file paths are made absolute.

    Args:
        config: the settings folder.

    Raises:
        BadSettings: it names no place, or two.
    """
    if said is not None and bool(said.url) == bool(said.path):
        raise BadSettings("signoff.yaml: bundle: expected one of `url` and `path`")
    return said and replace(said, path=absolute(config, said.path))


def bundle_in_force(state_dir: str, section: BundleSection | None) -> BundleInForce | None:
    """Return the bundle this machine is under, None if it is under none.

    What is kept and cannot be used is no reason to judge by the node's own files: the strict pack
    stands in for it.
    """
    try:
        kept = read_kept(os.path.join(state_dir, FILE))
        if kept is not None:
            return _of(kept, section)
    except (BadBundle, BadSettings) as error:
        return _stand_in(f"{error}; the strict pack holds until a bundle comes")
    return None if section is None else _stand_in(WAITING)


def _of(kept: StoredBundle, section: BundleSection | None) -> BundleInForce:
    bundle, group = kept.opened(), section.group if section else kept.group
    files = bundle.content.release_for(group, kept.node).files
    return BundleInForce(
        settings=read_shared(files),
        version=bundle.version,
        digest=bundle.digest,
        group=group,
        files=files,
        problem=_problem(kept, section, bundle.content),
    )


def _problem(kept: StoredBundle, section: BundleSection | None, content: BundleContent) -> str:
    version = content.version
    if section is None:
        return f"signoff.yaml has no section `bundle` any more: {version} stays in force; {LEAVE}"
    if not set(section.keys) & {*kept.keys, *content.next_keys}:
        return (
            f"`bundle.keys` in signoff.yaml are none of the keys this machine knows, and are passed"
            f" over: version {version} stays in force; {LEAVE}"
        )
    if content.expires is not None and content.expires < datetime.now(UTC):
        return f"version {version} expired on {content.expires:%Y-%m-%d} and stays in force"
    return ""


def _stand_in(problem: str) -> BundleInForce:
    return BundleInForce(settings=SharedFile(pack=PackName.STRICT), problem=problem)
