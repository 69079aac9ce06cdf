"""Browsers that another program may steer: whose pages and logins it gets with that.

chromium --remote-debugging-port=9222                             -> CONTROL, the user's own logins
chromium --remote-debugging-port=9222 --user-data-dir=/tmp/p URL  -> EXECUTE, an empty profile
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.urls import is_every_interface, is_near_url

_STEERED = ("--remote-debugging-port", "--remote-debugging-pipe", "--load-extension")
_SCRATCH = frozenset({Reach.TEMP, Reach.PROJECT})


def browser(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effect of starting a browser: a program, or a way into the user's sessions."""
    if call.has(*_STEERED) and not _is_scratch(call):
        yield call.operation(
            Verb.CONTROL, ResourceType.PROCESS, " ".join(call.texts), reach=Reach.UNKNOWN
        )
    else:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.name, reach=Reach.PROJECT)


def _is_scratch(call: ProgramCall) -> bool:
    """Tell a profile of its own in a temporary folder or the project, steered from here alone."""
    folders = call.values("--user-data-dir")
    hosts = call.values("--remote-debugging-address")
    if not folders or call.has("--load-extension", "--remote-allow-origins"):
        return False
    if not all([one.is_known and _is_this_machine(one.text) for one in hosts]):
        return False
    return all([one.is_known and locate(one.text, call.place).reach in _SCRATCH for one in folders])


def _is_this_machine(host: str) -> bool:
    return is_near_url(f"http://{host}") and not is_every_interface(host)
