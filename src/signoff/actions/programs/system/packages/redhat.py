"""Package managers of RPM distributions: dnf, yum, rpm, zypper, urpmi."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Act, Effect, Nested
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    CACHE_GONE,
    FETCH,
    INSTALLED,
    LOOK,
    REMOVED,
    SOURCES_SET,
    SYSTEM_SET,
    setting,
)
from signoff.actions.programs.system.packages.installing import FOREIGN, installing

DNF: dict[str, Program | Act | tuple[Act, ...]] = {
    "list search info repoquery provides whatprovides check-update check repolist repoinfo "
    "updateinfo deplist help changelog leaves needs-restarting search-all rq grouplist "
    "groupinfo advisory environment": LOOK,
    "group groups module": setting(
        "",
        INSTALLED,
        subs={"list info summary provides": LOOK, "remove erase disable reset": REMOVED},
    ),
    "history": setting("", INSTALLED, bare=LOOK, subs={"list info": LOOK}),
    "install reinstall localinstall upgrade update upgrade-minimal downgrade distro-sync swap "
    "builddep groupinstall dsync system-upgrade offline-upgrade": sub(
        handler=installing, harmless="--assumeno --downloadonly"
    ),
    "remove erase autoremove groupremove": setting("", REMOVED, harmless="--assumeno"),
    "clean makecache": CACHE_GONE,
    "download reposync": FETCH,
    "config-manager copr versionlock mark alternatives shell offline": setting(
        "", SOURCES_SET, bare=LOOK, subs={"list search": LOOK}
    ),
}

ZYPPER: dict[str, Program | Act | tuple[Act, ...]] = {
    "search se info if list-updates lu list-patches lp patch-check pchk packages pa patterns pt "
    "products pd what-provides wp repos lr services ls locks ll needs-rebooting ps licenses "
    "versioncmp targetos help": LOOK,
    "install in update up dist-upgrade dup patch install-new-recommends inr source-install si "
    "verify ve": sub(handler=installing, harmless="-D --dry-run --download-only -d"),
    "remove rm remove-ptf": setting("", REMOVED, harmless="-D --dry-run"),
    "addrepo ar removerepo rr renamerepo nr modifyrepo mr addservice as removeservice rs addlock "
    "al removelock rl modifyservice ms cleanlocks": SOURCES_SET,
    "refresh ref refresh-services refs clean cc": CACHE_GONE,
    "download": FETCH,
}


def rpm(call: Call) -> Iterator[Effect]:
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
        yield from call.perform(LOOK)
    elif call.has("-e", "--erase") or letters[:1] == "e":
        yield from call.perform(REMOVED)
    elif call.has("-i", "-U", "-F", "--install", "--upgrade", "--freshen", "--reinstall"):
        yield from call.perform(FOREIGN)
    elif call.options:
        yield from call.perform(SYSTEM_SET)
    else:
        yield from call.perform(LOOK)


PROGRAMS: tuple[Program, ...] = (
    program(
        "dnf dnf4 dnf5 yum microdnf tdnf",
        LOOK,
        subs=DNF,
        values="-c --config --installroot --enablerepo --disablerepo -x --exclude "
        "--releasever --setopt --repo --repoid --forcearch",
    ),
    setting(
        "yum-config-manager subscription-manager dnf-automatic copr-cli",
        SOURCES_SET,
        subs={"list status identity facts": LOOK},
        acting={"--dump": LOOK},
    ),
    program(
        "repoquery yumdownloader rpm2cpio rpm2archive rpmquery repoclosure repodiff "
        "package-cleanup-list",
        LOOK,
    ),
    program(
        "rpm",
        handler=rpm,
        switches="--query --verify --checksig --install --upgrade --erase --import",
        values="--qf --queryformat --root --dbpath --define -D --eval -E",
    ),
    setting("rpmkeys rpmdb", SYSTEM_SET, acting={"-K --checksig --list --verifydb": LOOK}),
    setting(
        "rpm-ostree ostree bootc transactional-update abroot atomupd-manager",
        INSTALLED,
        subs={
            "status db list log refs show check diff": LOOK,
            "cleanup": REMOVED,
            "uninstall remove rollback": REMOVED,
            "pkg": setting("", INSTALLED, subs={"list": LOOK}),
        },
    ),
    program("zypper", LOOK, subs=ZYPPER, values="-R --root -c --config --releasever"),
    setting("urpmi urpmi.addmedia urpmi.update urpmi.removemedia", INSTALLED),
    setting("urpme", REMOVED),
    program("urpmf urpmq", LOOK),
)
