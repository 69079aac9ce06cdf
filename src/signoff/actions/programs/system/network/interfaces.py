"""Interfaces, routes, names, wireless, tunnels: showing is free, changing is asked about."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    INERT,
    LISTENS,
    LOOK,
    LOOK_UP,
    NETWORK_SET,
    SECRET_SET,
    SHOWS_SECRET,
    SYSTEM_SET,
    setting,
)

IP_LOOKS = words("show list lst ls get help monitor s l sh")
NETWORK_GONE = Act(
    Verb.CONFIGURE, Thing.NETWORK, On.OPERANDS, reach=Reach.SYSTEM, reversible=False, always=True
)


def ip(call: Call) -> Iterator[Effect]:
    """`ip OBJECT COMMAND`: without a command, and with `show`, it looks."""
    texts = [t for t in call.texts if not t.startswith("-")]
    command = texts[1] if len(texts) > 1 else "show"
    if texts[:1] == ["netns"] and command == "exec":
        yield call.operation(Verb.CONTROL, Thing.NETWORK, " ".join(texts), reach=Reach.SYSTEM)
    elif not texts or texts[0] in {"monitor", "help"} or command in IP_LOOKS | {"identify", "pids"}:
        yield call.operation(Verb.READ, Thing.NETWORK, " ".join(texts))
    else:
        yield from call.perform(NETWORK_SET)


def interface(call: Call) -> Iterator[Effect]:
    """`ifconfig`, `iwconfig`, `ethtool`: up to one operand shows, more change."""
    changing = len(call.operands) > 1 or any(
        o.name
        in {
            "-s",
            "-K",
            "-G",
            "-A",
            "-C",
            "-r",
            "-p",
            "-E",
            "-N",
            "-X",
            "-L",
            "-U",
            "-f",
            "--change",
            "--set-eee",
            "--reset",
            "--negotiate",
            "--identify",
        }
        for o in call.options
    )
    if changing and call.texts[:1] != ("-a",):
        yield from call.perform(NETWORK_SET)
    else:
        yield call.operation(Verb.READ, Thing.NETWORK)


def table(call: Call) -> Iterator[Effect]:
    """`route`, `arp`: shows without operands; `add`, `del`, `-s`, `-d` change."""
    texts = set(call.texts)
    if texts & {"add", "del", "delete", "change", "flush"} or call.has("-s", "-d", "--set", "-f"):
        yield from call.perform(NETWORK_SET)
    else:
        yield call.operation(Verb.READ, Thing.NETWORK)


def wireless(call: Call) -> Iterator[Effect]:
    """`iw dev wlan0 scan|set|connect`."""
    texts = set(call.texts)
    changing = texts & words(
        "set connect disconnect add del join leave switch start stop auth cac trigger abort"
    )
    if changing - {"trigger", "start", "stop"} or "ibss" in texts:
        yield from call.perform(NETWORK_SET)
    else:
        yield call.operation(Verb.READ, Thing.NETWORK)


def manager(call: Call) -> Iterator[Effect]:
    """`nmcli OBJECT COMMAND`: abbreviations are read as written."""
    texts = list(call.texts)
    what = texts[1] if len(texts) > 1 else "show"
    if (
        "--show-secrets" in {o.name for o in call.options}
        or (call.has("-s") and "show" in texts)
        or ("password" in texts[2:] and "show-password" in texts)
        or (texts[:3] and texts[-1] == "show-password")
    ):
        yield from call.perform(SHOWS_SECRET)
    elif (
        not texts
        or what in NMCLI_LOOKS
        or texts[0] in {"monitor", "m", "help"}
        or (texts[0].startswith(("d", "dev")) and what in {"wifi", "w"} and len(texts) < 4)
        or (texts[0].startswith(("g", "r", "n")) and len(texts) < 3 and what not in {"on", "off"})
    ):
        yield call.operation(Verb.READ, Thing.NETWORK, " ".join(texts))
    else:
        yield from call.perform(NETWORK_SET)


NMCLI_LOOKS = words("show status s permissions monitor lldp connectivity check st")

VPN = {
    "status show list help version ip netcheck ping whois bugreport licenses peers network-status "
    "info dump showconf genkey pubkey genpsk countries cities groups settings get account "
    "regions locations servers log metrics lookup netmap": LOOK,
    "up down connect disconnect login logout set setconf addconf syncconf register join leave "
    "signout signin update start stop refresh reconnect switch lock exit-node allow-lan debug "
    "configure drive cert": NETWORK_SET,
    "file": sub(
        Act(
            Verb.NETWORK_OUT,
            Thing.URL,
            On.OPERANDS,
            reach=Reach.REMOTE,
            reversible=False,
            always=True,
        ),
        subs={"get": LOOK},
    ),
    "serve funnel": LISTENS,
    "delete": NETWORK_GONE,
}

PROGRAMS: tuple[Program, ...] = (
    program("ip", handler=ip, values="-n -netns -family -f -b -batch", options_first=True),
    program("bridge tc devlink rdma vdpa dcb", handler=ip, options_first=True),
    program("ifconfig iwconfig ethtool mii-tool ethstats", handler=interface, values="-i"),
    program("route arp ipmaddr iptunnel nameif", handler=table),
    program("iw", handler=wireless),
    program("nmcli", handler=manager, options_first=True, values="-f --fields -g --get-values -m"),
    setting(
        "nmtui nmtui-edit nmtui-connect nm-connection-editor netplan wicked connmanctl wpa_cli "
        "wpa_supplicant wpa_passphrase iwctl iwd hostapd create_ap hostapd_cli dhclient dhcpcd "
        "udhcpc6 pump ifup ifdown ifquery brctl vconfig ifenslave macchanger rfkill slattach "
        "pppd pon poff wvdial chat pppoeconf mmcli bluetui bluetoothctl btmgmt hciconfig "
        "hcitool rfcomm netctl netctl-auto wifi-menu wwand qmicli mbimcli usb_modeswitch "
        "ovs-vsctl ovs-ofctl vde_switch tunctl openconnect resolvconf "
        "netsh-x",
        NETWORK_SET,
        harmless="-s --show -l --list --test --print-info",
        subs={
            "get status show list scan_results list_networks services technologies info "
            "devices paired-devices listnetworks version help state block-list is-enabled "
            "scan lescan con inq name": LOOK,
            "station": setting("", NETWORK_SET, subs={"list": LOOK}),
            "device adapter known-networks ap": setting("", NETWORK_SET, subs={"list": LOOK}),
        },
    ),
    program(
        "resolvectl systemd-resolve",
        LOOK,
        subs={
            "query service openpgp tlsa status statistics show-cache monitor": LOOK,
            "flush-caches reset-statistics reset-server-features": INERT,
            "dns domain default-route llmnr mdns dnssec dnsovertls nta revert": NETWORK_SET,
        },
    ),
    program(
        "networkctl",
        LOOK,
        subs={"up down renew forcerenew reconfigure reload delete edit mask unmask": NETWORK_SET},
    ),
    setting(
        "wg wg-quick tailscale zerotier-cli nordvpn expressvpn mullvad protonvpn protonvpn-cli "
        "windscribe piactl ivpn netbird nebula openvpn openvpn3 strongswan ipsec "
        "swanctl vpnc fastd tinc tincd pivpn warp-cli gpclient openfortivpn riseup-vpn "
        "hamachi twingate zerotier-one zerotier-idtool wireguard-go",
        NETWORK_SET,
        subs=VPN,
        acting={"--help --show-key --verify-config": LOOK},
    ),
    setting("tor", LISTENS, acting={"--hash-password --verify-config --list-fingerprint": INERT}),
    setting(
        "snmpget snmpwalk snmpbulkget snmpbulkwalk snmptable snmpdf snmpstatus snmptranslate "
        "snmpgetnext braa nbtscan arp-scan avahi-browse bssh ippfind lpinfo "
        "rpcinfo tcptraceroute traceroute6 lft paping "
        "httping testssl sslscan sslyze dnstracer dnswalk dnsmap dnsx "
        "speedtest speedtest-cli speedtest-rs speed-test fast iperf iperf3 netperf nuttcp "
        "qperf knock zonemaster-cli massdns asnmap ipscan bgpq3 bgpq4 "
        "resolveip rwhois mmdblookup ssl-cert-check wait4x "
        "is-up is-online pageres katana gau waymore httpx httprobe subfinder amass tlsx whatwaf "
        "wafw00f whatweb cariddi holehe sherlock spf spfquery sublist3r sntp",
        LOOK_UP,
    ),
    setting("snmpset snmptrap", NETWORK_SET),
    setting("upnpc", NETWORK_SET, acting={"-l -s -L": LOOK_UP}),
    program(
        "wakeonlan wol etherwake ether-wake",
        Act(Verb.CONTROL, Thing.SERVICE, On.NOTHING, reach=Reach.REMOTE, always=True),
    ),
    setting("netserver sipsak", LISTENS),
    setting(
        "birdc vtysh rndc unbound-control knotc pdns_control nsupdate pdnsutil",
        NETWORK_SET,
        subs={"show status stats dump stats_noreset zone-status": LOOK},
    ),
    program(
        "ipvsadm conntrack",
        LOOK,
        acting={"-A -E -D -C -R -a -e -d -F --delete --flush -U -I": NETWORK_SET},
    ),
    program("wifi-password airport", LOOK, subs={"en0": LOOK}),
    setting("networkd-dispatcher radvd ndppd miredo", NETWORK_SET),
    program(
        "mosquitto_pub",
        Act(
            Verb.NETWORK_OUT,
            Thing.MESSAGE,
            On.NOTHING,
            reach=Reach.REMOTE,
            reversible=False,
            always=True,
        ),
    ),
    setting("mosquitto_sub", LOOK_UP),
    setting("chntpw", SECRET_SET, acting={"-l": LOOK}),
    setting("udp-sender udp-receiver", SYSTEM_SET),
)
