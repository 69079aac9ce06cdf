"""Package managers of other Linux distributions, snap, flatpak, images of systems."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect
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
from signoff.actions.programs.system.packages.installing import by_letters, installing


def selected(call: Call) -> Iterator[Effect]:
    """`eselect MODULE ACTION`: news are only read."""
    action = call.texts[1] if len(call.texts) > 1 else "list"
    looking = {"list", "show", "help", "usage", "version", "read", "count"}
    is_news = call.texts[:1] == ("news",)
    yield from call.perform(LOOK if is_news or action in looking else SYSTEM_SET)


PROGRAMS: tuple[Program, ...] = (
    program(
        "apk",
        LOOK,
        subs={
            "info search list version policy stats audit dot manifest verify fetch": LOOK,
            "add upgrade fix update": sub(handler=installing, harmless="-s --simulate"),
            "del": setting("", REMOVED, harmless="-s --simulate"),
            "cache": CACHE_GONE,
        },
        values="-X --repository -p --root",
    ),
    setting("lbu", SYSTEM_SET, subs={"status diff list list-backup": LOOK}),
    program(
        "emerge",
        handler=by_letters(
            "-s --search -S --searchdesc -p --pretend --info -pv --list-sets --check-news",
            "-c --depclean -C --unmerge -P --prune",
            "-u --update --sync",
        ),
    ),
    program("equery eix esearch e-file qlist qfile qdepends qsearch gentoolkit epkginfo", LOOK),
    program("eclean", CACHE_GONE, harmless="-p --pretend"),
    setting(
        "euse layman etc-update dispatch-conf ego emaint env-update gcc-config",
        SYSTEM_SET,
        subs={
            "list show help version usage": LOOK,
            "news": sub(LOOK),
            "module": LOOK,
        },
        acting={"-i --info -a --active -L --list": LOOK},
    ),
    program("eselect", handler=selected),
    setting("xbps-install", INSTALLED, harmless="-n --dry-run -M"),
    setting("xbps-remove", REMOVED, acting={"-O --clean-cache": CACHE_GONE}, harmless="-n"),
    program("xbps-query xlocate xtools", LOOK),
    setting(
        "xbps-reconfigure xbps-pkgdb xbps-alternatives xbps-dgraph",
        SYSTEM_SET,
        acting={"-l --list": LOOK},
    ),
    setting(
        "slackpkg slapt-get sbopkg sboinstall installpkg upgradepkg pkgtool",
        INSTALLED,
        subs={"search info file-search check-updates": LOOK, "remove": REMOVED},
        acting={"--search --show --list --available --installed": LOOK, "--remove": REMOVED},
    ),
    setting("removepkg pkgrm sboremove", REMOVED),
    setting(
        "shelly eopkg pisi swupd opkg owut tce-load ipkg pkgadd upt pikman apx vso",
        INSTALLED,
        subs={
            "list search info list-installed list-upgradable files depends status find "
            "list-available list-repo history check whatdepends show blame": LOOK,
            "remove autoremove rm purge uninstall bundle-remove": REMOVED,
            "clean delete-cache dc": CACHE_GONE,
            "update-repo rebuild-db": SOURCES_SET,
        },
        harmless="-n --dry-run --noaction",
    ),
    program("pkginfo pkgchk", LOOK),
    program(
        "snap",
        LOOK,
        subs={
            "list find info version services interfaces connections known model changes tasks logs "
            "help whoami warnings debug get": LOOK,
            "install refresh revert switch try": INSTALLED,
            "remove": REMOVED,
            "run": WORKS,
            "download": FETCH,
            "connect disconnect set unset start stop restart enable disable alias unalias prefer "
            "login logout ack": SYSTEM_SET,
            "pack": WORKS,
            "forget": REMOVED,
            "save restore": SYSTEM_SET,
        },
    ),
    program(
        "flatpak",
        LOOK,
        subs={
            "list search info history ps remotes remote-ls remote-info documents "
            "permissions permission-show": LOOK,
            "install update upgrade": INSTALLED,
            "uninstall remove": REMOVED,
            "run enter": WORKS,
            "kill": INERT,
            "override remote-add remote-delete remote-modify mask pin config make-current repair "
            "permission-set permission-reset permission-remove": SOURCES_SET,
            "build build-init build-finish build-export build-bundle": WORKS,
        },
    ),
    program("flatpak-builder", WORKS, acting={"--install --user": INSTALLED}),
    setting(
        "appimaged appimagelauncher ail-cli am zap mhwd mhwd-gpu akmods",
        INSTALLED,
        acting={
            "-l --list -li --listinstalled -lh --listhardware --check -lhd": LOOK,
            "-r --remove": REMOVED,
        },
    ),
    setting(
        "mkosi debootstrap lb kiwi-ng mmdebstrap genimage",
        SYSTEM_SET,
        harmless="--print-debs --dry-run",
    ),
)
