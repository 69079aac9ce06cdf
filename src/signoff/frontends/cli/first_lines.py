"""What several commands say alike: how people and models are asked, and that the port has moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from signoff.actions.action import Json
from signoff.assess.challenges import PLACE
from signoff.assess.level import Level
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.plan import LEVEL_REVIEW_S, PROOF_REVIEW_S
from signoff.challenge.terms.step import ProofKind
from signoff.frontends.client.found import places_of
from signoff.frontends.doctor.asking import asking_lines, channels_of, more_ways, ways_on
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.doctor.hosts import HostFolders, guarded_here
from signoff.frontends.server.control import NotRunning, ask
from signoff.settings import PORT, USER_FILE, Settings

USUAL_PROOF = {
    Level.LOW: ProofKind.CONFIRM,
    Level.MEDIUM: ProofKind.CONFIRM,
    Level.HIGH: ProofKind.QUIZ,
    Level.CRITICAL: ProofKind.TEACH_BACK,
}
LABEL = "asked"
MODEL = "model"
PROOFS = "proofs"
ALONE = (
    "WARNING: one person alone may approve what is CRITICAL (`approval.parties: 1`); the"
    " explanation and 30 seconds of reading stay"
)


def asked_lines(settings: Settings) -> Iterator[str]:
    """Yield, for each guarded agent, where its questions go and how to change that."""
    channels = asked_channels(settings)
    folders = HostFolders(home=Path.home(), project=Path.cwd())
    hosts = guarded_here(folders, channels, answer_s=settings.limits.answer_timeout_s)
    for line in asking_lines(settings, hosts, channels=channels):
        yield f"{LABEL:<9} {line}"


def model_lines(settings: Settings) -> Iterator[str]:
    """Yield which model is asked before people; nothing if none is configured."""
    if chosen := settings.evaluator:
        yield (
            f"{MODEL:<9} {chosen.model} is asked before people, may approve up to"
            f" {chosen.up_to.value}, {chosen.daily_budget_cents:g} cents a day"
        )


def proof_lines(settings: Settings) -> Iterator[str]:
    """Yield which proofs differ from the defaults.

    First, if so, that one approver alone can approve CRITICAL calls.
    """
    if settings.approval.parties == 1:
        yield f"{PROOFS:<9} {ALONE}"
    least_s = {**PROOF_REVIEW_S, ProofKind.CONFIRM: settings.limits.min_review_s}
    for level, seconds in settings.approval.review_s.items():
        proof = USUAL_PROOF[level]
        # A figure that nobody has changed is nobody's mistake.
        if seconds < least_s[proof] and seconds != LEVEL_REVIEW_S[level]:
            yield (
                f"{PROOFS:<9} `approval.review_s` of {level.name.lower()}: {seconds:g} seconds have"
                f" no effect: reading takes at least {least_s[proof]:g} before a {proof.value}"
            )
    for whose, said in (
        ("yours", settings.challenges),
        ("this project's, where stronger", settings.stronger_challenges),
    ):
        if said:
            yield f"{PROOFS:<9} {PLACE} ({whose}): {str(said).replace(';', ', ')}"


def check_asking(
    settings: Settings, folders: HostFolders, only: Sequence[str]
) -> Iterator[DoctorCheck]:
    """Yield the doctor's checks of where questions go; a problem is only a host that denies them.

    Args:
        only: names of hosts to check; () = all.
    """
    channels = asked_channels(settings)
    for line in proof_lines(settings):
        yield DoctorCheck(about=PROOFS, is_good=True, said=line.removeprefix(PROOFS).strip())
    hosts = [
        one
        for one in guarded_here(folders, channels, answer_s=settings.limits.answer_timeout_s)
        if not only or one.host in only
    ]
    for one in hosts:
        fix = more_ways(settings) if one.is_refused else ""
        yield DoctorCheck(
            about=one.host, is_good=not fix, said=f"questions go to {one.said}", fix=fix
        )
    shown = {more_ways(settings)} if any(one.is_refused for one in hosts) else set[str]()
    for said in ways_on(settings, hosts, channels=channels):
        if said not in shown:
            yield DoctorCheck(about=LABEL, is_good=True, said=said)


def moved_said(settings: Settings, port: int) -> str:
    """Return a message that the usual port was taken and which one is used instead."""
    return (
        f"port {PORT} is taken, so your daemon listens on {port}"
        f" (kept in {settings.config_dir}/{USER_FILE})"
    )


def asked_channels(settings: Settings) -> tuple[str, ...]:
    """Return where people are asked now.

    As the running daemon says, or as one started now would.
    """
    try:
        said = ask(places_of(settings), "/v1/status")
    except NotRunning:
        return channels_of(settings)
    return () if said.get("mode") == Mode.LOCAL.value else channels_of(settings, _channels(said))


def told_channels(settings: Settings) -> dict[str, Json] | None:
    """Return the running daemon's channels and their states, None if none runs."""
    try:
        return _channels(ask(places_of(settings), "/v1/status"))
    except NotRunning:
        return None


def _channels(said: Mapping[str, Json]) -> dict[str, Json]:
    found = said.get("channels")
    return found if isinstance(found, dict) else {}
