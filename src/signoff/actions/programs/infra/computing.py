"""Batch systems, storage clusters and high availability: slurm, ceph, gluster, pacemaker.

Looking at queues and health passes; jobs of one's own are ordinary work; what the whole cluster
lives on is the machine's.
"""

from __future__ import annotations

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.infra.deeds import (
    BUILD,
    FETCH,
    LOCAL_BACKUP_GONE,
    LOOK,
    SHOWS_SECRET,
    machine,
    near,
)
from signoff.actions.programs.infra.services import service_program
from signoff.actions.programs.program import Program, program

ACCOUNTS = machine(Verb.CONFIGURE, Thing.ACCOUNT, reversible=False)
CONTROLS = machine(Verb.CONFIGURE, Thing.CLUSTER)
JOB_STOPS = near(Verb.CONTROL, Thing.PROCESS)
JOB_RUNS = near(Verb.EXECUTE, Thing.PROCESS)
STORE_GONE = machine(Verb.DELETE, Thing.VOLUME, Trait.WHOLE_STORE, reversible=False)
GONE = machine(Verb.DELETE, Thing.CLUSTER, reversible=False)

PROGRAMS: tuple[Program, ...] = (
    program(
        "squeue sinfo sacct sstat sprio sreport sdiag sshare smap sview strigger sh5util qstat "
        "qhost bjobs bqueues bhosts condor_q condor_status pbsnodes showq checkjob",
        LOOK,
    ),
    program(
        "sbatch salloc srun sattach sbcast qsub qrsh qlogin bsub condor_submit",
        JOB_RUNS,
        values="-n -N -c -p -t -J -o -e -A --mem --time --partition --job-name",
    ),
    program("scancel qdel bkill condor_rm qhold qrls condor_hold condor_release", JOB_STOPS),
    program("sacctmgr", ACCOUNTS, subs={"show list dump": LOOK}),
    program(
        "scontrol",
        CONTROLS,
        subs={"show ping version": LOOK, "hold release suspend resume requeue": JOB_STOPS},
    ),
    service_program(
        "ceph rados rbd radosgw-admin cephadm ceph-volume cephfs-shell gluster glusterd drbdadm "
        "linstor beegfs-ctl lfs mmfs moosefs mfs weed juicefs longhornctl openebs",
        {
            "status | health | df | osd tree | osd df | osd stat | mon stat | pg stat | "
            "quorum_status | "
            "pool stats | volume info | volume status | peer status | osd pool ls | fs ls | "
            "fs status | "
            "auth list | config show | versions | mds stat | orch ls | orch ps | user info": LOOK,
            "auth get | auth get-key | auth print-key | user create": SHOWS_SECRET,
            "osd pool delete | osd pool rm | fs rm | volume delete | rmpool | purge | osd purge | "
            "osd destroy | volume stop | zap | lvm zap | wipe-metadata | destroy | pool "
            "rm": STORE_GONE,
            "snap rm | snap purge | snap remove": LOCAL_BACKUP_GONE,
            "snap ls | ls | info | list": LOOK,
            "shell | run": CONTROLS,
        },
        thing=Thing.VOLUME,
        reach=Reach.SYSTEM,
        change=Verb.CONFIGURE,
    ),
    service_program(
        "pcs crm crm_resource crm_mon cibadmin corosync-cfgtool stonith_admin",
        {
            "status | config | resource status | cluster status | configure show | resource "
            "config": (LOOK),
            "cluster destroy": STORE_GONE,
            "stonith fence": GONE,
        },
        thing=Thing.SERVICE,
        reach=Reach.SYSTEM,
        change=Verb.CONFIGURE,
    ),
    service_program(
        "koji copr bodhi osc abf fedora-messaging",
        {
            "hello | list | list-builds | search | buildinfo | taskinfo | moshimoshi": LOOK,
            "download-build | download-logs | download-task | checkout | co": FETCH,
            "local-build": BUILD,
        },
    ),
    service_program(
        "gitlab-ctl gitlab-backup gitlab-rake",
        {
            "status | tail | show-config | check-config | diff-config | help": LOOK,
            "create": BUILD,
            "restore": machine(Verb.DELETE, Thing.DATABASE, Trait.SCHEMA_LOSS, reversible=False),
            "cleanse | uninstall | remove-accounts": STORE_GONE,
        },
        thing=Thing.SERVICE,
        reach=Reach.SYSTEM,
        change=Verb.CONFIGURE,
    ),
)
