"""What a session did by the record: its last calls and what was decided, as turns.

For hosts that keep no transcript; and it is signoff's own story, which the agent cannot write.

    turns_by_record(store, session="s1")
"""

from __future__ import annotations

import json

from signoff.challenge.words.summary import SessionTurn
from signoff.storage.reading import Content, Readable, content_of

TURNS_LIMIT = 40
ENTRIES_LIMIT = 2_000  # looked through, from the end
TEXT_LIMIT = 1_000


def transcript_of_record(store: Readable, *, session: str) -> tuple[SessionTurn, ...]:
    """Return the last calls of a session, as far as they are among the newest entries.

    Raises:
        StoreError: the record cannot be read.
    """
    if not session:
        return ()
    last = store.head().seq
    newest = store.entries(first=max(1, last - ENTRIES_LIMIT + 1), last=last)
    contents = (content_of(entry) for entry in newest)
    turns = [_turn(content) for content in contents if content.get("session") == session]
    return tuple(turns[-TURNS_LIMIT:])


def _turn(content: Content) -> SessionTurn:
    """Return one entry of the record as a turn."""
    call = json.dumps(content.get("action_redacted"), ensure_ascii=False)
    text = f"{content.get('tool')} {call}"[:TEXT_LIMIT]
    verdict, reason = content.get("verdict"), str(content.get("reason"))[:TEXT_LIMIT]
    return SessionTurn(who="agent calls", text=f"{text} -> {verdict}: {reason}")
