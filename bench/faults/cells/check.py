"""`signoff check` in a script: status 0, or a line that says allow, is what lets a call run."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator, Mapping

from bench.faults.calls import BENIGN, CALLS, DANGER, Call, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.host_rules import Ended
from bench.faults.stage import Stage

NAME = "signoff check"
BATCH = "signoff check --batch"
STATUSES = {0: Seen.RUNS, 1: Seen.ASKED}
VERDICTS = {"allow": Seen.RUNS, "ask": Seen.ASKED}


def read(call: Call, ended: Ended) -> Trial:
    """Read the status as a script does: 0 runs it, 1 asks, everything else refuses."""
    if ended.status is None:
        return Trial(call=call, seen=Seen.HANGS)
    words = f"status {ended.status} {ended.stderr[:200]}"
    return Trial(call=call, seen=STATUSES.get(ended.status, Seen.REFUSED), words=words)


def spoiled(spoil: Callable[[Stage], object], evidence: str, *within: str, **more: str) -> Probe:
    """Return the probe of calls as words, after something was done to the home."""

    def probe(stage: Stage) -> Observation:
        spoil(stage)
        trials = tuple(
            read(
                call,
                stage.run([*within, *stage.build.words("check", call.command)], more=more),
            )
            for call in CALLS
        )
        return Observation(trials=trials, evidence=evidence)

    return probe


def fed(change: Callable[[bytes], bytes]) -> Probe:
    """Return the probe of a call on standard input that arrives changed."""

    def probe(stage: Stage) -> Observation:
        trials = tuple(
            read(call, stage.run(stage.build.words("check"), change(stage.event(call))))
            for call in (DANGER, BENIGN.must_not_run())
        )
        return Observation(trials=trials, evidence="sent changed")

    return probe


def batch(change: Callable[[bytes], bytes]) -> Probe:
    """Return the probe of a stream in which every second line is broken."""

    def probe(stage: Stage) -> Observation:
        calls = (DANGER, BENIGN, DANGER, BENIGN)
        lines = [_line(stage, call) for call in calls]
        broken = [change(line) if at % 2 else line for at, line in enumerate(lines)]
        ended = stage.run(stage.build.words("check", "--batch"), b"\n".join(broken) + b"\n")
        trials = tuple(
            Trial(
                call=call.must_not_run() if at % 2 else call,
                seen=_seen(answer),
                words=answer[:160],
            )
            for at, (call, answer) in enumerate(zip(calls, _answers(ended), strict=False))
        )
        is_whole = ended.status == 0 and len(trials) == len(calls)
        return Observation(
            trials=trials, evidence="every second line was broken" if is_whole else ""
        )

    return probe


def _line(stage: Stage, call: Call) -> bytes:
    said = {"id": 1, "tool_name": "Bash", "tool_input": {"command": call.command}}
    return json.dumps({**said, "cwd": str(stage.project)}).encode()


def _answers(ended: Ended) -> list[str]:
    return ended.stdout.splitlines()


def _seen(answer: str) -> Seen:
    try:
        return VERDICTS.get(json.loads(answer)["verdict"], Seen.REFUSED)
    except (ValueError, KeyError, TypeError):
        return Seen.REFUSED


def killed(stage: Stage) -> Observation:
    """Kill it while it judges."""
    words = ["timeout", "-s", "KILL", "0.1", *stage.build.words("check", DANGER.command)]
    ended = stage.run(words)
    said = "killed after 0.1 s" if ended.status in (-signal.SIGKILL, 137) else ""
    return Observation(trials=(read(DANGER, ended),), evidence=said)


LINES: Mapping[str, Callable[[bytes], bytes]] = {
    "nothing": lambda line: b"",
    "half a call": lambda line: line[: len(line) // 2],
    "two calls": lambda line: line + line,
    "no text": lambda line: b"\xff" + line,
    "a list": lambda line: b"[]",
    "a name twice": lambda line: b'{"tool_input": {"command": "ls"}, ' + line[1:],
    "depth without end": lambda line: b'{"a":' * 100_000,
    "a call of 2 MB": lambda line: line + b" " * 2_000_000,
}


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, change in LINES.items():
        kind = Kind.OVERLOAD if "MB" in fault or "depth" in fault else Kind.GARBAGE
        yield Cell(component=NAME, fault=fault, kind=kind, probe=fed(change))
        yield Cell(component=BATCH, fault=fault, kind=kind, probe=batch(change))
    for fault, kind, probe in (
        ("killed while it judges", Kind.KILLED, killed),
        (
            "the settings are broken",
            Kind.RULES,
            spoiled(lambda stage: stage.write("signoff.yaml", "pack: ["), "no YAML"),
        ),
        (
            "the rules are empty",
            Kind.RULES,
            spoiled(lambda stage: stage.write("rules.yaml", ""), "an empty file"),
        ),
        (
            "little memory",
            Kind.OVERLOAD,
            spoiled(lambda _: None, "90 MB", "sh", "-c", 'ulimit -v 90000; exec "$@"', "sh"),
        ),
        (
            "its output is full",
            Kind.FULL,
            spoiled(lambda _: None, "/dev/full", "sh", "-c", 'exec "$@" > /dev/full', "sh"),
        ),
        (
            "its output is closed",
            Kind.GARBAGE,
            spoiled(lambda _: None, ">&-", "sh", "-c", 'exec "$@" >&-', "sh"),
        ),
        (
            "its home cannot be made",
            Kind.MISSING,
            spoiled(lambda _: None, "HOME=/proc/no/home", HOME="/proc/no/home"),
        ),
        (
            "a variable that is none of ours",
            Kind.VERSION,
            spoiled(lambda _: None, "SIGNOFF_OFF=1", SIGNOFF_OFF="1"),
        ),
    ):
        yield Cell(component=NAME, fault=fault, kind=kind, probe=probe)
