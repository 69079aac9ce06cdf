"""How a sentence names what an Operation acts on: quoted, bounded, as people name it.

object_of("/home/dev/project/data", 22)  ->  "`/home/.../project/data`"
command_of("aws ec2 run-instances", 14)  ->  "`aws ec2 ...`"
resource_of(op, "deploy web", 120)       ->  "deployment `web`", of a cluster
"""

from __future__ import annotations

from signoff.actions.lexicon.objects import plural
from signoff.actions.operation import Operation, ResourceType
from signoff.actions.paths import UNKNOWN_PART

NOT_KNOWN_YET = "…"  # in place of a part of a name that is known only when the call runs
# Programs whose target is a kind and a name, and the kinds they abbreviate.
KIND_FIRST = ("kubectl ", "oc ", "kubecolor ")
KINDS = {
    **{
        "deploy": "deployment",
        "ns": "namespace",
        "po": "pod",
        "svc": "service",
        "sts": "statefulset",
    },
    **{"cm": "configmap", "ing": "ingress", "pv": "persistentvolume", "ds": "daemonset"},
    **{"pvc": "persistentvolumeclaim", "sa": "serviceaccount", "crd": "customresourcedefinition"},
}
# They take a release and a chart; the release is what is changed.
RELEASE_FIRST = ("helm ", "helm3 ")
EVERYTHING = {"all": "everything"}
# `kubectl drain node-1` names one, `kubectl delete pod --all` a kind.
NAMED_ALONE = frozenset(
    (*KINDS.values(), "job", "cronjob", "node", "secret", "replicaset", "networkpolicy", "event")
)
SHORTEST_PART, SHORTEST_END = 16, 4
# A path of fewer parts is cut as a name is.
_FEWEST_PARTS = 3
ALL_INFRASTRUCTURE = "the infrastructure"
# Targets that are words of a reader, not names from the call.
DESCRIBED = frozenset(
    {
        *("all volumes", "all unused volumes", "unused volumes", "unused anonymous volumes"),
        *(
            f"unused {volumes}{rest}"
            for volumes in ("", "volumes, ", "anonymous volumes, ")
            for images in ("images", "untagged images")
            for rest in (
                f"containers, {images}, networks and build cache",
                f"containers, pods, {images} and networks",
            )
        ),
        *("all containers, pods, images, networks and volumes", "scheduled jobs"),
        *(
            "untracked files",
            "a privileged container",
            "a privileged build",
            ALL_INFRASTRUCTURE,
            "cluster secrets",
            "topics and groups",
        ),
        *("stored passwords", "a tunnel", "the project", "a recording of the tests", "local data"),
    }
)


def resource_of(op: Operation, target: str, room: int) -> str:
    """Return a cluster resource as people name it: kind, then name.

    Args:
        room: most characters.
    """
    if op.program.startswith(RELEASE_FIRST):
        return object_of(target.partition(" ")[0], room)
    if not op.program.startswith(KIND_FIRST) or op.thing is ResourceType.CREDENTIAL:
        return object_of(target, room)
    # What follows an option is its value, and no name.
    kind, _, name = target.partition(" -")[0].partition(" ")
    if kind in EVERYTHING and not name:
        return EVERYTHING[kind]
    # Two words at most: with more of them the target is no kind and name.
    if not kind.isalpha() or " " in name:
        return object_of(target, room)
    kind = KINDS.get(kind, kind)
    if name:
        return f"{kind} {object_of(name, room)}"
    # Where a kind stands alone, a label or `--all` selects: it is no name of one.
    return plural(kind) if kind in NAMED_ALONE else object_of(target, room)


def object_of(target: str, room: int) -> str:
    """Return a target quoted so that it cannot be mistaken for the sentence around it.

    Args:
        room: most characters.
    """
    if target == "-":
        return "standard input"
    if target in DESCRIBED or not target.strip(f" {UNKNOWN_PART}"):
        return target.strip(f" {UNKNOWN_PART}")
    # A backtick in a name would close the quotation, and the rest would read as our sentence
    # (T-35).
    plain = target.removeprefix(":").replace("`", "'")
    return f"`{_middle(plain.replace(UNKNOWN_PART, NOT_KNOWN_YET), room)}`"


def command_of(command: str, room: int) -> str:
    """Return a command quoted; its first words say what it does, so the last ones go first.

    Args:
        room: most characters.
    """
    plain, room = command.replace("`", "'").replace(UNKNOWN_PART, NOT_KNOWN_YET), max(room, 22)
    if len(plain) <= room:
        return f"`{plain}`"
    kept = plain[: room - 3]
    whole = kept if plain[room - 3] == " " else kept.rpartition(" ")[0]
    following = plain[len(whole) :].strip().partition(" ")[0]
    left = room - len(whole) - 1
    # Of an address or a path a part tells more than nothing.
    if whole and "/" in following and len(following) > left >= SHORTEST_PART:
        return f"`{whole} {_middle(following, left)}`"
    return f"`{whole.rstrip()} ...`" if whole else f"`{kept}...`"


def _middle(text: str, room: int) -> str:
    """Return a text without its middle, if it is longer than there is room for."""
    if len(text) <= room:
        return text
    return _short_address(text, room) or _short_path(text, room) or _cut_middle(text, room)


def _cut_middle(text: str, room: int) -> str:
    # More of the end: in a name it tells most.
    tail = (room - 3) * 2 // 3
    return f"{text[: room - 3 - tail]}...{text[-tail:]}"


def _short_address(text: str, room: int) -> str:
    """Return an address with its whole host, "" for other texts.

    Where the host is too long, its end stays: that is what a name is registered by.
    """
    scheme, mark, rest = text.partition("://")
    host, slash, path = rest.partition("/")
    if not mark or not host or " " in host:
        return ""
    if not slash:
        return host if len(host) <= room else f"...{host[3 - room :]}"
    short = ""
    for start in (f"{scheme}://{host}", host):
        left = room - len(start) - len("/...")
        end = path[-left:] if left > 0 else ""
        if left >= 0:
            # The last part of its path as a whole, or a piece that can be read.
            short = f"{start}/...{end if len(end) >= SHORTEST_END else ''}"
        if "/" in end:
            return f"{start}/...{end[end.find('/') :]}"
    return short or f"...{host[7 - room :]}/..."


def _short_path(text: str, room: int) -> str:
    """Return a path with its first folder and as many of its last parts as there is room for."""
    parts = text.split("/")
    if len(parts) < _FEWEST_PARTS or " " in text:
        return ""
    first = parts[0] or f"/{parts[1]}"
    rest = parts[1 if parts[0] else 2 :]
    for start in (f"{first}/...", "..."):
        for at in range(1, len(rest)):
            short = "/".join((start, *rest[at:]))
            if len(short) <= room:
                return short
    return ""
