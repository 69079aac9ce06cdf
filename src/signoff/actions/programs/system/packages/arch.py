"""Package managers of Arch Linux: pacman and its front ends, whose command is an option."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CLEAR_TEMP,
    CONFIGURE_SYSTEM,
    INSPECT,
    INSTALL_ON_SYSTEM,
    PREVIEW,
    UNINSTALL_FROM_SYSTEM,
)
from signoff.actions.programs.system.packages.installing import FOREIGN


def pacman(call: ProgramCall) -> Iterator[Effect]:
    """`pacman -S|-R|-Q|-U ...` and its many front ends."""
    letters = "".join(o.name[1:] for o in call.options if o.name[:1] == "-" and o.name[1:2] != "-")
    if call.has("-p", "--print", "--print-format"):
        yield from call.perform(PREVIEW)
    elif "R" in letters or call.has("--remove"):
        yield from call.perform(UNINSTALL_FROM_SYSTEM)
    elif "U" in letters or call.has("--upgrade"):
        yield from call.perform(FOREIGN)
    elif "S" in letters or call.has("--sync"):
        yield from _synced(call, letters)
    elif "D" in letters or call.has("--database"):
        looking = call.has("-k", "--check")
        yield from call.perform(INSPECT if looking else CONFIGURE_SYSTEM)
    elif (
        call.has("--gendb", "-G", "--getpkgbuild")
        or letters[:1] in {"Q", "F", "T", "V", "P", "h"}
        or any(
            o.name.startswith(("--query", "--files", "--deptest", "--show")) for o in call.options
        )
        or call.name == "pacman"
    ):
        yield from call.perform(INSPECT)
    else:
        yield from call.perform(INSTALL_ON_SYSTEM)


def _synced(call: ProgramCall, letters: str) -> Iterator[Effect]:
    looking = {"s", "i", "g", "l"} & set(letters) or call.has(
        "--search", "--info", "--groups", "--list"
    )
    if looking:
        yield from call.perform(INSPECT)
    elif call.has("-c", "--clean") or "c" in letters:
        yield from call.perform(CLEAR_TEMP)
    else:
        yield from call.perform(INSTALL_ON_SYSTEM)
