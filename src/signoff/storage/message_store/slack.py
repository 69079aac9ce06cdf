"""The book of a conversation in Slack in a file of its own, `slack.db`.

Slack is told that an answer arrived once it stands here, and does not say it again: so each line
is flushed to the disk.

    book = SlackBook(os.path.join(settings.state_dir, "slack.db"), conversation="C0123456789")
"""

from __future__ import annotations

from signoff.challenge.channels.slack.message_store import FINAL, SlackSentMessage, ThreadReply
from signoff.storage.message_store.database import MessageDatabase

VERSION = 1
SENT_MESSAGES_KEPT = 10_000
WRITTEN_KEPT = 10_000
STEPS = {
    0: (
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
}


class SlackMessageFile:
    """The book of one conversation."""

    def __init__(self, path: str, *, conversation: str) -> None:
        self._conversation = conversation
        self._database = MessageDatabase(path, version=VERSION, steps=STEPS, is_flushed=True)

    def keep(self, sent_message: SlackSentMessage) -> None:
        """Keep a card in place of the one of that request."""
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO sheets (conversation, request_id, message, face) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (conversation, request_id)"
                " DO UPDATE SET message = excluded.message, face = excluded.face",
                (
                    self._conversation,
                    sent_message.request_id,
                    sent_message.message,
                    sent_message.face,
                ),
            )
            db.execute(
                "DELETE FROM sheets WHERE number <= (SELECT max(number) FROM sheets) - ?",
                (SENT_MESSAGES_KEPT,),
            )

    def card_of(self, request_id: str) -> SlackSentMessage | None:
        """Return the card of a request."""
        return next(iter(self._sent_messages("request_id = ?", request_id)), None)

    def at(self, message: str) -> SlackSentMessage | None:
        """Return the card a message is."""
        return next(iter(self._sent_messages("message = ?", message)), None) if message else None

    def drop(self, request_id: str) -> None:
        """Forget a card that is not to be sent any more."""
        with self._database.writing() as db:
            db.execute(
                "DELETE FROM sheets WHERE conversation = ? AND request_id = ?",
                (self._conversation, request_id),
            )

    def standing(self) -> tuple[SlackSentMessage, ...]:
        """Return the cards to be sent and those that take answers, oldest first."""
        return self._sent_messages("substr(face, 1, 1) <> ?", FINAL)

    def hear(self, written: ThreadReply) -> None:
        """Keep what was written, once."""
        said = (written.message, written.thread, written.user, written.text)
        with self._database.writing() as db:
            db.execute(
                "INSERT OR IGNORE INTO written (conversation, message, thread, user, text)"
                " VALUES (?, ?, ?, ?, ?)",
                (self._conversation, *said),
            )
            db.execute(
                "DELETE FROM written WHERE number <= (SELECT max(number) FROM written) - ?",
                (WRITTEN_KEPT,),
            )

    def unread(self) -> tuple[ThreadReply, ...]:
        """Return what was written and is not read yet, oldest first."""
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
        """Return how often this was begun with, this time included."""
        with self._database.writing() as db:
            (tries,) = db.execute(
                "UPDATE written SET tries = tries + 1 WHERE conversation = ? AND message = ?"
                " RETURNING tries",
                (self._conversation, written.message),
            ).fetchone()
        return int(tries)

    def done(self, written: ThreadReply) -> None:
        """Note that something was read; its words are not needed any more."""
        with self._database.writing() as db:
            db.execute(
                "UPDATE written SET is_done = 1, text = '' WHERE conversation = ? AND message = ?",
                (self._conversation, written.message),
            )

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._database.close()

    def _sent_messages(self, where: str, value: str) -> tuple[SlackSentMessage, ...]:
        """Return the cards for which a condition of ours holds, oldest first."""
        query = f"SELECT request_id, message, face FROM sheets WHERE conversation = ? AND {where}"  # noqa: S608 - only our own words
        with self._database.writing() as db:
            rows = db.execute(f"{query} ORDER BY number", (self._conversation, value)).fetchall()
        return tuple(
            SlackSentMessage(request_id=id, message=message, face=face)
            for id, message, face in rows
        )
