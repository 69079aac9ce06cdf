"""Grants, policies and the mode in the file of approvals."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from signoff.challenge.pending import ClockReading
from signoff.challenge.proofs.ledger import Alarms
from signoff.challenge.terms.grant import LONGEST_S, Grant, NewGrant
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import (
    POLICIES_LIMIT,
    TEXT_LIMIT,
    TOOL_LIMIT,
    Policy,
    PolicyChange,
    changed,
    format_policies,
)
from signoff.storage.approvals import arrows
from signoff.storage.approvals.arrows import moment_now
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.rows import time_of

Clock = Callable[[], ClockReading]
MODE = "mode"


class SqliteGrants:
    """A `GrantStore` in the database of the requests."""

    def __init__(
        self, database: Database, *, clock: Clock = moment_now, alarms: Alarms | None = None
    ) -> None:
        self.database = database
        self._clock = clock
        self._alarms = alarms or Alarms()
        self._seen: set[str] = set()  # seals of those that were in force
        self._ended: set[str] = set()  # seals of those that have ended: they hold never again

    def add(self, new: NewGrant) -> Grant:
        """Store a grant and return it with its id."""
        now = self._clock().wall_s
        with self.database.writing() as db:
            row = db.execute(
                "INSERT INTO grants (digest, shape, session, agent, said, author, channel,"
                " created_wall, expires_wall, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " RETURNING *",
                (
                    new.digest,
                    new.shape,
                    new.session,
                    new.agent,
                    new.said,
                    new.author,
                    new.channel,
                    now,
                    # Here as well, whatever the caller says (T-45).
                    min(new.expires_s, now + LONGEST_S),
                    new.seal,
                ),
            ).fetchone()
        return _grant(row)

    def find(self, *, digest: str, shape: str, agent: str, session: str) -> Grant | None:
        """Return a valid grant for this call and count one use of it, None if there is none."""
        self._end_what_is_over()
        self._end_what_is_back()
        with self.database.reading() as db:
            row = db.execute(
                "SELECT * FROM grants WHERE created_wall <= :now AND expires_wall > :now"
                " AND agent = :agent AND ((digest <> '' AND digest = :digest)"
                " OR (shape <> '' AND shape = :shape AND session <> '' AND session = :session))"
                " ORDER BY number DESC LIMIT 1",
                {
                    "now": self._clock().wall_s,
                    "agent": agent,
                    "digest": digest,
                    "shape": shape,
                    "session": session,
                },
            ).fetchone()
        if row is None:
            return None
        with self.database.writing() as db:
            db.execute("UPDATE grants SET uses = uses + 1 WHERE number = ?", (row["number"],))
        return _grant(row)

    def listed(self) -> tuple[Grant, ...]:
        """Return the valid grants, newest first."""
        self._end_what_is_over()
        self._end_what_is_back()
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT * FROM grants WHERE expires_wall > ? ORDER BY number DESC",
                (self._clock().wall_s,),
            ).fetchall()
        return tuple(map(_grant, rows))

    def _end_what_is_over(self) -> None:
        """End grants for good whose time is over: a clock that is set back revives none."""
        now = self._clock()
        with self.database.reading() as db:
            if self.database.clock_watch.is_edited(db, now):
                self._alarms.tell("the time", arrows.TIME_EDITED)
            if not arrows.is_any_grant_over(db, now):
                return
        with self.database.writing() as db:
            arrows.expire_grants(db, now)

    def _end_what_is_back(self) -> None:
        """End what has ended and is in the file again; what is gone from it has ended."""
        with self.database.reading() as db:
            rows = db.execute("SELECT number, seal FROM grants").fetchall()
        there = {row["seal"]: f"gr_{row['number']}" for row in rows}
        # A grant is never given back: what was there once and is not now has ended.
        self._ended |= self._seen - there.keys()
        self._seen = set(there) - self._ended
        for seal in self._ended & there.keys():
            self._alarms.tell(
                seal, f"grant {there[seal]} had ended and was put back; it is refused"
            )
            with self.database.writing() as db:
                db.execute("DELETE FROM grants WHERE seal = ?", (seal,))

    def seal(self, id: str, seal: str) -> None:
        """Replace the seal of a grant."""
        with self.database.writing() as db:
            db.execute("UPDATE grants SET seal = ? WHERE number = ?", (seal, number_of(id, "gr_")))

    def revoke(self, id: str) -> bool:
        """End a grant; return whether it existed."""
        with self.database.writing() as db:
            gone = db.execute(
                "DELETE FROM grants WHERE number = ? RETURNING seal", (number_of(id, "gr_"),)
            ).fetchall()
        # At once: nobody may look before the same row stands there again.
        self._ended.update(row["seal"] for row in gone)
        return bool(gone)


class SqlitePolicies:
    """A `PolicyStore` in the database of the requests."""

    def __init__(self, database: Database, *, clock: Clock = moment_now) -> None:
        self.database = database
        self._clock = clock
        self._latest_s = 0.0

    def add(self, text: str, *, tool: str = "", author: str = "", expires_s: float = 0.0) -> Policy:
        """Store a new policy and return it with its id."""
        text, tool = checked(text, tool)
        with self.database.writing() as db:
            if db.execute("SELECT count(*) FROM policies").fetchone()[0] >= POLICIES_LIMIT:
                raise ValueError(f"there are {POLICIES_LIMIT} policies: remove one first")
            row = db.execute(
                # The first one is pol_0, and no number is used again.
                "INSERT INTO policies (number, text, tool, author, created_wall, expires_wall)"
                " VALUES ("
                " (SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'policies'), -1)"
                " + 1), ?, ?, ?, ?, ?) RETURNING *",
                (text, tool, author, self._clock().wall_s, expires_s),
            ).fetchone()
        return _policy(row)

    def edit(self, id: str, change: PolicyChange, *, author: str) -> Policy | None:
        """Change a policy and return it, None if there is none of this id."""
        with self.database.writing() as db:
            number = number_of(id, "pol_")
            row = db.execute("SELECT * FROM policies WHERE number = ?", (number,)).fetchone()
            if row is None:
                return None
            wanted = changed(_policy(row), change)
            text, tool = checked(wanted.text, wanted.tool)
            kept = db.execute(
                "UPDATE policies SET text = ?, tool = ?, author = ?, created_wall = ?,"
                " expires_wall = ? WHERE number = ? RETURNING *",
                (text, tool, author, self._clock().wall_s, wanted.expires_s, number),
            ).fetchone()
        return _policy(kept)

    def remove(self, id: str) -> bool:
        """Delete a policy; return whether it existed."""
        with self.database.writing() as db:
            gone = db.execute("DELETE FROM policies WHERE number = ?", (number_of(id, "pol_"),))
            return gone.rowcount == 1

    def follow(self, before: tuple[Policy, ...], after: tuple[Policy, ...]) -> None:
        """Apply the difference between two sets of policies to the file; others stay.

        Raises:
            StoreError: it cannot be changed.
        """
        ends = {one.id for one in after}
        with self.database.writing() as db:
            for one in before:
                if one.id not in ends:
                    db.execute(
                        "DELETE FROM policies WHERE number = ?", (number_of(one.id, "pol_"),)
                    )
            for one in after:
                if one not in before:
                    _put(db, one, {known.id: known for known in before}.get(one.id))

    def listed(self) -> tuple[Policy, ...]:
        """Return all policies, oldest first, expired ones included."""
        with self.database.reading() as db:
            rows = db.execute("SELECT * FROM policies ORDER BY number").fetchall()
        return tuple(map(_policy, rows))

    def get_for_tool(self, tool: str) -> tuple[Policy, ...]:
        """Return the unexpired policies of the tool, and the global ones."""
        # A clock that is set back revives none.
        now_s = self._latest_s = max(self._latest_s, self._clock().wall_s)
        return tuple(one for one in self.listed() if one.is_for(tool) and not one.is_over(now_s))

    def format_for_llm(self, tool: str) -> str:
        """Return the unexpired policies of the tool as a list for a model, "" if none."""
        return format_policies(self.get_for_tool(tool))


class SqliteMode:
    """A `ModeSwitch` in the database of the requests."""

    def __init__(self, database: Database, *, default: Mode = Mode.REMOTE) -> None:
        self.database = database
        self.default = default

    def mode(self) -> Mode:
        """Return the mode in force."""
        with self.database.reading() as db:
            row = db.execute("SELECT value FROM switches WHERE name = ?", (MODE,)).fetchone()
        return self.default if row is None else Mode(row["value"])

    def set_mode(self, mode: Mode) -> None:
        """Set the mode."""
        with self.database.writing() as db:
            db.execute("INSERT OR REPLACE INTO switches VALUES (?, ?)", (MODE, mode.value))


def _put(db: sqlite3.Connection, policy: Policy, before: Policy | None) -> None:
    """Put a policy under its number; another one that took it meanwhile gets the next one."""
    number = number_of(policy.id, "pol_")
    row = db.execute("SELECT * FROM policies WHERE number = ?", (number,)).fetchone()
    created_s = policy.created_at.timestamp() if policy.created_at else 0.0
    values = (policy.text, policy.tool, policy.author, created_s, policy.expires_s)
    db.execute("INSERT OR REPLACE INTO policies VALUES (?, ?, ?, ?, ?, ?)", (number, *values))
    if row is not None and before is None and row["text"] != policy.text:
        db.execute(
            "INSERT INTO policies (text, tool, author, created_wall, expires_wall)"
            " VALUES (?, ?, ?, ?, ?)",
            tuple(row)[1:],
        )


def checked(text: str, tool: str) -> tuple[str, str]:
    """Return a policy's text and tool names as they are stored.

    Raises:
        ValueError: the text is empty or too long.
    """
    # One line: a policy is one item of a list for the model, and must not look like two.
    text, tool = " ".join(text.split()), "|".join(tool.replace("|", " ").split())
    if not text or len(text) > TEXT_LIMIT or len(tool) > TOOL_LIMIT:
        raise ValueError(
            f"a policy has 1 to {TEXT_LIMIT} characters, its tools at most {TOOL_LIMIT}"
        )
    return text, tool


def number_of(id: str, prefix: str) -> int:
    """Return the number in an id such as `gr_7`, -1 if it has another form.

    Args:
        prefix: as `gr_`.
    """
    digits = id.removeprefix(prefix)
    is_id = id.startswith(prefix) and digits.isascii() and digits.isdigit() and len(digits) < 16
    return int(digits) if is_id else -1


def _grant(row: sqlite3.Row) -> Grant:
    return Grant(
        id=f"gr_{row['number']}",
        digest=row["digest"],
        shape=row["shape"],
        session=row["session"],
        agent=row["agent"],
        said=row["said"],
        author=row["author"],
        channel=row["channel"],
        created_at=time_of(row["created_wall"]),
        expires_s=row["expires_wall"],
        uses=row["uses"],
        seal=row["seal"],
    )


def _policy(row: sqlite3.Row) -> Policy:
    return Policy(
        id=f"pol_{row['number']}",
        text=row["text"],
        tool=row["tool"],
        author=row["author"],
        created_at=time_of(row["created_wall"]),
        expires_s=row["expires_wall"],
    )
