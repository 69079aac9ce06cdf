"""Messages of one conversation: which one shows which request, and replies still to be read.

An answer counts only on the message that shows the request, or that asks one person for a proof.
A reply is kept before the messenger is told that it arrived, or before the place up to which it
was read moves on, and is read once. A messenger does not send it again, so each line is flushed.

    store = ThreadStore(os.path.join(state_dir, "slack.db"), conversation="C0123456789")
"""

from __future__ import annotations

from msgspec import Struct

from signoff.channels.message_database import MessageDatabase

FINAL = "="
VERSION = 2
# Far more than can be open at once; without a bound the files would grow for ever (T-58).
ROWS_KEPT = 10_000
_FIRST = (
    """
        CREATE TABLE sheets (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation TEXT NOT NULL,
            request_id TEXT NOT NULL,
            message TEXT NOT NULL,
            face TEXT NOT NULL,
            UNIQUE (conversation, request_id)
        ) STRICT
        """,
    "CREATE INDEX sheets_by_message ON sheets (conversation, message)",
    "CREATE INDEX sheets_by_face ON sheets (conversation, face)",
    """
        CREATE TABLE written (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation TEXT NOT NULL,
            message TEXT NOT NULL,
            thread TEXT NOT NULL,
            user TEXT NOT NULL,
            text TEXT NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            is_done INTEGER NOT NULL DEFAULT 0,
            UNIQUE (conversation, message)
        ) STRICT
        """,
    "CREATE INDEX written_by_done ON written (conversation, is_done)",
)
_SINCE_2 = (
    """
    CREATE TABLE prompts (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation TEXT NOT NULL,
        message TEXT NOT NULL,
        request_id TEXT NOT NULL,
        user TEXT NOT NULL,
        step INTEGER NOT NULL,
        words TEXT NOT NULL,
        policy TEXT NOT NULL,
        reach TEXT NOT NULL,
        UNIQUE (conversation, message)
    ) STRICT
    """,
    """
    CREATE TABLE positions (
        conversation TEXT PRIMARY KEY,
        position TEXT NOT NULL
    ) STRICT
    """,
)
# What brings a file of a version to this one.
STEPS = {0: (*_FIRST, *_SINCE_2), 1: _SINCE_2}


class SentCard(Struct, frozen=True, kw_only=True):
    """A card that was sent, or is to be sent.

    Args:
        message: its id in the conversation; "" while it is not sent yet.
        face: fingerprint of what it shows; begins with FINAL once it takes no more answers.
    """

    request_id: str
    message: str = ""
    face: str = ""


class ThreadReply(Struct, frozen=True, kw_only=True):
    """A reply to one of our messages.

    Args:
        message: the reply's own id.
        thread: id of the message it replies to.
    """

    message: str
    thread: str
    user: str
    text: str


class ProofPrompt(Struct, frozen=True, kw_only=True):
    """A message that asks one person for a proof; only they can answer it.

    Args:
        user: that person's id.
        step: number of answers the request had then; with more, the prompt is over.
        words: the message to the agent that the approval will carry.
        policy: its guideline.
        reach: what it will cover, as `ScopeChoice.code`.
    """

    message: str
    request_id: str
    user: str
    step: int
    words: str = ""
    policy: str = ""
    reach: str = ""


class ThreadStore:
    """The cards, prompts and replies of one conversation.

    Every method raises StoreError if the change may not have been stored.
    """

    def __init__(self, path: str, *, conversation: str) -> None:
        self._conversation = conversation
        # The messenger is told that a reply arrived and never sends it again: it must be on the
        # disk.
        self._database = MessageDatabase(path, version=VERSION, steps=STEPS, is_flushed=True)

    def keep(self, card: SentCard) -> None:
        """Store a card; replaces the one of the same request."""
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO sheets (conversation, request_id, message, face) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (conversation, request_id)"
                " DO UPDATE SET message = excluded.message, face = excluded.face",
                (
                    self._conversation,
                    card.request_id,
                    card.message,
                    card.face,
                ),
            )
            db.execute(
                "DELETE FROM sheets WHERE number <= (SELECT max(number) FROM sheets) - ?",
                (ROWS_KEPT,),
            )

    def card_of(self, request_id: str) -> SentCard | None:
        """Return the card of a request, None if there is none."""
        return next(iter(self._cards("request_id = ?", request_id)), None)

    def at(self, message: str) -> SentCard | None:
        """Return the card with this message id, None if there is none."""
        return next(iter(self._cards("message = ?", message)), None) if message else None

    def drop(self, request_id: str) -> None:
        """Remove a card that need not be sent any more."""
        with self._database.writing() as db:
            db.execute(
                "DELETE FROM sheets WHERE conversation = ? AND request_id = ?",
                (self._conversation, request_id),
            )

    def standing(self) -> tuple[SentCard, ...]:
        """Return cards still to send and cards that take answers, oldest first."""
        return self._cards("substr(face, 1, 1) <> ?", FINAL)

    def prompt(self, asked: ProofPrompt) -> None:
        """Store a prompt for a proof."""
        with self._database.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO prompts"
                " (conversation, message, request_id, user, step, words, policy, reach)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(self._conversation, asked.message, asked.request_id, asked.user),
                    *(asked.step, asked.words, asked.policy, asked.reach),
                ),
            )
            db.execute(
                "DELETE FROM prompts WHERE number <= (SELECT max(number) FROM prompts) - ?",
                (ROWS_KEPT,),
            )

    def prompt_at(self, message: str) -> ProofPrompt | None:
        """Return the prompt with this message id, None if there is none."""
        with self._database.writing() as db:
            row = db.execute(
                "SELECT message, request_id, user, step, words, policy, reach FROM prompts"
                " WHERE conversation = ? AND message = ?",
                (self._conversation, message),
            ).fetchone()
        if row is None:
            return None
        message, request_id, user, step, words, policy, reach = row
        return ProofPrompt(
            message=message,
            request_id=request_id,
            user=user,
            step=step,
            words=words,
            policy=policy,
            reach=reach,
        )

    def position(self) -> str:
        """Return the position up to which the conversation was read, "" if it was not yet."""
        with self._database.writing() as db:
            row = db.execute(
                "SELECT position FROM positions WHERE conversation = ?", (self._conversation,)
            ).fetchone()
        return "" if row is None else str(row[0])

    def move_to(self, position: str) -> None:
        """Store the position read up to; all replies before it must be stored already."""
        with self._database.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO positions (conversation, position) VALUES (?, ?)",
                (self._conversation, position),
            )

    def hear(self, written: ThreadReply) -> None:
        """Store a reply; storing the same reply again changes nothing."""
        said = (written.message, written.thread, written.user, written.text)
        with self._database.writing() as db:
            db.execute(
                "INSERT OR IGNORE INTO written (conversation, message, thread, user, text)"
                " VALUES (?, ?, ?, ?, ?)",
                (self._conversation, *said),
            )
            db.execute(
                "DELETE FROM written WHERE number <= (SELECT max(number) FROM written) - ?",
                (ROWS_KEPT,),
            )

    def unread(self) -> tuple[ThreadReply, ...]:
        """Return replies not handled yet, oldest first."""
        with self._database.writing() as db:
            rows = db.execute(
                "SELECT message, thread, user, text FROM written"
                " WHERE conversation = ? AND is_done = 0 ORDER BY number",
                (self._conversation,),
            ).fetchall()
        return tuple(
            ThreadReply(message=message, thread=thread, user=user, text=text)
            for message, thread, user, text in rows
        )

    def begin(self, written: ThreadReply) -> int:
        """Count an attempt to handle a reply; return the count."""
        with self._database.writing() as db:
            (tries,) = db.execute(
                "UPDATE written SET tries = tries + 1 WHERE conversation = ? AND message = ?"
                " RETURNING tries",
                (self._conversation, written.message),
            ).fetchone()
        return int(tries)

    def done(self, written: ThreadReply) -> None:
        """Note that a reply was handled, and delete its text."""
        with self._database.writing() as db:
            db.execute(
                # The row stays, so that the same reply sent again is not read twice; its text may
                # hold a secret.
                "UPDATE written SET is_done = 1, text = '' WHERE conversation = ? AND message = ?",
                (self._conversation, written.message),
            )

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._database.close()

    def _cards(self, where: str, value: str) -> tuple[SentCard, ...]:
        """Return the cards for which a condition of ours holds, oldest first."""
        query = f"SELECT request_id, message, face FROM sheets WHERE conversation = ? AND {where}"  # noqa: S608 - only our own words
        with self._database.writing() as db:
            rows = db.execute(f"{query} ORDER BY number", (self._conversation, value)).fetchall()
        return tuple(
            SentCard(request_id=id, message=message, face=face) for id, message, face in rows
        )
