"""Package managers of RPM distributions: dnf, yum, rpm, zypper, urpmi."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_SYSTEM, INSPECT, UNINSTALL_FROM_SYSTEM
from signoff.actions.programs.system.packages.installing import FOREIGN


def rpm(call: ProgramCall) -> Iterator[Effect]:
    """`rpm -q|-i|-e ...`: the first letter is the mode; macros run `%(command)` and Lua."""
    for word in call.values("--eval", "-E", "--define", "-D"):
        _, found, line = word.text.partition("%(")
        if found:
            yield Nested(text=line.rpartition(")")[0], language="shell", carrier="rpm --eval")
        _, found, code = word.text.partition("%{lua:")
        if found:
            yield Nested(text=code.rpartition("}")[0], language="lua", carrier="rpm --eval")
    letters = "".join(o.name[1:] for o in call.options if o.name[:1] == "-" and o.name[1:2] != "-")
    if (
        call.has("--test", "--eval", "--showrc", "--querytags")
        or "E" in letters
        or call.has("-q", "-V", "--query", "--verify", "-K", "--checksig")
        or letters[:1] in set("qVK")
    ):
        yield from call.perform(INSPECT)
    elif call.has("-e", "--erase") or letters[:1] == "e":
        yield from call.perform(UNINSTALL_FROM_SYSTEM)
    elif call.has("-i", "-U", "-F", "--install", "--upgrade", "--freshen", "--reinstall"):
        yield from call.perform(FOREIGN)
    elif call.options:
        yield from call.perform(CONFIGURE_SYSTEM)
    else:
        yield from call.perform(INSPECT)
