"""The ladder: channels asked one after another until somebody's answer counts.

A channel that fails is a channel that gave no answer; with no answer from anybody the answer is
no (spec 3). What does not lean to ask is put to nobody.

    Ladder([TerminalChannel()]).climb(action, assessment)
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import NO_ANSWER, Answer
from signoff.challenge.request import Channel, Request

log = logging.getLogger(__name__)


class Ladder:
    """Asks its channels in order; the first answer that counts is the answer."""

    def __init__(self, channels: Sequence[Channel] = ()) -> None:
        self.channels = tuple(channels)

    async def climb(self, action: Action, assessment: Assessed) -> Answer:
        """Return the answer of the first channel whose answer counts, else a refusal."""
        if assessment.leaning is not Verdict.ASK:
            return NO_ANSWER
        request = Request(action=action, assessment=assessment)
        for channel in self.channels:
            answer = await _ask(channel, request)
            if answer is not None and answer.counts(assessment.level):
                return answer
        return NO_ANSWER


async def _ask(channel: Channel, request: Request) -> Answer | None:
    """Ask one channel; one that fails must not keep the others from being asked."""
    try:
        return await channel.ask(request)
    except Exception as error:  # noqa: BLE001 - its own error; the next one is asked
        # Only the kind of error: texts of errors carry addresses and tokens.
        log.error("channel `%s` gave no answer: %s", channel.name, type(error).__name__)
        return None
