"""Looking at networks and attacking them: capture, scanning, cracking, exploitation.

Looking at one's own traffic is work as root; scanning, guessing and breaking in reaches others
and is asked about, also where it only tries. What such tools run for each finding is unfolded.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import REVEAL_CREDENTIAL
from signoff.actions.programs.system.archives import COMPRESSORS
from signoff.actions.urls import look_at_url

NEAR_NAMES = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - names to compare


def capture(call: ProgramCall) -> Iterator[Effect]:
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
    yield call.operation(verb, ResourceType.NETWORK, "packets")


def scanner(call: ProgramCall) -> Iterator[Effect]:
    """`nmap`: scans hosts; scripts of one's own are code."""
    for word in call.values("-oN", "-oX", "-oG", "-oA", "-oS"):
        yield call.on_file(Verb.WRITE, word)
    for word in call.values("-iL", "--excludefile"):
        yield call.on_file(Verb.READ, word)
    for word in call.values("--script"):
        if "/" in word.text or word.text.endswith(".nse"):
            yield call.opaque(f"runs the script `{word.text[:80]}`")
    if call.has("-sL", "-V", "--iflist") or not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        yield _aimed(call, call.texts)


def _aimed(call: ProgramCall, targets: tuple[str, ...]) -> Operation:
    near = all(_is_near(text) for text in targets)
    reach = Reach.LOOPBACK if near else Reach.REMOTE
    verb = Verb.NETWORK_IN if near else Verb.NETWORK_OUT
    return call.operation(
        verb, ResourceType.NETWORK, " ".join(targets)[:200], reach=reach, reversible=near
    )


def _is_near(text: str) -> bool:
    if text in NEAR_NAMES:
        return True
    return "://" in text and look_at_url(text).host_class.value == "loopback"


def aimed(call: ProgramCall) -> Iterator[Effect]:
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
                Verb.NETWORK_OUT, ResourceType.NETWORK, reach=Reach.REMOTE, reversible=False
            )
        )
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def cracker(call: ProgramCall) -> Iterator[Effect]:
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
        yield call.operation(Verb.READ, ResourceType.NOTHING)
        return
    for word in call.operands[:1]:
        yield call.on_file(Verb.READ, word)
    yield from call.perform(REVEAL_CREDENTIAL)
