"""Networks of the machine: interfaces, routes, names, tunnels, firewalls, and attacks on others.

Showing is free, changing is asked about. A rule of a firewall more or less is asked about; emptying
the rules or switching the firewall off is refused. Looking at one's own traffic is work as root;
scanning, guessing and breaking in reaches others and is asked about, also where it only tries.
What such tools run for each finding is unfolded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CONFIGURE_NETWORK,
    REVEAL_CREDENTIAL,
    WEAKEN_PROTECTION,
)
from signoff.actions.programs.system.archives import COMPRESSORS
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import words
from signoff.values import replace

# ip(8) lets commands be shortened; those that change (`a`, `d`) stay out.
IP_LOOKS = words("show list lst ls get help monitor s l sh")


def ip(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ip OBJECT COMMAND`: without a command, and with `show`, it looks."""
    texts = [t for t in call.texts if not t.startswith("-")]
    # `ip addr` alone shows.
    command = texts[1] if len(texts) > 1 else "show"
    if texts[:1] == ["netns"] and command == "exec":
        yield call.operation(
            Verb.CONTROL, ResourceType.NETWORK, " ".join(texts), reach=Reach.SYSTEM
        )
    elif not texts or texts[0] in {"monitor", "help"} or command in IP_LOOKS | {"identify", "pids"}:
        yield call.operation(Verb.READ, ResourceType.NETWORK, " ".join(texts))
    else:
        yield from call.perform(CONFIGURE_NETWORK)


def interface(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ifconfig`, `iwconfig`, `ethtool`: up to one operand shows, more change."""
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
    # `ifconfig -a` shows all interfaces.
    if changing and call.texts[:1] != ("-a",):
        yield from call.perform(CONFIGURE_NETWORK)
    else:
        yield call.operation(Verb.READ, ResourceType.NETWORK)


def table(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `route`, `arp`: shows without operands; `add`, `del`, `-s`, `-d` change."""
    texts = set(call.texts)
    if texts & {"add", "del", "delete", "change", "flush"} or call.has("-s", "-d", "--set", "-f"):
        yield from call.perform(CONFIGURE_NETWORK)
    else:
        yield call.operation(Verb.READ, ResourceType.NETWORK)


def wireless(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `iw dev wlan0 scan|set|connect`."""
    texts = set(call.texts)
    changing = texts & words(
        "set connect disconnect add del join leave switch start stop auth cac trigger abort"
    )
    # `iw dev wlan0 scan trigger` and the like only scan; `ibss join` enters a network.
    if changing - {"trigger", "start", "stop"} or "ibss" in texts:
        yield from call.perform(CONFIGURE_NETWORK)
    else:
        yield call.operation(Verb.READ, ResourceType.NETWORK)


def manager(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `nmcli OBJECT COMMAND`: abbreviations are read as written."""
    texts = list(call.texts)
    what = texts[1] if len(texts) > 1 else "show"
    if (
        "--show-secrets" in {o.name for o in call.options}
        # nmcli: `-s` is short for `--show-secrets`; passwords of networks are printed.
        or (call.has("-s") and "show" in texts)
        or ("password" in texts[2:] and "show-password" in texts)
        or (texts[:3] and texts[-1] == "show-password")
    ):
        yield from call.perform(REVEAL_CREDENTIAL)
    elif (
        not texts
        or what in NMCLI_LOOKS
        or texts[0] in {"monitor", "m", "help"}
        # `nmcli dev wifi list`; a fourth word (`connect NAME`) changes.
        or (texts[0].startswith(("d", "dev")) and what in {"wifi", "w"} and len(texts) < 4)
        # general, radio, networking: alone they show, `on` and `off` switch.
        or (texts[0].startswith(("g", "r", "n")) and len(texts) < 3 and what not in {"on", "off"})
    ):
        yield call.operation(Verb.READ, ResourceType.NETWORK, " ".join(texts))
    else:
        yield from call.perform(CONFIGURE_NETWORK)


NMCLI_LOOKS = words("show status s permissions monitor lldp connectivity check st")


NEAR_NAMES = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - names to compare


def capture(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `tcpdump`: reads packets; `-z` runs a program for each file written."""
    for word in call.values("-w"):
        if word.text != "-":
            yield call.on_file(Verb.WRITE, word)
    for word in call.values("-r"):
        yield call.on_file(Verb.READ, word)
    for word in call.values("-z"):
        # tcpdump's `-z` is documented with gzip and bzip2; tshark's `-z` names statistics.
        if call.name == "tcpdump" and word.text not in COMPRESSORS:
            yield call.opaque(f"runs `{word.text[:80]}` on each file it writes")
            yield Nested(
                text=word.text, language="shell", carrier="tcpdump -z", is_known=word.is_known
            )
    # `-r` reads packets from a file, not from the wire.
    listing = call.has("-D", "--list-interfaces", "-r", "-h", "-L")
    verb = Verb.READ if listing else Verb.NETWORK_IN
    yield call.operation(verb, ResourceType.NETWORK, "packets")


def scanner(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `nmap`: scans hosts; scripts of one's own are code."""
    for word in call.values("-oN", "-oX", "-oG", "-oA", "-oS"):
        yield call.on_file(Verb.WRITE, word)
    for word in call.values("-iL", "--excludefile"):
        yield call.on_file(Verb.READ, word)
    for word in call.values("--script"):
        # A path or `.nse` file is Lua code nobody read; names without it are nmap's own scripts.
        if "/" in word.text or word.text.endswith(".nse"):
            yield call.opaque(f"runs the script `{word.text[:80]}`")
    # `-sL` lists targets and sends them no packet.
    if call.has("-sL", "-V", "--iflist") or not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        yield _aimed(call, call.texts)


def _aimed(call: ProgramCall, targets: tuple[str, ...]) -> Operation:
    near = all(_is_near(text) for text in targets)
    reach = Reach.LOOPBACK if near else Reach.REMOTE
    # Scanning one's own machine reaches nobody else.
    verb = Verb.NETWORK_IN if near else Verb.NETWORK_OUT
    return call.operation(
        verb, ResourceType.NETWORK, " ".join(targets)[:200], reach=reach, reversible=near
    )


def _is_near(text: str) -> bool:
    # `sip:100@127.0.0.1:5060`: a name at a host.
    host = text.rpartition("@")[2].partition(":")[0] if text.startswith(("sip:", "sips:")) else text
    if host in NEAR_NAMES or host.rpartition(":")[0] in NEAR_NAMES:
        return True
    return "://" in text and look_at_url(text).host_class.value == "loopback"


def aimed(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of an attack tool on what its operands or `-u` name."""
    values = call.values(
        *(
            "-u",
            "--url",
            "-h",
            "-host",
            "--host",
            "-target",
            "--target",
            "-d",
            "-domain",
            "-l",
            "-s",
        ),
        *(() if call.name == "nuclei" else ("-t",)),  # of nuclei it names what to try
    )
    # `sipp -s NAME HOST`: only its first operand is called.
    targets = call.texts[:1] if call.name == "sipp" else call.texts + tuple(w.text for w in values)
    if targets or call.options:
        yield (
            _aimed(call, targets)
            if targets
            else call.operation(
                Verb.NETWORK_OUT, ResourceType.NETWORK, reach=Reach.REMOTE, reversible=False
            )
        )
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


_BODIES = ("-d", "-D", "-b", "-T", "-p", "--body", "--body-file", "--data")


def load_test(call: ProgramCall) -> Iterator[Effect]:
    """`wrk -t2 -d10s URL`: many requests to what its operands name; options only say how many."""
    if call.name.startswith("wrk"):  # its scripts are Lua; `-s` of the others is a number
        for word in call.values("-s", "--script"):
            yield call.on_file(Verb.EXECUTE, word)
    method = [word.text.upper() for word in call.values("-m", "-X", "--method")]
    # A request that writes is one, however often: it is judged as any other.
    if any(one not in {"GET", "HEAD", "OPTIONS"} for one in method) or call.values(*_BODIES):
        yield from (call.on_url(Verb.NETWORK_OUT, word) for word in call.operands)
        return
    yield from aimed(replace(call, options=()))


def cracker(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `john`, `hashcat`: turn hashes and captures into passwords."""
    looking = call.has(
        "--benchmark",
        "-b",
        "--test",
        "--list",
        "-I",
        "--backend-info",
        "--example-hashes",
        "--hash-info",
        "--status",
    )
    if looking or not (call.operands or call.options):
        yield call.operation(Verb.READ, ResourceType.NOTHING)
        return
    # The first operand is the file of hashes; what follows are wordlists and masks.
    for word in call.operands[:1]:
        yield call.on_file(Verb.READ, word)
    yield from call.perform(REVEAL_CREDENTIAL)


def packet_filter(call: ProgramCall) -> Iterator[Effect]:
    """`iptables`: `-L` and `-S` show; `-F`, `-X` and an accepting policy open everything."""
    if call.has("-L", "--list", "-S", "--list-rules", "-C", "--check", "-nL", "-vL", "-nvL"):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
        return
    # A chain whose default is ACCEPT lets through whatever no rule names.
    opened = call.has("-P", "--policy") and "ACCEPT" in {t.upper() for t in call.texts}
    # Without a chain's name both take all chains.
    emptied = call.has("-F", "--flush", "-X", "--delete-chain")
    yield from call.perform(WEAKEN_PROTECTION if opened or emptied else CONFIGURE_NETWORK)


NFT_LOOKS = words("list monitor describe get")
NFT_EMPTIES = words("flush destroy reset")
NFT_DELETES = (["delete", "table"], ["delete", "chain"])


NFT_EMPTIED = frozenset({("flush", "ruleset"), ("delete", "table"), ("destroy", "table")})
NFT_REFUSALS = frozenset({"drop", "reject"})


def tables(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `nft list|add|delete|flush ...`; `-f FILE` loads rules."""
    # nft(8) takes its words as one text, with `;` between commands.
    lines = [line.split() for line in " ".join(call.texts).replace("\n", ";").split(";")]
    given = [line for line in lines if line]
    if call.has("-c", "--check") or (given and all([line[0] in NFT_LOOKS for line in given])):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif any([line[0] in NFT_EMPTIES or line[:2] in NFT_DELETES for line in given]):
        # One rule less (`delete rule`) is asked about as any change; a whole table or chain is
        # not.
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        files = call.values("-f", "--file")
        yield from (call.on_file(Verb.READ, w) for w in files)
        lets_all_in = any([_lets_all_in(call.session_text(word)) for word in files])
        yield from call.perform(WEAKEN_PROTECTION if lets_all_in else CONFIGURE_NETWORK)


def _lets_all_in(text: str) -> bool:
    """Tell rules that take all others away and keep nothing out."""
    said = text.replace(";", " ").split()
    is_emptied = any([pair in NFT_EMPTIED for pair in pairwise(said)])
    return is_emptied and NFT_REFUSALS.isdisjoint(said)


def firewall_daemon(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `firewall-cmd`: options are the commands."""
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
    # `--zone` and `--permanent` only say where another option looks, so they never change
    # anything alone.
    if all(name.startswith(looks) for name in names):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif call.has("--panic-off") or _trusts_all(call):
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_NETWORK)


def _trusts_all(call: ProgramCall) -> bool:
    """Whether everything that comes by an interface is let in: firewalld's zone `trusted`."""
    default, zone = call.value("--set-default-zone"), call.value("--zone")
    target = call.value("--set-target")
    joins = call.has("--change-interface", "--add-interface", "--add-source", "--change-source")
    return (
        (default is not None and default.text == "trusted")
        or (zone is not None and zone.text == "trusted" and joins)
        or (target is not None and target.text.upper() == "ACCEPT")
    )


OPEN = (("default", "allow"), ("logging", "off"))
# `ufw allow from any` names no port and no place: everything is let in.
ANYWHERE = words("in from any to log log-all 0.0.0.0/0 ::/0")
BEFORE_RULE = words("route prepend")


def _opens_all(texts: Sequence[str]) -> bool:
    rule = [text for text in texts if text not in BEFORE_RULE]
    rule = rule[2:] if rule[:1] == ["insert"] else rule
    return rule[:1] == ["allow"] and len(rule) > 1 and ANYWHERE.issuperset(rule[1:])


def simple(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ufw status|enable|disable|reset|allow ...`."""
    what = call.texts[0] if call.operands else ""
    if what in {"status", "show", "version", "app"} or call.is_dry("--dry-run"):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif what in {"disable", "reset"} or call.texts[:2] in OPEN or _opens_all(call.texts):
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_NETWORK)


def packet_filter_bsd(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `pfctl`: `-s` shows, `-d` switches off, `-F all` empties."""
    # Asked first: `pfctl -s` beside `-d` still switches off.
    if call.has("-d", "-F"):
        yield from call.perform(WEAKEN_PROTECTION)
    elif call.has("-s", "-n", "-vnf"):
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    else:
        yield from call.perform(CONFIGURE_NETWORK)
