"""The call `signoff doctor` sends through a hook, as it arrives: known again by session and bytes.

It is judged, refused and recorded like any other. It is no attack, so where people look at
sessions it counts for nothing. Any other call under that session's name counts as ever.

    is_canary(action.session, action.arguments)
    is_canary_entry(content)                        # as it is in the record
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json

SESSION = "signoff-doctor"
LINE = "rm -rf /"
MARK = "test call of `signoff doctor`"  # beside its entries, where people read the record


def is_canary(session: str, arguments: Mapping[str, Json]) -> bool:
    """Return whether a call is the test call of `signoff doctor`."""
    return session == SESSION and arguments.get("command") == LINE


def is_canary_entry(content: Mapping[str, Json]) -> bool:
    """Return whether an audit log entry is of such a test call."""
    session, arguments = content.get("session"), content.get("action_redacted")
    if not isinstance(session, str) or not isinstance(arguments, Mapping):
        return False
    return is_canary(session, arguments)
