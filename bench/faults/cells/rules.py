"""Rules, settings and locks that are broken, empty or half written: the stricter word holds.

`git log` is refused by a rule of the user and by nothing else. While that rule cannot be read
nothing may run by it not being there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.faults.calls import BENIGN, CALLS, DANGER, Call, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.stage import Stage, wait_until

RULED = Call(command="git log", at_most=Seen.REFUSED)
RULES = """version: 1
rules:
  - name: no-log
    action: deny
    tool: Bash
    match: {command: git log}
    reason: a person reads the log
"""
STRICT = "pack: strict\n"
BOMB = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
Spoil = Callable[[Path], object]


def _text(change: Callable[[str], str | bytes]) -> Spoil:
    def spoil(path: Path) -> None:
        text = change(path.read_text(encoding="utf-8"))
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    return spoil


def _as(make: Callable[[Path], object]) -> Spoil:
    def spoil(path: Path) -> None:
        path.unlink()
        make(path)

    return spoil


FILES: Mapping[str, Spoil] = {
    "empty": _text(lambda _: ""),
    "blank": _text(lambda _: " \n\n"),
    # A cut that leaves whole, shorter rules look like an edit; see docs/faults.md.
    "cut short": _text(lambda text: text[: text.index(":", len(text) // 3) - 1]),
    "no YAML": _text(lambda _: "rules: [\n  {"),
    "a list": _text(lambda _: "- a\n- b\n"),
    "no text": _text(lambda text: b"\xff\xfe" + text.encode()),
    "with a field of another version": _text(lambda text: text + "\nfuture: {a: 1}\n"),
    "of another version": _text(lambda text: text.replace("version: 1", "") + "\nversion: 99\n"),
    "with a name twice": _text(lambda text: text + "\n" + text),
    "indented by tabs": _text(lambda text: text + "\n\tx: 1\n"),
    "a bomb of aliases": _text(lambda text: text + BOMB),
    "of 8 MB": _text(lambda text: text + "# " + "x" * 8_000_000),
    "a folder": _as(lambda path: path.mkdir()),
    "a pipe": _as(lambda path: os.mkfifo(path)),
    "a loop of links": _as(lambda path: path.symlink_to(path.name)),
}
RULES_ONLY: Mapping[str, Spoil] = {
    "with a wrong type": _text(lambda _: "version: 1\nrules: 7\n"),
    "with a verdict that is none": _text(lambda text: text.replace("deny", "refuze")),
    "with a pattern that cannot be read": _text(
        lambda text: text.replace("git log", "{regex: '(((('}")
    ),
}
LOCKS: Mapping[str, Spoil] = {
    "empty": _text(lambda _: ""),
    "cut short": _text(lambda text: text[: len(text) // 2]),
    "no JSON": _text(lambda _: "everything is fine"),
    "null": _text(lambda _: "null"),
    "of another version": _text(lambda text: text.replace('"version": 1', '"version": 2')),
    "without its list": _text(lambda _: '{"version": 1}'),
    "with a scope that is none": _text(lambda text: text.replace('"all"', '"none"')),
    "of 8 MB": _text(lambda text: text + " " * 8_000_000),
    "a folder": _as(lambda path: path.mkdir()),
    "a pipe": _as(lambda path: os.mkfifo(path)),
    "a link to nowhere": _as(lambda path: path.symlink_to("gone")),
}


def spoiled_rules(spoil: Spoil) -> Probe:
    """Return the probe of rules that were good and are not, read by a new process."""

    def probe(stage: Stage) -> Observation:
        path = stage.write("rules.yaml", RULES)
        is_sound = stage.hook(RULED).seen is Seen.REFUSED
        spoil(path)
        trials = tuple(map(stage.hook, (RULED, DANGER, BENIGN)))
        return Observation(trials=trials, evidence="the rules were spoiled" if is_sound else "")

    return probe


def spoiled_under_daemon(spoil: Spoil, name: str, good: str, calls: tuple[Call, ...]) -> Probe:
    """Return the probe of a file that is spoiled while the daemon runs."""

    def probe(stage: Stage) -> Observation:
        path = stage.write(name, good)
        with stage.served():
            is_sound = stage.client(calls[0]).seen is Seen.REFUSED
            spoil(path)
            wait_until(lambda: False, 0.8)  # the daemon looks a few times a second
            trials = tuple(map(stage.client, calls))
        return Observation(trials=trials, evidence=f"{name} was spoiled" if is_sound else "")

    return probe


def spoiled_settings(spoil: Spoil) -> Probe:
    """Return the probe of settings that were strict and cannot be read."""

    def probe(stage: Stage) -> Observation:
        path = stage.write("signoff.yaml", STRICT)
        strict = stage.hook(PUSH)
        spoil(path)
        trials = tuple(map(stage.hook, (PUSH, DANGER, BENIGN.must_not_run())))
        is_sound = strict.seen is not Seen.RUNS
        return Observation(trials=trials, evidence="the settings were spoiled" if is_sound else "")

    return probe


PUSH = Call(command="npm publish", at_most=Seen.ASKED)


def spoiled_project(spoil: Spoil) -> Probe:
    """Return the probe of a project's own file that forbids something and cannot be read."""

    def probe(stage: Stage) -> Observation:
        path = stage.project / ".signoff.yaml"
        path.write_text(RULES, encoding="utf-8")
        is_sound = stage.hook(RULED).seen is Seen.REFUSED
        spoil(path)
        trials = tuple(map(stage.hook, (RULED, DANGER)))
        return Observation(trials=trials, evidence="the file was spoiled" if is_sound else "")

    return probe


def spoiled_locks(spoil: Spoil, *, is_served: bool) -> Probe:
    """Return the probe of a panic switch that is on and cannot be read any more."""

    def probe(stage: Stage) -> Observation:
        stage.signoff("lock")
        path = stage.state / "locks.json"
        is_on = json.loads(path.read_text(encoding="utf-8"))["locks"][0]["scope"] == "all"
        calls = [call.must_not_run() for call in CALLS]
        if is_served:
            with stage.served():
                spoil(path)
                trials = tuple(map(stage.client, calls))
        else:
            spoil(path)
            trials = tuple(map(stage.hook, calls))
        return Observation(trials=trials, evidence="everything was locked" if is_on else "")

    return probe


def half_written(stage: Stage) -> Observation:
    """Write the rules slice by slice while the daemon reads them."""
    path = stage.write("rules.yaml", RULES)
    trials: list[Trial] = []
    with stage.served():
        is_sound = stage.client(RULED).seen is Seen.REFUSED
        for cut in range(0, len(RULES), 11):
            path.write_text(RULES[:cut], encoding="utf-8")
            wait_until(lambda: False, 0.05)
            trials.append(stage.client(RULED))
        path.write_text("", encoding="utf-8")
        wait_until(lambda: False, 0.8)
        trials.append(stage.client(RULED))
    said = f"{len(trials)} slices were written" if is_sound else ""
    return Observation(trials=tuple(trials), evidence=said)


def vanished(stage: Stage) -> Observation:
    """Take the rules away while the daemon runs: those that were read stay in force."""
    path = stage.write("rules.yaml", RULES)
    with stage.served():
        is_sound = stage.client(RULED).seen is Seen.REFUSED
        path.unlink()
        wait_until(lambda: False, 0.8)
        trials = tuple(map(stage.client, (RULED, DANGER, BENIGN)))
    return Observation(trials=trials, evidence="the rules were removed" if is_sound else "")


QUICK = frozenset({"empty", "cut short", "no YAML", "a pipe", "with a wrong type", "no JSON"})


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, spoil in {**FILES, **RULES_ONLY}.items():
        yield _cell("rules", fault, spoiled_rules(spoil))
    for fault, spoil in FILES.items():
        if fault not in ("blank", "of another version"):
            yield _cell("settings", fault, spoiled_settings(spoil))
    for fault in ("cut short", "no YAML", "a folder", "a pipe", "no text"):
        yield _cell("project's file", fault, spoiled_project(FILES[fault]))
    calls = (RULED, DANGER, BENIGN)
    for fault in ("empty", "cut short", "no YAML", "a pipe", "a bomb of aliases"):
        probe = spoiled_under_daemon(FILES[fault], "rules.yaml", RULES, calls)
        yield _cell("rules under the daemon", fault, probe)
    yield _cell("rules under the daemon", "written slice by slice", half_written)
    yield _cell("rules under the daemon", "removed", vanished)
    for fault, spoil in LOCKS.items():
        probe = spoiled_locks(spoil, is_served=False)
        yield _cell("locks", fault, probe, Kind.LOCKS)
    for fault in ("empty", "no JSON", "a link to nowhere"):
        probe = spoiled_locks(LOCKS[fault], is_served=True)
        yield _cell("locks under the daemon", fault, probe, Kind.LOCKS)


def _cell(component: str, fault: str, probe: Probe, kind: Kind = Kind.RULES) -> Cell:
    return Cell(component=component, fault=fault, kind=kind, probe=probe, is_quick=fault in QUICK)
