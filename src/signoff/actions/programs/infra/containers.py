"""Containers on this machine: docker, podman, nerdctl, compose and their like.

Building and running the project's containers is ordinary work. Privileged ones and mounts beyond
the project hand over the machine; volumes hold data; prune removes what was named nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.embedded import embedded_shell
from signoff.actions.operation import FileKind, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On, inert, local, remote
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.infra.deeds import (
    LOCAL_BACKUP_GONE,
    LOGS_IN,
    SETS,
    machine,
)
from signoff.actions.programs.infra.mounts import RUN_VALUES, elsewhere, enter, run
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.shell.command import Word

RUN = local(Verb.EXECUTE, Thing.CONTAINER, reversible=True)
LOOK = Act(Verb.READ, Thing.CONTAINER, On.NOTHING, always=True)
STOP = local(Verb.CONTROL, Thing.CONTAINER, reversible=True)
GONE = local(Verb.DELETE, Thing.CONTAINER, reversible=True)
IMAGE_GONE = local(Verb.DELETE, Thing.IMAGE, reversible=False)
REBUILT = local(Verb.DELETE, Thing.IMAGE, Trait.REBUILDABLE, reversible=True)
DATA_GONE = local(Verb.DELETE, Thing.VOLUME, reversible=False)
PULL = Act(Verb.NETWORK_IN, Thing.IMAGE, On.OPERANDS, reach=Reach.REMOTE, always=True)
PUSHED = remote(Verb.PUBLISH, Thing.IMAGE)


def build(call: Call) -> Iterator[Effect]:
    """`docker build CONTEXT`: a context from the network is a stranger's build."""
    for word in call.operands[:1]:
        if "://" in word.text or word.text.startswith(("git@", "github.com/")):
            yield call.operation(
                Verb.INSTALL,
                Thing.IMAGE,
                word.text,
                traits=(Trait.UNTRUSTED_SOURCE,),
                reach=Reach.PROJECT,
            )
    if call.texts[:1] == ("-",) or any(w.text == "-" for w in call.values("-f", "--file")):
        yield from _built_from_input(call)
    yield call.operation(Verb.EXECUTE, Thing.CONTAINER, "a build", reach=Reach.PROJECT)


def _built_from_input(call: Call) -> Iterator[Effect]:
    """A Dockerfile on standard input: what its RUN lines pipe together, and what deserves it."""
    stdin = call.command.stdin
    if stdin is None or stdin.path:
        return
    if stdin.text is None:
        yield call.opaque("a Dockerfile that cannot be told")
        return
    text = stdin.text.replace("\\\n", " ")
    piped = [line[4:] for line in text.split("\n") if line[:4].upper() == "RUN " and "|" in line]
    for line in dict.fromkeys((*piped[:50], *embedded_shell(text, FileKind.CONTAINER))):
        yield Nested(text=line, language="shell", carrier=call.name)


def own_user_space(call: Call) -> Iterator[Effect]:
    """`podman unshare program`: the program runs here, with other user numbers."""
    if call.operands:
        yield Nested(text=rejoin(call.operands), language="shell", carrier=call.name)
    else:
        yield call.operation(Verb.EXECUTE, Thing.CONTAINER, reach=Reach.PROJECT)


def copy(call: Call) -> Iterator[Effect]:
    """`docker cp`: one side is a file of this machine."""
    for place, word in enumerate(call.operands[:2]):
        if ":" not in word.text:
            yield call.on_file(Verb.WRITE if place else Verb.READ, word)
    yield call.operation(Verb.INERT, Thing.CONTAINER)


def compose_down(call: Call) -> Iterator[Effect]:
    """`compose down` stops; with `-v` the data goes too."""
    if call.has("-v", "--volumes"):
        yield call.operation(
            Verb.DELETE, Thing.VOLUME, "all volumes", reach=Reach.PROJECT, reversible=False
        )
    if call.has("--rmi"):
        yield call.operation(
            Verb.DELETE, Thing.IMAGE, reach=Reach.PROJECT, traits=(Trait.REBUILDABLE,)
        )
    yield call.operation(Verb.CONTROL, Thing.CONTAINER, reach=Reach.PROJECT, reversible=True)


def remove(call: Call) -> Iterator[Effect]:
    """`docker rm`: by force or with volumes it is asked about."""
    if call.has("-v", "--volumes"):
        yield call.operation(Verb.DELETE, Thing.VOLUME, reach=Reach.PROJECT, reversible=False)
    words = call.operands or (Word(text=""),)
    for word in words:
        broad = (Trait.BROAD,) if not word.is_known else ()
        yield call.operation(
            Verb.DELETE,
            Thing.CONTAINER,
            word.text,
            traits=broad,
            reach=Reach.PROJECT,
            reversible=True,
        )


def system_prune(call: Call) -> Iterator[Effect]:
    """`system prune`: with volumes the data goes, with `-a` every image not in use."""
    if call.has("--volumes"):
        yield call.operation(
            Verb.DELETE,
            Thing.VOLUME,
            "every volume not in use",
            traits=(Trait.WHOLE_STORE,) if call.has("-a", "--all") else (Trait.BROAD,),
            reach=Reach.PROJECT,
            reversible=False,
        )
    yield call.operation(
        Verb.DELETE,
        Thing.CONTAINER,
        "everything not in use",
        traits=(Trait.BROAD,),
        reach=Reach.PROJECT,
        reversible=False,
    )


BUILT = sub(
    handler=build,
    values="-t --tag -f --file --build-arg --target --platform --cache-from --cache-to --label "
    "--secret --network --progress --output -o --iidfile --build-context --ssh --add-host",
)
FORCED = {"-f --force": Trait.FORCED}
PRUNE = sub(REBUILT)
VOLUME = sub(
    LOOK,
    subs={
        "ls list inspect": LOOK,
        "create": RUN,
        "rm remove prune": sub(DATA_GONE, values="--filter"),
    },
)
NETWORK = sub(
    LOOK,
    subs={
        "ls list inspect": LOOK,
        "create connect disconnect": sub(RUN, values="-d --driver --subnet --ip --gateway"),
        "rm remove prune": sub(
            local(Verb.CONFIGURE, Thing.NETWORK, reversible=True), values="--filter"
        ),
    },
)
SECRET = sub(
    LOOK,
    subs={
        "ls list inspect": LOOK,
        "create": local(Verb.CONFIGURE, Thing.CREDENTIAL, reversible=False),
        "rm remove": local(Verb.DELETE, Thing.CREDENTIAL, reversible=False),
    },
)
SWARM = sub(
    remote(Verb.CONFIGURE, Thing.CLUSTER),
    subs={
        "ls list inspect ps logs": LOOK,
        "rm remove": remote(Verb.DELETE, Thing.CLUSTER),
    },
)
IMAGE_SUBS: dict[str, Program | Act | tuple[Act, ...]] = {
    "ls list inspect history": LOOK,
    "build": BUILT,
    "pull": PULL,
    "push": PUSHED,
    "prune": PRUNE,
    "rm remove rmi": sub(IMAGE_GONE, flags=FORCED),
    "tag load import untag mount unmount": RUN,
    "save": sub(LOOK, writes="-o --output"),
}
CONTAINER_SUBS: dict[str, Program | Act | tuple[Act, ...]] = {
    "run create": sub(handler=run, values=RUN_VALUES, options_first=True),
    "exec": sub(
        handler=enter, values="-e --env -w --workdir -u --user --detach-keys", options_first=True
    ),
    "ps ls list logs inspect top stats port diff events wait export history": sub(
        LOOK, values="-n --tail --since --until --format --filter -f", writes="-o --output"
    ),
    "stop restart start pause unpause attach rename update": sub(STOP, values="-t --time"),
    "kill": sub(STOP, values="-s --signal"),
    "rm remove": sub(handler=remove, flags=FORCED),
    "prune": sub(GONE),
    "cp": sub(handler=copy),
    "commit": RUN,
}
COMPOSE = sub(
    RUN,
    values="-f --file -p --project-name --profile --env-file --project-directory --ansi",
    subs={
        "run": sub(handler=run, values=RUN_VALUES, options_first=True),
        "up start restart stop pause unpause create exec build watch scale attach kill": sub(
            RUN, values="-t --timeout --scale -e --env -u --user -w --workdir --name -p"
        ),
        "down": sub(handler=compose_down, values="-t --timeout"),
        "rm": sub(GONE, flags={"-v": Trait.FORCED}),
        "ps ls logs top images config convert version events port stats wait volumes": LOOK,
        "pull": PULL,
        "push publish": PUSHED,
        "cp": sub(handler=copy),
    },
)
ENGINE_SUBS: dict[str, Program | Act | tuple[Act, ...]] = {
    **CONTAINER_SUBS,
    "container": sub(LOOK, subs=CONTAINER_SUBS),
    "image": sub(LOOK, subs=IMAGE_SUBS),
    "build": BUILT,
    "buildx builder": sub(
        RUN,
        subs={
            "build": BUILT,
            "bake": sub(RUN, values="-f --file --set"),
            "ls inspect du version history": LOOK,
            "prune": PRUNE,
            "create use stop bootstrap": STOP,
            "rm": GONE,
            "imagetools": sub(LOOK, subs={"inspect": LOOK, "create": RUN}),
        },
    ),
    "images info version system-info search context-ls": LOOK,
    "pull": PULL,
    "push": PUSHED,
    "rmi": sub(IMAGE_GONE, flags=FORCED),
    "tag load import": RUN,
    "save": sub(LOOK, writes="-o --output"),
    "volume": VOLUME,
    "network": NETWORK,
    "secret config": SECRET,
    "compose": COMPOSE,
    "system": sub(
        LOOK,
        subs={
            "df info events version connection": LOOK,
            "prune": sub(handler=system_prune),
            "reset": sub(
                Act(
                    Verb.DELETE,
                    Thing.VOLUME,
                    On.NOTHING,
                    frozenset({Trait.BROAD}),
                    Reach.PROJECT,
                    reversible=False,
                    always=True,
                )
            ),
        },
    ),
    "login": LOGS_IN,
    "logout help": inert(),
    "context": sub(
        LOOK,
        subs={"ls inspect show export": LOOK, "create update import": RUN, "use rm": SETS},
    ),
    "swarm service stack node": SWARM,
    "manifest trust": sub(
        LOOK,
        subs={"inspect": LOOK, "create annotate": RUN, "push": remote(Verb.PUBLISH, Thing.IMAGE)},
    ),
    "plugin": sub(
        LOOK,
        subs={
            "ls inspect": LOOK,
            "install enable upgrade": local(Verb.INSTALL, Thing.PACKAGE, Trait.UNTRUSTED_SOURCE),
            "disable rm": STOP,
        },
    ),
    "checkpoint": sub(RUN, subs={"ls": LOOK, "create": RUN, "rm": LOCAL_BACKUP_GONE}),
    "init scout desktop debug model mcp ai extension offload sandbox": sub(LOOK),
    "machine": sub(
        LOOK,
        subs={
            "ls list info inspect ssh": LOOK,
            "init start stop set": STOP,
            "rm reset": DATA_GONE,
        },
    ),
    "pod": sub(
        LOOK,
        subs={
            "ps ls inspect logs top stats": LOOK,
            "create start stop restart": STOP,
            "rm prune": GONE,
        },
    ),
    "unshare": sub(handler=own_user_space, options_first=True),
    "generate kube play mount umount healthcheck": RUN,
}
ENGINE_VALUES = (
    "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --namespace -n "
    "--root --runroot --storage-driver --url --connection --address -a"
)

PROGRAMS: tuple[Program, ...] = (
    program(
        "docker podman nerdctl docker.io podman-remote finch",
        inert(),
        values=ENGINE_VALUES,
        subs=ENGINE_SUBS,
        prelude=elsewhere,
    ),
    program(
        "docker-compose podman-compose",
        *COMPOSE.acts,
        values="-f --file -p --project-name --profile --env-file --project-directory",
        subs=dict(COMPOSE.subs),
    ),
    program(
        "buildah",
        RUN,
        subs={
            "rm delete": GONE,
            "rmi": IMAGE_GONE,
            "prune": REBUILT,
            "push": PUSHED,
            "login": LOGS_IN,
            "pull": PULL,
            "run from copy add config commit": sub(
                handler=run, values=RUN_VALUES, options_first=True
            ),
            "images containers inspect version info logout": LOOK,
        },
    ),
    program(
        "buildctl img kaniko executor",
        RUN,
        subs={"build bud": BUILT, "prune prune-histories": REBUILT, "push": PUSHED, "du ls": LOOK},
    ),
    program("runc crun youki", RUN, subs={"list ps state events spec": LOOK, "delete": GONE}),
    program("dockerd containerd buildkitd conmon kubelet", machine(Verb.CONTROL, Thing.SERVICE)),
    program(
        "docker-machine",
        LOOK,
        subs={
            "ls inspect ip status url version active config env help": LOOK,
            "create start stop restart upgrade provision regenerate-certs": STOP,
            "ssh scp": RUN,
            "rm kill": DATA_GONE,
        },
    ),
)
