"""Replies in words, read for what is meant: explicit forms here, the rest by a reader if any.

    approve                             deny: use a branch
    yes, but run the tests first        approve. add policy: pushing is fine unless forced

What is not understood leaves the request pending, and says so.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from signoff.challenge.pending import PendingRequest


class Intent(StrEnum):
    """What a free-text reply asks for."""

    APPROVE = "approve"
    DENY = "deny"
    FORWARD = "forward"  # approve, and hand the text to the agent
    POLICY = "policy"  # approve, and keep the policy for the tool
    UNCLEAR = "unclear"


class Reply(Struct, frozen=True, kw_only=True):
    """A reply after interpretation.

    Args:
        words: the message to the agent.
        policy: the guideline to store.
    """

    intent: Intent
    words: str = ""
    policy: str = ""


class ReplyReader(Protocol):
    """Port: a model that interprets free-text replies."""

    async def read(self, text: str, pending: PendingRequest) -> Reply:
        """Return the intent of a reply; UNCLEAR if unknown and on every error."""


APPROVALS = frozenset(
    [
        "approve",
        "approved",
        "yes",
        "y",
        "ok",
        "okay",
        "allow",
        "allowed",
        "accept",
        "accepted",
        "proceed",
        "lgtm",
    ]
)
REFUSALS = frozenset(
    ["deny", "denied", "stop", "reject", "rejected", "refuse", "refused", "block", "cancel"]
)
# `no problem` is no refusal: these stand alone or before a mark.
NOES = frozenset(["no", "n", "nope", "never"])
# Nothing that could be a condition, or widen the yes: `always`, `all` and `if` are not here.
ADDED_TO_APPROVALS = frozenset(["it", "this", "that", "please", "once", "go ahead", "thanks"])
POLICY_MARKS = ("add policy:", "add a policy:", "new policy:", "policy:")
FORWARD_MARKS = ("tell it:", "tell the agent:", "forward:")
TEXT_LIMIT = 10_000
UNCLEAR = Reply(intent=Intent.UNCLEAR)
FORMS = "`approve`, `deny: why`, `approve. tell the agent: ...` or `approve. add policy: ...`"
NOT_UNDERSTOOD = f"That is not understood, so the request still waits. Reply with {FORMS}."


def read_reply(text: str) -> Reply:
    """Interpret a reply by fixed forms (`yes`, `no: reason` ...); UNCLEAR for all else."""
    plain = " ".join(text[: TEXT_LIMIT + 1].split())
    if not plain or len(text) > TEXT_LIMIT:
        return UNCLEAR
    word, has_mark, rest = _first_word(plain)
    # Refusals first, and with any words behind them: a no is never made hard.
    if word in REFUSALS or (word in NOES and (has_mark or not rest)):
        return Reply(intent=Intent.DENY, words=rest)
    if word in APPROVALS:
        return _approval(rest)
    return UNCLEAR


def _first_word(text: str) -> tuple[str, bool, str]:
    """Return the first word, whether a mark ends it, and what comes after it."""
    word, _, rest = text.partition(" ")
    bare = word.rstrip(".,:;!")
    return bare.casefold(), bare != word, rest.lstrip(".,:;!- ")


def _approval(rest: str) -> Reply:
    """Return an approval with what is added to it."""
    lower = rest.casefold()
    if not rest or lower.rstrip(".! ") in ADDED_TO_APPROVALS:
        return Reply(intent=Intent.APPROVE)
    if mark := next((mark for mark in POLICY_MARKS if lower.startswith(mark)), ""):
        policy = rest[len(mark) :].strip()
        return Reply(intent=Intent.POLICY, policy=policy) if policy else UNCLEAR
    if mark := next((mark for mark in FORWARD_MARKS if lower.startswith(mark)), ""):
        words = rest[len(mark) :].strip()
        return Reply(intent=Intent.FORWARD, words=words) if words else UNCLEAR
    # `yes but not on main`: whoever adds a condition has not said yes to this call.
    return UNCLEAR


async def understand_reply(
    text: str, pending: PendingRequest, reader: ReplyReader | None = None
) -> Reply:
    """Interpret a reply by fixed forms, then by the model if there is one."""
    reply = read_reply(text)
    if reply.intent is not Intent.UNCLEAR or reader is None or not text.strip():
        return reply
    # Checked again, as `read_reply` calls a reply unclear also where it is too long.
    if len(text) > TEXT_LIMIT:
        return UNCLEAR
    try:
        return await reader.read(text, pending)
    except Exception:  # noqa: BLE001 - a failing model leaves the request pending
        return UNCLEAR
