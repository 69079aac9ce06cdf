"""Who may answer: `approvers.json` in the configuration folder.

Where nobody is named, the owner of this installation is the one approver, known on the terminal
by their user id.
"""

from __future__ import annotations

import json
import os
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.documents.convert import FormatVersion, convert
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_json
from signoff.errors import BadSettings, StoreError
from signoff.storage.text_file import make_folder, read_text, write_whole
from signoff.system.files import own_uid

FILE = "approvers.json"
SIZE_LIMIT = 262_144
APPROVERS_LIMIT = 1_000
FORMAT = 1
FORM = FileForm(
    what="approvers", expected="`version` and `approvers`", error=BadSettings, is_typed=True
)

Name = Annotated[str, Meta(max_length=200)]


class IdentityEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One identity of an approver, as in the file."""

    channel: Name
    id: Name


class ApproverEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One approver, as in the file."""

    id: Name
    name: Annotated[str, Meta(min_length=0, max_length=200)] = ""
    role: ApproverRole
    groups: Annotated[tuple[Name, ...], Meta(min_length=0)] = ()
    identities: Annotated[tuple[IdentityEntry, ...], Meta(min_length=0)]


class ApproversDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file of approvers."""

    version: FormatVersion
    approvers: Node


class ApproverFile:
    """A `Directory` in a file, read again when it changes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._known: tuple[tuple[int, int, int], tuple[Approver, ...]] = ((0, 0, 0), ())

    def find(self, identity: Identity) -> Approver | None:
        """Return the approver with this identity, None if there is none."""
        return next((one for one in self.listed() if identity in one.identities), None)

    def listed(self) -> tuple[Approver, ...]:
        """Return all approvers.

        Raises:
            BadSettings: the file is refused; nobody may answer until it is fixed.
        """
        try:
            # A dangling link is a file that cannot be read, and not "no file": nobody may answer
            # then.
            found = os.lstat(self.path)
        except FileNotFoundError:
            # No file: whoever owns the process may answer, and nobody on any channel.
            return (owner(),)
        # With the inode: a file written aside and renamed is another one, whatever its times.
        signature = (found.st_mtime_ns, found.st_size, found.st_ino)
        if self._known[0] != signature:
            self._known = (signature, _read(self.path))
        return self._known[1]

    def add(self, approver: Approver) -> None:
        """Add an approver, or replace the one with the same id.

        Raises:
            BadSettings: an identity is somebody else's, or the file is refused.
            StoreError: the file cannot be written.
        """
        kept = [one for one in self.listed() if one.id != approver.id]
        taken = {identity for one in kept for identity in one.identities}
        # One account must be one person: else two proofs could come from the same one.
        if clash := next((one for one in approver.identities if one in taken), None):
            raise BadSettings(f"`{clash}` is the identity of somebody else")
        self._write([*kept, approver])

    def remove(self, id: str) -> bool:
        """Remove the approver with this id; return whether there was one."""
        before = self.listed()
        kept = [one for one in before if one.id != id]
        self._write(kept)
        return len(kept) < len(before)

    def _write(self, approvers: list[Approver]) -> None:
        """Write the file whole or not at all."""
        said = {"version": FORMAT, "approvers": [_plain(one) for one in approvers]}
        try:
            make_folder(os.path.dirname(self.path))
            write_whole(self.path, json.dumps(said, indent=1).encode())
        except OSError as error:
            raise StoreError(f"cannot write `{self.path}`: {error}") from error


def owner() -> Approver:
    """Return the default approver of an installation that names none: this machine's user."""
    # Only there a code is asked for, which an agent of the same user does not see (T-43).
    me = Identity("terminal", f"uid:{own_uid()}")
    return Approver(id="owner", name="owner", role=ApproverRole.ADMIN, identities=(me,))


def _plain(approver: Approver) -> dict[str, Json]:
    return {
        "id": approver.id,
        "name": approver.name,
        "role": approver.role.value,
        "groups": list(approver.groups),
        "identities": [{"channel": one.channel, "id": one.id} for one in approver.identities],
    }


def _read(path: str) -> tuple[Approver, ...]:
    """Read the file.

    Raises:
        BadSettings: it is not as it must be.
    """
    try:
        text = read_text(path, limit=SIZE_LIMIT) or ""
        said = convert(read_json(text, file=path, form=FORM), ApproversDocument)
        nodes = said.approvers.items()
        if len(nodes) > APPROVERS_LIMIT:
            raise said.approvers.refuse(f"{len(nodes)} approvers (at most {APPROVERS_LIMIT})")
        return _distinct(nodes)
    except BadSettings as error:
        # Not only the bad entry is left out: it may be the one that took somebody's right away.
        raise BadSettings(f"{error}; nobody may answer until it is fixed") from error


def _distinct(nodes: list[Node]) -> tuple[Approver, ...]:
    """Read people; no id and no identity is that of two."""
    taken: dict[object, int] = {}
    approvers: list[Approver] = []
    for node in nodes:
        node.name = "an approver"
        approver = _approver(convert(node, ApproverEntry))
        for name in (approver.id, *approver.identities):
            if name in taken:
                raise node.refuse(f"`{name}` is given twice, first in line {taken[name]}")
            taken[name] = node.line
        approvers.append(approver)
    return tuple(approvers)


def _approver(said: ApproverEntry) -> Approver:
    return Approver(
        id=said.id,
        name=said.name,
        role=said.role,
        groups=said.groups,
        identities=tuple(Identity(one.channel, one.id) for one in said.identities),
    )
