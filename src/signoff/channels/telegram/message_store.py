"""What a Telegram bot has sent, in `telegram.db`: what each message stands for, and which updates
are done.

A row is one message of ours that can be answered: a card, a question of a quiz, a call for an
explanation or a reason, a question of the agent's. An answer counts only on the message it was
asked in. Losing the newest lines costs nothing but a second card, so they are not flushed one by
one.

    store = TelegramMessageStore(os.path.join(state_dir, "telegram.db"), bot=4711, chat=42)
"""

from __future__ import annotations

import json
from enum import StrEnum

from msgspec import Struct

from signoff.challenge.channels.scopes import ONCE, ScopeChoice
from signoff.channels.message_database import MessageDatabase

FINAL = "="
VERSION = 2
# Telegram keeps updates for a day; far more than anybody presses in that time.
UPDATES_KEPT = 10_000
SENT_MESSAGES_KEPT = 10_000
COLUMNS = (
    "message_id, kind, request_id, nonce, user, face, choices, words, policy, reach, has_all,"
    " is_wide"
)
CHANGES = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS.split(", "))
STATEMENTS = (
    """
    CREATE TABLE sheets (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        bot INTEGER NOT NULL,
        chat INTEGER NOT NULL,
        message_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        request_id TEXT NOT NULL,
        nonce TEXT NOT NULL,
        user INTEGER NOT NULL,
        face TEXT NOT NULL,
        choices TEXT NOT NULL,
        words TEXT NOT NULL,
        policy TEXT NOT NULL,
        reach TEXT NOT NULL DEFAULT '',
        has_all INTEGER NOT NULL,
        is_wide INTEGER NOT NULL DEFAULT 0,
        UNIQUE (bot, chat, message_id)
    ) STRICT
    """,
    "CREATE INDEX sheets_by_request ON sheets (bot, chat, request_id)",
    "CREATE INDEX sheets_by_face ON sheets (bot, chat, kind, face)",
    """
    CREATE TABLE opened (
        bot INTEGER NOT NULL,
        request_id TEXT NOT NULL,
        user INTEGER NOT NULL,
        PRIMARY KEY (bot, request_id, user)
    ) STRICT
    """,
    """
    CREATE TABLE wanted (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        bot INTEGER NOT NULL,
        chat INTEGER NOT NULL,
        request_id TEXT NOT NULL,
        UNIQUE (bot, chat, request_id)
    ) STRICT
    """,
    """
    CREATE TABLE updates (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        bot INTEGER NOT NULL,
        update_id INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        is_done INTEGER NOT NULL DEFAULT 0,
        UNIQUE (bot, update_id)
    ) STRICT
    """,
)
PUSHES = """
    CREATE TABLE pushes (
        bot INTEGER PRIMARY KEY,
        url TEXT NOT NULL
    ) STRICT
    """
# What brings a file of a version to this one.
STEPS = {
    0: (*STATEMENTS, PUSHES),
    1: (
        "ALTER TABLE sheets ADD COLUMN reach TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE sheets ADD COLUMN is_wide INTEGER NOT NULL DEFAULT 0",
        PUSHES,
    ),
}


class SentMessageKind(StrEnum):
    """What the bot's message asks the person for."""

    CARD = "card"
    QUIZ = "quiz"
    TEACH_BACK = "teach-back"
    REASON = "reason"  # why it is denied
    QUESTION = "question"


class TelegramSentMessage(Struct, frozen=True, kw_only=True):
    """One message the bot sent, with what its answers need.

    Args:
        request_id: id of the pending request or of the agent's question.
        user: user id it is meant for, 0 for everybody who may answer.
        face: fingerprint of what it shows; begins with FINAL once it takes no more answers.
        choices: choices made so far in a quiz.
        words: the message to the agent that the approval in progress will carry.
        policy: the guideline for the model that this approval will carry.
        reach: what this approval will cover.
        has_all: True if no part of the text is left to send as a file.
        is_wide: True if it shows more answers than yes and no.
    """

    message_id: int
    kind: SentMessageKind
    request_id: str
    nonce: str
    user: int = 0
    face: str = ""
    choices: tuple[int, ...] = ()
    words: str = ""
    policy: str = ""
    reach: ScopeChoice = ONCE
    has_all: bool = False
    is_wide: bool = False


class TelegramMessageStore:
    """The messages one bot sent to one chat, and the updates it has handled."""

    def __init__(self, path: str, *, bot: int, chat: int) -> None:
        self._bot, self._chat = bot, chat
        self._database = MessageDatabase(path, version=VERSION, steps=STEPS)

    def keep(self, sent_message: TelegramSentMessage) -> None:
        """Store a sent message; replaces what was stored for its id."""
        values = (
            *(
                self._bot,
                self._chat,
                sent_message.message_id,
                sent_message.kind.value,
                sent_message.request_id,
            ),
            *(
                sent_message.nonce,
                sent_message.user,
                sent_message.face,
                json.dumps(sent_message.choices),
            ),
            *(sent_message.words, sent_message.policy, sent_message.reach.code),
            *(int(sent_message.has_all), int(sent_message.is_wide)),
        )
        with self._database.writing() as db:
            db.execute(
                f"INSERT INTO sheets (bot, chat, {COLUMNS})"  # noqa: S608 - our own columns
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                f" ON CONFLICT (bot, chat, message_id) DO UPDATE SET {CHANGES}",
                values,
            )
            db.execute(
                # Bounded by number and not by age: a clock set back must not delete open cards.
                "DELETE FROM sheets WHERE number <= (SELECT max(number) FROM sheets) - ?",
                (SENT_MESSAGES_KEPT,),
            )

    def at(self, message_id: int) -> TelegramSentMessage | None:
        """Return the stored message with this id, None if there is none."""
        return next(iter(self._sent_messages("message_id = ?", message_id)), None)

    def card_of(self, request_id: str) -> TelegramSentMessage | None:
        """Return the newest card of a request, None if there is none."""
        found = self._sent_messages("kind = 'card' AND request_id = ?", request_id)
        return found[-1] if found else None

    def open_cards(self) -> tuple[TelegramSentMessage, ...]:
        """Return the cards that still take answers, oldest first."""
        return self._sent_messages("kind = 'card' AND substr(face, 1, 1) <> ?", FINAL)

    def open_quizzes(self, request_id: str) -> tuple[TelegramSentMessage, ...]:
        """Return the quizzes of a request that still take answers, oldest first."""
        quizzes = self._sent_messages("kind = 'quiz' AND request_id = ?", request_id)
        return tuple(
            sent_message for sent_message in quizzes if not sent_message.face.startswith(FINAL)
        )

    def want(self, request_id: str) -> None:
        """Note that a request needs a card; it does until a card is stored."""
        with self._database.writing() as db:
            db.execute(
                # Wanted twice is wanted once, and keeps its place in line.
                "INSERT OR IGNORE INTO wanted (bot, chat, request_id) VALUES (?, ?, ?)",
                (self._bot, self._chat, request_id),
            )

    def drop(self, request_id: str) -> None:
        """Note that a request needs no card any more."""
        with self._database.writing() as db:
            db.execute(
                "DELETE FROM wanted WHERE bot = ? AND chat = ? AND request_id = ?",
                (self._bot, self._chat, request_id),
            )

    def wanted(self) -> tuple[str, ...]:
        """Return the ids of requests that need a card and have none, oldest first."""
        with self._database.writing() as db:
            rows = db.execute(
                "SELECT request_id FROM wanted WHERE bot = ? AND chat = ? ORDER BY number",
                (self._bot, self._chat),
            ).fetchall()
        return tuple(request_id for (request_id,) in rows)

    def note_open(self, request_id: str, user: int) -> None:
        """Note that a user opened the whole text of a request."""
        with self._database.writing() as db:
            row = (self._bot, request_id, user)
            db.execute("INSERT OR IGNORE INTO opened VALUES (?, ?, ?)", row)

    def opened(self, request_id: str) -> frozenset[int]:
        """Return the ids of users who opened the whole text of a request."""
        with self._database.writing() as db:
            rows = db.execute(
                "SELECT user FROM opened WHERE bot = ? AND request_id = ?", (self._bot, request_id)
            ).fetchall()
        return frozenset(user for (user,) in rows)

    def begin(self, update_id: int) -> int:
        """Count an attempt to handle an update; return the count, 0 if it is done already."""
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO updates (bot, update_id, tries) VALUES (?, ?, 1)"
                " ON CONFLICT (bot, update_id) DO UPDATE SET tries = tries + 1",
                (self._bot, update_id),
            )
            tries, is_done = db.execute(
                "SELECT tries, is_done FROM updates WHERE bot = ? AND update_id = ?",
                (self._bot, update_id),
            ).fetchone()
            db.execute(
                "DELETE FROM updates WHERE number <= (SELECT max(number) FROM updates) - ?",
                (UPDATES_KEPT,),
            )
        return 0 if is_done else int(tries)

    def done(self, update_id: int) -> None:
        """Note that an update was handled."""
        with self._database.writing() as db:
            db.execute(
                "UPDATE updates SET is_done = 1 WHERE bot = ? AND update_id = ?",
                (self._bot, update_id),
            )

    def pushed_to(self) -> str:
        """Return the webhook URL last given to Telegram, "" for none."""
        with self._database.writing() as db:
            row = db.execute("SELECT url FROM pushes WHERE bot = ?", (self._bot,)).fetchone()
        return "" if row is None else str(row[0])

    def note_push(self, url: str) -> None:
        """Store the webhook URL; call this before telling Telegram."""
        with self._database.writing() as db:
            db.execute("INSERT OR REPLACE INTO pushes VALUES (?, ?)", (self._bot, url))

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._database.close()

    def _sent_messages(self, where: str, value: int | str) -> tuple[TelegramSentMessage, ...]:
        """Return the messages that meet a condition in SQL, oldest first."""
        query = f"SELECT {COLUMNS} FROM sheets WHERE bot = ? AND chat = ? AND {where}"  # noqa: S608 - only our own words
        with self._database.writing() as db:
            rows = db.execute(f"{query} ORDER BY number", (self._bot, self._chat, value)).fetchall()
        return tuple(_sheet(row) for row in rows)


def _sheet(
    row: tuple[int, str, str, str, int, str, str, str, str, str, int, int],
) -> TelegramSentMessage:
    """Return the stored message in a database row."""
    return TelegramSentMessage(
        message_id=row[0],
        kind=SentMessageKind(row[1]),
        request_id=row[2],
        nonce=row[3],
        user=row[4],
        face=row[5],
        choices=tuple(json.loads(row[6])),
        words=row[7],
        policy=row[8],
        # A reach of a newer version, or one edited on disk, covers this one call only.
        reach=ScopeChoice.of(row[9]) or ONCE,
        has_all=bool(row[10]),
        is_wide=bool(row[11]),
    )
