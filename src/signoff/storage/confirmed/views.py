"""Approvers, policies and mode as they are in force, in the place of the files themselves.

Changes made through these are those of an admin on a channel of the daemon, and hold at once.
"""

from __future__ import annotations

from datetime import UTC, datetime

from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy, PolicyChange, changed
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.standing import SqliteMode, SqlitePolicies, checked
from signoff.storage.confirmed.head import StandingState
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.locks.lock_file import LockFile
from signoff.values import replace


class ConfirmedApprovers(ApproverFile):
    """The approvers an admin has confirmed; if the file is not valid, nobody may answer."""

    def __init__(self, file: ApproverFile, in_force: InForce) -> None:
        super().__init__(file.path)
        self._in_force = in_force

    def listed(self) -> tuple[Approver, ...]:
        """Return the confirmed approvers.

        Raises:
            BadSettings: the file is refused; nobody may answer until it is fixed.
        """
        # Read for its errors alone: a file nobody can read must not leave old rights in force
        # unseen.
        super().listed()
        return self._in_force.standing.approvers


class ConfirmedPolicies(SqlitePolicies):
    """The policies an admin has confirmed."""

    def __init__(self, database: Database, in_force: InForce) -> None:
        super().__init__(database)
        self._in_force = in_force

    def add(self, text: str, *, tool: str = "", author: str = "", expires_s: float = 0.0) -> Policy:
        """Store a policy and put it in force, on all nodes that share policies."""
        if self._in_force.is_shared:
            text, tool = checked(text, tool)
            new = Policy(
                id="", text=text, tool=tool, author=author, created_at=_now(), expires_s=expires_s
            )
            return self._in_force.put_policy(new)
        policy = super().add(text, tool=tool, author=author, expires_s=expires_s)
        self._in_force.put_policy(policy)
        return policy

    def edit(self, id: str, change: PolicyChange, *, author: str) -> Policy | None:
        """Change a policy and put it in force on all nodes; None if the id is unknown."""
        if self._in_force.is_shared:
            known = next((one for one in self.listed() if one.id == id), None)
            return None if known is None else self._edited(known, change, author)
        policy = super().edit(id, change, author=author)
        if policy is not None:
            self._in_force.put_policy(policy)
        return policy

    def remove(self, id: str) -> bool:
        """Delete a policy; return whether it existed."""
        if self._in_force.is_shared:
            was_there = id in {one.id for one in self.listed()}
            self._in_force.remove_policy(id)
            return was_there
        was_there = super().remove(id)
        self._in_force.remove_policy(id)
        return was_there

    def listed(self) -> tuple[Policy, ...]:
        """Return the confirmed policies, oldest first."""
        return self._in_force.standing.policies

    def _edited(self, known: Policy, change: PolicyChange, author: str) -> Policy:
        wanted = changed(known, change)
        text, tool = checked(wanted.text, wanted.tool)
        edited = replace(wanted, text=text, tool=tool, author=author, created_at=_now())
        return self._in_force.put_policy(edited)


class ConfirmedMode(SqliteMode):
    """The mode an admin has confirmed; a switch to remote needs no confirmation."""

    def __init__(self, mode: SqliteMode, in_force: InForce) -> None:
        super().__init__(mode.database, default=mode.default)
        self._in_force = in_force

    def mode(self) -> Mode:
        """Return the mode in force."""
        # Both must say so: `remote`, the stricter one, holds from either side (T-63).
        is_local = super().mode() is Mode.LOCAL and self._in_force.standing.mode is Mode.LOCAL
        return Mode.LOCAL if is_local else Mode.REMOTE

    def set_mode(self, mode: Mode) -> None:
        """Set the mode and put it in force, on all nodes that share it."""
        # Where nodes share it the file follows.
        if not self._in_force.is_shared:
            super().set_mode(mode)
        self._in_force.set_mode(mode)


class StandingFiles:
    """Writes shared locks, policies and mode into the files of this node."""

    def __init__(self, policies: SqlitePolicies, mode: SqliteMode, locks: LockFile) -> None:
        self.policies, self.mode, self.locks = policies, mode, locks

    def follow(self, before: StandingState, after: StandingState) -> None:
        """Apply the difference between two states to the files; the rest of them stays."""
        if before.locks != after.locks:
            self.locks.follow(before.locks, after.locks)
        if before.policies != after.policies:
            self.policies.follow(before.policies, after.policies)
        if before.mode is not after.mode:
            self.mode.set_mode(after.mode)


def _now() -> datetime:
    return datetime.now(UTC)
