"""`confirm CODE` in a conversation: an admin lets a change hold that was made in the files.

words = await confirmed(place, "U1", "confirm K7QM-4T2P")     "" where the text is something else
"""

from __future__ import annotations

import asyncio

from signoff.challenge.terms.approver import ApproverRole
from signoff.channels.threads.reconciler import ThreadPlace
from signoff.errors import SignoffError

COMMANDS = frozenset({"confirm", "/confirm"})
LONGEST = 40  # characters of a code, however it is grouped
NOT_ADMIN = "only an admin confirms changes"


async def confirmed(place: ThreadPlace, user: str, text: str) -> str:
    """Return what is said to somebody who is listened to here, "" where they confirm nothing."""
    word, _, code = text.strip().partition(" ")
    confirm, directory = place.context.services.confirm, place.context.services.directory
    if word.casefold() not in COMMANDS or len(code) > LONGEST or confirm is None:
        return ""
    if user not in place.users:
        return ""
    try:
        person = None if directory is None else directory.find(place.identity(user))
        if directory is not None and (person is None or person.role is not ApproverRole.ADMIN):
            return NOT_ADMIN
        return await asyncio.to_thread(confirm, code.strip())
    except SignoffError as error:
        return f"that failed: {error}"
