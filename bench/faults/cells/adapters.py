"""Adapters of agent frameworks before a daemon that fails, and before a gate that fails.

What all adapters share is always tried. Each framework is tried as well where
`./scripts/test-frameworks` has installed it: its real agent with a scripted model makes one call,
and nothing the model calls may run.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

from bench.faults.calls import BENIGN, Call, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.cells.python_gate import read
from bench.faults.servers import Answering, Faulty, dribbles, floods, hangs, http, says, slams
from bench.faults.stage import Stage

ROOT = Path(__file__).parents[3]
FRAMEWORKS = ROOT / ".cache" / "frameworks"
SHARED = "adapters, what they share"
QUICK = ("no daemon", "the daemon hangs up over the call", "an allow for another call")
PATIENCE_S = 60.0  # some frameworks take ten seconds to load
DEADLINE_S = 1.5
ALLOW = json.dumps(
    {
        "verdict": "allow",
        "decided_by": "score",
        "reason": "",
        "level": "low",
        "challenge": "confirm",
        "digest": "0" * 64,
    }
).encode()
HEAD = """
import sys
from signoff.frontends.python.client import Client
from signoff.errors import Denied
class Failing:
    def __init__(self, error):
        self.error = error
    def __getattr__(self, name):
        if name.removesuffix("_now") not in ("check", "finish", "refuse"):
            raise AttributeError(name)
        def fail(*_, **__):
            raise self.error
        async def fail_later(*_, **__):
            raise self.error
        return fail if name.endswith("_now") else fail_later
GATE = {gate}
"""
# The digest of any call: an answer that fits, as only a working daemon could give it.
OWN = """
from signoff.frontends.python.tool_gate import ToolCall, ToolGate
try:
    call = ToolCall(tool="look_up", arguments={"order": "A1"}, session="faults")
    ToolGate("python", gate=GATE).run_now(call, lambda given: print("RAN"))
except Denied as denied:
    print(denied, file=sys.stderr)
"""
FRAMEWORK = """
sys.path[:0] = [{tests!r}, {root!r}]
from {module} import run
ran = run(GATE, ["one"])
print("RAN" if ran.notes else "")
print(" ".join(ran.heard)[:300].replace(chr(10), " "), file=sys.stderr)
"""
CLIENT = f"Client('unix:' + sys.argv[1], deadline_s={DEADLINE_S})"


def _first_dies() -> Answering:
    """Return a daemon that dies over the call, and another one in its place."""
    turn = count()
    allows = says(http(ALLOW))
    return lambda link: (slams if next(turn) == 0 else allows)(link)


DAEMONS: Mapping[str, tuple[Kind, Answering]] = {
    "the daemon hangs up over the call": (Kind.KILLED, slams),
    "half an answer": (Kind.KILLED, says(http(ALLOW)[:-9])),
    "no answer at all": (Kind.SLOW, hangs),
    "one byte now and then": (Kind.SLOW, dribbles(http(ALLOW))),
    "text instead of JSON": (Kind.GARBAGE, says(http(b"allowed"))),
    "an allow for another call": (Kind.GARBAGE, says(http(ALLOW))),
    "an allow under status 500": (Kind.GARBAGE, says(http(ALLOW, status="500 Server Error"))),
    "an answer of another protocol": (Kind.VERSION, says(b"SSH-2.0-server\r\n")),
    "an endless answer": (Kind.OVERLOAD, floods(b"HTTP/1.1 200 OK\r\n\r\n")),
}
GATES: Mapping[str, tuple[Kind, str]] = {
    "the gate raises": (Kind.MISSING, "Failing(RuntimeError('boom'))"),
    "the gate runs out of memory": (Kind.OVERLOAD, "Failing(MemoryError())"),
    "the gate times out": (Kind.SLOW, "Failing(TimeoutError('late'))"),
}
CALL = Call(command="look_up A1", at_most=Seen.REFUSED)


class Adapter:
    """One adapter, and how its program is started."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.python = FRAMEWORKS / name / "bin" / "python"

    @property
    def component(self) -> str:
        """Its name in the matrix."""
        return f"adapter of {self.name}" if self.name else SHARED

    def trial(self, stage: Stage, gate: str = CLIENT) -> Trial:
        """Have it make one call."""
        head = HEAD.replace("{gate}", gate)
        if not self.name:
            words = stage.build.python(head + OWN)
        else:
            module = f"test_{self.name.replace('-', '_')}"
            tests = str(ROOT / "tests" / "frameworks")
            code = FRAMEWORK.format(tests=tests, root=str(ROOT), module=module)
            words = [str(self.python), "-c", head + code]
        ended = stage.run([*words, str(stage.socket)], patience_s=PATIENCE_S)
        return read(CALL, ended)

    def before(self, answering: Answering) -> Probe:
        """Return the probe of a daemon that answers like this."""

        def probe(stage: Stage) -> Observation:
            with Faulty(answering, path=stage.socket) as daemon:
                found = self.trial(stage)
            served = f"asked {daemon.served} times" if daemon.served else ""
            return Observation(trials=(found,), evidence=_heard(found) and served)

        return probe

    def before_two(self, stage: Stage) -> Observation:
        """Let one daemon die over the call, and another one allow another call."""
        with Faulty(_first_dies(), path=stage.socket) as daemon:
            found = self.trial(stage)
        served = f"asked {daemon.served} times" if daemon.served > 1 else ""
        return Observation(trials=(found,), evidence=_heard(found) and served)

    def without_daemon(self, stage: Stage) -> Observation:
        """Leave a socket behind that nobody listens on."""
        with socket.socket(socket.AF_UNIX) as gone:
            gone.bind(str(stage.socket))
        found = self.trial(stage)
        return Observation(trials=(found,), evidence=_heard(found))

    def before_gate(self, gate: str) -> Probe:
        """Return the probe of a gate that fails like this."""

        def probe(stage: Stage) -> Observation:
            found = self.trial(stage, gate)
            return Observation(trials=(found,), evidence=_heard(found))

        return probe

    def cells(self) -> Iterator[Cell]:
        """Yield its cells."""
        faults: dict[str, tuple[Kind, Probe]] = {
            "no daemon": (Kind.DOWN, self.without_daemon),
            "two daemons: the first dies, the second allows another call": (
                Kind.RESTARTING,
                self.before_two,
            ),
        }
        for name, (kind, answering) in DAEMONS.items():
            faults[name] = kind, self.before(answering)
        for name, (kind, gate) in GATES.items():
            faults[name] = kind, self.before_gate(gate)
        for name, (kind, probe) in faults.items():
            yield Cell(
                component=self.component,
                fault=name,
                kind=kind,
                probe=probe,
                is_quick=not self.name and name in QUICK,
                limit_s=PATIENCE_S,
            )


def _heard(found: Trial) -> str:
    """Return what shows that the call met the fault: the words about it, or that it ran."""
    return "it ran" if found.seen is Seen.RUNS else found.words if "cannot" in found.words else ""


def works(stage: Stage) -> Observation:
    """Put a call to a daemon that works: the cells above would see a call that runs."""
    with stage.served():
        found = read(
            BENIGN,
            stage.run(
                [*stage.build.python(HEAD.replace("{gate}", CLIENT) + OWN), str(stage.socket)]
            ),
        )
    return Observation(trials=(found,), evidence="a daemon ran" if found.seen is Seen.RUNS else "")


def cells() -> Iterator[Cell]:
    """Yield what adapters share, and those whose framework is installed here."""
    yield from Adapter().cells()
    yield Cell(component=SHARED, fault="none: the daemon works", kind=Kind.DOWN, probe=works)
    for folder in sorted(FRAMEWORKS.glob("*/bin/python")):
        yield from Adapter(folder.parents[1].name).cells()
