"""Backups on this machine: making and looking is work, thinning is asked, deleting is refused.

Retention (`prune`, `forget --keep-*`) is routine and asked about; deleting an archive, a
snapshot or a whole repository is what an attacker does first.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    BACKUP_GONE,
    BACKUP_THINNED,
    DEVICE_SET,
    INERT,
    LATER,
    LOOK,
    SECRET_SET,
    setting,
)

MADE = Act(Verb.READ, Thing.BACKUP, On.NOTHING, always=True)
SET = Act(Verb.CONFIGURE, Thing.BACKUP, On.NOTHING, reach=Reach.SYSTEM, always=True)
RESTORED = Act(Verb.WRITE, Thing.FILE, On.NOTHING, reach=Reach.PROJECT, always=True)
STORE_GONE = Act(
    Verb.DELETE,
    Thing.BACKUP,
    On.OPERANDS,
    frozenset({Trait.WHOLE_STORE}),
    Reach.SYSTEM,
    reversible=False,
    always=True,
)
MOUNTED = DEVICE_SET


def forget(call: Call) -> Iterator[Effect]:
    """`restic forget`: a policy thins, named snapshots are deleted."""
    if call.has("-n", "--dry-run"):
        yield call.operation(Verb.INERT, Thing.NOTHING, traits=(Trait.DRY_RUN,))
    elif any(o.name.startswith("--keep") for o in call.options) or not call.operands:
        yield from call.perform(BACKUP_THINNED)
    else:
        yield from call.perform(BACKUP_GONE)


def borg_delete(call: Call) -> Iterator[Effect]:
    """`borg delete`: an archive, or the repository with all of them."""
    if call.has("-n", "--dry-run"):
        yield call.operation(Verb.INERT, Thing.NOTHING, traits=(Trait.DRY_RUN,))
    elif call.has("--cache-only"):
        yield call.operation(Verb.INERT, Thing.NOTHING, "cache")
    else:
        yield from call.perform(BACKUP_GONE)


def differential(call: Call) -> Iterator[Effect]:
    """`rdiff-backup`, `duplicity`: source and target, or an option that says otherwise."""
    if call.has("--remove-older-than", "--remove-all-but-n-full"):
        yield from call.perform(BACKUP_THINNED)
    elif call.has("--list-increments", "--compare", "--list-at-time", "--verify", "-l"):
        yield from call.perform(LOOK)
    elif call.has("-r", "--restore-as-of"):
        yield from (call.on_file(Verb.WRITE, w) for w in call.operands[-1:])
    else:
        yield from (call.on_file(Verb.READ, w) for w in call.operands[:-1])
        for word in call.operands[-1:]:
            if "://" in word.text or "::" in word.text:
                yield call.operation(
                    Verb.NETWORK_OUT,
                    Thing.URL,
                    word.text,
                    traits=(Trait.SENDS_FILES,),
                    reach=Reach.REMOTE,
                    reversible=False,
                )
            else:
                yield call.on_file(Verb.WRITE, word)


DIFFERENTIAL = sub(handler=differential)
LOOKING = (
    "list ls info check diff stats snapshots find cat verify version help self-update status show "
    "dump history query benchmark debug generate estimate size tags collection-status "
    "list-current-files stat audit dryrun snaps usage"
)

PROGRAMS: tuple[Program, ...] = (
    setting(
        "borg",
        SET,
        values="--repo -r --comment -C --compression -e --encryption -P --prefix -a "
        "--glob-archives --remote-path --rsh --sort-by --format",
        subs={
            LOOKING: LOOK,
            "create": MADE,
            "init rcreate repo-create": MADE,
            "extract export-tar": RESTORED,
            "import-tar recreate rename transfer upgrade with-lock break-lock": SET,
            "prune": setting("", BACKUP_THINNED, harmless="-n --dry-run --list-only"),
            "delete rdelete repo-delete": sub(handler=borg_delete),
            "compact": BACKUP_THINNED,
            "mount umount": MOUNTED,
            "key": setting("", SECRET_SET),
            "config serve": SET,
            "rlist rinfo repo-list repo-info": LOOK,
        },
    ),
    setting(
        "restic rustic",
        SET,
        values="-r --repo -p --password-file --password-command -o --option --cache-dir --tag "
        "--host -H --repository-file --limit-upload --from-repo",
        subs={
            LOOKING: LOOK,
            "backup init": sub(MADE),
            "restore": RESTORED,
            "copy rewrite repair rebuild-index recover migrate tag cache unlock": SET,
            "forget": sub(
                handler=forget,
                values="--keep-last -l --keep-hourly -H --keep-daily -d --keep-weekly -w "
                "--keep-monthly -m --keep-yearly -y --keep-within --keep-tag --host --tag "
                "--path --group-by",
            ),
            "prune": setting("", BACKUP_THINNED, harmless="-n --dry-run"),
            "mount": MOUNTED,
            "key": setting("", SECRET_SET, subs={"list": LOOK}),
        },
    ),
    program(
        "resticprofile autorestic borgmatic emborg vorta",
        MADE,
        subs={
            LOOKING: LOOK,
            "prune forget compact": BACKUP_THINNED,
            "schedule cron": LATER,
            "unschedule": SET,
            "delete": BACKUP_GONE,
        },
        harmless="--dry-run -n",
    ),
    setting(
        "kopia duplicacy bupstash bup zbackup attic obnam arq knoxite",
        SET,
        subs={
            LOOKING: LOOK,
            "snapshot": setting(
                "",
                SET,
                subs={
                    "create": MADE,
                    "list ls estimate verify": LOOK,
                    "delete expire": BACKUP_GONE,
                    "restore": RESTORED,
                },
            ),
            "backup init save put index split": MADE,
            "restore get": RESTORED,
            "prune gc maintenance": BACKUP_THINNED,
            "rm delete": BACKUP_GONE,
            "mount fuse": MOUNTED,
            "repository": setting("", SET, subs={"status": LOOK}),
            "policy": setting("", SET, subs={"show list": LOOK}),
        },
    ),
    program(
        "rdiff-backup duplicity",
        handler=differential,
        values="--remove-older-than --restore-as-of -r --exclude --include --encrypt-key -t "
        "--time --api-version",
        subs={
            "verify collection-status list-current-files list info calculate test compare": LOOK,
            "remove-older-than remove-all-but-n-full remove-all-inc-of-but-n-full cleanup "
            "remove": BACKUP_THINNED,
            "full incremental incr inc backup restore": DIFFERENTIAL,
        },
    ),
    program("rsnapshot", MADE, subs={"configtest du diff": LOOK}, harmless="-t"),
    setting(
        "timeshift",
        SET,
        acting={
            "--list --list-snapshots --list-devices --check": LOOK,
            "--delete": BACKUP_GONE,
            "--delete-all": STORE_GONE,
            "--restore": DEVICE_SET,
            "--create": MADE,
        },
    ),
    setting(
        "snapper",
        SET,
        subs={
            LOOKING: LOOK,
            "create": MADE,
            "list-configs get-config xadiff": LOOK,
            "delete": BACKUP_GONE,
            "cleanup": BACKUP_THINNED,
            "rollback undochange modify create-config delete-config set-config setup-quota": SET,
        },
        values="-c --config -t --type -d --description",
    ),
    setting(
        "btrbk yabsnap snap-sync sanoid syncoid zrepl zfs-auto-snapshot pyznap",
        SET,
        subs={
            "run resume snapshot": BACKUP_THINNED,
            LOOKING: LOOK,
            "prune clean": BACKUP_THINNED,
            "diff ls origin config": LOOK,
        },
        harmless="-n --dry-run",
    ),
    setting(
        "tarsnap",
        SET,
        acting={
            "-c": Act(
                Verb.NETWORK_OUT,
                Thing.BACKUP,
                On.NOTHING,
                frozenset({Trait.SENDS_FILES}),
                Reach.REMOTE,
                reversible=False,
                always=True,
            ),
            "-x": RESTORED,
            "-t --list-archives --print-stats --verify-config --dry-run": LOOK,
            "-d --nuke": BACKUP_GONE,
        },
    ),
    setting("tarsnap-keygen", SECRET_SET),
    setting(
        "deja-dup backintime kup pika-backup urbackupclientctl",
        SET,
        subs={
            LOOKING: LOOK,
            "backup backup-job": MADE,
            "remove": BACKUP_GONE,
            "snapshots-list last-snapshot snapshots-path": LOOK,
        },
        acting={"--backup": MADE, "--restore": RESTORED},
    ),
    setting("amanda amdump amcheck bconsole bacula", SET, harmless="-l"),
    program("apt-clone", INERT, subs={"clone info show-diff": LOOK, "restore": SET}),
    setting(
        "vzdump proxmox-backup-client",
        SET,
        subs={
            "list snapshot-list status": LOOK,
            "prune": BACKUP_THINNED,
            "snapshot": setting("", SET, subs={"list files": LOOK, "forget": BACKUP_GONE}),
            "backup": MADE,
            "restore": RESTORED,
        },
    ),
)
