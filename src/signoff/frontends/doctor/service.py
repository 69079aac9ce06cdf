"""The daemon as a service: is it installed, does it answer, who could reach its files.

for check in check_service():
    ...
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator

from signoff.frontends.client.found import service_here
from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import ServiceLayout
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.server.control import NotRunning, ask
from signoff.frontends.service.trust import code_paths, untrusted

if sys.platform != "win32":
    import pwd

ABOUT = "service"
INSTALL = "run `sudo signoff service install`"
RECOMMENDED = (
    "not installed: agents can reach signoff's files, as both run as the same user. For agents"
    " that work alone: `sudo signoff service install`"
)


def check_service(*, is_for_agents: bool = False) -> Iterator[DoctorCheck]:
    """Yield checks of the system service; without one, recommend it.

    Args:
        is_for_agents: True if this process runs as the user that agents run as.
    """
    service = service_here()
    if service is None:
        yield DoctorCheck(about=ABOUT, is_good=True, said=RECOMMENDED)
        return
    problems = [*_problems(service)]
    if is_for_agents and os.geteuid() == 0:
        problems.append(_bad("agents of root can change everything", "run them as another user"))
    yield from problems
    if not problems:
        said = f"it runs as `{service.user}` on {service.socket}, judges and records"
        yield DoctorCheck(about=ABOUT, is_good=True, said=said)


def _problems(service: ServiceLayout) -> Iterator[DoctorCheck]:
    try:
        user = pwd.getpwnam(service.user).pw_uid
    except KeyError:
        yield _bad(f"the user `{service.user}` is missing", INSTALL)
        return
    for folder in (service.state, service.config):
        if said := _reachable(folder, user):
            yield _bad(said, INSTALL)
    yield from _answers(service, user)
    if problem := untrusted(code_paths()):
        fix = "install signoff where only root can write, then run `signoff install` again"
        yield _bad(f"the code that hooks run can be changed: {problem}", fix)


def _reachable(folder: str, user: int) -> str:
    """Return why others than the service's user can reach a folder, "" if nobody can."""
    try:
        found = os.lstat(folder)
    except OSError as error:
        return f"`{folder}`: {error.strerror}"
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid == user and mode == 0o700:
        return ""
    return f"`{folder}` has mode {mode:04o} and belongs to user {found.st_uid}, not 0700 of {user}"


def _answers(service: ServiceLayout, user: int) -> Iterator[DoctorCheck]:
    fix = "`systemctl status signoff` says why"
    try:
        owner = os.stat(service.socket).st_uid
        health = ask(Places(service.state), "/readyz").get("status")
        problems = ask(Places(service.state), "/v1/status").get("problems")
    except (OSError, NotRunning):
        yield _bad(f"nobody answers on {service.socket}: every call is refused", fix)
        return
    # Whoever owns the socket answers every hook, and could let everything through.
    if owner != user:
        yield _bad(f"{service.socket} belongs to user {owner}, not to `{service.user}`", INSTALL)
    if health != "ok":
        yield _bad(f"it says `{health}`: every call is refused", fix)
    for problem in problems if isinstance(problems, list) else ():
        yield _bad(str(problem), "fix what it names; `sudo signoff status` says more")


def _bad(said: str, fix: str) -> DoctorCheck:
    return DoctorCheck(about=ABOUT, is_good=False, said=said, fix=fix)
