"""Test calls, known again by session and bytes: what `signoff doctor` and `signoff init` send.

They are judged, answered and recorded like any other. No agent made them, so where people look at
sessions and figures they count for nothing. Any other call under these names counts as ever.

    is_canary(action.session, action.arguments)
    mark_of_entry(content)                          # as it is in the record
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json

SESSION = "signoff-doctor"
LINE = "rm -rf /"
MARK = "test call of `signoff doctor`"  # beside its entries, where people read the record
# Medium: it takes one tap and three seconds of reading.
QUESTION = "git push --force-with-lease origin signoff-test-branch"
QUESTION_SESSIONS = "signoff-init-"  # how their names begin
QUESTION_MARK = "test question of `signoff init`"


def is_test_session(session: str) -> bool:
    """Return whether a session is named as those of test calls are."""
    return session == SESSION or session.startswith(QUESTION_SESSIONS)


def is_canary(session: str, arguments: Mapping[str, Json]) -> bool:
    """Return whether a call is a test call of signoff itself."""
    return is_test_session(session) and bool(_mark(session, arguments))


def mark_of_entry(content: Mapping[str, Json]) -> str:
    """Return what to say beside an audit log entry of a test call, "" for any other."""
    session, arguments = content.get("session"), content.get("action_redacted")
    if not isinstance(session, str) or not isinstance(arguments, Mapping):
        return ""
    return _mark(session, arguments)


def _mark(session: str, arguments: Mapping[str, Json]) -> str:
    command = arguments.get("command")
    if session == SESSION and command == LINE:
        return MARK
    if session.startswith(QUESTION_SESSIONS) and command == QUESTION:
        return QUESTION_MARK
    return ""
