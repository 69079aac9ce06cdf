"""Disks, volumes, mounts."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
lvremove -h
cryptsetup --help
lsblk -f
fdisk -l
sudo fdisk --list /dev/sda
parted -l
parted /dev/sda print
sudo parted /dev/sda unit GB print free
wipefs /dev/sda
sudo smartctl -a /dev/sda
nvme list
blkid
mkfs.ext4 disk.img
mkswap swap.img
sudo fsck -n /dev/sda1
badblocks -v /dev/sdb
sudo hdparm -I /dev/sda
sudo lvs
vgdisplay
zfs list
zpool status
btrfs subvolume list /
sudo btrfs filesystem usage /
mdadm --detail /dev/md0
cryptsetup luksDump /dev/sda2
mount
swapon --show
e2label /dev/sda1
losetup -a
dmsetup ls
fwupdmgr get-updates
"""
ASKED = r"""
mount /dev/sdb1 /mnt
umount /mnt
swapoff -a
fsck -y /dev/sda1
resize2fs /dev/sda1
e2label /dev/sda1 data
tune2fs -c 30 /dev/sda1
lvextend -L +5G vg/data
zfs snapshot tank/a@now
zpool scrub tank
btrfs subvolume create data
cryptsetup open /dev/sda2 secret
losetup /dev/loop0 disk.img
fdisk /dev/sda
smartctl -t long /dev/sda
sshfs me@host.example:/srv mnt
fwupdmgr update
blkdiscard disk.img --offset 0 && mount -a
"""
DENIED = r"""
cryptsetup -h sha256 luksFormat /dev/sda
mkfs -V -t ext4 /dev/sdb
mkfs.xfs -f /dev/sdb
zpool destroy tank -v
mkfs.ext4 /dev/sdb1
mkfs -t xfs /dev/sdb
mke2fs -F /dev/sdc
wipefs -a /dev/sda
sgdisk --zap-all /dev/sda
sgdisk -Z /dev/sda
echo 'label: gpt' | sfdisk /dev/sda
parted -s /dev/sda mklabel gpt
badblocks -w /dev/sdb
hdparm --security-erase NULL /dev/sda
nvme format /dev/nvme0n1
blkdiscard /dev/sdb
lvremove -f vg/data
vgremove vg
zfs destroy -r tank/home
zpool destroy tank
mdadm --zero-superblock /dev/sdb
cryptsetup luksErase /dev/sda2
btrfs subvolume delete /snapshots/1
mkswap /dev/sda3
nwipe /dev/sda
dmsetup remove_all
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about storage gets the verdict of the policy."""
    assert expected == verdict(line)
