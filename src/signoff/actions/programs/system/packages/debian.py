"""Package managers of Debian and Ubuntu: apt, dpkg and their helpers, package building."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Thing, Verb
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    CACHE_GONE,
    FETCH,
    INSTALLED,
    LOOK,
    LOOK_UP,
    PREVIEW,
    REMOVED,
    SOURCES_SET,
    SYSTEM_SET,
    WORKS,
    setting,
)
from signoff.actions.programs.system.packages.installing import DRY, FOREIGN, installing

APT_LOOKS = (
    "list search show policy depends rdepends showpkg stats madison pkgnames dotty check "
    "changelog showsrc unmet dump dumpavail help moo why why-not versions "
    "showauto showmanual showhold tree"
)
APT: dict[str, Program | Act | tuple[Act, ...]] = {
    APT_LOOKS: LOOK,
    "install reinstall build-dep satisfy": sub(
        handler=installing, values="-t -o -c -a", harmless=DRY
    ),
    "upgrade full-upgrade dist-upgrade safe-upgrade dselect-upgrade update fix-broken": setting(
        "", INSTALLED, harmless=DRY, values="-t -o -c"
    ),
    "remove purge autoremove autopurge": setting("", REMOVED, harmless=DRY),
    "clean autoclean distclean": sub(CACHE_GONE, harmless=DRY),
    "download source changelog": FETCH,
    "edit-sources hold unhold auto manual minimize-manual markauto unmarkauto": SYSTEM_SET,
    "history": sub(LOOK, subs={"undo redo rollback clear": INSTALLED}),
    "fetch": SOURCES_SET,
}


def dpkg(call: Call) -> Iterator[Effect]:
    """`dpkg -i|-r|-l ...`."""
    if call.has("--dry-run", "--no-act", "--simulate"):
        yield from call.perform(PREVIEW)
    elif call.has("-i", "--install", "--unpack"):
        yield from call.perform(FOREIGN)
    elif call.has("-r", "--remove", "-P", "--purge"):
        yield from call.perform(REMOVED)
    elif call.has(
        "--configure",
        "--set-selections",
        "--add-architecture",
        "--clear-avail",
        "--remove-architecture",
        "--triggers-only",
        "--clear-selections",
    ):
        yield from call.perform(SYSTEM_SET)
    elif call.has("-b", "--build", "-x", "--extract", "-e", "--control", "-X", "-R"):
        for word in call.operands[1:] or call.operands:
            yield call.on_file(Verb.WRITE, word)
    else:
        yield from call.perform(LOOK)


PROGRAMS: tuple[Program, ...] = (
    program(
        "apt apt-get apt-cache aptitude nala pkcon mint-apt apt-fast aptdcon",
        LOOK,
        subs={
            **APT,
            "refresh get-updates get-packages resolve backend-details get-details search-name "
            "get-roles get-filters repo-list": LOOK,
        },
        values="-o -c -t --target-release --config-file",
        harmless="-h",
    ),
    setting("apt-mark", SYSTEM_SET, subs={"showauto showmanual showhold": LOOK}),
    setting(
        "apt-key add-apt-repository apt-add-repository extrepo ubuntu-drivers software-sources "
        "apt-cdrom",
        SOURCES_SET,
        subs={"list search devices debug export finger": LOOK},
        bare=LOOK,
        acting={"-L --list -l": LOOK},
        harmless="-n",
    ),
    program(
        "apt-file apt-config apt-ftparchive apt-rdepends apt-listchanges dpkg-query deborphan "
        "dlocate debtree dpkg-architecture dpkg-parsechangelog deb-reversion "
        "check-dfsg-status vrms germinate debman grep-dctrl dctrl-tools "
        "ucf dh_listpackages apt-show-versions apt-forktracer popularity-contest",
        LOOK,
    ),
    program("dpkg", handler=dpkg),
    program("dpkg-deb", handler=dpkg),
    setting(
        "dpkg-divert dpkg-statoverride dpkg-reconfigure debconf-set-selections tasksel "
        "unattended-upgrade unattended-upgrades do-release-upgrade update-manager gdebi "
        "wajig debtap debfoster alien",
        INSTALLED,
        acting={
            "--list --list-tasks --task-packages -n --dry-run -c --check-dist-upgrade-only": LOOK
        },
    ),
    program(
        "dpkg-buildpackage debuild sbuild pbuilder cowbuilder dpkg-source dh debchange dch "
        "gbp dget uscan uupdate lintian mk-build-deps equivs-build reportbug bts "
        "rpmbuild rpmlint mock fedpkg abuild xbps-src ebuild "
        "spectool rpmdev-setuptree rpmspec rpmsign createrepo createrepo_c repo-add "
        "aurpublish pkgctl",
        WORKS,
        subs={"clean": CACHE_GONE},
    ),
    program("repo-remove", Act(Verb.WRITE, Thing.FILE, On.FIRST)),
    program("apt-offline aptly repomirror", LOOK, subs={"get": LOOK_UP}),
)
