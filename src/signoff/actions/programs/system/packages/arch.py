"""Package managers of Arch Linux: pacman and its front ends, whose command is an option."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    CACHE_GONE,
    FETCH,
    INSTALLED,
    LOOK,
    PREVIEW,
    REMOVED,
    SOURCES_SET,
    SYSTEM_SET,
    WORKS,
    setting,
)
from signoff.actions.programs.system.packages.installing import FOREIGN


def pacman(call: Call) -> Iterator[Effect]:
    """`pacman -S|-R|-Q|-U ...` and its many front ends."""
    letters = "".join(o.name[1:] for o in call.options if o.name[:1] == "-" and o.name[1:2] != "-")
    if call.has("-p", "--print", "--print-format"):
        yield from call.perform(PREVIEW)
    elif "R" in letters or call.has("--remove"):
        yield from call.perform(REMOVED)
    elif "U" in letters or call.has("--upgrade"):
        yield from call.perform(FOREIGN)
    elif "S" in letters or call.has("--sync"):
        yield from _synced(call, letters)
    elif "D" in letters or call.has("--database"):
        looking = call.has("-k", "--check")
        yield from call.perform(LOOK if looking else SYSTEM_SET)
    elif (
        call.has("--gendb", "-G", "--getpkgbuild")
        or letters[:1] in {"Q", "F", "T", "V", "P", "h"}
        or any(
            o.name.startswith(("--query", "--files", "--deptest", "--show")) for o in call.options
        )
        or call.name == "pacman"
    ):
        yield from call.perform(LOOK)
    else:
        yield from call.perform(INSTALLED)


def _synced(call: Call, letters: str) -> Iterator[Effect]:
    looking = {"s", "i", "g", "l"} & set(letters) or call.has(
        "--search", "--info", "--groups", "--list"
    )
    if looking:
        yield from call.perform(LOOK)
    elif call.has("-c", "--clean") or "c" in letters:
        yield from call.perform(CACHE_GONE)
    else:
        yield from call.perform(INSTALLED)


PACMAN_LIKE = (
    "pacman yay paru pacaur yaourt aurman trizen pikaur aura pakku powerpill rua "
    "bauerbill cower cylon"
)


PROGRAMS: tuple[Program, ...] = (
    program("makepkg", WORKS, acting={"-i --install -s --syncdeps -si": INSTALLED}),
    program(
        PACMAN_LIKE,
        handler=pacman,
        values="-b --dbpath -r --root --config --ignore --asdeps-x --overwrite",
    ),
    setting(
        "pamac",
        INSTALLED,
        subs={
            "search list info checkupdates": LOOK,
            "remove": REMOVED,
            "clean": CACHE_GONE,
            "clone": FETCH,
        },
    ),
    setting(
        "pacman-key pacman-mirrors pacman-db-upgrade pacman-optimize reflector pacstrap "
        "pacdiff pactrans pacrepairfile pacrepairdb archlinux-java",
        SOURCES_SET,
        acting={
            "-l --list-keys -f --finger --list-countries --print-only --check -o --output": LOOK,
            "--remove": REMOVED,
        },
        harmless="--list-targets",
    ),
    program("paccache pkgcacheclean", CACHE_GONE, acting={"-d --dryrun": LOOK}),
    program(
        "checkupdates pactree pacinfo pacini paclist pacsearch pacsift pacgraph paccapability "
        "pacconf pkgfile pacreport pacsort auracle aur asp cower pkgdiff "
        "paclog informant expac rankmirrors aurvote",
        LOOK,
    ),
)
