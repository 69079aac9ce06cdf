"""What a replay of past calls comes to, in figures and short lists; secrets are masked before.

summarize(calls, hosts={"codex": 12}).asks_per_100  ->  1.3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from signoff.frontends.replay.replayed_call import ReplayedCall

QUESTIONS = 10
GRANTS = 10
DENIED = 50
TOOLS = 12
DATE = 10  # characters of a time that are its date


class CallCounts(Struct, frozen=True, kw_only=True):
    """Number of calls of one kind, by verdict."""

    name: str
    calls: int
    asked: int
    denied: int

    @property
    def asks_per_100(self) -> float:
        """Questions per 100 calls."""
        return per_100(self.asked, self.calls)


class FrequentQuestion(Struct, frozen=True, kw_only=True):
    """One kind of question: a program or tool that is asked about for one reason.

    Args:
        cause: the policy line or rule.
        title: the title of one such question; `example`: its call, in one line.
    """

    program: str
    cause: str
    count: int
    title: str
    example: str


class DeniedCall(Struct, frozen=True, kw_only=True):
    """One call that would have been denied."""

    at: str
    host: str
    session: str
    tool: str
    call: str
    reason: str


class UsefulGrant(Struct, frozen=True, kw_only=True):
    """An approval "for this session" and how many later questions it would have answered."""

    covers: str
    asked: int
    silenced: int
    sessions: int


class ReplaySummary(Struct, frozen=True, kw_only=True):
    """The whole of a replay.

    Args:
        unreadable: calls in transcripts that could not be read; they count nowhere else.
        asks_per_100_with_grants: if each grantable question had been approved for its session.
        first, last: dates of the first and last call, "" if unknown.
    """

    calls: int
    sessions: int
    asked: int
    denied: int
    unreadable: int
    first: str
    last: str
    asks_per_100: float
    asks_per_100_with_grants: float
    hosts: tuple[CallCounts, ...]
    tools: tuple[CallCounts, ...]
    days: tuple[CallCounts, ...]
    levels: dict[str, int]
    questions: tuple[FrequentQuestion, ...]
    grants: tuple[UsefulGrant, ...]
    denied_calls: tuple[DeniedCall, ...]


def summarize(calls: Sequence[ReplayedCall]) -> ReplaySummary:
    """Count the verdicts of replayed calls."""
    read = [call for call in calls if call.verdict]
    asked = [call for call in read if call.verdict == "ask"]
    denied = [call for call in read if call.verdict == "deny"]
    grants = _grants(asked)
    dates = sorted(call.at[:DATE] for call in read if call.at)
    silenced = sum(grant.silenced for grant in grants)
    return ReplaySummary(
        calls=len(read),
        sessions=len({(call.host, call.session) for call in read}),
        asked=len(asked),
        denied=len(denied),
        unreadable=len(calls) - len(read),
        first=dates[0] if dates else "",
        last=dates[-1] if dates else "",
        asks_per_100=per_100(len(asked), len(read)),
        asks_per_100_with_grants=per_100(len(asked) - silenced, len(read)),
        hosts=_by(read, lambda call: call.host),
        tools=_by(read, lambda call: call.tool),
        days=tuple(
            sorted(_by((c for c in read if c.at), lambda call: call.at[:DATE]), key=_name_of)
        ),
        levels=dict(Counter(call.level for call in asked).most_common()),
        questions=_questions(asked),
        grants=grants[:GRANTS],
        denied_calls=tuple(_denied(call) for call in denied[-DENIED:]),
    )


def per_100(hits: int, n: int) -> float:
    """Return `hits` per hundred of `n`, rounded to two decimals."""
    return round(100 * hits / n, 2) if n else 0.0


def _name_of(counts: CallCounts) -> str:
    return counts.name


def _by(
    calls: Iterable[ReplayedCall], name: Callable[[ReplayedCall], str]
) -> tuple[CallCounts, ...]:
    """Count calls by a name, most questions and denials first."""
    counts: dict[str, Counter[str]] = {}
    for call in calls:
        counts.setdefault(name(call), Counter()).update(("calls", call.verdict))
    made = [
        CallCounts(name=key, calls=count["calls"], asked=count["ask"], denied=count["deny"])
        for key, count in counts.items()
    ]
    return tuple(sorted(made, key=lambda one: (-one.asked - one.denied, -one.calls, one.name)))


def _questions(asked: Iterable[ReplayedCall]) -> tuple[FrequentQuestion, ...]:
    groups: dict[tuple[str, str], list[ReplayedCall]] = {}
    for call in asked:
        groups.setdefault((call.program, call.cause), []).append(call)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(
        FrequentQuestion(
            program=program,
            cause=cause,
            count=len(found),
            title=found[0].title,
            example=found[0].text,
        )
        for (program, cause), found in ordered[:QUESTIONS]
    )


def _grants(asked: Iterable[ReplayedCall]) -> tuple[UsefulGrant, ...]:
    """Return the session grants that would have answered something, the most useful first."""
    groups: dict[str, list[ReplayedCall]] = {}
    for call in asked:
        if call.grant_shape:
            groups.setdefault(call.grant_shape, []).append(call)
    made = []
    for found in groups.values():
        sessions = len({(call.host, call.session) for call in found})
        silenced = len(found) - sessions  # the first question of each session is still asked
        made.append(
            UsefulGrant(
                covers=found[0].grant, asked=len(found), silenced=silenced, sessions=sessions
            )
        )
    useful = [grant for grant in made if grant.silenced]
    return tuple(sorted(useful, key=lambda one: (-one.silenced, one.covers)))


def _denied(call: ReplayedCall) -> DeniedCall:
    return DeniedCall(
        at=call.at,
        host=call.host,
        session=call.session,
        tool=call.tool,
        call=call.text,
        reason=call.reason,
    )
