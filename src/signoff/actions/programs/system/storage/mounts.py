"""Mounts, swap, loop devices, network file systems, images."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import DEVICE_CONTROL, DEVICE_SET, INERT, LOOK, setting


def mount(call: Call) -> Iterator[Effect]:
    """`mount` alone lists; with operands or `-a` it changes what lies where."""
    if call.has("-l", "--show-labels", "-f", "--fake") or not (call.operands or call.has("-a")):
        yield call.operation(Verb.READ, Thing.DEVICE)
        return
    yield call.operation(
        Verb.CONFIGURE, Thing.DEVICE, " ".join(call.texts), reach=Reach.SYSTEM, reversible=True
    )


def swap(call: Call) -> Iterator[Effect]:
    """`swapon` alone and with `--show` lists."""
    if call.has("-s", "--summary", "--show") or not (call.operands or call.options):
        yield call.operation(Verb.READ, Thing.DEVICE)
    else:
        yield call.operation(Verb.CONFIGURE, Thing.DEVICE, " ".join(call.texts), reach=Reach.SYSTEM)


PROGRAMS: tuple[Program, ...] = (
    program("mount", handler=mount, values="-t --types -o --options -L -U -O --source --target"),
    program("swapon", handler=swap, values="-p --priority -o --options"),
    setting(
        "umount unmount swapoff pmount pumount fusermount fusermount3 mount.cifs mount.nfs "
        "mount.smb3 mount_nfs sshfs curlftpfs s3fs gcsfuse davfs2 mount.davfs "
        "smbnetfs automount autofs bindfs unionfs mergerfs overlayfs archivemount ratarmount "
        "mount.ddi systemd-mount systemd-umount grub-mount hfsfuse ifuse simple-mtpfs jmtpfs "
        "pivot_root switch_root nbdkit qemu-nbd dislocker ntfs-3g fuseiso exportfs",
        DEVICE_CONTROL,
        bare=LOOK,
        harmless="-h --list",
        values="-t -o",
    ),
    program("mountpoint findmnt showmount nfsstat nfsiostat wdctl lsblk", LOOK),
    program("genfstab fstabfmt", LOOK),
    setting("dphys-swapfile", DEVICE_SET),
    program("sync syncfs fadvise vmtouch", INERT),
    setting("nfsconf rpc.nfsd rpcbind", DEVICE_SET),
)
