"""Package managers of macOS, BSD, Windows and the functional ones (nix, guix)."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, installs
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    CACHE_GONE,
    FETCH,
    INERT,
    INSTALLED,
    LOOK,
    REMOVED,
    SOURCES_SET,
    SYSTEM_SET,
    WORKS,
    setting,
)

OLD_GONE = Act(
    Verb.DELETE, Thing.PACKAGE, On.NOTHING, reach=Reach.SYSTEM, reversible=False, always=True
)
FOR_USER = installs(Trait.GLOBAL, reach=Reach.HOME)
TAKEN = Act(
    Verb.DELETE, Thing.PACKAGE, On.OPERANDS, reach=Reach.SYSTEM, reversible=True, always=True
)


def nix_env(call: Call) -> Iterator[Effect]:
    """`nix-env -q|-i|-e|-u`: the command is an option."""
    if call.has("-q", "--query", "--list-generations", "-qa", "-qaP", "--dry-run"):
        yield from call.perform(LOOK)
    elif call.has("-e", "--uninstall", "--delete-generations"):
        yield from call.perform(TAKEN)
    else:
        yield from call.perform(FOR_USER)


FREE = "list search info show outdated status version help history versions deps uses contents"

PROGRAMS: tuple[Program, ...] = (
    program(
        "port",
        LOOK,
        subs={
            f"{FREE} echo installed variants notes location provides dependents rdeps": LOOK,
            "install upgrade selfupdate sync activate select": INSTALLED,
            "uninstall deactivate": REMOVED,
            "clean reclaim": CACHE_GONE,
        },
    ),
    program("mas", LOOK, subs={"install upgrade purchase lucky": INSTALLED, "uninstall": REMOVED}),
    program(
        "pkg pkgin pkg_add pkgng",
        LOOK,
        subs={
            f"{FREE} which audit query rquery stats check": LOOK,
            "install add upgrade update lock unlock set bootstrap": setting(
                "", INSTALLED, harmless="-n --dry-run"
            ),
            "delete remove autoremove rm": setting("", REMOVED, harmless="-n --dry-run"),
            "clean": CACHE_GONE,
            "fetch": FETCH,
        },
    ),
    setting("pkg_delete pkg_deinstall", REMOVED),
    program("pkg_info pkg_version", LOOK),
    setting("freebsd-update syspatch sysupgrade fw_update portsnap portmaster", INSTALLED),
    program(
        "winget",
        LOOK,
        subs={
            f"{FREE} find features hash validate": LOOK,
            "install add upgrade update import configure repair": INSTALLED,
            "uninstall remove rm": REMOVED,
            "download": FETCH,
            "source": setting("", SOURCES_SET, subs={"list export": LOOK}),
            "settings pin": SYSTEM_SET,
            "export": LOOK,
        },
    ),
    setting(
        "choco chocolatey cinst cup",
        INSTALLED,
        subs={
            f"{FREE} find": LOOK,
            "install upgrade": setting("", INSTALLED, harmless="--noop --whatif"),
            "uninstall": setting("", REMOVED, harmless="--noop --whatif"),
            "source sources feature config apikey pin": setting(
                "", SOURCES_SET, subs={"list": LOOK}
            ),
            "new pack": WORKS,
            "push": Act(
                Verb.PUBLISH,
                Thing.PACKAGE,
                On.OPERANDS,
                reach=Reach.REMOTE,
                reversible=False,
                always=True,
            ),
        },
    ),
    program(
        "scoop",
        LOOK,
        subs={
            f"{FREE} checkup cat home prefix which depends export": LOOK,
            "install update hold unhold reset import": FOR_USER,
            "uninstall": TAKEN,
            "cleanup cache": CACHE_GONE,
            "bucket": setting("", SOURCES_SET, subs={"list known": LOOK}),
            "config alias shim": SOURCES_SET,
            "download": FETCH,
        },
    ),
    program(
        "nix-diff nix-tree nix-index nix-locate",
        WORKS,
        runs="--run --command",
    ),
    setting(
        "nixos-install nixos-generate-config",
        SYSTEM_SET,
        subs={
            "build build-vm dry-build dry-activate list-generations repl edit search news "
            "generations packages": LOOK,
            "clean": OLD_GONE,
            "expire-generations remove-generations": OLD_GONE,
        },
    ),
    program("nixos-version nixos-option nix-info", LOOK),
    program(
        "guix",
        WORKS,
        subs={
            "search show describe size graph lint weather challenge hash repl refresh": LOOK,
            "install upgrade pull package": setting(
                "",
                FOR_USER,
                acting={
                    "-s --search --list-installed -I -A --list-generations -l --show": LOOK,
                    "-r --remove": TAKEN,
                    "-d --delete-generations": OLD_GONE,
                },
            ),
            "remove": TAKEN,
            "gc": sub(OLD_GONE, acting={"--list-dead --references -R": LOOK}),
            "system home": setting(
                "",
                SYSTEM_SET,
                subs={
                    "list-generations search describe build docker-image image vm": LOOK,
                    "delete-generations": OLD_GONE,
                },
            ),
            "shell environment build time-machine import pack container": WORKS,
        },
    ),
    setting(
        "steamcmd steam lutris heroic legendary bottles-cli protontricks winetricks "
        "protonup-qt retroarch",
        FOR_USER,
        acting={"-l --list -s --search": LOOK, "--help": INERT},
        subs={"list list-all": LOOK},
    ),
    program(
        "softwareupdate",
        LOOK,
        acting={
            "-i --install -ia -d --download --install-rosetta --schedule --background": INSTALLED
        },
    ),
    setting("installer", INSTALLED, acting={"-pkginfo -dominfo -volinfo -query": LOOK}),
    setting(
        "msiexec wusa dism",
        INSTALLED,
        acting={"/Get-Packages /Get-Features": LOOK, "/x /uninstall": REMOVED},
    ),
    program("pkgutil", LOOK, acting={"--forget": REMOVED, "--expand --flatten": WORKS}),
)
