"""Package managers of other Linux distributions, snap, flatpak, images of systems."""

from __future__ import annotations

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
)
from signoff.actions.programs.system.packages.installing import by_letters, installing

PROGRAMS: tuple[Program, ...] = (
    program(
        "apk",
        LOOK,
        subs={
            "info search list version policy stats audit dot manifest verify fetch": LOOK,
            "add upgrade fix update": sub(handler=installing, harmless="-s --simulate"),
            "del": sub(REMOVED, harmless="-s --simulate"),
            "cache": CACHE_GONE,
        },
        values="-X --repository -p --root",
    ),
    program("lbu", SYSTEM_SET, subs={"status diff list list-backup": LOOK}),
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
    program(
        "eselect euse layman etc-update dispatch-conf ego emaint env-update gcc-config",
        SYSTEM_SET,
        subs={
            "list show help version usage": LOOK,
            "news": sub(LOOK),
            "module": LOOK,
        },
        acting={"-i --info -a --active -L --list": LOOK},
    ),
    program("xbps-install", INSTALLED, harmless="-n --dry-run -M"),
    program("xbps-remove", REMOVED, acting={"-O --clean-cache": CACHE_GONE}, harmless="-n"),
    program("xbps-query xlocate xtools", LOOK),
    program(
        "xbps-reconfigure xbps-pkgdb xbps-alternatives xbps-dgraph",
        SYSTEM_SET,
        acting={"-l --list": LOOK},
    ),
    program(
        "slackpkg slapt-get sbopkg sboinstall installpkg upgradepkg pkgtool",
        INSTALLED,
        subs={"search info file-search check-updates": LOOK, "remove": REMOVED},
        acting={"--search --show --list --available --installed": LOOK, "--remove": REMOVED},
    ),
    program("removepkg pkgrm sboremove", REMOVED),
    program(
        "eopkg pisi swupd opkg owut tce-load ipkg pkgadd upt pikman apx vso",
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
    program(
        "appimaged appimagelauncher ail-cli am zap mhwd mhwd-gpu akmods",
        INSTALLED,
        acting={
            "-l --list -li --listinstalled -lh --listhardware --check -lhd": LOOK,
            "-r --remove": REMOVED,
        },
    ),
    program(
        "mkosi debootstrap lb kiwi-ng mmdebstrap genimage",
        SYSTEM_SET,
        harmless="--print-debs --dry-run",
    ),
)
