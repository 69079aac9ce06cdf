"""A bundle: the policy of many machines in one signed file.

The file is a signed note, as of a checkpoint, an empty line, and the content as JSON. The note
names the key, the version and the digest of the content; so a file that was cut, joined from two or
signed by another key is refused as a whole, before anything in it is read.

A content has releases: each is a set of files for some groups or a share of the nodes. A node takes
the first release that is meant for it, and the last one is meant for all.

    text = BundleSigner(seed).sign(content)
    bundle = opened(text, (key,))
    bundle.version, bundle.content.release_for("canary", "9f3a12").files["rules.yaml"]
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.errors import SignoffError
from signoff.storage.proof.note import (
    BadCheckpoint,
    Checkpoint,
    NoteKey,
    SigningKey,
    checked_note,
    note_of,
    parse_note,
)

NAME = "signoff.bundle/"  # what the names of keys for bundles begin with
DIGEST_PREFIX = b"signoff-bundle-v1\0"
GAP = "\n\n"
BUNDLE_LIMIT = 4_194_304  # bytes of a bundle
FILE_LIMIT = 1_000_000  # bytes of a file in it
FILES_LIMIT = 64
RELEASES_LIMIT = 16
VERSION_LIMIT = 1 << 53  # JSON numbers are exact up to here
SETTINGS, RULES, PROFILES = "settings.yaml", "rules.yaml", "profiles/"

GroupName = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"\A[a-z0-9][a-z0-9-]*\Z")]
FileName = Annotated[
    str, Meta(pattern=r"\A(settings\.yaml|rules\.yaml|profiles/[a-z0-9][a-z0-9-]{0,59}\.yaml)\Z")
]
FileText = Annotated[str, Meta(max_length=FILE_LIMIT)]


class BadBundle(SignoffError):
    """A bundle is not valid; the message says why."""


class Release(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Files of a policy, and the nodes they are meant for.

    Args:
        groups: groups of nodes; () = every group.
        share: percentage of these nodes.
    """

    groups: Annotated[tuple[GroupName, ...], Meta(max_length=50)] = ()
    share: Annotated[int, Meta(ge=0, le=100)] = 100
    files: Annotated[Mapping[FileName, FileText], Meta(max_length=FILES_LIMIT)]

    @property
    def is_for_all(self) -> bool:
        """Whether it is meant for every node."""
        return not self.groups and self.share == 100

    def is_for(self, group: str, node: str) -> bool:
        """Return whether a node of this group takes this release."""
        # By the node alone: a share that grows keeps the nodes it has.
        part = int.from_bytes(hashlib.sha256(f"signoff-share {node}".encode()).digest()[:8])
        return (not self.groups or group in self.groups) and part % 100 < self.share


class BundleContent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signed content of a bundle.

    Args:
        version: grows with each bundle.
        expires: from then on nodes report that their policy is old; None = never.
        next_keys: keys that nodes accept from now on in place of present ones; () = no change.
    """

    format: Annotated[int, Meta(ge=1, le=1)] = 1
    version: Annotated[int, Meta(ge=1, le=VERSION_LIMIT)]
    expires: Annotated[datetime, Meta(tz=True)] | None = None
    next_keys: Annotated[tuple[str, ...], Meta(max_length=5)] = ()
    releases: Annotated[tuple[Release, ...], Meta(min_length=1, max_length=RELEASES_LIMIT)]

    def release_for(self, group: str, node: str) -> Release:
        """Return the first release that is meant for a node."""
        return next(one for one in self.releases if one.is_for(group, node))


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle with a verified signature."""

    content: BundleContent
    digest: str
    key: str

    @property
    def version(self) -> int:
        """Its version."""
        return self.content.version


class BundleSigner:
    """Signs bundles; used by the admin, not on nodes."""

    def __init__(self, seed: bytes) -> None:
        self._own = SigningKey(seed)

    @cached_property
    def key(self) -> NoteKey:
        """The public key, for the settings of nodes."""
        return NoteKey(name=self._own.name(NAME), public=self._own.public)

    def sign(self, content: str) -> str:
        """Return a signed bundle with this content.

        Raises:
            BadBundle: the content is not valid.
        """
        said = read_content(content)
        note = Checkpoint(origin=self.key.name, size=said.version, root=_digest(content.encode()))
        signed = note_of(note, self.key, self._own.sign(note.text.encode()))
        return f"{signed}\n{content}"


def parse_key(text: str) -> NoteKey:
    """Parse a public key for bundles.

    Raises:
        BadBundle: it is another kind of key, or none.
    """
    try:
        key = NoteKey.parse(text)
    except BadCheckpoint as error:
        raise BadBundle(str(error).replace("a log", "a bundle")) from error
    if not key.name.startswith(NAME):
        raise BadBundle(f"`{key.name}` is no key of a bundle: expected `{NAME}...+hash+key`")
    return key


def read_content(text: str) -> BundleContent:
    """Parse the content of a bundle without checking its signature.

    Raises:
        BadBundle: it is not valid.
    """
    try:
        content = msgspec.json.decode(text, type=BundleContent)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadBundle(f"the content of the bundle cannot be read: {error}") from error
    if not content.releases[-1].is_for_all:
        raise BadBundle("the last release of the bundle is not for all nodes")
    for key in content.next_keys:
        parse_key(key)
    return content


def opened(text: str, keys: Sequence[str]) -> Bundle:
    """Parse a bundle and check its signature.

    Args:
        keys: public keys; one of them must have signed it.

    Raises:
        BadBundle: it is cut, changed, or signed by none of these keys.
    """
    if len(text.encode()) > BUNDLE_LIMIT:
        raise BadBundle(f"the bundle is larger than {BUNDLE_LIMIT} bytes")
    head, gap, rest = text.partition(GAP)
    signatures, second, payload = rest.partition(GAP)
    if not gap or not second:
        raise BadBundle("the bundle is cut off, or is no signed bundle")
    note, key = _signed_by(f"{head}{gap}{signatures}\n", keys)
    if note.root != _digest(payload.encode()):
        raise BadBundle("the content of the bundle is cut off or changed: its digest differs")
    content = read_content(payload)
    if content.version != note.size:
        raise BadBundle(f"the bundle is signed as {note.size} and says {content.version}")
    return Bundle(content=content, digest=note.root.hex(), key=key)


def _signed_by(note: str, keys: Sequence[str]) -> tuple[Checkpoint, str]:
    try:
        origin = parse_note(note)[0].origin
        for text in keys:
            key = parse_key(text)
            if key.name == origin:
                return checked_note(note, key), text
    except BadCheckpoint as error:
        raise BadBundle(str(error).replace("checkpoint", "bundle")) from error
    raise BadBundle(f"the bundle is signed by `{origin[:80]}`, which is none of the known keys")


def _digest(payload: bytes) -> bytes:
    return hashlib.sha256(DIGEST_PREFIX + payload).digest()
