"""Replies in words: explicit forms are read without a model, all else leaves the request open."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from signoff.challenge.pending import PendingRequest
from signoff.challenge.replies import (
    UNCLEAR,
    Intent,
    Reply,
    read_reply,
    understand_reply,
)
from signoff.sync import run_now
from signoff.testing import InMemoryApprovals, make_request

APPROVE, DENY = Reply(intent=Intent.APPROVE), Reply(intent=Intent.DENY)


@pytest.mark.parametrize(
    "text", ["approve", "Approve.", "YES", "yes!", "ok", "y", "allow it", "yes please", "lgtm"]
)
def test_a_yes(text: str) -> None:
    """In any case, with a mark, or politely."""
    assert read_reply(text) == APPROVE


@pytest.mark.parametrize("text", ["deny", "No", "no.", "stop!", "reject", "n", "cancel"])
def test_a_no(text: str) -> None:
    """In any case, or with a mark."""
    assert read_reply(text) == DENY


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deny: use a branch", "use a branch"),
        ("no, use a branch", "use a branch"),
        ("stop. not on Friday", "not on Friday"),
        ("deny because it is late", "because it is late"),
    ],
)
def test_a_no_with_words(text: str, words: str) -> None:
    """They are for the agent."""
    assert read_reply(text) == Reply(intent=Intent.DENY, words=words)


@pytest.mark.parametrize(
    "text",
    [
        "approve. add policy: pushing is fine unless forced",
        "Approve, add policy: pushing is fine unless forced",
        "yes - policy: pushing is fine unless forced",
    ],
)
def test_a_yes_with_a_policy(text: str) -> None:
    """Both, without asking a model."""
    expected = Reply(intent=Intent.POLICY, policy="pushing is fine unless forced")

    assert read_reply(text) == expected


def test_a_yes_with_words_for_the_agent() -> None:
    """They are forwarded to the session."""
    expected = Reply(intent=Intent.FORWARD, words="run the tests first")

    assert read_reply("approve. tell the agent: run the tests first") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "?",
        "yes?",
        "approve?",
        "yes but not on main",
        "approve unless it is forced",
        "no problem",
        "not sure",
        "noted",
        "yesterday",
        "okay so what does it do",
        "I approve of this in general",
        "approve. add policy:",
        "do not approve",
        "don't approve",
        "approve deny",
        "\u202eyes",
        "approve\u200b",
        "x" * 100_000,
        "approve " + "x" * 100_000,
    ],
)
def test_anything_else_is_not_understood(text: str) -> None:
    """A condition is no yes, and a question neither."""
    assert read_reply(text) == UNCLEAR


@dataclass
class Reader:
    """Reads everything the same way, or fails."""

    reply: Reply | None

    async def read(self, text: str, pending: PendingRequest) -> Reply:
        """Return the reply."""
        if self.reply is None:
            raise OSError("no model")
        return self.reply


@pytest.mark.parametrize(
    ("text", "reader", "expected"),
    [
        ("go ahead then", Reader(APPROVE), APPROVE),
        ("go ahead then", Reader(None), UNCLEAR),
        ("go ahead then", None, UNCLEAR),
        ("deny", Reader(APPROVE), DENY),
        ("", Reader(APPROVE), UNCLEAR),
        ("x" * 100_000, Reader(APPROVE), UNCLEAR),
    ],
)
def test_the_rest_is_put_to_a_reader(text: str, reader: Reader | None, expected: Reply) -> None:
    """A failing one leaves the request open; what is explicit is never put to it."""
    approvals = InMemoryApprovals()
    approvals.ask(make_request())

    reply = run_now(understand_reply(text, approvals.channel.announced[0], reader))

    assert reply == expected
