"""What an approval is bound to: the exact call, the rules it was judged by, the files it names.

    digest = SHA-256("signoff-approval-v1\\0" || canonical JSON)

The digest is taken when a request is made and again when its approval is used; files are hashed
anew for the second one. What the agent says about the call is left out, as in `Action.digest`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from signoff.actions.action import Action

PREFIX = b"signoff-approval-v1\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """One file a call names, as it was when it was looked at.

    Args:
        kind: `file`, `folder`, `other`, `missing` or `unread`.
        sha256: of an ordinary file's content; "" where it was not read.
        version: changes with what was not read: size and time of change.
    """

    path: str
    real_path: str = ""
    kind: str = "missing"
    device: int = 0
    inode: int = 0
    sha256: str = ""
    version: str = ""


Operands: TypeAlias = Callable[[Action], tuple[Operand, ...]]


def no_operands(_: Action) -> tuple[Operand, ...]:
    """Look at no files: for calls that are judged away from this machine."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One call with everything it depends on."""

    action: Action
    policy_digest: str = ""
    operands: tuple[Operand, ...] = ()

    @property
    def digest(self) -> str:
        """64 hex digits over all of it.

        Raises:
            ValueError: the action has no canonical form.
        """
        import rfc8785  # noqa: PLC0415 - `import signoff` loads the standard library only

        operands = [
            [o.path, o.real_path, o.kind, str(o.device), str(o.inode), o.sha256, o.version]
            for o in self.operands
        ]
        parts = [self.action.canonical_bytes.hex(), self.policy_digest, operands]
        return hashlib.sha256(PREFIX + rfc8785.dumps(parts)).hexdigest()
