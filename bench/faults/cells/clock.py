"""The wall clock jumps: while it is judged, while people are asked, while a grant holds."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping

from bench.faults.calls import CALLS, DANGER, DOUBT, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.clock import Clock
from bench.faults.host_rules import Ended
from bench.faults.stage import Stage, end_group, trial
from bench.ports import free_port
from signoff.values import replace

HOUR, YEAR = 3_600, 31_557_600
NOW = int(time.time())
JUMPS: Mapping[str, int] = {
    "an hour ahead": HOUR,
    "an hour back": -HOUR,
    "ten years ahead": 10 * YEAR,
    "ten years back": -10 * YEAR,
    "to 1970": 60 - NOW,
    "past 2038": (1 << 31) + 60 - NOW,
    "to the year 2200": 7_258_118_400 - NOW,
}
# One grant of a minute for calls similar to it; the time of the wall is set before each call.
GRANT = """
import sys, time
from signoff.values import replace
from signoff.actions.action import Action
from signoff.build.approvals import build_approvals, build_standing
from signoff.challenge.ladder import Ladder
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.grant import NewGrant
from signoff.challenge.terms.session_scope import shape_of
from signoff.challenge.terms.binding import bound_shape
from signoff.settings import load_settings
from signoff.storage.bindings.operands import operands_of
from signoff.build.gate import build_gate, with_ladder

settings = load_settings()
# A key lives as long as its process: both runs of this stand for one.
approvals = build_approvals(settings, seal=Seal(b"one process"))
ladder = Ladder((), standing=build_standing(approvals))
gate = with_ladder(build_gate(settings, channels=()), ladder)
line = {{"command": sys.argv[1]}}
action = Action(tool="Bash", arguments=line, agent="a", session="s", cwd="/w/p")
if sys.argv[2:] == ["grant"]:
    likeness = shape_of(gate.check_now(action).assessment)
    shape = bound_shape(likeness, operands_of(action))
    new = NewGrant(shape=shape, session="s", agent="a", author="ada", expires_s=time.time() + 60)
    approvals.grants.add(replace(new, seal=approvals.seal.of_grant(*new.sealed)))
print("RAN" if gate.check_now(action).allowed else "REFUSED")
"""


def hook_after(seconds: int) -> Probe:
    """Return the probe of hooks before and after a jump."""

    def probe(stage: Stage) -> Observation:
        clock = Clock(stage.folder)
        shifted = replace(stage, more=clock.environment)
        before = shifted.hook(DANGER)
        clock.jump(seconds)
        seen = clock.difference()
        trials = tuple(map(shifted.hook, CALLS))
        is_moved = abs(seen - seconds) < 60
        return Observation(
            trials=(before, *trials), evidence=f"the clock jumped by {seen} s" if is_moved else ""
        )

    return probe


def daemon_after(seconds: int) -> Probe:
    """Return the probe of a daemon whose clock jumps while it runs."""

    def probe(stage: Stage) -> Observation:
        clock = Clock(stage.folder)
        with stage.served(more=clock.environment):
            before = tuple(map(stage.client, CALLS))
            clock.jump(seconds)
            seen = clock.difference()
            trials = tuple(map(stage.client, CALLS))
        is_moved = abs(seen - seconds) < 60
        return Observation(
            trials=before + trials, evidence=f"the clock jumped by {seen} s" if is_moved else ""
        )

    return probe


def asking(seconds: int) -> Probe:
    """Return the probe of a question that is open when the clock jumps; nobody answers it."""

    def probe(stage: Stage) -> Observation:
        clock = Clock(stage.folder)
        stage.write(
            "signoff.yaml",
            f"server: {{port: {free_port()}}}\nchannels: [web]\nlimits: {{answer_timeout_s: 2}}\n",
        )
        with stage.served(more=clock.environment):
            process = stage.start(stage.client_words(deadline_s=12), stdin=subprocess.PIPE)
            if process.stdin:
                process.stdin.write(stage.event(DOUBT))
                process.stdin.close()
                process.stdin = None
            time.sleep(0.8)
            is_open = process.poll() is None
            clock.jump(seconds)
            try:
                out, err = process.communicate(timeout=14)
                ended = Ended(status=process.returncode, stdout=out.decode(), stderr=err.decode())
            except subprocess.TimeoutExpired:
                end_group(process)
                ended = Ended(status=None)
        found = trial(DOUBT.must_not_run(), ended)
        said = f"the clock jumped by {seconds} s while it was asked"
        return Observation(trials=(found,), evidence=said if is_open else "")

    return probe


def granted(*jumps: int) -> Probe:
    """Return the probe of a grant whose time is over; the last jump is when the call comes."""

    def probe(stage: Stage) -> Observation:
        clock = Clock(stage.folder)
        shifted = replace(stage, more=clock.environment)

        def ran(*words: str) -> str:
            code = GRANT.replace("{{", "{").replace("}}", "}")
            ended = shifted.run([*stage.build.python(code), DOUBT.command, *words])
            return ended.stdout.strip() or ended.stderr[-300:]

        is_granted = (granting := ran("grant")) == "RAN"
        said = ""
        for seconds in jumps:
            clock.jump(seconds)
            said = ran()
        seen = Seen.RUNS if said == "RAN" else Seen.REFUSED
        words = said or granting
        found = Trial(call=DOUBT.must_not_run(), seen=seen, words=words)
        return Observation(trials=(found,), evidence="a grant was in force" if is_granted else "")

    return probe


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, seconds in JUMPS.items():
        yield _cell("clock, in-process hook", fault, hook_after(seconds), is_quick="year" in fault)
    for fault in ("ten years ahead", "ten years back", "past 2038"):
        yield _cell("clock, daemon", fault, daemon_after(JUMPS[fault]), is_quick="back" in fault)
    yield _cell("clock, open question", "an hour ahead", asking(HOUR))
    yield _cell("clock, open question", "an hour back", asking(-HOUR))
    yield _cell("clock, open question", "to 1970", asking(JUMPS["to 1970"]), is_quick=False)
    yield _cell("clock, grant", "past its end", granted(120))
    yield _cell("clock, grant", "past its end and back again", granted(120, 0))
    yield _cell("clock, grant", "back before it was given", granted(-120))


def _cell(component: str, fault: str, probe: Probe, *, is_quick: bool = True) -> Cell:
    return Cell(
        component=component, fault=fault, kind=Kind.CLOCK, probe=probe, needs=("cc",),
        is_quick=is_quick, limit_s=40,
    )  # fmt: skip
