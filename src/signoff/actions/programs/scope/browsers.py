"""Browsers started so that another program can control them, and whose logins it gets.

chromium --remote-debugging-port=9222                             -> CONTROL, the user's own logins
chromium --remote-debugging-port=9222 --user-data-dir=/tmp/p URL  -> EXECUTE, an empty profile
chromium --user-data-dir=/tmp/p --load-extension=./dist URL       -> the same, the project's own
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Word
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
    if not folders or call.has("--remote-allow-origins"):
        return False
    loaded = [one for option in call.values("--load-extension") for one in _parts(option)]
    if not all([locate(one, call.place).reach is Reach.PROJECT for one in loaded]):
        return False
    if not all([one.is_known and _is_this_machine(one.text) for one in hosts]):
        return False
    return all([one.is_known and locate(one.text, call.place).reach in _SCRATCH for one in folders])


def _parts(word: Word) -> list[str]:
    """The folders of a list of extensions; one that is not known is nowhere."""
    return word.text.split(",") if word.is_known and word.text else ["/"]


def _is_this_machine(host: str) -> bool:
    return is_near_url(f"http://{host}") and not is_every_interface(host)
