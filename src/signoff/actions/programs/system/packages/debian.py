"""Package managers of Debian and Ubuntu: apt, dpkg and their helpers, package building."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CONFIGURE_SYSTEM,
    INSPECT,
    PREVIEW,
    UNINSTALL_FROM_SYSTEM,
)
from signoff.actions.programs.system.packages.installing import FOREIGN


def dpkg(call: ProgramCall) -> Iterator[Effect]:
    """`dpkg -i|-r|-l ...`."""
    if call.has("--dry-run", "--no-act", "--simulate"):
        yield from call.perform(PREVIEW)
    elif call.has("-i", "--install", "--unpack"):
        yield from call.perform(FOREIGN)
    elif call.has("-r", "--remove", "-P", "--purge"):
        yield from call.perform(UNINSTALL_FROM_SYSTEM)
    elif call.has(
        "--configure",
        "--set-selections",
        "--add-architecture",
        "--clear-avail",
        "--remove-architecture",
        "--triggers-only",
        "--clear-selections",
    ):
        yield from call.perform(CONFIGURE_SYSTEM)
    elif call.has("-b", "--build", "-x", "--extract", "-e", "--control", "-X", "-R"):
        for word in call.operands[:1] if call.operands[1:] else ():
            yield call.on_file(Verb.READ, word)
        for word in call.operands[1:] or call.operands:
            yield call.on_file(Verb.WRITE, word)
    else:
        yield from call.perform(INSPECT)
