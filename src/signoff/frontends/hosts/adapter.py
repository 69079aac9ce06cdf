"""What a host's adapter is: how one hook of the host is read, answered, started and waited for.

Most hosts have one adapter; a host that tells of a call by events of two forms has two. An answer
is exactly one JSON object on stdout or nothing, and an exit status: over HTTP the body is `stdout`,
or `stderr` where the status is not 0.

    Adapter(name="codex", called="Codex", parse=parse, nothing=NOTHING, refuse=deny, ...)
    adapter.render(decision, HostsAllow.SCORE)  ->  HostAnswer(stdout='{"decision": "deny", ...}')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Self

from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.assess.verdict import Verdict
from signoff.challenge.words.asking import AgentQuestion
from signoff.decide.decision import Decision
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.hosts.wording import (
    failure_of,
    one_line,
    reason_of,
    refusal_of,
    tells_allow,
)
from signoff.frontends.payloads import Names, Payload
from signoff.settings import HostsAllow

EMPTY = "'{}'"  # the shell pattern of an empty object


class ReportKind(StrEnum):
    """What a host tells of a session."""

    START = "start"  # a session began or was taken up again
    PROMPT = "prompt"  # a person said something
    TOOL_DONE = "tool_done"  # a call has happened
    WAITING = "waiting"  # the host waits for a person
    STOP = "stop"  # the agent has ended its turn
    END = "end"  # the session is over
    OTHER = "other"


class AgentStop(Struct, frozen=True, kw_only=True):
    """How an agent has ended its turn, where its host takes words that make it go on.

    Args:
        is_again: it had stopped before and was sent on by a hook; its user has said nothing since.
        last_words: what it said last.
        has_tasks: something of its own still runs, and wakes it when it ends.
    """

    is_again: bool
    last_words: str = ""
    has_tasks: bool = False


class Report(Struct, frozen=True, kw_only=True):
    """Something that has happened in a session, nothing left to decide.

    Args:
        call_id: the host's id of the call that has ended, "" where it gives none.
        call: the call that has ended, where the host tells it again.
        has_failed: it has ended in an error.
    """

    kind: ReportKind
    session: str
    agent: str = ""
    cwd: str = ""
    tool: str = ""
    call_id: str = ""
    call: Action | None = None
    has_failed: bool = False
    stop: AgentStop | None = None


class HostEvent(Struct, frozen=True, kw_only=True):
    """One event of a host: a call to be judged, or else a report.

    Args:
        retell: returns changed arguments of the call in the host's own names; raises BadPayload
            where the host cannot be given them.
    """

    call: Payload | None = None
    report: Report | None = None
    retell: Callable[[Names], Names] | None = None


class HostAnswer(Struct, frozen=True, kw_only=True):
    """What the host's hook process says and how it ends."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0

    @classmethod
    def of(cls, said: Mapping[str, Json]) -> Self:
        """Return the answer that prints one JSON object."""
        return cls(stdout=one_line(said))


NO_DECISION = HostAnswer(stdout="{}")
REFUSED = 2  # the exit status by which a hook refuses


def refuse_by_status(reason: str) -> HostAnswer:
    """Return the refusal of hosts that read the exit status and show stderr."""
    return HostAnswer(stderr=reason, status=REFUSED)


def decision_word(word: str) -> Callable[[str], HostAnswer]:
    """Return what says `{"decision": word, "reason": ...}`, given the reason."""
    return lambda reason: HostAnswer.of({"decision": word, "reason": reason})


class HookOutputFormat(Struct, frozen=True, kw_only=True):
    """What the installed shell line takes for an answer, and how it refuses without one.

    Args:
        answers: shell patterns of whole answers.
        refuses_in_words: it prints the adapter's refusal and ends with 0; else it ends with 2.
        no_answer: the reason it gives.
        is_watched: it kills a guard that misses its own deadline.
    """

    answers: tuple[str, ...] = (EMPTY,)
    refuses_in_words: bool = False
    no_answer: str = "signoff did not let this call through"
    is_watched: bool = True


class HostRules(Struct, frozen=True, kw_only=True):
    """What a host makes of its hook's end, in its least careful version; all else runs the call.

    Args:
        decision: names in the answer's JSON object that lead to the decision.
        ask: the decision that makes the host ask its user, "" if none does.
        has_status: exit status 2 refuses the call.
        needs_words: it does so only with words on stderr.
    """

    decision: tuple[str, ...] = ("",)
    ask: str = ""
    has_status: bool = False
    needs_words: bool = False


class QuestionFormat(Struct, frozen=True):
    """How a host's questions to its user are read, and how their answers are told.

    Args:
        tool: the tool that asks.
        questions_of: the questions of a call, () if they cannot be read.
        answered: the answer to the hook, given one answer a question.
    """

    tool: str
    questions_of: Callable[[Action], tuple[AgentQuestion, ...]]
    answered: Callable[[Action, Sequence[str]], HostAnswer]


class Adapter(Struct, frozen=True, kw_only=True):
    """One hook of a host.

    Args:
        name: by which hosts start the hook: `signoff hook NAME`, `/hooks/NAME`.
        called: what people call the host.
        parse: reads an event; raises BadPayload.
        nothing: answers a report, and an allow that the host is not to hear.
        refuse: says a refusal with its reason.
        wait: how long the host waits for the hook.
        canary: a call that must be refused, as the host tells it.
        rules: what the host makes of the hook's end.
        form: of the installed shell line; None = the hook is not started by one.
        ask: says that the host is to ask its user; None = a hook cannot call for a prompt.
        allow: says an allow that keeps the host from asking; None = `nothing` lets the call go on.
        special: says a decision in place of `ask`, `allow` and `refuse`.
        render_edited: says an allow of arguments that a person has changed, which then run in
            place of those that were asked about; None = the host takes no others.
        go_on: tells an agent that has stopped what it is to do; None = the host takes no words.
        repeats: tells whether a call of this adapter is one, as it was let go, of which the host's
            other adapter has told before it; None = that does not happen.
        questions: how the agent's questions to its user are read; None = they are left to the host.
        project_variable: names the project's folder to the hook's own process.
        fails_by_status: a hook process of its own refuses by its exit status what it cannot judge.
    """

    name: str
    called: str
    parse: Callable[[bytes], HostEvent]
    nothing: HostAnswer
    refuse: Callable[[str], HostAnswer]
    wait: Wait
    canary: Mapping[str, Json]
    rules: HostRules
    form: HookOutputFormat | None = None
    ask: Callable[[str], HostAnswer] | None = None
    allow: Callable[[str], HostAnswer] | None = None
    special: Callable[[Decision, HostsAllow], HostAnswer] | None = None
    render_edited: Callable[[Decision, Names], HostAnswer] | None = None
    go_on: Callable[[str], HostAnswer] | None = None
    repeats: Callable[[Action, Action], bool] | None = None
    questions: QuestionFormat | None = None
    project_variable: str = ""
    fails_by_status: bool = False

    @property
    def can_ask(self) -> bool:
        """True if the host has a prompt of its own that a hook can call for."""
        return self.ask is not None

    def render(self, decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
        """Return the answer that says a decision; `hosts_allow` = which allows the host hears."""
        if self.special is not None:
            return self.special(decision, hosts_allow)
        match decision.verdict:
            case Verdict.ALLOW if self.allow is not None and tells_allow(decision, hosts_allow):
                return self.allow(reason_of(decision))
            case Verdict.ALLOW:
                return self.nothing
            case Verdict.ASK if self.ask is not None:
                return self.ask(reason_of(decision))
            case _:
                return self.refuse(refusal_of(decision, self.called))

    def failure(self, reason: str) -> HostAnswer:
        """Return a refusal where nothing could be decided."""
        return self.refuse(failure_of(reason))
