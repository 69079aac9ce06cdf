"""The command as installed, under every host: whatever becomes of the guard, the host hears no.

A stand-in takes the guard's place and fails; the line is the one `signoff install` writes.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from bench.faults.calls import DANGER, Observation
from bench.faults.cell import Cell, Kind
from bench.faults.stage import Stage, trial
from signoff.frontends.hosts.launch import hook_line
from signoff.frontends.hosts.registry import ADAPTERS

PATIENCE_S = 0.3


@dataclass(frozen=True, slots=True)
class Fault:
    """What the guard does; `{yes}` is an allow in the host's own words."""

    name: str
    kind: Kind
    script: str | None


FAULTS = (
    Fault("killed before it answers", Kind.KILLED, "kill -9 $$"),
    Fault("killed after half an answer", Kind.KILLED, "printf '{'; kill -9 $$"),
    Fault("killed after a whole allow", Kind.KILLED, "echo {yes}; kill -9 $$"),
    Fault("breaks down (SIGSEGV)", Kind.KILLED, "kill -11 $$"),
    Fault("meets its deadline (SIGALRM)", Kind.SLOW, "kill -14 $$"),
    Fault("exits 1 in silence", Kind.GARBAGE, "exit 1"),
    Fault("exits 2 in silence", Kind.GARBAGE, "exit 2"),
    Fault("allows and exits 1", Kind.GARBAGE, "echo {yes}; exit 1"),
    Fault("says nothing, exits 0", Kind.GARBAGE, "exit 0"),
    Fault("says text", Kind.GARBAGE, "echo fine"),
    Fault("says half an object", Kind.GARBAGE, "printf '{{\"decision\":'"),
    Fault("talks before it answers", Kind.GARBAGE, "echo loading; echo {yes}"),
    Fault("talks after its answer", Kind.GARBAGE, "echo {yes}; echo bye"),
    Fault("answers an array", Kind.GARBAGE, "echo '[]'"),
    Fault("answers what is no text", Kind.GARBAGE, "printf '\\377\\376'"),
    Fault("closes its output", Kind.GARBAGE, "exec >&-; exit 0"),
    Fault("is not there", Kind.MISSING, None),
    Fault("may not be run", Kind.MISSING, "#"),
)  # fmt: skip


def line_for(stage: Stage, host: str, guard: str) -> list[str]:
    """Return the installed command around a guard, as the build has it."""
    line = hook_line(ADAPTERS[host], guard, patience_s=PATIENCE_S)
    return ["/bin/sh", "-c", stage.build.line(line)]


def is_yes(host: str) -> str:
    """Return an allow in the host's own words, quoted for a shell."""
    adapter = ADAPTERS[host]
    answer = adapter.allow("signoff: fine") if adapter.allow else adapter.nothing
    return shlex.quote(answer.stdout)


@dataclass(frozen=True, slots=True)
class Probe:
    """A guard that fails in one way, under one host."""

    host: str
    fault: Fault

    def __call__(self, stage: Stage) -> Observation:
        """Run the installed command around it."""
        guard, mark = stage.folder / "guard", stage.folder / "mark"
        if self.fault.script is not None:
            script = self.fault.script.replace("{yes}", is_yes(self.host)).replace("{{", "{")
            guard.write_text(f"#!/bin/sh\necho 1 > {mark}\n{script}\n", encoding="utf-8")
            guard.chmod(0o644 if script == "#" else 0o755)
        ended = stage.run(
            line_for(stage, self.host, shlex.quote(str(guard))),
            stage.event(DANGER, self.host),
            patience_s=5,
        )
        was_started = mark.exists()
        is_meant = was_started == (self.fault.kind is not Kind.MISSING)
        said = "the stand-in ran" if was_started else "nothing could be started"
        return Observation(
            trials=(trial(DANGER, ended, self.host),), evidence=said if is_meant else ""
        )


def stopped(host: str) -> Cell:
    """Return the cell of a guard that a signal has stopped for good."""

    def probe(stage: Stage) -> Observation:
        guard, mark = stage.folder / "guard", stage.folder / "mark"
        guard.write_text(f"#!/bin/sh\necho 1 > {mark}\nkill -STOP $$\n", encoding="utf-8")
        guard.chmod(0o755)
        words = line_for(stage, host, shlex.quote(str(guard)))
        ended = stage.run(words, stage.event(DANGER, host), patience_s=5)
        said = "the stand-in stopped itself" if mark.exists() else ""
        return Observation(trials=(trial(DANGER, ended, host),), evidence=said)

    return Cell(
        component=f"installed command of {host}",
        fault="is stopped and does not end",
        kind=Kind.SLOW,
        probe=probe,
        needs=("timeout",),
    )


def cells() -> Iterator[Cell]:
    """Yield a cell for each host and fault."""
    for host, adapter in ADAPTERS.items():
        if adapter.form is None:
            continue
        for fault in FAULTS:
            yield Cell(
                component=f"installed command of {host}",
                fault=fault.name,
                kind=fault.kind,
                probe=Probe(host, fault),
            )
        if adapter.form.is_watched:
            yield stopped(host)
