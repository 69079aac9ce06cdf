"""Looking at networks and attacking them: capture, scanning, cracking, exploitation.

Looking at one's own traffic is work as root; scanning, guessing and breaking in reaches others
and is asked about, also where it only tries. What such tools run for each finding is unfolded.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.archives import COMPRESSORS
from signoff.actions.programs.system.deeds import (
    ATTACKS,
    INERT,
    LISTENS,
    LOOK,
    NETWORK_SET,
    SHOWS_SECRET,
    setting,
)
from signoff.actions.urls import look_at_url

NEAR_NAMES = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - names to compare
NMAP_MODES = (
    "-sS -sT -sU -sV -sn -sC -sA -sP -sL -sN -sF -sX -sI -sO -Pn -PE -PR -O -A -F -T0 -T1 -T2 "
    "-T3 -T4 -T5 -v -vv -n -R -6 -d"
)


def capture(call: Call) -> Iterator[Effect]:
    """`tcpdump`: reads packets; `-z` runs a program for each file written."""
    for word in call.values("-w"):
        if word.text != "-":
            yield call.on_file(Verb.WRITE, word)
    for word in call.values("-r"):
        yield call.on_file(Verb.READ, word)
    for word in call.values("-z"):
        if call.name == "tcpdump" and word.text not in COMPRESSORS:
            yield call.opaque(f"runs `{word.text[:80]}` on each file it writes")
            yield Nested(
                text=word.text, language="shell", carrier="tcpdump -z", is_known=word.is_known
            )
    listing = call.has("-D", "--list-interfaces", "-r", "-h", "-L")
    verb = Verb.READ if listing else Verb.NETWORK_IN
    yield call.operation(verb, Thing.NETWORK, "packets")


def scanner(call: Call) -> Iterator[Effect]:
    """`nmap`: scans hosts; scripts of one's own are code."""
    for word in call.values("-oN", "-oX", "-oG", "-oA", "-oS"):
        yield call.on_file(Verb.WRITE, word)
    for word in call.values("-iL", "--excludefile"):
        yield call.on_file(Verb.READ, word)
    for word in call.values("--script"):
        if "/" in word.text or word.text.endswith(".nse"):
            yield call.opaque(f"runs the script `{word.text[:80]}`")
    if call.has("-sL", "-V", "--iflist") or not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)
    else:
        yield _aimed(call, call.texts)


def _aimed(call: Call, targets: tuple[str, ...]) -> Operation:
    near = all(_is_near(text) for text in targets)
    reach = Reach.LOOPBACK if near else Reach.REMOTE
    verb = Verb.NETWORK_IN if near else Verb.NETWORK_OUT
    return call.operation(
        verb, Thing.NETWORK, " ".join(targets)[:200], reach=reach, reversible=near
    )


def _is_near(text: str) -> bool:
    if text in NEAR_NAMES:
        return True
    return "://" in text and look_at_url(text).host_class.value == "loopback"


def aimed(call: Call) -> Iterator[Effect]:
    """A tool that attacks what its operands or `-u` name."""
    values = call.values(
        "-u", "--url", "-h", "-host", "--host", "-target", "-t", "--target", "-d", "-domain", "-l"
    )
    targets = call.texts + tuple(w.text for w in values)
    if targets or call.options:
        yield (
            _aimed(call, targets)
            if targets
            else call.operation(
                Verb.NETWORK_OUT, Thing.NETWORK, reach=Reach.REMOTE, reversible=False
            )
        )
    else:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def cracker(call: Call) -> Iterator[Effect]:
    """`john`, `hashcat`: turn hashes and captures into passwords."""
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
        yield call.operation(Verb.READ, Thing.NOTHING)
        return
    for word in call.operands[:1]:
        yield call.on_file(Verb.READ, word)
    yield from call.perform(SHOWS_SECRET)


STOLEN = Act(
    Verb.READ,
    Thing.CREDENTIAL,
    On.OPERANDS,
    frozenset({Trait.READS_SECRET}),
    Reach.REMOTE,
    always=True,
)
BREAKS_IN = ATTACKS

PROGRAMS: tuple[Program, ...] = (
    program(
        "tcpdump tshark dumpcap wireshark termshark ngrep netsniff-ng tcpflow sngrep httpry "
        "tcpick ssldump kismet",
        handler=capture,
        values="-i -w -r -z -c -C -G -W -s -y -F -E -Y -f -T -e",
    ),
    program(
        "capinfos editcap mergecap pcapfix tcpslice tcprewrite wpaclean cap2hccapx hcxhashtool "
        "ipsumdump",
        INERT,
    ),
    program(
        "nmap zenmap",
        handler=scanner,
        flags={NMAP_MODES: frozenset()},
        values="-p -iL -oN -oX -oG -oA -oS --script --script-args --top-ports -e -D -S -T "
        "--excludefile --exclude --max-rate --min-rate -g --source-port -PS -PA -PU",
    ),
    program(
        "masscan zmap naabu rustscan unicornscan hping3 nping nikto wpscan gobuster "
        "ffuf feroxbuster dirb dirbuster wfuzz dirsearch sqlmap commix xsstrike nuclei "
        ""
        "wapiti zaproxy arachni skipfish kiterunner kr "
        "enum4linux smbmap rpcclient onesixtyone fierce dnsenum dnsrecon "
        "ab siege vegeta hey wrk slowloris goldeneye http_load bombardier oha",
        handler=aimed,
        values="-u --url -h -host --host -target -t --target -d -domain -l -o -w -p -c -n",
    ),
    setting(
        "hydra medusa ncrack patator crowbar crackmapexec nxc netexec evil-winrm psexec.py "
        "wmiexec.py smbexec.py atexec.py dcomexec.py smbclient.py rpcdump.py rpcmap.py "
        "getST.py getTGT.py GetNPUsers.py GetUserSPNs.py ticketer.py ticketConverter.py "
        "ntlmrelayx.py responder Responder.py mitm6 bettercap ettercap arpspoof dnsspoof "
        "tcpkill macof yersinia msfconsole msfvenom msfrpcd beef-xss setoolkit "
        "aireplay-ng airbase-ng mdk3 mdk4 reaver bully wifite wifiphisher fluxion kerbrute "
        "bloodhound-python certipy dhcpwn rubeus getArch.py owneredit.py addcomputer.py "
        "burpsuite routersploit sliver-client cobaltstrike empire covenant "
        "impacket-psexec reg.py services.py ntfs-read.py mssqlclient.py",
        BREAKS_IN,
        harmless="-L --list-modules",
    ),
    program(
        "secretsdump.py mimikatz lazagne pypykatz lsassy hashdump samdump2 creddump7 gosecretsdump "
        "impacket-secretsdump nxcdb",
        STOLEN,
    ),
    setting("smbserver.py", LISTENS),
    program(
        "hashcat john fcrackzip pdfcrack aircrack-ng cowpatty pyrit ophcrack rcracki_mt "
        "hashcat-cli rarcrack bruteforce-luks bkcrack princeprocessor",
        handler=cracker,
        values="-m -a -w -r -o --wordlist --format --rules -e",
    ),
    setting("airmon-ng", NETWORK_SET, bare=LOOK),
    program("airodump-ng airdecap-ng airgraph-ng", LOOK),
    program(
        "crunch cewl cupp hashid hash-identifier wordlistctl kwprocessor",
        INERT,
        writes="-o --output -w",
    ),
    setting("mitmproxy mitmdump mitmweb proxify", LISTENS, values="-p -w -r -s --mode"),
    program(
        "searchsploit checksec ROPgadget ropper one_gadget binwalk steghide stegsolve zsteg "
        "volatility vol vol.py radare2 r2 ghidra retdec apktool jadx "
        "dex2jar hexeditor nth",
        LOOK,
    ),
    program("pwn", LOOK, subs={"debug shellcraft asm disasm cyclic template update": INERT}),
    setting("snort suricata zeek bro arpwatch", NETWORK_SET, harmless="-T --list-runmodes"),
    program("trufflehog gitleaks noseyparker detect-secrets ggshield", LOOK),
    program(
        "prowler scoutsuite scout cloudsploit pacu",
        Act(Verb.NETWORK_IN, Thing.CLOUD, On.NOTHING, reach=Reach.REMOTE, always=True),
    ),
    program("torsocks torify", INERT),
    program(
        "xsser dnscat dnscat2 iodine iodined ptunnel udp2raw icmptunnel",
        Act(
            Verb.NETWORK_OUT,
            Thing.NETWORK,
            On.OPERANDS,
            frozenset({Trait.COVERT}),
            Reach.REMOTE,
            reversible=False,
            always=True,
        ),
    ),
    program(
        "pwncat pwncat-cs",
        Act(
            Verb.EXECUTE,
            Thing.CODE,
            On.NOTHING,
            frozenset({Trait.REVERSE_SHELL}),
            Reach.REMOTE,
            reversible=False,
            always=True,
        ),
    ),
)
