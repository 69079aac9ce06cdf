"""Containers on this machine: docker, podman, nerdctl, compose, lxc, multipass, apptainer.

Building and running the project's containers is ordinary work. Privileged ones and mounts beyond
the project hand over the machine; volumes hold data; prune removes what was named nowhere. A box
of lxc or multipass is made and stopped freely; deleting one is asked about, for what was made in
it is gone; snapshots are backups.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.embedded import embedded_shell
from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.effect_presets import PUBLISH_IMAGE
from signoff.actions.programs.infra.mounts import mount
from signoff.actions.programs.net.arrivals import arriving, read_elsewhere, secret_kind
from signoff.actions.shell.command import Word
from signoff.values import replace


def build(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `docker build CONTEXT`: a context from the network is a stranger's build."""
    for word in call.operands[:1]:
        # docker clones or fetches such a context and runs its RUN lines.
        if "://" in word.text or word.text.startswith(("git@", "github.com/")):
            yield call.operation(
                Verb.INSTALL,
                ResourceType.IMAGE,
                word.text,
                traits=(Trait.UNTRUSTED_SOURCE,),
                reach=Reach.PROJECT,
            )
    if call.texts[:1] == ("-",) or any(w.text == "-" for w in call.values("-f", "--file")):
        yield from _built_from_input(call)
    if call.has("--push"):
        tags = [word.text for word in call.values("-t", "--tag")]
        yield call.operation(
            Verb.PUBLISH,
            ResourceType.IMAGE,
            " ".join(tags[:3]),
            reach=Reach.REMOTE,
            reversible=False,
        )
    yield call.operation(Verb.EXECUTE, ResourceType.CONTAINER, "a build", reach=Reach.PROJECT)


# containers-transports(5): an image in a folder, an archive or the engine of this machine.
_HERE = ("dir:", "oci:", "oci-archive:", "docker-archive:", "containers-storage:", "docker-daemon:")


def image_copy(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `skopeo copy FROM TO`: to a registry it is published, else it comes here."""
    to = call.operands[-1] if len(call.operands) == 2 else Word(text="")
    if not to.is_known or not to.text.startswith(_HERE):
        yield from call.perform(PUBLISH_IMAGE)
        return
    source = call.texts[0]
    if not source.startswith(_HERE):
        yield call.operation(Verb.NETWORK_IN, ResourceType.IMAGE, source, reach=Reach.REMOTE)
    kind, _, path = to.text.partition(":")
    if kind in ("containers-storage", "docker-daemon"):
        yield call.operation(Verb.WRITE, ResourceType.IMAGE, path, reach=Reach.PROJECT)
    else:
        yield call.on_file(Verb.WRITE, replace(to, text=path.partition(":")[0]))


MAX_PIPED = 50


def _built_from_input(call: ProgramCall) -> Iterator[Effect]:
    """A Dockerfile on standard input: what its RUN lines pipe together, and what deserves it."""
    stdin = call.command.stdin
    # A file on standard input is looked at as the file it is.
    if stdin is None or stdin.path:
        return
    if stdin.text is None:
        yield call.opaque("a Dockerfile that is unknown")
        return
    # A RUN line goes on behind a backslash.
    text = stdin.text.replace("\\\n", " ")
    # `RUN curl ... | sh` is where a download meets a shell.
    piped = [line[4:] for line in text.split("\n") if line[:4].upper() == "RUN " and "|" in line]
    if len(piped) > MAX_PIPED:
        yield call.opaque("more lines of a Dockerfile than are read")
    for line in dict.fromkeys((*piped[:MAX_PIPED], *embedded_shell(text, FileKind.CONTAINER))):
        yield Nested(text=line, language="shell", carrier=call.name)


def own_user_space(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `podman unshare program`: the program runs here, with other user numbers."""
    if call.operands:
        yield Nested(text=rejoin(call.operands), language="shell", carrier=call.name)
    else:
        yield call.operation(Verb.EXECUTE, ResourceType.CONTAINER, reach=Reach.PROJECT)


def copy(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `docker cp`: one side is a file of this machine."""
    for place, word in enumerate(call.operands[:2]):
        if ":" in word.text:
            continue
        if word.text == "-":
            # `docker cp box:/key -` prints the file as a tar archive.
            if place and (kind := secret_kind(call, call.operands[0])):
                yield read_elsewhere(call, call.operands[0], kind)
        elif place and secret_kind(call, call.operands[0]):
            yield from arriving(call, call.operands[:1], word)
        else:
            yield call.on_file(Verb.WRITE if place else Verb.READ, word)
    yield call.operation(Verb.INERT, ResourceType.CONTAINER)


def compose_down(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `compose down` stops; with `-v` the data goes too."""
    if call.has("-v", "--volumes"):
        yield call.operation(
            Verb.DELETE, ResourceType.VOLUME, "all volumes", reach=Reach.PROJECT, reversible=False
        )
    if call.has("--rmi"):
        yield call.operation(
            Verb.DELETE, ResourceType.IMAGE, reach=Reach.PROJECT, traits=(Trait.REBUILDABLE,)
        )
    yield call.operation(Verb.CONTROL, ResourceType.CONTAINER, reach=Reach.PROJECT, reversible=True)


def remove(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `docker rm`: by force or with volumes it is asked about."""
    if call.has("-v", "--volumes"):
        yield call.operation(
            Verb.DELETE, ResourceType.VOLUME, reach=Reach.PROJECT, reversible=False
        )
    words = call.operands or (Word(text=""),)
    for word in words:
        # `docker rm $(docker ps -aq)`: all there are.
        broad = (Trait.BROAD,) if not word.is_known else ()
        yield call.operation(
            Verb.DELETE,
            ResourceType.CONTAINER,
            word.text,
            traits=broad,
            reach=Reach.PROJECT,
            reversible=True,
        )


def system_prune(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `system prune`: with volumes the data goes, with `-a` every image not in use.

    Without `-a` images that have a tag are kept, and without `--volumes` all volumes.
    """
    is_all = call.has("-a", "--all")
    images = "images" if is_all else "untagged images"
    rest = f"containers, {images}, networks and build cache"
    if _is_podman(call):
        rest = f"containers, pods, {images} and networks"
    if call.has("--volumes"):
        yield call.operation(
            Verb.DELETE,
            ResourceType.VOLUME,
            f"unused {_volumes(call)}, {rest}",
            traits=(Trait.WHOLE_STORE,) if is_all else (Trait.BROAD,),
            reach=Reach.PROJECT,
            reversible=False,
        )
    yield call.operation(
        Verb.DELETE,
        ResourceType.CONTAINER,
        f"unused {rest}",
        traits=(Trait.BROAD,),
        reach=Reach.PROJECT,
        reversible=False,
    )


def _volumes(call: ProgramCall) -> str:
    # docker-system-prune(1) takes volumes without a name only; podman's takes all.
    return "volumes" if _is_podman(call) else "anonymous volumes"


def _is_podman(call: ProgramCall) -> bool:
    return call.name.startswith("podman")


def system_reset(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `podman system reset`: nothing of podman's storage is left."""
    yield call.operation(
        Verb.DELETE,
        ResourceType.VOLUME,
        "all containers, pods, images, networks and volumes",
        traits=(Trait.BROAD,),
        reach=Reach.PROJECT,
        reversible=False,
    )


def volume_prune(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `volume prune`: docker keeps volumes with a name, unless told `-a`."""
    is_all = call.has("-a", "--all")
    yield call.operation(
        Verb.DELETE,
        ResourceType.VOLUME,
        "all unused volumes" if is_all else f"unused {_volumes(call)}",
        reach=Reach.PROJECT,
        reversible=False,
    )


def run_image(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `apptainer exec IMAGE program`: home and the folder in force are at hand in it."""
    for word in call.values("-B", "--bind"):
        yield from mount(call, word)
    yield call.operation(
        Verb.EXECUTE, ResourceType.CONTAINER, " ".join(call.texts[:1]), reach=Reach.PROJECT
    )
    if call.name.endswith(" exec") and len(call.operands) > 1:
        yield Nested(text=rejoin(call.operands[1:]), language="shell", carrier=call.name)


def pushed(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `skaffold build --push`: what is built goes to a registry."""
    if any([word.text in {"--push", "--push=true"} for word in call.command.words[1:]]):
        yield call.operation(
            Verb.PUBLISH, ResourceType.IMAGE, call.name, reach=Reach.REMOTE, reversible=False
        )
