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
BY_NAP = "nap"
# Answers that no person gave to this very call.
NOT_PEOPLE = frozenset(
    {
        *("", "rule", "score", "lock", "error", "shadow"),
        *(BY_MODEL, BY_HOST, BY_TIMEOUT, BY_GRANT, BY_DUPLICATE_PROMPT, BY_NAP),
    }
)
NAP_UP_TO = Level.MEDIUM  # what takes no more than one tap


class AnswerPart(Struct, frozen=True, kw_only=True):
    """One approver's contribution to an answer.

    Args:
        was_fast: it came faster than the card can be read.
    """

    who: str
    channel: str
    proof: str = ""
    took_s: float = 0.0
    was_fast: bool = False


FAST_TRY = "fast"


class AnswerTry(Struct, frozen=True, kw_only=True):
    """Answers by one person that were rejected.

    Args:
        kind: the proof that was wrong (`quiz`, `teach-back`), or `fast` = given before the card can
            be read.
    """

    who: str
    kind: str
    count: int


class Answer(Struct, frozen=True, kw_only=True):
    """One answer to an approval request, from a model, a person or the host.

    Args:
        verdict: allow or deny; ask = the host's own prompt decides.
        decided_by: `llm`, `host`, `timeout`, `grant`, `nap` or the channel a person answered on.
        who: the approver's id on that channel, "" if nobody answered.
        words: the approver's message, or why nobody was asked; shown to the agent.
        request_id: the pending request it answers, "" if there was none.
        model: the model's opinion, "" if it was not asked.
        parts: what each approver gave, in order of time.
        tries: answers that did not count.
        edited: arguments a person put in place of the original ones; they are judged again.
        is_open: nobody has answered yet, and the request stays open for the same call.
        has_execution_token: the host must run it by `signoff exec`, which checks it once more.
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
    tries: tuple[AnswerTry, ...] = ()
    edited: Mapping[str, Json] | None = None
    has_execution_token: bool = False
    is_open: bool = False

    def counts(self, level: Level) -> bool:
        """Return whether this answer may decide a call of this level.

        A model never denies and never approves CRITICAL; a nap only approves, up to its level.
        """
        if self.decided_by == BY_NAP:
            return self.verdict is Verdict.ALLOW and level <= NAP_UP_TO
        # People, and the grants they gave, decide at every level; what stops them is checked
        # before.
        if self.decided_by != BY_MODEL:
            return True
        return self.verdict is Verdict.ALLOW and level is not Level.CRITICAL


NO_ANSWER = Answer(
    verdict=Verdict.DENY, decided_by=BY_TIMEOUT, words="no approver answered in time"
)
