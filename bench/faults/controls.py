"""Positive controls: for each class of faults a build that is broken on purpose, and must be seen.

A control that does not end as a silent pass shows that the matrix would not see such a fault.

    CONTROLS[0].build    the broken build
    CONTROLS[0].cell     the id of the cell that must call it a silent pass
"""

from __future__ import annotations

from dataclasses import dataclass

from bench.faults.builds import Build
from bench.faults.cell import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One broken build, and the cell that must see it."""

    kind: Kind
    build: Build
    cell: str


def _passing(line: str) -> str:
    """Let everything through that is no answer, as a hook without our shell line does."""
    return line.replace("exit 2", "exit 0")


LINE = Build(name="a shell line that ends with 0 whatever happens", line=_passing)
CLIENT = Build(
    name="a client that ends with 0 whatever happens", client={"posix._exit(2)": "posix._exit(0)"}
)
UNCHECKED = Build(
    name="a client that passes on any answer",
    client={"status = checked(head, body)": "status = 0"},
)
PASSING_DAEMON = Build(
    name="a daemon that answers an error with an empty object",
    patch="""
import signoff.frontends.hosts.claude_code.adapter as adapter
from signoff.values import replace
import signoff.frontends.hosts.registry as registry
nothing = adapter.ADAPTER.nothing
broken = replace(adapter.ADAPTER, refuse=lambda reason: nothing)
registry.ADAPTERS = {**registry.ADAPTERS, broken.name: broken}
""",
)
FORGETFUL = Build(
    name="a store that swallows errors of its file",
    patch="""
import signoff.effects.dispatch as dispatch
from signoff.effects.store import SessionMemory
whole_dispatch = dispatch.Effects.dispatch
async def dispatched(self, decision):
    try:
        return await whole_dispatch(self, decision)
    except Exception:
        self._tell(decision)
        return decision
dispatch.Effects.dispatch = dispatched
from signoff.storage.sqlite import SqliteStore
whole = SqliteStore.remembered
async def remembered(self, key, function):
    try:
        return await whole(self, key, function)
    except Exception:
        return SessionMemory()
SqliteStore.remembered = remembered
SqliteStore.remembered_now = lambda self, key, function: SessionMemory()
""",
)
NO_RULES = Build(
    name="a loader that takes what it cannot read for no rules",
    patch="""
import signoff.storage.reloading.rules_in_force as rules
from signoff.assess.rules.rule import RuleSet
whole = rules.load_rules
def load(text, *, file):
    try:
        return whole(text, file=file)
    except Exception:
        return RuleSet()
rules.load_rules = load
""",
)
NO_LOCKS = Build(
    name="a lock file that locks nothing where it cannot be read",
    patch="""
import signoff.storage.locks.lock_file as locks
whole = locks._read
def read(path, **more):
    try:
        return whole(path, **more)
    except Exception:
        return ()
locks._read = read
""",
)
WILLING_MODEL = Build(
    name="a model whose failure is a yes",
    patch="""
import signoff.challenge.evaluators.llm as llm
from signoff.challenge.evaluator import Evaluation
llm.LlmEvaluator._failed = lambda self, why: Evaluation(
    allowed=True, confident=True, reason=why, model=self.model)
""",
)
WILLING_SILENCE = Build(
    name="a ladder on which silence is a yes",
    patch="""
import signoff.challenge.ladder as ladder
from signoff.values import replace
from signoff.assess.verdict import Verdict
import signoff.challenge.people.asking as asking
yes = replace(ladder.NO_ANSWER, verdict=Verdict.ALLOW)
ladder.NO_ANSWER = yes
asking.NO_ANSWER = yes
""",
)
WALL_CLOCK = Build(
    name="grants that go by the wall clock alone",
    patch="""
import signoff.storage.approvals.standing as standing
standing.SqliteGrants._end_what_is_over = lambda self: None
""",
)
WILLING_CLIENT = Build(
    name="a Python client that allows whatever it cannot ask about",
    patch="""
import signoff.frontends.python.client as client
from signoff.decide.decision import Decision
from signoff.values import replace
from signoff.assess.verdict import Verdict
whole = client._refusal
client._refusal = lambda *given: replace(whole(*given), verdict=Verdict.ALLOW)
""",
)
WILLING_PROXY = Build(
    name="an MCP proxy that forwards what cannot be judged",
    patch="""
import signoff.frontends.mcp.guard as guard
whole = guard.DaemonGuard.judge
async def judge(self, event, **given):
    try:
        return await whole(self, event, **given)
    except guard.GuardFailed:
        return guard.CallVerdict(verdict="allow", reason="")
guard.DaemonGuard.judge = judge
""",
)
OVERRUN = Build(
    name="a client that takes too much for a yes",
    client={
        'raise ValueError(f"more than {LIMIT} bytes")': "posix._exit(0)",
    },
)

CONTROLS: tuple[Control, ...] = (
    Control(
        kind=Kind.KILLED,
        build=LINE,
        cell="installed command of claude-code: killed before it answers",
    ),
    Control(kind=Kind.SLOW, build=CLIENT, cell="hook client: no answer at all"),
    Control(kind=Kind.GARBAGE, build=UNCHECKED, cell="hook client: an allow under status 500"),
    Control(
        kind=Kind.GARBAGE, build=LINE, cell="installed command of codex: says nothing, exits 0"
    ),
    Control(kind=Kind.GARBAGE, build=PASSING_DAEMON, cell="http hook: half an event"),
    Control(kind=Kind.MISSING, build=LINE, cell="installed command of kiro: is not there"),
    Control(kind=Kind.DOWN, build=CLIENT, cell="daemon: never started"),
    Control(
        kind=Kind.RESTARTING,
        build=CLIENT,
        cell="daemon: restarts again and again, the client refuses",
    ),
    Control(
        kind=Kind.VERSION, build=UNCHECKED, cell="hook client: an allow that names no exit status"
    ),
    Control(kind=Kind.SOCKET, build=CLIENT, cell="hook client: the socket is stale"),
    Control(kind=Kind.FULL, build=FORGETFUL, cell="record, in-process hook: its disk is full"),
    Control(
        kind=Kind.READ_ONLY, build=FORGETFUL, cell="record, in-process hook: its disk is read-only"
    ),
    Control(
        kind=Kind.LOCKED, build=FORGETFUL, cell="record, in-process hook: another process holds it"
    ),
    Control(
        kind=Kind.CORRUPT, build=FORGETFUL, cell="record, in-process hook: its header is garbage"
    ),
    Control(kind=Kind.RULES, build=NO_RULES, cell="rules: no YAML"),
    Control(kind=Kind.LOCKS, build=NO_LOCKS, cell="locks: no JSON"),
    Control(kind=Kind.MODEL, build=WILLING_MODEL, cell="model: fails (500)"),
    Control(kind=Kind.PEOPLE, build=WILLING_SILENCE, cell="inbox: nobody answers"),
    Control(kind=Kind.CLOCK, build=WALL_CLOCK, cell="clock, grant: past its end and back again"),
    Control(kind=Kind.DOWN, build=WILLING_CLIENT, cell="adapters, what they share: no daemon"),
    Control(kind=Kind.GARBAGE, build=WILLING_PROXY, cell="MCP proxy: text instead of JSON"),
    Control(kind=Kind.OVERLOAD, build=OVERRUN, cell="hook client: an event of 2 MB"),
)
