"""An agent that has stopped: whether it stopped on an error, and what makes it go on.

On an error means: of what came back from its tools since the user's last words, the newest is an
error; nobody refused that call; the agent does not end with a question; and it was not told of
this very call before. Everything else is a stop like any other.

A stop is no action. What cannot be read, found or asked lets the agent stop.

    stops:
      mode: ask         # off (default), errors, ask
      tries: 2          # how often a session is told to try another way
      wait_s: 300       # how long a stop waits for people
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.challenge.visible import visible_lines

WORDS_LIMIT = 8_000  # characters of a person's words; hosts take ten thousand
LOOKED_THROUGH = 200  # characters at the start of an error in which a refusal says that it is one
# How results say that somebody did not want the call, in the words of hosts and our own. One taken
# for a refusal by mistake is an agent that stops, as it wanted to.
REFUSALS = (
    "signoff",
    "denied",
    "permission",
    "rejected",
    "doesn't want to proceed",
    "haven't granted",
    "requires approval",
    "interrupted by user",
    "blocked",
)


class SessionTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of a session's conversation.

    Args:
        who: `user`, `agent`, `tool` ...
        failure: if it is the error message of a call: the call's id; else "".
    """

    who: str
    text: str
    failure: str = ""


class StopMode(StrEnum):
    """What happens when an agent stops."""

    OFF = "off"
    ERRORS = "errors"  # one that stopped on an error is told to try another way
    ASK = "ask"  # so it is, and people may send it on


class StopSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The section `stops` of the user's settings; a project cannot set it.

    Args:
        tries: how often a session is told, in total, to try another way.
        wait_s: seconds to wait for people.
        rounds: how often in a row people may give an agent a next task before its user writes.
    """

    mode: StopMode = StopMode.OFF
    tries: Annotated[int, Meta(ge=0, le=10)] = 2
    wait_s: Annotated[float, Meta(ge=5, le=3_600)] = 300.0
    rounds: Annotated[int, Meta(ge=1, le=7)] = 5


def failed_call(turns: Sequence[SessionTurn], *, last_words: str = "") -> str:
    """Return the id of the failed call an agent stopped on, "" if it stopped on none.

    Args:
        last_words: the agent's last message, if the host reports it.
    """
    if last_words.rstrip().endswith("?"):
        return ""
    for turn in reversed(turns):
        # The user has spoken since: what failed before is theirs to judge.
        if turn.who == "user":
            return ""
        if turn.who == "tool":
            return "" if _is_refusal(turn.text) else turn.failure
    return ""


def try_another(told: int, tries: int) -> str:
    """Return the message for an agent that stopped on an error.

    Args:
        told: number of such messages to this session, this one included.
        tries: the most it gets.
    """
    return (
        f"signoff: you stopped after a tool call that failed (reminder {told} of at most {tries})."
        " If what you were asked to do is not done because of that, try another way. If it is"
        " done, or you need the user, say so and stop. A call that was denied is "
        "not to be tried by another way."
    )


def users_words(words: str) -> str:
    """Return a person's message for the agent, marked as coming from the person."""
    said = "\n".join(visible_lines(words.strip()[:WORDS_LIMIT]))
    return f"signoff: you had stopped. The user was shown a summary and says:\n{said}"


def _is_refusal(text: str) -> bool:
    # Only the start: a long log may hold any of these words.
    start = text[:LOOKED_THROUGH].lower()
    return any(said in start for said in REFUSALS)
