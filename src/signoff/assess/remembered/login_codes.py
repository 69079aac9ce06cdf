"""Login codes that a session looked for in a mailbox, and then tells somebody.

Whoever has the code of a second factor, or a recovery key, is let in. A code in a message is a leak
after a search for such codes; the word alone, or a number alone, is none.

    codes:mailbox        the session searched messages for codes

    code_marks(operations, call)     the marks of one call
    tells_code(op, call)             a message tells a code, after such a search
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Verb
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import Call, texts_of

MARK = "codes:mailbox"
_SEARCHED = lazy_re(
    r"(?i)verification|one[-_ ]?time|\botp\b|\b2fa\b|\bmfa\b|two[-_ ]?factor|(?:security|login"
    r"|sign[- ]?in|access|recovery|backup|reset)[-_ ]?(?:code|pin|key|link)|passcode|magic[- ]?link"
    r"|password[-_ ]?reset|best(?:ä|ae)tigungscode|sicherheitscode|einmal(?:code|passwort)|\btan\b"
    r"|code de (?:v[eé]rification|s[eé]curit[eé])|c[oó]digo de (?:verificaci[oó]n|seguridad)"
)
# `Code is 604 118`, `otp=481902`, `recovery keys: 8F2K-LLQ9`.
_TOLD = lazy_re(
    r"(?i)\b(?:code|c[oó]digo|otp|pin|passcode|token|tan)s?\s*(?:is|ist|lautet|est|es|[:=-])*\s*[\"']?"
    r"(?:\d{3}[ -]?\d{3}|\d{4,8}|[A-Z]-\d{5,8})\b"
    r"|\b(?:recovery|backup)[-_ ]?(?:key|code)s?\s*(?:is|are|[:=-])*\s*[\"']?"
    r"[A-Z0-9]{4,}-[A-Z0-9]{4,}"
    r"|https?://\S*(?:reset|verify|magic|confirm|activate)\S*[?&](?:token|code|key)=\S{8,}"
)


def code_marks(operations: Operations, call: Call) -> Iterator[str]:
    """Yield a mark if a call searches messages for login codes."""
    is_search = any([_reads_messages(op) for op in operations])
    if is_search and _SEARCHED.search(texts_of(call)) is not None:
        yield MARK


def tells_code(op: Operation, call: Call) -> bool:
    """Return whether a message tells a login code, after the session searched for one."""
    if MARK not in call.facts.created or op.reach in {Reach.LOOPBACK, Reach.NONE}:
        return False
    return _TOLD.search(texts_of(call)) is not None


def _reads_messages(op: Operation) -> bool:
    return op.verb is Verb.READ and op.thing is ResourceType.MESSAGE
