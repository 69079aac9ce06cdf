"""The hook in a process of its own: no daemon, all is loaded and decided again for one call."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping

from bench.faults.calls import BENIGN, CALLS, DANGER, Call, Observation, Seen
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.host_rules import Ended
from bench.faults.stage import PATIENCE_S, Stage, trial
from signoff.frontends.hosts.claude_code.kinds import answer_or_refuse
from signoff.values import replace

NAME = "in-process hook"


def under(*within: str, evidence: str, **more: str) -> Probe:
    """Return the probe of every call under a limit or variable."""

    def probe(stage: Stage) -> Observation:
        trials = tuple(stage.hook(call, within=within, **more) for call in CALLS)
        return Observation(trials=trials, evidence=evidence)

    return probe


def limited(words: str) -> tuple[str, ...]:
    """Return the words that run a command under a limit of the shell."""
    return ("sh", "-c", f'{words}; exec "$@"', "sh")


def fed(change: Callable[[bytes], bytes], *, is_event: bool = False) -> Probe:
    """Return the probe of an event that arrives changed; if it still is one, it may be asked."""

    def at_most(call: Call) -> Call:
        return replace(call, at_most=Seen.ASKED if is_event else Seen.REFUSED)

    def probe(stage: Stage) -> Observation:
        trials = []
        for call in (at_most(DANGER), at_most(BENIGN)):
            words = stage.build.words("hook", "claude-code", "--deadline", "8")
            trials.append(trial(call, stage.run(words, change(stage.event(call)))))
        return Observation(trials=tuple(trials), evidence="sent changed")

    return probe


EVENTS: Mapping[str, tuple[Kind, Callable[[bytes], bytes]]] = {
    "no event": (Kind.GARBAGE, lambda event: b""),
    "half an event": (Kind.GARBAGE, lambda event: event[: len(event) // 2]),
    "two events": (Kind.GARBAGE, lambda event: event + event),
    "an event that is no text": (Kind.GARBAGE, lambda event: b"\xff\xfe" + event),
    "an event that names no tool": (Kind.VERSION, lambda event: b'{"hook_event_name": "New"}'),
    "a command that is no text": (
        Kind.VERSION,
        lambda event: json.dumps({**json.loads(event), "tool_input": {"command": 7}}).encode(),
    ),
    "depth without end": (Kind.OVERLOAD, lambda event: b'{"a":' * 100_000),
    "an event of 2 MB": (Kind.OVERLOAD, lambda event: event + b" " * 2_000_000),
}


def without_end(stage: Stage) -> Observation:
    """Keep the event's end open: its own deadline ends the process."""
    words = stage.build.words("hook", "claude-code", "--deadline", "1")
    line = stage.build.line(answer_or_refuse(" ".join(map(_quoted, words))))
    process = stage.start(["/bin/sh", "-c", line], stdin=subprocess.PIPE)
    started = time.monotonic()
    try:
        process.wait(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
    took_s = time.monotonic() - started
    status = process.wait() if took_s < PATIENCE_S else None
    if process.stdin:
        process.stdin.close()
    ended = Ended(status=status, stderr="refused")
    return Observation(trials=(trial(DANGER, ended),), evidence=f"waited {took_s:.1f} s")


def killed(number: signal.Signals) -> Probe:
    """Return the probe of a hook that is ended while it judges, inside the installed line."""

    def probe(stage: Stage) -> Observation:
        words = " ".join(map(_quoted, stage.build.words("hook", "claude-code")))
        line = stage.build.line(answer_or_refuse(f"timeout -s {number.value} 0.1 {words}"))
        ended = stage.run(["/bin/sh", "-c", line], stage.event(DANGER))
        found = trial(DANGER, ended)
        was_killed = "no answer" in ended.stderr or found.seen is Seen.RUNS
        said = f"ended by {number.name} after 0.1 s" if was_killed else ""
        return Observation(trials=(found,), evidence=said)

    return probe


def no_reader(stage: Stage) -> Observation:
    """Take the reader of its answer away, and give it a full device to write to."""
    trials = []
    for call in (DANGER, BENIGN.must_not_run()):
        words = " ".join(map(_quoted, stage.build.words("hook", "claude-code")))
        ended = stage.run(["/bin/sh", "-c", f"{words} > /dev/full"], stage.event(call))
        trials.append(trial(call, ended))
    return Observation(trials=tuple(trials), evidence="its output is a full device")


def spoiled(spoil: Callable[[Stage], object], evidence: str) -> Probe:
    """Return the probe of every call after something was done to the home."""

    def probe(stage: Stage) -> Observation:
        spoil(stage)
        return Observation(trials=tuple(map(stage.hook, CALLS)), evidence=evidence)

    return probe


def _file_for_folder(stage: Stage) -> None:
    shutil.rmtree(stage.state)
    stage.state.write_text("", encoding="utf-8")


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def _short_key(stage: Stage) -> None:
    (stage.state / "redaction.key").write_bytes(b"short")


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, (kind, change) in EVENTS.items():
        probe = fed(change, is_event="command" in fault)
        yield Cell(component=NAME, fault=fault, kind=kind, probe=probe)
    for fault, kind, probe in _probes():
        yield Cell(component=NAME, fault=fault, kind=kind, probe=probe)


def _probes() -> Iterator[tuple[str, Kind, Probe]]:
    yield "an event without end", Kind.SLOW, without_end
    yield "killed while it judges", Kind.KILLED, killed(signal.SIGKILL)
    yield "breaks down while it judges", Kind.KILLED, killed(signal.SIGSEGV)
    yield "its output is full", Kind.FULL, no_reader
    yield "little memory", Kind.OVERLOAD, under(*limited("ulimit -v 90000"), evidence="90 MB")
    yield "no file descriptors", Kind.OVERLOAD, under(*limited("ulimit -n 6"), evidence="6 files")
    yield "no file may grow", Kind.FULL, under(*limited("ulimit -f 0"), evidence="ulimit -f 0")
    yield "no home", Kind.MISSING, under(evidence="HOME=/proc/no/home", HOME="/proc/no/home")
    yield (
        "a variable that is none of ours",
        Kind.VERSION,
        under(evidence="SIGNOFF_OFF=1", SIGNOFF_OFF="1"),
    )
    yield (
        "a configuration folder that is relative",
        Kind.RULES,
        under(evidence="SIGNOFF_CONFIG_DIR=here", SIGNOFF_CONFIG_DIR="here"),
    )
    yield (
        "a file where its folder was",
        Kind.CORRUPT,
        spoiled(_file_for_folder, "a file stands where the state folder was"),
    )
    yield "its key is damaged", Kind.CORRUPT, spoiled(_short_key, "the key is five bytes")
    yield (
        "its folder is removed",
        Kind.MISSING,
        spoiled(lambda stage: shutil.rmtree(stage.state), "the state folder was removed"),
    )
