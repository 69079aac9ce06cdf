"""Containers beyond docker: lxc and incus, multipass, distrobox, apptainer, cri tools.

Boxes are made and stopped freely; deleting one is asked about, for what was made in it is gone;
snapshots are backups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.infra.deeds import (
    BUILD,
    FETCH,
    INERT,
    LOCAL_BACKUP_GONE,
    LOGS_IN,
    LOOK,
    LOST,
    RELEASES,
    SETS,
    machine,
    near,
)
from signoff.actions.programs.infra.mounts import mount, run
from signoff.actions.programs.infra.services import service
from signoff.actions.programs.program import Handler, Program, program, sub

RUNS = near(Verb.EXECUTE, Thing.CONTAINER)
STOPS = near(Verb.CONTROL, Thing.CONTAINER)
IMAGE_GONE = near(Verb.DELETE, Thing.IMAGE, reversible=False)
CACHE_GONE = near(Verb.DELETE, Thing.IMAGE, Trait.REBUILDABLE)
VOLUME_GONE = near(Verb.DELETE, Thing.VOLUME, reversible=False)
HOST = machine(Verb.CONFIGURE, Thing.CONTAINER)
EVERY_BOX = near(Verb.DELETE, Thing.CONTAINER, Trait.BROAD, reversible=False)
Table = Mapping[str, Act | Handler]


def _run_image(call: Call) -> Iterator[Effect]:
    """`apptainer exec IMAGE program`: home and the folder in force are at hand in it."""
    for word in call.values("-B", "--bind"):
        yield from mount(call, word)
    yield call.operation(
        Verb.EXECUTE, Thing.CONTAINER, " ".join(call.texts[:1]), reach=Reach.PROJECT
    )
    if call.name.endswith(" exec") and len(call.operands) > 1:
        yield Nested(text=rejoin(call.operands[1:]), language="shell", carrier=call.name)


LXC: Table = {
    "list | ls | info | config show | config get | profile list | profile show | image list | "
    "image info | network list | network show | storage list | storage info | storage volume "
    "list | "
    "remote list | version | monitor | operation list | project list | alias list | config list | "
    "cluster list | warning list | query | storage show | console --show-log": LOOK,
    "launch | create | init | start | stop | restart | pause | resume | file | exec | copy | "
    "move | "
    "rename | console | shell | snapshot | snapshot create | publish | rebuild | image | profile | "
    "config | storage | network | mount | umount | transfer | clone | set | get | find | alias | "
    "version | networks": RUNS,
    "delete | rm | profile delete | network delete | storage delete | image delete": LOST,
    "purge": EVERY_BOX,
    "storage volume delete | storage bucket delete": VOLUME_GONE,
    "snapshot delete": LOCAL_BACKUP_GONE,
    "restore | snapshot restore": LOST,
    "remote add | remote remove | remote switch | authenticate": SETS,
    "config trust | config trust add | cluster | admin | project delete": HOST,
    "admin init": HOST,
}
APPTAINER: Table = {
    "build | pull | inspect | verify | sif | overlay | keyserver list | cache list | plugin list | "
    "instance list | instance stats | search | version | key list | remote list | config "
    "global --get | registry list | sign | capability list | checkpoint list": BUILD,
    "pull": FETCH,
    "push": RELEASES,
    "cache clean": CACHE_GONE,
    "instance stop | stop": STOPS,
    "delete": machine(Verb.DELETE, Thing.IMAGE, reversible=False),
    "key remove": LOST,
    "registry login | remote login | registry | remote | key": LOGS_IN,
    "registry logout | remote logout": INERT,
    "config fakeroot | config global | capability | plugin install | plugin uninstall": HOST,
    "oci": RUNS,
}
CRI: Table = {
    "ps | pods | images | image list | image ls | images list | images ls | inspect | inspecti | "
    "inspectp | logs | stats | statsp | info | version | imagefsinfo | containers list | "
    "containers ls | containers info | task ls | tasks ls | namespaces ls | snapshots ls | "
    "content ls | events | plugins ls | leases ls | c ls | i ls | t ls | metricsp | config": LOOK,
    "pull | images pull | image pull | i pull": FETCH,
    "run | exec | create | start | runp | images import | image import | images tag | images "
    "mount | "
    "task start | task exec | attach | port-forward | tasks start | update | export": RUNS,
    "stop | stopp | task kill | tasks kill | task pause": STOPS,
    "rm | rmp | containers rm | containers delete | container rm | c rm | task rm | tasks delete": (
        LOST
    ),
    "rmi | images rm | image rm | i rm": IMAGE_GONE,
    "images push | i push": RELEASES,
    "snapshots rm | snapshots delete | snapshot rm": LOST,
    "namespaces rm": EVERY_BOX,
    "content prune | rmi --prune": CACHE_GONE,
}


APPTAINER_VALUES = (
    "-B --bind --env --env-file -H --home -W --workdir -S --scratch --overlay --pwd --cwd -s "
    "--security --hostname --dns --network --app"
)


def boxed(table: Table) -> Handler:
    """Read a command line of boxes on this machine by its words."""
    return service(Thing.CONTAINER, special=table, reach=Reach.PROJECT, change=Verb.EXECUTE)


def _boxes(names: str, table: Table, values: str = "") -> Program:
    return program(names, values=values, options_first=True, clusters=False, handler=boxed(table))


PROGRAMS: tuple[Program, ...] = (
    _boxes("lxc incus lxd multipass", LXC, "--project -v"),
    _boxes(
        "distrobox toolbox toolbx",
        {
            "rm | rm --all": LOST,
            "rmi": IMAGE_GONE,
            "list | ls | help | version": LOOK,
            "create | enter | run | stop | upgrade | export | generate-entry | ephemeral | "
            "assemble | init-container": RUNS,
        },
    ),
    program("distrobox-rm", LOST, values="-n --name"),
    program("distrobox-create distrobox-enter distrobox-upgrade distrobox-export", RUNS),
    program("distrobox-stop distrobox-list distrobox-ls", STOPS),
    program(
        "apptainer singularity",
        values="-c",
        subs={
            "run exec shell test": sub(
                handler=_run_image, values=APPTAINER_VALUES, options_first=True
            )
        },
        handler=boxed(APPTAINER),
    ),
    program(
        "ctr",
        values="-n --namespace -a --address",
        subs={
            "run": sub(
                handler=run, values="--mount --env --runtime --device", switches="--net --net-host"
            )
        },
        handler=boxed(CRI),
    ),
    _boxes("crictl", CRI, "-r --runtime-endpoint -c --config -i --image-endpoint"),
)
