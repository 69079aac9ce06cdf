"""The resident guard: does it run, can it judge and record, and what does it say is wrong.

Hooks may start one at a call, so one that does not run is a problem only where it could not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import metadata

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.evaluators.chosen import PROBLEM as EVALUATOR
from signoff.challenge.evaluators.chosen import key_problem
from signoff.frontends.client.places import Places
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.doctor.port import free_port, is_taken, whose_port
from signoff.frontends.server.control import NotRunning, ask
from signoff.frontends.server.instance import foreign_holder, running_process
from signoff.settings import Settings, WithoutDaemon
from signoff.storage.locks.lock import LockScope
from signoff.storage.locks.lock_file import LockFile

ABOUT = "daemon"
NOT_RUNNING: Mapping[WithoutDaemon, str] = {
    WithoutDaemon.START: "not running; it is started at a call",
    WithoutDaemon.IN_PROCESS: "not running; each is judged at a call",
}


def check_daemon(settings: Settings) -> Iterator[DoctorCheck]:
    """Yield checks of the daemon and of the locks in force."""
    places = Places(settings.state_dir)
    try:
        health, status = ask(places, "/readyz"), ask(places, "/v1/status")
    except NotRunning:
        yield _silent(settings, places)
        yield from _model(settings, key_problem(settings.evaluator, settings.evaluator_key))
    else:
        yield _healthy(health)
        yield _version(status)
        yield from _problems(status)
        yield from _model(settings, next(filter(_is_of_model, _said(status)), ""))
    yield from _locks(settings)


class DaemonRules(Struct, frozen=True, kw_only=True):
    """The rules the daemon uses for one project: their number and digest."""

    rules: int
    digest: str


def daemon_rules(settings: Settings) -> DaemonRules | None:
    """Return the daemon's rules for this project; None if it does not run or has none yet."""
    try:
        status = ask(Places(settings.state_dir), "/v1/status")
    except NotRunning:
        return None
    found = status.get("in_force")
    for one in found if isinstance(found, list) else ():
        match one:
            case {"project": settings.project, "rules": int(rules), "digest": str(digest)}:
                return DaemonRules(rules=rules, digest=digest)
    return None


def _healthy(health: Mapping[str, Json]) -> DoctorCheck:
    said = health.get("status")
    if said == "ok":
        return DoctorCheck(about=ABOUT, is_good=True, said="it runs, judges and records")
    why = f" ({health['reason']})" if health.get("reason") else ""
    words = f"it runs and says `{said}`{why}: every call is refused"
    fix = "fix what is said of the record, then run `signoff down` and `signoff up`"
    return DoctorCheck(about=ABOUT, is_good=False, said=words, fix=fix)


def _version(status: Mapping[str, Json]) -> DoctorCheck:
    mine, theirs = metadata.version("signoff"), status.get("version")
    if theirs == mine:
        return DoctorCheck(about=ABOUT, is_good=True, said=f"it runs this version, {mine}")
    said = f"it is of version {theirs}, this is {mine}"
    return DoctorCheck(
        about=ABOUT, is_good=False, said=said, fix="run `signoff up`: it is replaced"
    )


def _problems(status: Mapping[str, Json]) -> Iterator[DoctorCheck]:
    """Pass on what the daemon itself calls a problem."""
    fix = (
        "fix what it names; it is read again within a second. If that is as you want it:"
        " `signoff down`, `signoff up`"
    )
    for problem in (one for one in _said(status) if not _is_of_model(one)):
        yield DoctorCheck(about=ABOUT, is_good=False, said=problem, fix=fix)


def _said(status: Mapping[str, Json]) -> list[str]:
    problems = status.get("problems")
    return [str(problem) for problem in problems] if isinstance(problems, list) else []


def _is_of_model(problem: str) -> bool:
    return problem.startswith(f"{EVALUATOR}:")


def _model(settings: Settings, problem: str) -> Iterator[DoctorCheck]:
    """Tell whether the model that is configured can be asked; nothing where none is.

    Args:
        problem: why it cannot: where a daemon runs, its environment counts and not ours.
    """
    chosen = settings.evaluator
    if chosen is None:
        return
    if problem:
        fix = "do so, or take the section `evaluator` out of signoff.yaml"
        yield DoctorCheck(about=EVALUATOR, is_good=False, said=problem, fix=fix)
        return
    said = f"`{chosen.model}` is asked before people, up to {chosen.up_to.value}"
    yield DoctorCheck(about=EVALUATOR, is_good=True, said=said)


def _silent(settings: Settings, places: Places) -> DoctorCheck:
    """Tell of a daemon that does not answer: hung, not there, or unable to start."""
    # First: while this one holds its place, no other can start.
    if pid := running_process(places):
        said = f"process {pid} holds its place and does not answer: every call is refused"
        fix = "run `signoff up`: it ends that process and starts another"
        return DoctorCheck(about=ABOUT, is_good=False, said=said, fix=fix)
    if pid := foreign_holder(places):
        said = f"it cannot start: process {pid} locks `{places.lock}` and is no signoff server"
        fix = "end that process, then run `signoff up`"
        return DoctorCheck(about=ABOUT, is_good=False, said=said, fix=fix)
    if settings.without_daemon is WithoutDaemon.REFUSE:
        said = "not running: every call is refused"
        return DoctorCheck(about=ABOUT, is_good=False, said=said, fix="run `signoff up`")
    # Only here: where no daemon is started, nobody needs the port.
    if settings.without_daemon is WithoutDaemon.START and is_taken(settings.port):
        said = f"it cannot start: {whose_port(settings.port)} listens on port {settings.port}"
        fix = f"run `signoff up --port {free_port() or 'N'}`: it listens there from then on"
        return DoctorCheck(about=ABOUT, is_good=False, said=said, fix=fix)
    return DoctorCheck(about=ABOUT, is_good=True, said=NOT_RUNNING[settings.without_daemon])


def _locks(settings: Settings) -> Iterator[DoctorCheck]:
    """Name what is locked: a canary that a lock refused says nothing of the judgement."""
    for lock in LockFile(settings.locks_file).locks():
        is_all = lock.scope is LockScope.ALL
        fix = "run `signoff unlock` once it may go on" if is_all else ""
        yield DoctorCheck(about="locks", is_good=not is_all, said=str(lock), fix=fix)
