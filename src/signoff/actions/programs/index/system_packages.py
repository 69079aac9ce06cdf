"""Which family describes which program: the part `system_packages`.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {
    "system.packages.arch": (
        "archlinux-java asp aur aura auracle aurman aurvote bauerbill checkupdates cower cylon "
        "expac informant makepkg pacaur paccache paccapability pacconf pacdiff pacgraph pacinfo "
        "pacini paclist paclog pacman pacman-db-upgrade pacman-key pacman-mirrors pacman-optimize "
        "pacrepairdb pacrepairfile pacreport pacsearch pacsift pacsort pacstrap pactrans pactree "
        "pakku pamac paru pikaur pkgcacheclean pkgdiff pkgfile powerpill rankmirrors reflector "
        "rua trizen yaourt yay "
    ),
    "system.packages.debian": (
        "abuild add-apt-repository alien apt apt-add-repository apt-cache apt-cdrom apt-config "
        "apt-fast apt-file apt-forktracer apt-ftparchive apt-get apt-key apt-listchanges apt-mark "
        "apt-offline apt-rdepends apt-show-versions aptdcon aptitude aptly aurpublish bts "
        "check-dfsg-status cowbuilder createrepo createrepo_c dch dctrl-tools deb-reversion "
        "debchange debconf-set-selections debfoster debman deborphan debtap debtree debuild dget "
        "dh dh_listpackages dlocate do-release-upgrade dpkg dpkg-architecture dpkg-buildpackage "
        "dpkg-deb dpkg-divert dpkg-parsechangelog dpkg-query dpkg-reconfigure dpkg-source "
        "dpkg-statoverride ebuild equivs-build extrepo fedpkg gbp gdebi germinate grep-dctrl "
        "lintian mint-apt mk-build-deps mock nala pbuilder pkcon pkgctl popularity-contest "
        "repo-add repo-remove repomirror reportbug rpmbuild rpmdev-setuptree rpmlint rpmsign "
        "rpmspec sbuild software-sources spectool tasksel ubuntu-drivers ucf unattended-upgrade "
        "unattended-upgrades update-manager uscan uupdate vrms wajig xbps-src "
    ),
    "system.packages.linux": (
        "ail-cli akmods am apk appimaged appimagelauncher apx debootstrap dispatch-conf e-file "
        "eclean ego eix emaint emerge env-update eopkg epkginfo equery esearch eselect etc-update "
        "euse flatpak flatpak-builder gcc-config genimage gentoolkit installpkg ipkg kiwi-ng "
        "layman lb lbu mhwd mhwd-gpu mkosi mmdebstrap opkg owut pikman pisi pkgadd pkgchk pkginfo "
        "pkgrm pkgtool qdepends qfile qlist qsearch removepkg sboinstall sbopkg sboremove shelly "
        "slackpkg slapt-get snap swupd tce-load upgradepkg upt vso xbps-alternatives xbps-dgraph "
        "xbps-install xbps-pkgdb xbps-query xbps-reconfigure xbps-remove xlocate xtools zap "
    ),
    "system.packages.other": (
        "bottles-cli choco chocolatey cinst cup dism freebsd-update fw_update guix heroic "
        "installer legendary lutris mas msiexec nix-diff nix-index nix-info nix-locate nix-tree "
        "nixos-generate-config nixos-install nixos-option nixos-version pkg pkg_add pkg_deinstall "
        "pkg_delete pkg_info pkg_version pkgin pkgng pkgutil port portmaster portsnap "
        "protontricks protonup-qt retroarch scoop softwareupdate steam steamcmd syspatch "
        "sysupgrade winetricks winget wusa "
    ),
    "system.packages.redhat": (
        "abroot atomupd-manager bootc copr-cli dnf dnf-automatic dnf4 dnf5 microdnf ostree "
        "package-cleanup-list repoclosure repodiff repoquery rpm rpm-ostree rpm2archive rpm2cpio "
        "rpmdb rpmkeys rpmquery subscription-manager tdnf transactional-update urpme urpmf urpmi "
        "urpmi.addmedia urpmi.removemedia urpmi.update urpmq yum yum-config-manager yumdownloader "
        "zypper "
    ),
}
