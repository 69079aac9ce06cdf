"""The tables of what people are asked and have answered: `approvals.db`, beside the record.

None of it is proof (that is the record) but all of it is decided here: states change only along
the arrows of `challenge/pending.py`, and a trigger refuses every other way.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.challenge.pending import ARROWS

VERSION = 3

_PAIRS = ", ".join(f"('{start}', '{to}')" for start, ends in ARROWS.items() for to in sorted(ends))

EXECUTION_TOKENS = (
    """
    CREATE TABLE slips (
        request_id TEXT PRIMARY KEY REFERENCES requests ON DELETE CASCADE,
        files TEXT NOT NULL,
        is_taken INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "PRAGMA user_version = 2",
)
# What is asked of open requests all the time, and whether many of them are of one session.
OPEN_REQUESTS = (
    """
    CREATE INDEX open_by_running ON requests (expires_boot, expires_running)
    WHERE state IN ('pending', 'approved')
    """,
    """
    CREATE INDEX open_by_wall ON requests (expires_wall, expires_boot)
    WHERE state IN ('pending', 'approved')
    """,
    # Who asks: host and session, as a list in JSON.
    'ALTER TABLE requests ADD COLUMN asker TEXT NOT NULL DEFAULT \'["",""]\'',
    """
    UPDATE requests SET asker = json_array(
        json_extract(CAST(context AS TEXT), '$.host'),
        json_extract(CAST(context AS TEXT), '$.session')
    ) WHERE state = 'pending'
    """,
    "CREATE INDEX open_by_asker ON requests (asker) WHERE state = 'pending'",
    """
    CREATE INDEX settled_by_time ON requests (created_wall)
    WHERE state NOT IN ('pending', 'approved', 'executing')
    """,
    f"PRAGMA user_version = {VERSION}",
)
STATEMENTS = (
    """
    CREATE TABLE requests (
        id TEXT PRIMARY KEY,
        nonce TEXT NOT NULL UNIQUE,
        digest TEXT NOT NULL,
        action BLOB NOT NULL,
        card BLOB NOT NULL,
        level TEXT NOT NULL,
        challenge TEXT NOT NULL,
        steps BLOB NOT NULL,
        context BLOB NOT NULL,
        verifier TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending',
        created_wall REAL NOT NULL,
        created_running REAL NOT NULL,
        created_boot TEXT NOT NULL,
        expires_wall REAL NOT NULL,
        expires_running REAL NOT NULL,
        expires_boot TEXT NOT NULL,
        decided_by TEXT NOT NULL DEFAULT '',
        channel TEXT NOT NULL DEFAULT '',
        decided_wall REAL,
        consumed_wall REAL,
        words TEXT NOT NULL DEFAULT '',
        edited BLOB NOT NULL DEFAULT x''
    ) STRICT
    """,
    "CREATE INDEX requests_by_digest ON requests (digest, state)",
    "CREATE INDEX requests_by_state ON requests (state, created_wall)",
    f"""
    CREATE TRIGGER states_follow_the_arrows BEFORE UPDATE OF state ON requests
    WHEN OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (VALUES {_PAIRS})
    BEGIN SELECT RAISE(ABORT, 'a request does not go that way'); END
    """,
    """
    CREATE TABLE given (
        request_id TEXT NOT NULL REFERENCES requests ON DELETE CASCADE,
        step INTEGER NOT NULL,
        approver TEXT NOT NULL,
        channel TEXT NOT NULL,
        verdict TEXT NOT NULL,
        proof TEXT NOT NULL,
        words TEXT NOT NULL,
        took_s REAL NOT NULL,
        was_fast INTEGER NOT NULL,
        at_s REAL NOT NULL,
        seal TEXT NOT NULL,
        PRIMARY KEY (request_id, step)
    ) STRICT
    """,
    # One person is one yes; a no is welcome from everybody.
    "CREATE UNIQUE INDEX one_person_one_yes ON given (request_id, approver)"
    " WHERE verdict = 'allow'",
    """
    CREATE TABLE seen (
        request_id TEXT NOT NULL REFERENCES requests ON DELETE CASCADE,
        approver TEXT NOT NULL,
        wall REAL NOT NULL,
        running REAL NOT NULL,
        boot TEXT NOT NULL,
        misses INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (request_id, approver)
    ) STRICT
    """,
    """
    CREATE TABLE clock (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        highest_wall REAL NOT NULL
    ) STRICT
    """,
    "INSERT INTO clock VALUES (1, 0)",
    """
    CREATE TABLE grants (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        digest TEXT NOT NULL,
        shape TEXT NOT NULL,
        session TEXT NOT NULL,
        agent TEXT NOT NULL,
        said TEXT NOT NULL,
        author TEXT NOT NULL,
        channel TEXT NOT NULL,
        created_wall REAL NOT NULL,
        expires_wall REAL NOT NULL,
        uses INTEGER NOT NULL DEFAULT 0,
        seal TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE policies (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        text TEXT NOT NULL,
        tool TEXT NOT NULL,
        author TEXT NOT NULL,
        created_wall REAL NOT NULL
    ) STRICT
    """,
    "CREATE TABLE switches (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    *EXECUTION_TOKENS,
    *OPEN_REQUESTS,
)
# What a file of an earlier version is brought up to this one by.
SINCE: Mapping[int, tuple[str, ...]] = {
    0: STATEMENTS,
    1: (*EXECUTION_TOKENS, *OPEN_REQUESTS),
    2: OPEN_REQUESTS,
}
