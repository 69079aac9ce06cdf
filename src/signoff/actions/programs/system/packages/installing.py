"""Installing on the whole system: what all package managers share.

An install from a file or address is an install from a source nobody vouched for.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Trait
from signoff.actions.programs.acts import Effect, Nested, installs
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    INSPECT,
    INSTALL_ON_SYSTEM,
    UNINSTALL_FROM_SYSTEM,
)
from signoff.actions.programs.program import Handler
from signoff.actions.vocabulary import words

FILE_ENDINGS = (
    ".deb",
    ".rpm",
    ".pkg.tar.zst",
    ".apk",
    ".xbps",
    ".eopkg",
    ".tgz",
    ".txz",
    ".snap",
    ".flatpakref",
    ".flatpak",
    ".ipk",
)
FOREIGN = installs(Trait.UNTRUSTED_SOURCE, reach=Reach.SYSTEM)


def installing(call: ProgramCall) -> Iterator[Effect]:
    """Install named packages; a file or address comes from a source nobody vouched for."""
    for word in call.values("-o", "--option"):
        _, _, line = word.text.partition("::Pre-Invoke=")
        if line or "Pre-Invoke" in word.text or "Post-Invoke" in word.text:
            yield Nested(text=line.strip("\"';"), language="shell", carrier=f"{call.name} -o")
    foreign = any(
        t.startswith(("/", "./", "http://", "https://", "../")) or t.endswith(FILE_ENDINGS)
        for t in call.texts
    )
    yield from call.perform(FOREIGN if foreign else INSTALL_ON_SYSTEM)


def by_letters(looks: str, removes: str, installs_: str) -> Handler:
    """Make a handler for tools whose command is an option."""
    look, gone, new = words(looks), words(removes), words(installs_)

    def run(call: ProgramCall) -> Iterator[Effect]:
        names = {o.name for o in call.options}
        if names & look:
            yield from call.perform(INSPECT)
        elif names & gone:
            yield from call.perform(UNINSTALL_FROM_SYSTEM)
        elif names & new or call.operands:
            yield from installing(call)
        else:
            yield from call.perform(INSPECT)

    return run
