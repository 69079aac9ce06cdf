"""Which file systems there are: only near ones, or also some that may keep a caller waiting.

Near is what answers from this machine's memory or disks. Any other in the table (NFS, SMB, FUSE,
9p, what mounts itself when it is looked at), and any kind that is not known, is far; and as a link
can lead anywhere, one of them makes all looks far. Systems without a table are far.

    mounts = Mounts(); mounts.look(); mounts.are_near
"""

from __future__ import annotations

TABLE = "/proc/self/mountinfo"
NEAR = frozenset(
    [
        "bcachefs",
        "binfmt_misc",
        "bpf",
        "btrfs",
        "cgroup",
        "cgroup2",
        "configfs",
        "cramfs",
        "debugfs",
        "devpts",
        "devtmpfs",
        "efivarfs",
        "erofs",
        "exfat",
        "ext2",
        "ext3",
        "ext4",
        "f2fs",
        "fusectl",
        "hugetlbfs",
        "iso9660",
        "jfs",
        "mqueue",
        "nsfs",
        "ntfs3",
        "overlay",
        "proc",
        "pstore",
        "ramfs",
        "reiserfs",
        "rpc_pipefs",
        "securityfs",
        "selinuxfs",
        "squashfs",
        "sysfs",
        "tmpfs",
        "tracefs",
        "udf",
        "vfat",
        "xfs",
        "zfs",
    ]
)
# Mounts itself when it is looked at, and only what is near.
NEAR_AUTOMATIC = frozenset({"/proc/sys/fs/binfmt_misc"})


class Mounts:
    """Knows whether all file systems are local, as of the last `look`.

    Args:
        table: file in which the system lists its mounts.
    """

    def __init__(self, table: str = TABLE) -> None:
        self._table = table
        self.are_near = False
        self.look()

    def look(self) -> None:
        """Read the table of mounts again."""
        try:
            with open(self._table, encoding="utf-8", errors="surrogateescape") as table:
                self.are_near = all(map(_is_near, table))
        except OSError:
            self.are_near = False


def _is_near(line: str) -> bool:
    """Tell whether a line names a file system that keeps nobody waiting."""
    # The kind comes after a lone hyphen, as the fields before it vary in number (proc(5)).
    place, gap, kind = line.partition(" - ")
    fields, kinds = place.split(" "), kind.split(" ")
    if not gap or len(fields) < 5:
        return False
    return kinds[0] in NEAR or (kinds[0] == "autofs" and fields[4] in NEAR_AUTOMATIC)
