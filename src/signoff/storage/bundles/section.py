"""The section `bundle` of `signoff.yaml`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Url = Annotated[str, Meta(max_length=2_000)]
BundleKey = Annotated[str, Meta(max_length=300)]
BundleGroup = Annotated[
    str,
    Meta(max_length=60, pattern=r"\A[a-z0-9][a-z0-9-]*\Z", description="a name such as `canary`"),
]


class BundleSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `bundle`: where this machine gets its policy from.

    Args:
        url: of the bundle; or `path`: a file, or a folder with `signoff.bundle`.
        keys: public keys; one of them signs the first bundle this machine takes.
        group: of this machine; a bundle may have a release for it.
        every_s: seconds between two looks.
    """

    url: Url = ""
    path: Annotated[str, Meta(max_length=1_000)] = ""
    keys: Annotated[tuple[BundleKey, ...], Meta(max_length=5)]
    group: BundleGroup = ""
    every_s: Annotated[float, Meta(ge=1, le=86_400)] = 60.0
