"""What a host's adapter is: how one hook of the host is read, answered, started and waited for.

Most hosts have one adapter; a host that tells of a call by events of two forms has two. An answer
is exactly one JSON object on stdout or nothing, and an exit status: over HTTP the body is `stdout`,
or `stderr` where the status is not 0.

    Adapter(name="codex", called="Codex", parse=parse, nothing=NOTHING, refuse=deny, ...)
    adapter.render(decision, HostsAllow.SCORE)  ->  HostAnswer(stdout='{"decision": "deny", ...}')
"""

from __future__ import annotations

import json
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
    """What a host's report tells: a session began or ended, a call ended ..."""

    START = "start"  # a session began or was taken up again
    PROMPT = "prompt"  # a person said something
    TOOL_DONE = "tool_done"  # a call has happened
    WAITING = "waiting"  # the host waits for a person
    STOP = "stop"  # the agent has ended its turn
    END = "end"  # the session is over
    OTHER = "other"


class AgentStop(Struct, frozen=True, kw_only=True):
    """How an agent ended its turn, on hosts where a hook can make it go on.

    Args:
        is_again: True if a hook already made it go on once since its user last wrote.
        last_words: its last message.
        has_tasks: True if a background task still runs and will wake it.
    """

    is_again: bool
    last_words: str = ""
    has_tasks: bool = False


class Report(Struct, frozen=True, kw_only=True):
    """Something that happened in a session; nothing is to be decided.

    Args:
        call_id: the host's id of the finished call, "" if it gives none.
        call: the finished call, if the host repeats it; else None.
        has_failed: True if the call ended in an error.
        output: what came back from the call, on hosts that take a note about it; else None.
    """

    kind: ReportKind
    session: str
    agent: str = ""
    cwd: str = ""
    tool: str = ""
    call_id: str = ""
    call: Action | None = None
    has_failed: bool = False
    output: Json = None
    stop: AgentStop | None = None


class HostEvent(Struct, frozen=True, kw_only=True):
    """One event from a host: either a call to judge or a report of something that happened.

    Args:
        retell: translates arguments a person edited into the host's names; raises BadPayload if
            the host cannot take them.
        call: the call to judge, None for a report.
    """

    call: Payload | None = None
    report: Report | None = None
    retell: Callable[[Names], Names] | None = None


class HostAnswer(Struct, frozen=True, kw_only=True):
    """What the hook process prints and its exit status: how the host is answered."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0

    @classmethod
    def of(cls, said: Mapping[str, Json]) -> Self:
        """Return the answer that prints `said` as one JSON object."""
        return cls(stdout=one_line(said))


NO_DECISION = HostAnswer(stdout="{}")
REFUSED = 2  # the exit status by which a hook refuses


def refuse_by_status(reason: str) -> HostAnswer:
    """Return a denial for hosts that read the exit status and show stderr."""
    return HostAnswer(stderr=reason, status=REFUSED)


def decision_word(word: str) -> Callable[[str], HostAnswer]:
    """Return a function of a reason that renders `{"decision": word, "reason": ...}`."""
    return lambda reason: HostAnswer.of({"decision": word, "reason": reason})


class ResultNote(Struct, frozen=True, kw_only=True):
    """A note to the model about a tool's result.

    Args:
        text: the note itself.
        instead: what it gets in place of the result, of the same form; None = the result itself.
        is_withheld: nothing of the result is left; the note says why.
    """

    text: str
    instead: Json = None
    is_withheld: bool = False

    @property
    def as_text(self) -> str:
        """Return the note with what is left of the result, for hosts that replace it by a text."""
        if self.is_withheld:
            return self.text
        return f"{self.text}\n\n{json.dumps(self.instead, ensure_ascii=False)}"


class HookOutputFormat(Struct, frozen=True, kw_only=True):
    """Which output the installed shell line accepts, and how it denies without one.

    Args:
        answers: shell patterns that match a whole answer.
        refuses_in_words: True: print the adapter's denial and exit 0. False: exit 2.
        no_answer: the reason given when there is no answer.
        is_watched: True if the line kills a hook process that misses its own deadline.
    """

    answers: tuple[str, ...] = (EMPTY,)
    refuses_in_words: bool = False
    no_answer: str = "signoff did not let this call through"
    is_watched: bool = True


class HostRules(Struct, frozen=True, kw_only=True):
    """How a host reads a hook's output; whatever it cannot read lets the call run.

    Args:
        decision: keys in the answer's JSON object, outermost first, that lead to the decision.
        ask: the decision that opens the host's own prompt, "" if there is none.
        has_status: True if exit status 2 denies the call.
        needs_words: True if exit status 2 only denies with a text on stderr.
    """

    decision: tuple[str, ...] = ("",)
    ask: str = ""
    has_status: bool = False
    needs_words: bool = False


class QuestionFormat(Struct, frozen=True):
    """How a host's questions to its user are read, and how answers go back.

    Args:
        tool: the tool that asks.
        questions_of: the questions of a call, () if they cannot be read.
        answered: the answer to the hook, given one answer a question.
    """

    tool: str
    questions_of: Callable[[Action], tuple[AgentQuestion, ...]]
    answered: Callable[[Action, Sequence[str]], HostAnswer]


class Adapter(Struct, frozen=True, kw_only=True):
    """How one hook of a host is read and answered.

    Args:
        name: the hook's name in `signoff hook NAME` and `/hooks/NAME`.
        called: the host's name for people.
        parse: parses a payload to a HostEvent; raises BadPayload.
        nothing: the answer to a report, and to an allow that the host need not hear.
        refuse: renders a denial with its reason.
        wait: how long the host waits for the hook.
        canary: a payload of a call that must be denied; `doctor` sends it as a test.
        rules: how the host reads the hook's output and exit status.
        form: form of the installed shell line; None = the hook is not started by one.
        ask: renders a request for the host's own prompt; None = the host has none for hooks.
        allow: renders an allow that skips the host's prompt; None = the host gets `nothing`.
        special: renders the whole decision, in place of `ask`, `allow` and `refuse`.
        render_edited: renders an allow of arguments that a person changed, which then run in
            place of the original ones; None = the host cannot change arguments.
        go_on: renders a message to an agent that has stopped; None = the host takes none.
        note_result: renders a note to the model about a result; None = the host takes no notes.
        withhold_result: renders an answer that keeps a result from the model, whatever its form,
            where signoff fails over it; None = the host takes none.
        repeats: tells whether a call repeats one that another adapter of this host has reported
            already; None = that does not happen.
        questions: how the agent's questions to its user are read; None = left to the host.
        project_variable: environment variable with the project's folder in the hook's process,
            "" if none.
        fails_by_status: True if a hook process without the daemon denies by its exit status.
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
    note_result: Callable[[Report, ResultNote], HostAnswer] | None = None
    withhold_result: Callable[[str], HostAnswer] | None = None
    repeats: Callable[[Action, Action], bool] | None = None
    questions: QuestionFormat | None = None
    project_variable: str = ""
    fails_by_status: bool = False

    @property
    def can_ask(self) -> bool:
        """True if the host has its own prompt that a hook can open."""
        return self.ask is not None

    def render(self, decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
        """Return the answer for a decision; `hosts_allow` says which allows the host gets."""
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
                # Also a question on a host without a prompt: nobody there can say yes.
                return self.refuse(refusal_of(decision, self.called))

    def failure(self, reason: str) -> HostAnswer:
        """Return the denial for a call that could not be judged."""
        return self.refuse(failure_of(reason))
