"""Virtual machines on this machine: libvirt, QEMU, VirtualBox, Proxmox, LXC, quick starters.

Machines with their disks are asked about before they go; a whole store of them is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    BACKUP_GONE,
    BACKUP_THINNED,
    DEVICE_SET,
    FETCH,
    INERT,
    LOOK,
    MESSAGE,
    SERVICE,
    SERVICE_SET,
    WORKS,
    setting,
)

GONE = Act(
    Verb.DELETE, Thing.VOLUME, On.OPERANDS, reach=Reach.SYSTEM, reversible=False, always=True
)
READS = (
    "list ls status info config show pending cluster get current nodeinfo help "
    "showcmd rescan listsnapshot"
)
GUEST = {
    READS: LOOK,
    "start stop shutdown reboot reset suspend resume wait agent guest unlock cloudinit importdisk "
    "clone create restore template migrate move move-disk move_disk resize set snapshot "
    "sendkey terminal vncproxy enter push pull mount unmount fsck fstrim import "
    "monitor": SERVICE,
    "destroy": GONE,
    "delsnapshot": BACKUP_GONE,
    "rollback": SERVICE_SET,
    "disk": setting("", DEVICE_SET, subs={"unlink": GONE, "rescan": LOOK}),
    "unlink": GONE,
    "exec": SERVICE,
}
VIRSH_LOOKS = (
    "list dominfo domstate domstats domblklist domblkinfo domiflist domifaddr domdisplay dumpxml "
    "capabilities nodeinfo nodecpustats nodememstats hostname uri version sysinfo help "
    "net-list net-info net-dumpxml net-dhcp-leases pool-list pool-info pool-dumpxml vol-list "
    "vol-info vol-path snapshot-list snapshot-info snapshot-dumpxml snapshot-current iface-list "
    "nwfilter-list secret-list domcapabilities vcpuinfo vncdisplay cpu-stats domtime domid "
    "domuuid domname freecell nodedev-list checkpoint-list domhostname domjobinfo event"
)


def inside(call: Call) -> Iterator[Effect]:
    """`proot COMMAND`: the command runs as if below another root; what it names may be ours."""
    words_ = call.operands
    start = next((i for i, w in enumerate(words_) if w.text[:1] not in "-/"), 0)
    yield Nested(text=rejoin(words_[start:]), language="shell", carrier=call.name)


def virtual_snapshot(call: Call) -> Iterator[Effect]:
    """`VBoxManage snapshot MACHINE list|take|restore|delete`."""
    what = call.texts[1] if len(call.texts) > 1 else "list"
    if what in {"delete", "deletecurrent"}:
        yield from call.perform(BACKUP_GONE)
    elif what in {"list", "showvminfo"}:
        yield from call.perform(LOOK)
    else:
        yield from call.perform(SERVICE_SET)


PROGRAMS: tuple[Program, ...] = (
    setting(
        "virsh",
        SERVICE,
        values="-c --connect",
        subs={
            VIRSH_LOOKS: LOOK,
            "undefine pool-delete pool-destroy vol-delete vol-wipe": GONE,
            "snapshot-delete checkpoint-delete": BACKUP_GONE,
            "net-define net-undefine net-destroy net-start net-autostart net-create": SERVICE_SET,
        },
    ),
    program(
        "virt-top virt-df virt-ls virt-cat virt-inspector virt-host-validate virt-what "
        "virt-viewer-list osinfo-query virt-log virt-diff",
        LOOK,
    ),
    setting(
        "virt-install virt-manager virt-clone virt-customize virt-builder virt-edit "
        "virt-copy-in virt-copy-out virt-qemu-run virt-v2v virt-sysprep cockpit-tls "
        "gnome-boxes virt-xml",
        SERVICE,
        acting={"--list-osinfo --osinfo=list -l --list": LOOK},
        harmless="--dry-run --print-xml",
    ),
    setting(
        "VBoxManage vboxmanage VBoxHeadless vmrun prlctl utmctl",
        SERVICE,
        subs={
            "list showvminfo showhdinfo showmediuminfo metrics bandwidthctl guestproperty "
            "getextradata": LOOK,
            "unregistervm closemedium delete": GONE,
            "snapshot": sub(handler=virtual_snapshot),
            "extpack": setting("", SERVICE_SET, subs={"list": LOOK}),
        },
    ),
    program(
        "qemu-img qemu-io",
        WORKS,
        subs={
            "info check map compare measure": LOOK,
            "create resize": Act(Verb.WRITE, Thing.FILE, On.FIRST),
            "convert rebase commit amend": Act(Verb.WRITE, Thing.FILE, On.LAST),
            "snapshot": sub(LOOK, acting={"-d -a": BACKUP_GONE, "-c": WORKS}),
        },
        values="-f -O -o -b -F -s",
    ),
    program(
        "qemu qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-system-i386 "
        "qemu-system-riscv64 qemu-system-ppc64 qemu-system-mips kvm quickemu bochs simh "
        "qemu-x86_64 qemu-aarch64 qemu-arm firecracker cloud-hypervisor crosvm "
        "vfkit",
        WORKS,
        acting={"--delete-vm --delete-disk": GONE, "--kill": SERVICE},
    ),
    program("quickget", FETCH),
    setting("krunvm", WORKS, subs={"delete": GONE, "list": LOOK}),
    setting("qm pct", SERVICE, subs=GUEST),
    setting(
        "pvesh pvesm pvecm pvenode pveam pveceph pveum pvedaemon pve-zsync pveproxy",
        SERVICE,
        subs={
            "list status get ls nodes available help usage apiver": LOOK,
            "delnode delete remove free": GONE,
            "prune-backups": BACKUP_THINNED,
            "config": setting("", SERVICE_SET, subs={"get": LOOK}),
            "task cert acme": setting("", SERVICE, subs={"list info log": LOOK}),
            "download": FETCH,
            "user acl role group": setting("", SERVICE_SET, subs={"list": LOOK}),
        },
    ),
    program("pveperf pveversion pvereport", LOOK),
    setting(
        "lxc-create lxc-start lxc-stop lxc-copy lxc-snapshot lxc-freeze lxc-unfreeze "
        "lxc-execute lxc-cgroup lxc-unshare",
        SERVICE,
        acting={"-L": LOOK},
    ),
    program("lxc-ls lxc-info lxc-top lxc-monitor lxc-config lxc-checkconfig lxc-console", LOOK),
    setting("lxc-destroy", GONE),
    program("lxc-attach", SERVICE),
    setting(
        "xl xe xm govc vim-cmd esxcli ovftool",
        SERVICE,
        subs={
            "list info dmesg top uptime vcpu-list about ls vm.info find": LOOK,
            "destroy vm-destroy vm-uninstall vm.destroy datastore.rm": GONE,
        },
    ),
    setting(
        "waydroid anbox genymotion",
        SERVICE,
        subs={"status log prop": LOOK, "app": setting("", WORKS, subs={"list": LOOK})},
    ),
    setting("abrt-cli", LOOK, subs={"remove": GONE, "report": MESSAGE}),
    setting("schroot", SERVICE, acting={"-l --list -i --info --location": LOOK}),
    program("chroot arch-chroot unshare nsenter steamos-chroot", SERVICE),
    program(
        "proot fakechroot bwrap",
        handler=inside,
        options_first=True,
        values="-r -b -w -q -k --rootfs --bind --cwd",
    ),
    program("firejail", INERT),
    setting("usbip", DEVICE_SET, subs={"list port": LOOK}),
)
