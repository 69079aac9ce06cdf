"""Firewalls: rules shown, changed, and switched off.

Showing rules is free, a rule more or less is asked about, emptying the rules or switching the
firewall off is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_NETWORK, WEAKEN_PROTECTION


def packet_filter(call: ProgramCall) -> Iterator[Effect]:
    """`iptables`: `-L` and `-S` show; `-F`, `-X` and an accepting policy open everything."""
    if call.has("-L", "--list", "-S", "--list-rules", "-C", "--check", "-nL", "-vL", "-nvL"):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
        return
    opened = call.has("-P", "--policy") and "ACCEPT" in {t.upper() for t in call.texts}
    emptied = call.has("-F", "--flush", "-X", "--delete-chain")
    yield from call.perform(WEAKEN_PROTECTION if opened or emptied else CONFIGURE_NETWORK)


def tables(call: ProgramCall) -> Iterator[Effect]:
    """`nft list|add|delete|flush ...`; `-f FILE` loads rules."""
    texts = call.texts
    if texts[:1] in (("list",), ("monitor",), ("describe",), ("get",)) or call.has("-c", "--check"):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif texts[:1] in (("flush",), ("destroy",)) or texts[:2] in (
        ("delete", "table"),
        ("delete", "chain"),
    ):
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from (call.on_file(Verb.READ, w) for w in call.values("-f", "--file"))
        yield from call.perform(CONFIGURE_NETWORK)


def firewall_daemon(call: ProgramCall) -> Iterator[Effect]:
    """`firewall-cmd`: options are the commands."""
    names = [o.name for o in call.options]
    looks = (
        "--list",
        "--get",
        "--query",
        "--state",
        "--info",
        "--path",
        "--zone",
        "--permanent",
        "--check-config",
    )
    if all(name.startswith(looks) for name in names):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif call.has("--panic-off") or "--set-default-zone=trusted" in call.command.source:
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_NETWORK)


OPEN = (("default", "allow"), ("logging", "off"))


def simple(call: ProgramCall) -> Iterator[Effect]:
    """`ufw status|enable|disable|reset|allow ...`."""
    what = call.texts[0] if call.operands else ""
    if what in {"status", "show", "version", "app"} or call.has("--dry-run"):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif what in {"disable", "reset"} or call.texts[:2] in OPEN:
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_NETWORK)


def packet_filter_bsd(call: ProgramCall) -> Iterator[Effect]:
    """`pfctl`: `-s` shows, `-d` switches off, `-F all` empties."""
    if call.has("-d", "-F"):
        yield from call.perform(WEAKEN_PROTECTION)
    elif call.has("-s", "-n", "-vnf"):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    else:
        yield from call.perform(CONFIGURE_NETWORK)
