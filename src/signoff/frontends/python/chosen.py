"""Which gate decides where a program names none, as the setting `python.decides` says.

    auto        the daemon if one runs, else this process (default)
    daemon      the daemon; without one every call is denied
    in_process  this process

checker = chosen_checker()        built once a process
"""

from __future__ import annotations

import functools
import os
import threading

from signoff.actions.action import Action
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.decide.decision import Decision
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.client import Client
from signoff.gate import Gate
from signoff.settings import PythonDecides, Settings


class DaemonOrHere:
    """Decides through the daemon if one runs, else in this process.

    A call that a daemon took in is decided there or denied: it never moves to this process.
    """

    def __init__(self, client: Client, settings: Settings) -> None:
        self._client, self._settings = client, settings
        self._building = threading.Lock()
        self._gate: Gate | None = None

    def current(self) -> Checker:
        """Return the gate or client that decides now."""
        # For each call: a daemon may start or end while the program runs.
        return self._client if self._client.is_there() else self._here()

    async def check(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action."""
        return await self.current().check(action, patience)

    async def finish(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended."""
        return await self.current().finish(decision, has_failed=has_failed)

    async def refuse(self, action: Action, reason: str) -> Decision:
        """Deny the action."""
        return await self.current().refuse(action, reason)

    def check_now(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action, from code that is not async."""
        return self.current().check_now(action, patience)

    def finish_now(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended, from code that is not async."""
        if decision.answer is None or not decision.answer.request_id:
            return False
        return self.current().finish_now(decision, has_failed=has_failed)

    def refuse_now(self, action: Action, reason: str) -> Decision:
        """Deny the action, from code that is not async."""
        return self.current().refuse_now(action, reason)

    def _here(self) -> Gate:
        """Return the gate of this process, built at its first call."""
        # Two threads with a first call would build two gates, each with sessions of its own.
        with self._building:
            if self._gate is None:
                self._gate = _built(self._settings)
            return self._gate


def chosen_checker(settings: Settings | None = None) -> Checker:
    """Return the gate or client that decides for this user.

    Args:
        settings: None = those of this user and of the project around the working folder.

    Raises:
        BadSettings: a settings file or variable is refused.
        StoreError: the key of this installation cannot be made or read.
    """
    if settings is not None:
        return _chosen(settings)
    return _of_process(os.getpid())


@functools.lru_cache(maxsize=1)
def _of_process(_: int) -> Checker:
    """Choose once a process: a fork gets connections and locks of its own."""
    from signoff.build.judge import load_settings_here  # noqa: PLC0415 - `import signoff` stays light

    return _chosen(load_settings_here())


def _chosen(settings: Settings) -> Checker:
    match settings.python_decides:
        case PythonDecides.DAEMON:
            return Client()
        case PythonDecides.IN_PROCESS:
            return _built(settings)
        case PythonDecides.AUTO:
            return DaemonOrHere(Client(), settings)


def _built(settings: Settings) -> Gate:
    from signoff.build.gate import build_gate  # noqa: PLC0415 - `import signoff` stays light

    return build_gate(settings)
