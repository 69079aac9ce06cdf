"""Interfaces, routes, names, wireless, tunnels: showing is free, changing is asked about."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_NETWORK, REVEAL_CREDENTIAL
from signoff.actions.vocabulary import words

IP_LOOKS = words("show list lst ls get help monitor s l sh")


def ip(call: ProgramCall) -> Iterator[Effect]:
    """`ip OBJECT COMMAND`: without a command, and with `show`, it looks."""
    texts = [t for t in call.texts if not t.startswith("-")]
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
        yield from call.perform(CONFIGURE_NETWORK)
    else:
        yield call.operation(Verb.READ, ResourceType.NETWORK)


def table(call: ProgramCall) -> Iterator[Effect]:
    """`route`, `arp`: shows without operands; `add`, `del`, `-s`, `-d` change."""
    texts = set(call.texts)
    if texts & {"add", "del", "delete", "change", "flush"} or call.has("-s", "-d", "--set", "-f"):
        yield from call.perform(CONFIGURE_NETWORK)
    else:
        yield call.operation(Verb.READ, ResourceType.NETWORK)


def wireless(call: ProgramCall) -> Iterator[Effect]:
    """`iw dev wlan0 scan|set|connect`."""
    texts = set(call.texts)
    changing = texts & words(
        "set connect disconnect add del join leave switch start stop auth cac trigger abort"
    )
    if changing - {"trigger", "start", "stop"} or "ibss" in texts:
        yield from call.perform(CONFIGURE_NETWORK)
    else:
        yield call.operation(Verb.READ, ResourceType.NETWORK)


def manager(call: ProgramCall) -> Iterator[Effect]:
    """`nmcli OBJECT COMMAND`: abbreviations are read as written."""
    texts = list(call.texts)
    what = texts[1] if len(texts) > 1 else "show"
    if (
        "--show-secrets" in {o.name for o in call.options}
        or (call.has("-s") and "show" in texts)
        or ("password" in texts[2:] and "show-password" in texts)
        or (texts[:3] and texts[-1] == "show-password")
    ):
        yield from call.perform(REVEAL_CREDENTIAL)
    elif (
        not texts
        or what in NMCLI_LOOKS
        or texts[0] in {"monitor", "m", "help"}
        or (texts[0].startswith(("d", "dev")) and what in {"wifi", "w"} and len(texts) < 4)
        or (texts[0].startswith(("g", "r", "n")) and len(texts) < 3 and what not in {"on", "off"})
    ):
        yield call.operation(Verb.READ, ResourceType.NETWORK, " ".join(texts))
    else:
        yield from call.perform(CONFIGURE_NETWORK)


NMCLI_LOOKS = words("show status s permissions monitor lldp connectivity check st")
