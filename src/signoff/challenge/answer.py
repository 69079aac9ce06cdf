"""What came back from asking: who answered, where, how fast, in which words.

Answer(verdict=Verdict.ALLOW, decided_by="terminal", who="ada", channel="terminal", took_s=7.2)
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from signoff.actions.action import Json
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict

BY_MODEL = "llm"
BY_HOST = "host"
BY_TIMEOUT = "timeout"
BY_GRANT = "grant"
BY_DUPLICATE_PROMPT = "second_look"


class AnswerPart(Struct, frozen=True, kw_only=True):
    """One person's part in an answer.

    Args:
        was_fast: it came faster than the card can be read.
    """

    who: str
    channel: str
    proof: str = ""
    took_s: float = 0.0
    was_fast: bool = False


class Answer(Struct, frozen=True, kw_only=True):
    """One answer to one request.

    Args:
        verdict: allow or deny; ask = handed on to the host's own prompt.
        decided_by: `llm`, `host`, `timeout` or the name of the channel a person answered on.
        who: the approver as the channel knows them, "" if nobody answered.
        words: what they wrote, or why nobody was asked; the agent is told.
        request_id: the pending request it answered, "" if it was none.
        model: what the model thought of it, "" if it was not asked.
        parts: what each person gave, in turn.
        edited: arguments a person put in place of those asked about; judged again.
        has_slip: the host is to have it looked at once more, by `signoff exec`, before it runs.
    """

    verdict: Verdict
    decided_by: str
    who: str = ""
    channel: str = ""
    took_s: float = 0.0
    words: str = ""
    request_id: str = ""
    model: str = ""
    parts: tuple[AnswerPart, ...] = ()
    edited: Mapping[str, Json] | None = None
    has_execution_token: bool = False

    def counts(self, level: Level) -> bool:
        """Tell whether it settles anything: a model never denies, nor approves the critical."""
        if self.decided_by != BY_MODEL:
            return True
        return self.verdict is Verdict.ALLOW and level is not Level.CRITICAL


NO_ANSWER = Answer(
    verdict=Verdict.DENY, decided_by=BY_TIMEOUT, words="no approver answered in time"
)
