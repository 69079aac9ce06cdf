"""Settings in, a ready gate out.

gate = build_gate()                          # as configured for this user
gate = build_gate(load_settings(project))    # and for the project at this root

A daemon has many gates on the same parts:

    parts = build_gate_parts(shared, store=store, handlers=handlers, probe=probe)
    gate = parts.gate(settings, ladder=ladder)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

import signoff
from signoff.assess.level import Level
from signoff.build.approvals import LazyApprovals
from signoff.build.judge import (
    ProgramsSource,
    RulesSource,
    Trust,
    build_judge,
    build_memory,
    load_settings_here,
    no_trust,
)
from signoff.build.requests import build_fleet
from signoff.build.shared import SharedParts
from signoff.build.stores import build_store
from signoff.challenge.evaluator import Evaluator
from signoff.challenge.ladder import Ladder, OutcomeRecorder, Standing
from signoff.challenge.people.host_prompt import HostChannel
from signoff.challenge.request import Channel
from signoff.decide.decision import Enforcement, always_enforce
from signoff.effects.dispatch import Effects, Handler
from signoff.effects.learning.trust_ledger import SharedAnswers, TrustLedger, TrustMark
from signoff.effects.store import Origin, Store
from signoff.gate import Gate
from signoff.settings import ChannelName, Settings
from signoff.storage.confirmed.beside import SharedEnforcement
from signoff.storage.confirmed.head import FILE as CONFIRMED
from signoff.storage.confirmed.head import SealedEnforcement
from signoff.storage.fs_probe.probe import HERE, FileProbe
from signoff.storage.installation import installation_key, this_machine
from signoff.storage.locks.lock_file import HoldLocks, LockFile
from signoff.storage.reading import Readable
from signoff.values import replace

TRUST_ENTRIES = 100_000  # newest entries of the record that trust is worked out of


def unwatched(gate: Gate) -> Gate:
    """Return the gate unchanged: the default for `GateParts.watch`."""
    return gate


class GateParts(Struct, frozen=True, kw_only=True):
    """What all gates of a process share.

    Args:
        probe: reads the file system for facts and locks.
        watch: returns a gate that decides the same and tells how long each step took.
    """

    store: Store
    effects: Effects
    locks: LockFile
    probe: FileProbe
    enforcement: Callable[[], Enforcement] = always_enforce
    trust: Trust = no_trust
    watch: Callable[[Gate], Gate] = unwatched

    def gate(
        self,
        settings: Settings,
        *,
        ladder: Ladder,
        rules: RulesSource | None = None,
        programs: ProgramsSource | None = None,
    ) -> Gate:
        """Build the gate these settings describe.

        Args:
            rules, programs: give what is in force instead of what follows the configured files.
        """
        return self.watch(
            Gate(
                build_memory(
                    settings, self.store, looking=self.probe, programs=programs, trust=self.trust
                ),
                build_judge(settings, rules=rules),
                ladder=ladder,
                effects=self.effects,
                locks=self.locks,
                enforcement=self.enforcement,
            )
        )


def build_gate_parts(
    shared: SharedParts,
    *,
    store: Store,
    handlers: Sequence[Handler] = (),
    probe: FileProbe = HERE,
    held: HoldLocks = lambda locks: locks,
    enforcement: Callable[[], Enforcement] = always_enforce,
) -> GateParts:
    """Build what all gates of a process share.

    Args:
        held: adds the locks that still hold although they are gone from the file.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    return GateParts(
        store=store,
        effects=Effects(
            store,
            shared.redactor,
            origin=_origin(shared.settings),
            handlers=handlers,
        ),
        locks=LockFile(shared.settings.locks_file, probe.moment, held),
        probe=probe,
        enforcement=enforcement,
    )


def _origin(settings: Settings) -> Origin:
    """Return where records come from; in a shared store the host is called as its node is."""
    machine = this_machine(signoff.__version__)
    return replace(machine, host=settings.store.node) if settings.store else machine


def with_trust(parts: GateParts, book: TrustLedger | None) -> GateParts:
    """Return the same parts with risk adjusted by trust in agents; unchanged for None."""
    return parts if book is None else replace(parts, trust=book.of)


def build_gate(
    settings: Settings | None = None,
    *,
    channels: Sequence[Channel] | None = None,
    store: Store | None = None,
    handlers: Sequence[Handler] = (),
    rules: RulesSource | None = None,
) -> Gate:
    """Build the gate these settings describe, with all its parts.

    Args:
        settings: None = those of this user and of the project around the working folder.
        channels: asked in order instead of the configured ones; () = nobody is asked.
        store: keeps the record instead of the configured file.
        rules: gives the rules in force instead of what follows the configured files.

    Raises:
        BadSettings: a settings file or variable is refused.
        StoreError: the key of this installation cannot be made or read.
    """
    shared = SharedParts(settings or load_settings_here())
    kept = store or build_store(shared.settings)
    sealed = sealed_enforcement(shared.settings)
    trust = build_trust(shared.settings, kept, sealed.trust)
    # Trust learns from decisions like any handler: after their record, and without a say in them.
    told = handlers if trust is None else (*handlers, trust)
    parts = build_gate_parts(
        shared, store=kept, handlers=told, held=sealed.held, enforcement=sealed
    )
    ladder = _ladder_here(shared) if channels is None else Ladder(channels)
    return with_trust(parts, trust).gate(shared.settings, ladder=ladder, rules=rules)


def build_trust(
    settings: Settings,
    store: Store,
    marks: Callable[[], tuple[TrustMark, ...]],
    shared: SharedAnswers | None = None,
) -> TrustLedger | None:
    """Build the ledger of trust in agents from the audit log; None if trust is off.

    Args:
        marks: what people set about agents.
        shared: what people answered on all nodes, where they share trust.
        marks: gives what people set about agents.

    Raises:
        StoreError: the record cannot be read.
    """
    if not settings.uses_trust:
        return None
    book = TrustLedger(marks, shared=shared)
    if isinstance(store, Readable):
        book.load(store.entries(first=max(1, store.head().seq - TRUST_ENTRIES)))
    return book


def sealed_enforcement(settings: Settings) -> SealedEnforcement:
    """Build a reader of the enforcement mode for a process outside the daemon.

    Raises:
        StoreError: the key of all nodes cannot be used.
    """
    path, fleet = os.path.join(settings.state_dir, CONFIRMED), build_fleet(settings)
    key = partial(installation_key, settings.key_file)
    return SealedEnforcement(path, key) if fleet is None else SharedEnforcement(path, key, fleet)


def build_ladder(
    settings: Settings,
    channels: Sequence[Channel],
    *,
    evaluator: Evaluator | None,
    standing: Standing,
    outcomes: OutcomeRecorder,
) -> Ladder:
    """Build the order of asking: grants, then the model, then the channels.

    Args:
        evaluator: None = no model is asked.
        standing: finds grants.
        outcomes: records how allowed calls end.
    """
    return Ladder(
        channels,
        evaluator=evaluator,
        standing=standing,
        outcomes=outcomes,
        model_up_to=settings.evaluator.up_to.level if settings.evaluator else Level.HIGH,
    )


def with_ladder(gate: Gate, ladder: Ladder) -> Gate:
    """Return a gate with the same parts that asks through another ladder."""
    return Gate(
        gate.memory,
        gate.judge,
        ladder=ladder,
        effects=gate.effects,
        locks=gate.locks,
        enforcement=gate.enforcement,
    )


def _ladder_here(shared: SharedParts) -> Ladder:
    """Build who is asked where no daemon is: people and grants are built at the first question."""
    asking = LazyApprovals(shared)
    return build_ladder(
        shared.settings,
        build_channels(asking),
        evaluator=shared.evaluator(asking),
        standing=asking,
        outcomes=asking,
    )


def build_channels(asking: LazyApprovals) -> tuple[Channel, ...]:
    """Build the configured channels, in order.

    All channels on which people answer later (messengers, web) are one `PeopleChannel`.
    """
    configured = asking.shared.settings.channels
    names = dict.fromkeys(name == ChannelName.HOST for name in configured)
    return tuple(HostChannel() if is_host else asking for is_host in names)
