"""Who may answer: `approvers.json` in the configuration folder.

Where nobody is named, the owner of this installation is the one approver, known on the terminal
by their user id.
"""

from __future__ import annotations

import json
import os
import tempfile

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.errors import BadSettings, StoreError
from signoff.storage.text_file import read_text

FILE = "approvers.json"
SIZE_LIMIT = 262_144
APPROVERS_LIMIT = 1_000
NAME_LIMIT = 200
FORMAT = 1


class ApproverFile:
    """A `Directory` in a file, read again when it changes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._known: tuple[tuple[int, int, int], tuple[Approver, ...]] = ((0, 0, 0), ())

    def find(self, identity: Identity) -> Approver | None:
        """Return the person behind an identity, None if nobody is."""
        return next((one for one in self.listed() if identity in one.identities), None)

    def listed(self) -> tuple[Approver, ...]:
        """Return everybody.

        Raises:
            BadSettings: the file is refused; nobody may answer until it is fixed.
        """
        try:
            found = os.lstat(self.path)
        except FileNotFoundError:
            return (owner(),)
        signature = (found.st_mtime_ns, found.st_size, found.st_ino)
        if self._known[0] != signature:
            self._known = (signature, _read(self.path))
        return self._known[1]

    def add(self, approver: Approver) -> None:
        """Add a person, or put them in the place of the one of the same id.

        Raises:
            BadSettings: an identity is somebody else's, or the file is refused.
            StoreError: the file cannot be written.
        """
        kept = [one for one in self.listed() if one.id != approver.id]
        taken = {identity for one in kept for identity in one.identities}
        if clash := next((one for one in approver.identities if one in taken), None):
            raise BadSettings(f"`{clash}` is the identity of somebody else")
        self._write([*kept, approver])

    def remove(self, id: str) -> bool:
        """Remove a person; tell whether there was one."""
        before = self.listed()
        kept = [one for one in before if one.id != id]
        self._write(kept)
        return len(kept) < len(before)

    def _write(self, approvers: list[Approver]) -> None:
        """Write the file whole or not at all."""
        said = {"version": FORMAT, "approvers": [_plain(one) for one in approvers]}
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            handle, aside = tempfile.mkstemp(dir=os.path.dirname(self.path), prefix=".approvers.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(said, file, indent=1)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(aside, self.path)
            except BaseException:
                os.unlink(aside)
                raise
        except OSError as error:
            raise StoreError(f"cannot write `{self.path}`: {error}") from error


def owner() -> Approver:
    """Return the one approver of an installation that names none."""
    me = Identity("terminal", f"uid:{os.getuid()}")
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
        said = json.loads(read_text(path, limit=SIZE_LIMIT) or "")
        if said["version"] != FORMAT or len(said["approvers"]) > APPROVERS_LIMIT:
            raise ValueError("unknown version, or too many")
        approvers = tuple(map(_approver, said["approvers"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadSettings(f"`{path}` cannot be read ({error}): nobody may answer") from error
    identities = [identity for one in approvers for identity in one.identities]
    if len(set(identities)) < len(identities) or len({a.id for a in approvers}) < len(approvers):
        raise BadSettings(f"`{path}` names an id or an identity twice: nobody may answer")
    return approvers


def _approver(said: dict[str, Json]) -> Approver:
    identities = said["identities"]
    if not isinstance(identities, list):
        raise TypeError("identities must be a list")
    return Approver(
        id=_text(said["id"]),
        name=_text(said.get("name", "")),
        role=ApproverRole(_text(said["role"])),
        groups=tuple(_text(group) for group in _list(said.get("groups", []))),
        identities=tuple(
            Identity(_text(one["channel"]), _text(one["id"]))
            for one in identities
            if isinstance(one, dict)
        ),
    )


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str) or len(value) > NAME_LIMIT:
        raise TypeError("expected a short text")
    return value
