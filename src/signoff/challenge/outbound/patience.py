"""Calling again: how often, after which pause, and never longer than the time there is.

One time limit covers all tries and pauses together. What the other side asks to wait is waited
if it fits, and if it does not, the call is given up at once.

    message = await post_patiently(
        endpoint, "/v1/messages", headers={}, body={}, reply=Message, patience=PATIENCE
    )
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import HttpAnswer, post

Reply = TypeVar("Reply")
# 529 is what Anthropic's API answers when it is overloaded. Other errors would only come again.
PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})


class RetryPolicy(Struct, frozen=True, kw_only=True):
    """How long an outgoing call may take and how often it is retried.

    Args:
        timeout_s: seconds for all tries and pauses together.
        retries: number of tries after the first.
        pause_s: seconds before the first retry; later pauses grow.
    """

    timeout_s: float = 10.0
    retries: int = 2
    pause_s: float = 0.5


PATIENCE = RetryPolicy()


async def post_patiently(
    endpoint: OutboundEndpoint,
    path: str,
    *,
    headers: Mapping[str, str],
    body: Mapping[str, Json],
    reply: type[Reply],
    patience: RetryPolicy,
) -> Reply:
    """POST JSON with retries until an answer of status 200; return it parsed.

    Args:
        reply: the struct the answer must fit; unknown fields are ignored.

    Raises:
        CallFailed: there was none in time, or none that is a reply of this API.
    """
    sent = msgspec.json.encode(body)
    answer = await _answered(endpoint, path, headers=headers, body=sent, patience=patience)
    try:
        return msgspec.json.decode(answer.body, type=reply)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise CallFailed("the answer is not one of this API") from error


async def _answered(
    endpoint: OutboundEndpoint,
    path: str,
    *,
    headers: Mapping[str, str],
    body: bytes,
    patience: RetryPolicy,
) -> HttpAnswer:
    """Post until there is an answer of status 200.

    Raises:
        CallFailed: there was none in time.
    """
    deadline = asyncio.get_running_loop().time() + patience.timeout_s
    try:
        async with asyncio.timeout_at(deadline):
            for attempt in range(patience.retries + 1):
                failure, wait_s = await _try(endpoint, path, headers, body)
                if isinstance(failure, HttpAnswer):
                    return failure
                if not failure.may_pass or attempt == patience.retries:
                    raise failure
                await _pause(wait_s or patience.pause_s * 2**attempt, deadline, failure)
    except TimeoutError as error:
        raise CallFailed(f"no answer within {patience.timeout_s:g} seconds") from error
    raise CallFailed("it was not tried")


async def _try(
    endpoint: OutboundEndpoint, path: str, headers: Mapping[str, str], body: bytes
) -> tuple[HttpAnswer | CallFailed, float]:
    """Post once; return the answer or what failed, and how long to wait as the other side says."""
    try:
        answer = await post(endpoint, path, headers=headers, body=body)
    except CallFailed as failed:
        return failed, 0.0
    if answer.status == 200:
        return answer, 0.0
    # A redirect would take the key and the call to a host no setting names (T-28).
    if 300 <= answer.status < 400:
        return CallFailed(f"status {answer.status}: a redirect is not followed"), 0.0
    failure = CallFailed(f"status {answer.status}", may_pass=answer.status in PASSING)
    return failure, _seconds(answer.headers.get("retry-after", ""))


async def _pause(wait_s: float, deadline: float, failure: CallFailed) -> None:
    """Wait before the next try.

    Raises:
        CallFailed: there is no time for it.
    """
    # Given up now: waiting would end in the same refusal, only later.
    if asyncio.get_running_loop().time() + wait_s >= deadline:
        raise CallFailed(f"{failure}, and no time to try again") from failure
    await asyncio.sleep(wait_s)


def _seconds(said: str) -> float:
    """Return the seconds a `Retry-After` says, 0 where it says none we read."""
    # The other form of the header is a date, which hangs on two clocks; it is not read.
    digits = said.partition(".")[0]
    return float(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 6 else 0.0
