"""Backups on this machine."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
borg list repo
borg create repo::now src
borg info repo
borg prune --dry-run --keep-daily 7 repo
borg delete --dry-run repo::old
restic snapshots
restic backup src
restic check
restic forget --dry-run --keep-last 3
rsnapshot configtest
timeshift --list
snapper list
snapper create -d before
btrbk --dry-run run
duplicity collection-status file:///mnt/b
tarsnap --list-archives
kopia snapshot list
rdiff-backup --list-increments out
borg extract repo::now
restic diff a b
"""
ASKED = r"""
borg prune --keep-daily 7 repo
restic forget --keep-last 5
restic prune
restic forget --keep-daily 7 --prune
restic mount mnt
rdiff-backup --remove-older-than 3M out
duplicity remove-older-than 6M --force file:///mnt/b
snapper cleanup number
timeshift --restore
rsync -a src/ me@host.example:/backup/
btrbk run
tarsnap -c -f new src
"""
DENIED = r"""
borg delete repo::old
borg delete repo
restic forget 1a2b3c4d
timeshift --delete --snapshot x
timeshift --delete-all
snapper delete 3
tmutil delete /Volumes/b/2020
vssadmin delete shadows /all /quiet
tarsnap -d -f old
kopia snapshot delete k123 --delete
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line about backups gets the verdict of the policy."""
    assert expected == verdict(line)
