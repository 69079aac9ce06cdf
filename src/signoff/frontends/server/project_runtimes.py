"""The gates of the daemon: one a project, all on one store, rebuilt when settings change.

Settings and rules are looked at a few times a second, off the loop; what is decided meanwhile is
decided by what was in force before. Settings that cannot be read refuse everything they hold for,
as they do without the daemon; bad rules leave the last good ones in force and are told in
`problems`.

    guard = await guards.at("/home/dev/project")
    decision = await guard.gate.check(action)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from signoff.actions.programs.own import OwnPrograms
from signoff.assess.rules.rule import RuleSet
from signoff.build.gate import GateParts, with_ladder
from signoff.build.judge import (
    build_programs,
    build_rules,
    reader_problem,
)
from signoff.challenge.evaluators.chosen import key_problem
from signoff.errors import SignoffError
from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.gate import Gate
from signoff.serving.time_limit import limited
from signoff.settings import PROJECT_FILE, USER_FILE, Settings, load_settings
from signoff.storage.fs_probe.mounts import Mounts
from signoff.values import replace

# Each holds compiled rules; the longest unused goes first, and is built anew when needed.
PROJECTS_LIMIT = 64
LOOK_EVERY_S = 0.15

Signature = tuple[int, int, int] | None


Value = TypeVar("Value", covariant=True)


class Pollable(Protocol[Value]):
    """Port: a value that follows files and keeps its last good state."""

    problem: str

    def current(self) -> Value:
        """Check the files and return the value in force."""


class PolledValue(Generic[Value]):
    """Caches a value between polls, so that reading it costs nothing."""

    def __init__(self, followed: Pollable[Value]) -> None:
        self._followed = followed
        self._current = followed.current()

    @property
    def problem(self) -> str:
        """What is wrong with the files, "" if nothing."""
        return self._followed.problem

    def current(self) -> Value:
        """Return the value as of the last poll."""
        return self._current

    def look(self) -> None:
        """Poll the files now."""
        self._current = self._followed.current()


class ProjectRuntime(Struct, frozen=True, kw_only=True):
    """The gates of one project, built from one state of its settings.

    Args:
        gate: for hosts with a prompt of their own, which may be asked.
        gate_alone: for hosts without one.
        gate_again: for a second event about the same call.
        gate_again_alone: the same, for hosts without a prompt.
    """

    gate: Gate
    gate_alone: Gate
    gate_again: Gate
    gate_again_alone: Gate
    settings: Settings
    rules: PolledValue[RuleSet]
    programs: PolledValue[OwnPrograms | None]
    signatures: tuple[Signature, ...]

    def gate_for(self, adapter: Adapter) -> Gate:
        """Return the gate for the calls of an adapter."""
        if adapter.repeats is not None:
            return self.gate_again if adapter.can_ask else self.gate_again_alone
        return self.gate if adapter.can_ask else self.gate_alone


class ProjectRuntimes:
    """Builds and caches the gates of projects.

    Args:
        gates: what all gates of this process share; its probe keeps no loop waiting.
        mounts: what is mounted where, followed as settings are.
        bundle_file: where the bundle of this machine is kept, followed as settings are.
        port: where the daemon listens, whatever settings say; None = where they say.
    """

    def __init__(
        self,
        *,
        config_dir: str,
        gates: GateParts,
        ladders: ChannelManager,
        mounts: Mounts,
        bundle_file: str = "",
        port: int | None = None,
    ) -> None:
        self._gates, self._ladders, self._mounts = gates, ladders, mounts
        self._shared_files = (os.path.join(config_dir, USER_FILE), bundle_file)
        self._port = port
        self._guards: OrderedDict[tuple[str, str], ProjectRuntime] = OrderedDict()
        self._building = threading.Lock()
        self._settings_problem = ""

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with parsers, settings, rules and the model; () if nothing."""
        guards = list(self._guards.values())
        keys = (key_problem(g.settings.evaluator, g.settings.evaluator_key) for g in guards)
        said = [reader_problem(), self._settings_problem, *(g.rules.problem for g in guards)]
        said += [*(g.programs.problem for g in guards), *keys]
        return tuple(dict.fromkeys(problem for problem in said if problem))

    def kept(self) -> tuple[tuple[str, ProjectRuntime], ...]:
        """Return the cached runtimes, with the root of their project."""
        return tuple((project, guard) for (project, _), guard in list(self._guards.items()))

    def in_force(self) -> list[dict[str, str | int]]:
        """Return for each cached project its pack and number of rules, as JSON data."""
        return [
            {
                "project": project,
                "pack": guard.settings.pack.value,
                "rules": len(guard.rules.current().rules),
                "digest": guard.rules.current().digest,
            }
            for project, guard in dict(self.kept()).items()  # of several users they are alike
        ]

    async def at(self, project: str, home: str = "") -> ProjectRuntime:
        """Return the runtime of the project at this root, "" for none.

        Args:
            home: home folder of the calling user, "" = that of the daemon's user.

        Raises:
            SignoffError: settings or rules are not valid, so every call is denied.
        """
        known = self._guards.get((project, home))
        if known is None:
            return await asyncio.to_thread(self._build, project, home)
        # Another thread may have taken it out just now; it decides for this call all the same.
        with contextlib.suppress(KeyError):
            self._guards.move_to_end((project, home))
        return known

    async def keep_current(self) -> None:
        """Poll settings and rules until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await asyncio.to_thread(self._look)

    def _look(self) -> None:
        """Look at all settings, rules and mounts once."""
        self._mounts.look()
        # A copy: calls build guards in other threads meanwhile.
        for (project, home), guard in list(self._guards.items()):
            # A new gate, not a changed one: calls that are being decided keep the old settings.
            if guard.signatures != self._signatures(project):
                # Gone until it can be rebuilt: calls meanwhile build it, or are refused.
                self._guards.pop((project, home), None)
                try:
                    self._build(project, home)
                except SignoffError:
                    continue
                continue
            guard.rules.look()
            guard.programs.look()

    def _build(self, project: str, home: str) -> ProjectRuntime:
        """Build the guard of a project; the longest unused makes room for it."""
        # Two first calls of a project must not build two gates: grants would count in one only.
        with self._building:
            known = self._guards.get((project, home))
            if known is not None:
                return known
            # Before the files are read: a change in between is then seen by the next look.
            signatures = self._signatures(project)
            try:
                settings = self._settings(project, home)
                rules = PolledValue(build_rules(settings))
                programs = PolledValue(build_programs(settings))
                asking = self._ladders.ladder(settings, can_ask=True)
                gate = self._gates.gate(settings, ladder=asking, rules=rules, programs=programs)
                gate.judge = limited(gate.judge)  # it runs on the loop, where all others wait
                alone = self._ladders.ladder(settings, can_ask=False)
                again, again_alone = (
                    self._ladders.ladder(settings, can_ask=can_ask, is_second=True)
                    for can_ask in (True, False)
                )
            except SignoffError as error:
                self._settings_problem = str(error)
                raise
            self._settings_problem = ""
            guard = ProjectRuntime(
                gate=gate,
                gate_alone=with_ladder(gate, alone),
                gate_again=with_ladder(gate, again),
                gate_again_alone=with_ladder(gate, again_alone),
                settings=settings,
                rules=rules,
                programs=programs,
                signatures=signatures,
            )
            self._guards[project, home] = guard
            while len(self._guards) > PROJECTS_LIMIT:
                self._guards.popitem(last=False)
            return guard

    def _settings(self, project: str, home: str) -> Settings:
        """Read the settings of a project; the port is the one that is really listened on."""
        settings = load_settings(project)
        settings = replace(settings, home=home) if home else settings
        return settings if self._port is None else replace(settings, port=self._port)

    def _signatures(self, project: str) -> tuple[Signature, ...]:
        files = (*self._shared_files, os.path.join(project, PROJECT_FILE) if project else "")
        return tuple(_signature(file) for file in files)


def _signature(file: str) -> Signature:
    """Return what changes when the file does, None if there is none."""
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return None
    # The inode tells a file that was replaced within one tick of the clock, at the same length.
    return found.st_mtime_ns, found.st_size, found.st_ino
