"""What an approval is bound to: the exact call, the rules it was judged by, what it would run.

    digest = SHA-256("signoff-approval-v2\\0" || canonical JSON)

The digest is taken when a request is made and again when its approval is used; files and programs
are looked at again for the second one. A program that is found nowhere is bound as missing: that it
appears later is a change. What the agent says about the call is left out, as in `Action.digest`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from signoff.actions.action import Action
from signoff.values import replace

PREFIX = b"signoff-approval-v2\0"
FILES_PREFIX = b"signoff-files-v1\0"
BOUND_BY = "\nby "  # between a shape and the digest of its programs
QUIET_PROGRAMS = frozenset({"cat", "head", "tail"})


class FileRole(StrEnum):
    """How a call uses a file."""

    OPERAND = "operand"
    PROGRAM = "program"
    INTERPRETER = "interpreter"  # of a script, by its first line


class Operand(Struct, frozen=True, kw_only=True):
    """The state of one file that a call names or would run.

    Args:
        path: as the call names it.
        place: where a program was found, its links not followed; "" for other files.
        kind: `file`, `folder`, `other`, `missing` or `unread`.
        mode: permission bits with those of set-user-ID and the like, and the owner.
        sha256: of an ordinary file's content; "" where it was not read.
        version: changes with what was not read: size and times of change.
    """

    path: str
    role: FileRole = FileRole.OPERAND
    place: str = ""
    real_path: str = ""
    kind: str = "missing"
    device: int = 0
    inode: int = 0
    mode: str = ""
    sha256: str = ""
    version: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """The texts the digest covers; names that are not UTF-8 are escaped."""
        named = (self.path, self.place, self.real_path)
        told = (self.role.value, self.kind, str(self.device), str(self.inode))
        names = (name.encode("utf-8", "surrogatepass").hex() for name in named)
        # As hex: file names may be bytes that JSON cannot hold.
        return (*told, *names, self.mode, self.sha256, self.version)


Operands: TypeAlias = Callable[[Action], tuple[Operand, ...]]


def digest_of_files(operands: tuple[Operand, ...]) -> str:
    """Return the SHA-256 in hex over the state of all files a call would use."""
    import rfc8785  # noqa: PLC0415 - `import signoff` loads msgspec alone

    parts = rfc8785.dumps([list(operand.parts) for operand in operands])
    return hashlib.sha256(FILES_PREFIX + parts).hexdigest()


def bound_shape(shape: str, operands: tuple[Operand, ...]) -> str:
    """Append the digest of its programs to a shape; "" stays "".

    Programs that only shorten output or hold a here-document are left out: they vary.
    """
    if not shape:
        return ""
    # The lines with the words: where `cat` is the command itself, it is bound like any other
    # program.
    named = {line.partition(" ")[0] for line in shape.split("\n")[2:4]}
    programs = tuple(
        one
        for one in operands
        if one.role is not FileRole.OPERAND
        and (one.path not in QUIET_PROGRAMS or one.path in named)
    )
    return f"{shape}{BOUND_BY}{digest_of_files(programs)}"


def unmatched_shape(shape: str, drawn: str) -> str:
    """Return the shape bound to programs that no call has; "" stays "".

    Args:
        drawn: a random text in place of the programs' digest.
    """
    return f"{shape.rpartition(BOUND_BY)[0]}{BOUND_BY}{drawn}" if shape else ""


def no_operands(_: Action) -> tuple[Operand, ...]:
    """Return no files: for calls that run on another machine."""
    return ()


def across_machines(operands: Operands) -> Operands:
    """Return a reader of operands that ignores where a disk has a file.

    Only content, mode and owner count. For approvals that are used on another machine, whose copy
    of a program has another inode.
    """

    def told(action: Action) -> tuple[Operand, ...]:
        return tuple(
            replace(one, device=0, inode=0) if one.sha256 else one for one in operands(action)
        )

    return told


class Binding(Struct, frozen=True, kw_only=True):
    """One call with everything an approval is bound to: action, policy and file contents."""

    action: Action
    policy_digest: str = ""
    operands: tuple[Operand, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of all of it, as 64 hex digits.

        Raises:
            ValueError: the action has no canonical form.
        """
        import rfc8785  # noqa: PLC0415 - `import signoff` loads msgspec alone

        operands = [list(operand.parts) for operand in self.operands]
        # A list in canonical JSON: no part can be moved into its neighbour.
        parts = [self.action.canonical_bytes.hex(), self.policy_digest, operands]
        return hashlib.sha256(PREFIX + rfc8785.dumps(parts)).hexdigest()
