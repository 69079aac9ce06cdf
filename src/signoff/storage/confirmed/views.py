"""Approvers, policies and mode as they are in force, in the place of the files themselves.

Changes made through these are those of an admin on a channel of the daemon, and hold at once.
"""

from __future__ import annotations

from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy, PolicyChange
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.standing import SqliteMode, SqlitePolicies
from signoff.storage.confirmed.in_force import InForce


class ConfirmedApprovers(ApproverFile):
    """The approvers an admin confirmed; a file that is refused still lets nobody answer."""

    def __init__(self, file: ApproverFile, in_force: InForce) -> None:
        super().__init__(file.path)
        self._in_force = in_force

    def listed(self) -> tuple[Approver, ...]:
        """Return everybody who was confirmed.

        Raises:
            BadSettings: the file is refused; nobody may answer until it is fixed.
        """
        # Read for its errors alone: a file nobody can read must not leave old rights in force
        # unseen.
        super().listed()
        return self._in_force.standing.approvers


class ConfirmedPolicies(SqlitePolicies):
    """The policies an admin confirmed."""

    def __init__(self, database: Database, in_force: InForce) -> None:
        super().__init__(database)
        self._in_force = in_force

    def add(self, text: str, *, tool: str = "", author: str = "", expires_s: float = 0.0) -> Policy:
        """Keep a policy, which holds at once."""
        policy = super().add(text, tool=tool, author=author, expires_s=expires_s)
        self._in_force.put_policy(policy)
        return policy

    def edit(self, id: str, change: PolicyChange, *, author: str) -> Policy | None:
        """Change a policy, which holds at once."""
        policy = super().edit(id, change, author=author)
        if policy is not None:
            self._in_force.put_policy(policy)
        return policy

    def remove(self, id: str) -> bool:
        """Forget a policy; tell whether there was one."""
        was_there = super().remove(id)
        self._in_force.remove_policy(id)
        return was_there

    def listed(self) -> tuple[Policy, ...]:
        """Return all that were confirmed, oldest first."""
        return self._in_force.standing.policies


class ConfirmedMode(SqliteMode):
    """The mode an admin confirmed; remote as soon as the file says so."""

    def __init__(self, mode: SqliteMode, in_force: InForce) -> None:
        super().__init__(mode.database, default=mode.default)
        self._in_force = in_force

    def mode(self) -> Mode:
        """Return the mode in force."""
        # Both must say so: `remote`, the stricter one, holds from either side (T-63).
        is_local = super().mode() is Mode.LOCAL and self._in_force.standing.mode is Mode.LOCAL
        return Mode.LOCAL if is_local else Mode.REMOTE

    def set_mode(self, mode: Mode) -> None:
        """Set the mode, which holds at once."""
        super().set_mode(mode)
        self._in_force.set_mode(mode)
