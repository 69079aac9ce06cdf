"""Which family describes which program: the part `system_storage`.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {
    "system.storage.disks": (
        "addpart asr avrdude badblocks blkdiscard blkpr blkzone blockdev bmaptool bossac "
        "btrfs-convert btrfstune burn cd-paranoia cdparanoia cdrdao cdrecord cfdisk cgdisk "
        "clonezilla cvfsck debugfs debugreiserfs delpart dfu-programmer dfu-util dmsetup dosfsck "
        "dosfslabel e2fsck e2image e2label e2mmpstatus e2undo e4crypt e4defrag edquota eject "
        "esptool esptool.py exfatfsck exfatlabel ext4magic extundelete f3brew f3fix f3probe "
        "f3read f3write fatlabel fatresize fdformat fdisk flashrom foremost fsadm fsarchiver fsck "
        "fsck.btrfs fsck.cramfs fsck.erofs fsck.exfat fsck.ext2 fsck.ext3 fsck.ext4 fsck.f2fs "
        "fsck.fat fsck.hfs fsck.hfsplus fsck.minix fsck.msdos fsck.vfat fsck.xfs fsck_apfs "
        "fsck_hfs fsck_msdos fsfreeze fstrim fwupdmgr fwupdtool gdisk gnome-disk-utility "
        "gnome-disks gparted growisofs growpart hdparm heimdall iscsiadm isohybrid jfs_fsck kpart "
        "kpartx losetup mformat mkdosfs mke2fs mkexfatfs mkfs mkfs.bcachefs mkfs.bfs mkfs.btrfs "
        "mkfs.cramfs mkfs.erofs mkfs.exfat mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.f2fs mkfs.fat "
        "mkfs.gfs2 mkfs.hfsplus mkfs.jfs mkfs.minix mkfs.msdos mkfs.nilfs2 mkfs.ntfs mkfs.ocfs2 "
        "mkfs.reiserfs mkfs.udf mkfs.vfat mkfs.xfs mkntfs mkreiserfs mkswap mkudffs mlabel mt mtx "
        "nbd-client newfs newfs_apfs newfs_hfs newfs_msdos ntfsclone ntfsfix ntfslabel ntfsresize "
        "ntfstune nvme nwipe ocs-sr openocd partclone.btrfs partclone.dd partclone.ext4 "
        "partclone.fat partclone.ntfs partclone.restore partclone.xfs parted partimage partprobe "
        "partx photorec picotool quotactl quotaoff quotaon reiserfsck resize.f2fs resize2fs "
        "resizepart rkdeveloptool scalpel scsi_stop sdparm setquota sfdisk sfill sg_format sg_raw "
        "sg_sanitize sg_start sg_unmap sg_write_same sgdisk smartctl sswap st st-flash swaplabel "
        "testdisk thin_check tune.exfat tune.f2fs tune2fs udevadm udiskie udiskie-umount "
        "udisksctl ventoy ventoy.sh wipefs wodim xfs_admin xfs_db xfs_freeze xfs_fsr xfs_growfs "
        "xfs_io xfs_metadump xfs_quota xfs_repair "
    ),
    "system.storage.mounts": (
        "archivemount autofs automount bindfs curlftpfs davfs2 dislocker dphys-swapfile exportfs "
        "fadvise findmnt fstabfmt fuseiso fusermount fusermount3 gcsfuse genfstab grub-mount "
        "hfsfuse ifuse jmtpfs lsblk mergerfs mount mount.cifs mount.davfs mount.ddi mount.nfs "
        "mount.smb3 mount_nfs mountpoint nbdkit nfsconf nfsiostat nfsstat ntfs-3g overlayfs "
        "pivot_root pmount pumount qemu-nbd ratarmount rpc.nfsd rpcbind s3fs showmount "
        "simple-mtpfs smbnetfs sshfs swapoff swapon switch_root sync syncfs systemd-mount "
        "systemd-umount umount unionfs unmount vmtouch wdctl "
    ),
    "system.storage.volumes": (
        "bcache bcachefs btrfs clevis cryfs cryptdisks_start cryptdisks_stop cryptsetup "
        "ecryptfs-setup-private encfs encfsctl formats fscrypt fullreport gocryptfs guestfish "
        "guestmount integritysetup lvchange lvconvert lvcreate lvdisplay lvextend lvm "
        "lvm_import_vdo lvmconfig lvmdevices lvmdiskscan lvmdump lvmpolld lvreduce lvremove "
        "lvrename lvresize lvs lvscan make-bcache mdadm multipath multipathd pvchange pvck "
        "pvcreate pvdisplay pvmove pvremove pvresize pvs pvscan segtypes stratis "
        "systemd-cryptenroll systemd-cryptsetup tcplay tomb truecrypt vdo vdoformat vdostats "
        "veracrypt veritysetup vgcfgbackup vgcfgrestore vgchange vgck vgcreate vgdisplay vgexport "
        "vgextend vgimport vgimportclone vgimportdevices vgmerge vgmknodes vgreduce vgremove "
        "vgrename vgs vgscan vgsplit virt-filesystems virt-resize virt-sparsify zerofree zfs "
        "zpool zramctl zuluCrypt-cli "
    ),
}
