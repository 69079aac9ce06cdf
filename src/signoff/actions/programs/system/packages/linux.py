"""Package managers of other Linux distributions, snap, flatpak, images of systems."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_SYSTEM, INSPECT


def selected(call: ProgramCall) -> Iterator[Effect]:
    """`eselect MODULE ACTION`: news are only read."""
    action = call.texts[1] if len(call.texts) > 1 else "list"
    looking = {"list", "show", "help", "usage", "version", "read", "count"}
    is_news = call.texts[:1] == ("news",)
    yield from call.perform(INSPECT if is_news or action in looking else CONFIGURE_SYSTEM)
