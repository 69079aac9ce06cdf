"""What of the machine a container is handed: privileges, folders, the engine's own socket.

Running the project's containers is ordinary work; a privileged one, or one with a wide folder or
the engine's socket in it, is the machine. On an engine elsewhere every change is remote.
"""

from __future__ import annotations

import csv
import posixpath
from collections.abc import Iterator

from msgspec import Struct

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.infra.services import names_production
from signoff.actions.programs.lexicon import read_words
from signoff.actions.shell.command import Word
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import words

PRIVILEGED_OPTIONS = ("--privileged",)
# capabilities(7): each of them reaches the machine outside of the container.
WIDE_CAPABILITIES = words(
    "all sys_admin sys_ptrace sys_module sys_rawio sys_boot sys_time dac_override dac_read_search "
    "net_admin mac_admin mac_override bpf perfmon syslog checkpoint_restore"
)
# What an engine keeps a container inside by, and the words that switch it off.
CONFINING = words("seccomp apparmor label systempaths selinux")
UNCONFINED = words("unconfined disable disabled")
ENGINE_SOCKETS = words(
    "docker.sock podman.sock containerd.sock crio.sock cri-dockerd.sock dockershim.sock "
    "buildkitd.sock lxd.sock incus.sock"
)
# Images are often run with the machine's own time, certificates and host names.
HARMLESS_MOUNTS = ("/etc/localtime", "/etc/timezone", "/etc/ssl", "/etc/hosts")


_SOURCES, _TARGETS = ("source", "src"), ("target", "destination", "dst")
_READ_ONLY = frozenset({"ro", "readonly"})
_OFF = frozenset({"false", "0"})
_FOLDER_STARTS = ("/", ".", "~", "$")

_MAX_MOUNT = 16_000  # two paths of the greatest length


class Mount(Struct, frozen=True):
    """A mounted folder: its path on this machine, and its path in the container."""

    source: str
    target: str
    is_read_only: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether it is a path of this machine, not a volume of the container engine."""
        return self.source.startswith(_FOLDER_STARTS)

    @property
    def plain_source(self) -> str:
        """The normalised path, if absolute."""
        return posixpath.normpath(self.source) if self.source[:1] == "/" else self.source

    @property
    def is_engine_socket(self) -> bool:
        """Whether it is the engine's socket, whose users control the whole machine."""
        return self.plain_source.rsplit("/", 1)[-1] in ENGINE_SOCKETS


def read_mount(text: str) -> Mount:
    """Parse the value of `-v`, `--volume` or `--mount`.

    read_mount("/srv:/data:ro,z")           -> Mount("/srv", "/data", is_read_only=True)
    read_mount("type=bind,src=./a,dst=/b")  -> Mount("./a", "/b")
    """
    # `--mount` is written as fields, `-v` as `source:target:options`.
    if ("=" in text and "," in text) or text.startswith("type="):
        # The engine reads the fields as CSV, so `"source=/"` may stand in quotes.
        parts = next(csv.reader([text[:_MAX_MOUNT]]), [])
        fields = dict(part.partition("=")[::2] for part in parts)
        is_read_only = any(name in fields and fields[name] not in _OFF for name in _READ_ONLY)
        return Mount(_field(fields, _SOURCES), _field(fields, _TARGETS), is_read_only)
    source, _, rest = text.partition(":")
    target, _, options = rest.partition(":")
    return Mount(source, target, not _READ_ONLY.isdisjoint(options.split(",")))


def _field(fields: dict[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


def run(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `docker run` and `create`: what of the machine the container gets."""
    yield from _handed_in(call)
    image = call.texts[0] if call.operands else ""
    yield call.operation(
        Verb.EXECUTE, ResourceType.CONTAINER, image, reach=Reach.PROJECT, reversible=True
    )


def _handed_in(call: ProgramCall) -> Iterator[Operation]:
    if call.has(*PRIVILEGED_OPTIONS) or _capabilities(call) & WIDE_CAPABILITIES:
        yield call.operation(
            Verb.PRIVILEGE, ResourceType.CONTAINER, "a privileged container", reach=Reach.SYSTEM
        )
    for word in call.values("--security-opt"):
        # Older engines take `seccomp:unconfined`, too.
        name, _, how = word.text.replace(":", "=", 1).partition("=")
        if name in CONFINING and how.lower() in UNCONFINED:
            yield call.operation(Verb.PRIVILEGE, ResourceType.CONTAINER, word.text)
    # The host's processes or users are within reach then; its network alone is usual in tests.
    for option in ("--pid", "--userns", "--ipc", "--network", "--net"):
        value = call.value(option)
        if value is not None and value.text == "host" and option not in {"--network", "--net"}:
            yield call.operation(Verb.PRIVILEGE, ResourceType.CONTAINER, f"{option}=host")
    for word in call.values("-v", "--volume", "--mount", "--device"):
        yield from mount(call, word)


def _capabilities(call: ProgramCall) -> set[str]:
    """The capabilities that are added: `SYS_ADMIN`, `CAP_SYS_ADMIN`, podman's `a,b`."""
    given = [text for word in call.values("--cap-add") for text in word.text.lower().split(",")]
    return {text.strip().removeprefix("cap_") for text in given}


def mount(call: ProgramCall, word: Word) -> Iterator[Operation]:
    """Yield the effects of a mount: the engine's socket and wide folders give the machine away."""
    given = read_mount(word.text)
    if not given.is_folder:
        return  # a named volume
    source = given.plain_source
    if given.is_engine_socket:
        yield call.operation(Verb.PRIVILEGE, ResourceType.CONTAINER, source, reach=Reach.SYSTEM)
        return
    at = locate(source, call.place)
    if at.reach in {Reach.PROJECT, Reach.TEMP, Reach.NONE} or _is_harmless(source):
        return
    part = Word(text=source, is_known=word.is_known)
    if given.is_read_only:
        yield call.on_file(Verb.READ, part)
    elif at.is_root_of_reach:
        yield call.operation(
            Verb.PRIVILEGE, ResourceType.CONTAINER, f"mounts {source}", reach=at.reach
        )
    else:
        yield call.on_file(Verb.WRITE, part)


def _is_harmless(source: str) -> bool:
    return any(source == path or source.startswith(f"{path}/") for path in HARMLESS_MOUNTS)


NEAR_SCHEMES = ("unix:", "npipe:", "fd:")
# Contexts that engines for desktops make; another name may lead to any machine.
NEAR_CONTEXTS = words("default desktop-linux rootless colima orbstack rancher-desktop podman")
GROUPS = words("container image volume network compose system context stack service node buildx")
LOOKING = words(
    "ps ls list logs inspect images info version stats top events port diff history search df "
    "config wait login logout help show"
)


def enter(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `docker exec`, such as privileges, without the inner command."""
    if call.has("--privileged"):
        yield call.operation(
            Verb.PRIVILEGE, ResourceType.CONTAINER, "a privileged program", reach=Reach.SYSTEM
        )
    yield call.operation(
        Verb.EXECUTE, ResourceType.CONTAINER, " ".join(call.texts[:1]), reach=Reach.PROJECT
    )


def elsewhere(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `docker -H ssh://host` and `DOCKER_HOST=...`: changes are on that host."""
    if not _is_far(call):
        return
    path = [text for text in call.texts[:3] if not text.startswith("-")]
    # `docker container rm` and `docker rm` are one command.
    done = path[1:2] if path[:1] and path[0] in GROUPS else path[:1]
    if not done or done[0] in LOOKING:
        return
    loses = read_words(done).verb is Verb.DELETE or done[0] == "down"
    verb = Verb.DELETE if loses else Verb.CONTROL
    yield call.operation(
        verb,
        ResourceType.CONTAINER,
        " ".join(path),
        reach=Reach.PRODUCTION if names_production(call) else Reach.REMOTE,
        reversible=verb is not Verb.DELETE,
    )


def _is_far(call: ProgramCall) -> bool:
    host = call.value("-H", "--host", "--url", "--connection") or _assigned(call, "DOCKER_HOST")
    if host is not None:
        return not (host.text.startswith(NEAR_SCHEMES) or is_near_url(host.text))
    # docker: a host given or set outweighs the context.
    context = call.value("-c", "--context") or _assigned(call, "DOCKER_CONTEXT")
    return context is not None and context.text not in NEAR_CONTEXTS


def _assigned(call: ProgramCall, name: str) -> Word | None:
    found = [word for key, word in call.command.assignments if key == name]
    return found[-1] if found else None
