"""Firewalls: rules shown, changed, and switched off.

Showing rules is free, a rule more or less is asked about, emptying the rules or switching the
firewall off is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Thing, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    LOOK,
    NETWORK_SET,
    PROTECTION_OFF,
    SERVICE,
    setting,
)


def packet_filter(call: Call) -> Iterator[Effect]:
    """`iptables`: `-L` and `-S` show; `-F`, `-X` and an accepting policy open everything."""
    if call.has("-L", "--list", "-S", "--list-rules", "-C", "--check", "-nL", "-vL", "-nvL"):
        yield call.operation(Verb.READ, Thing.NETWORK)
        return
    opened = call.has("-P", "--policy") and "ACCEPT" in {t.upper() for t in call.texts}
    emptied = call.has("-F", "--flush", "-X", "--delete-chain")
    yield from call.perform(PROTECTION_OFF if opened or emptied else NETWORK_SET)


def tables(call: Call) -> Iterator[Effect]:
    """`nft list|add|delete|flush ...`; `-f FILE` loads rules."""
    texts = call.texts
    if texts[:1] in (("list",), ("monitor",), ("describe",), ("get",)) or call.has("-c", "--check"):
        yield call.operation(Verb.READ, Thing.NETWORK)
    elif texts[:1] in (("flush",), ("destroy",)) or texts[:2] in (
        ("delete", "table"),
        ("delete", "chain"),
    ):
        yield from call.perform(PROTECTION_OFF)
    else:
        yield from (call.on_file(Verb.READ, w) for w in call.values("-f", "--file"))
        yield from call.perform(NETWORK_SET)


def firewall_daemon(call: Call) -> Iterator[Effect]:
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
        yield call.operation(Verb.READ, Thing.NETWORK)
    elif call.has("--panic-off") or "--set-default-zone=trusted" in call.command.source:
        yield from call.perform(PROTECTION_OFF)
    else:
        yield from call.perform(NETWORK_SET)


def simple(call: Call) -> Iterator[Effect]:
    """`ufw status|enable|disable|reset|allow ...`."""
    what = call.texts[0] if call.operands else ""
    if what in {"status", "show", "version", "app"} or call.has("--dry-run"):
        yield call.operation(Verb.READ, Thing.NETWORK)
    elif what in {"disable", "reset"} or call.texts[:2] == ("default", "allow"):
        yield from call.perform(PROTECTION_OFF)
    else:
        yield from call.perform(NETWORK_SET)


def packet_filter_bsd(call: Call) -> Iterator[Effect]:
    """`pfctl`: `-s` shows, `-d` switches off, `-F all` empties."""
    if call.has("-d", "-F"):
        yield from call.perform(PROTECTION_OFF)
    elif call.has("-s", "-n", "-vnf"):
        yield call.operation(Verb.READ, Thing.NETWORK)
    else:
        yield from call.perform(NETWORK_SET)


PROGRAMS: tuple[Program, ...] = (
    program(
        "iptables ip6tables iptables-nft iptables-legacy ebtables arptables",
        handler=packet_filter,
        values="-t --table -p --protocol -s --source -d --destination -j --jump -i -o -m --match "
        "--dport --sport --to-destination --to-source --state --ctstate",
    ),
    program("iptables-save ip6tables-save ebtables-save", LOOK),
    setting(
        "iptables-restore ip6tables-restore iptables-apply ebtables-restore",
        NETWORK_SET,
        harmless="-t --test",
    ),
    setting(
        "ipset",
        NETWORK_SET,
        subs={"list save test help version": LOOK, "flush destroy": PROTECTION_OFF},
    ),
    program("nft", handler=tables, values="-f --file -I --includepath"),
    program(
        "firewall-cmd firewall-offline-cmd", handler=firewall_daemon, values="--zone --timeout"
    ),
    program("ufw gufw", handler=simple),
    program("pfctl ipfw", handler=packet_filter_bsd, values="-a -t -f -F -s"),
    setting(
        "shorewall shorewall6 ferm csf apf pve-firewall xdp-filter xdp-loader",
        NETWORK_SET,
        subs={
            "status show check version compile localnet simulate": LOOK,
            "clear": PROTECTION_OFF,
            "stop": PROTECTION_OFF,
            "restart": SERVICE,
        },
        acting={"-x -f": PROTECTION_OFF, "-l -t": LOOK},
    ),
    setting("opensnitchd opensnitch-ui", NETWORK_SET),
)
