"""What a tool that starts containers hands them of this machine, as the options of `docker run`.

rights_given(run_container(image="alpine", privileged=True)) -> PRIVILEGE, "a privileged container"
rights_given(run_container(volumes=["/:/host"]))             -> PRIVILEGE, "mounts /"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from signoff.actions.action import Action, Json
from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import CallWords, Operation, Reach, ResourceType, Verb
from signoff.actions.programs.infra.mounts import WIDE_CAPABILITIES, read_mount

MOST_ARGUMENTS = 100
MOST_MOUNTS = 50
# Folders whose holder has the machine: its root, what starts it, and other people's files.
WIDE = frozenset({"/", "/etc", "/root", "/home", "/var", "/var/run", "/run", "/boot", "/proc"})
_MOUNTS = frozenset({"volume", "volumes", "mount", "mounts", "bind", "binds"})
_SHARED = frozenset({"pid", "ipc", "userns"})


def rights_given(action: Action) -> Iterator[Operation]:
    """Yield an Operation for each dangerous right a container gets on this machine."""
    for name, value in islice(action.arguments.items(), MOST_ARGUMENTS):
        words = frozenset(split_words(name[:100]))
        if "privileged" in words and value is True:
            yield _right(action, "a privileged container")
        elif "cap" in words or "capabilities" in words:
            given = {text.lower().removeprefix("cap_") for text in _texts(value)}
            if "drop" not in words and given & WIDE_CAPABILITIES:
                yield _right(action, "a privileged container")
        elif words & _SHARED and value == "host":
            yield _right(action, f"{name[:30]}=host")
        elif words & _MOUNTS:
            for text in _texts(value):
                yield from _mounted(action, text)


def _texts(value: Json) -> tuple[str, ...]:
    """Give the texts of a value: itself, the items of a list, the keys of a mapping."""
    match value:
        case str():
            return (value,)
        case Mapping():
            named = value.get("source") or value.get("Source") or value.get("src")
            return (named,) if isinstance(named, str) else tuple(islice(value, MOST_MOUNTS))
        case list() | tuple():
            return tuple(text for one in value[:MOST_MOUNTS] for text in _texts(one))
        case _:
            return ()


def _mounted(action: Action, text: str) -> Iterator[Operation]:
    given = read_mount(text)
    if given.plain_source in WIDE or given.is_engine_socket:
        yield _right(action, f"mounts {given.plain_source}")


def _words(what: str) -> CallWords:
    """Return what a container gets, as a sentence begins."""
    if what.startswith("mounts "):
        return CallWords(does="Runs a container that mounts", objects=(what[7:207],))
    if "=" in what:
        return CallWords(does="Runs a container with", objects=(what[:60],))
    return CallWords(does=f"Runs {what}", is_sent=True)


def _right(action: Action, what: str) -> Operation:
    return Operation(
        verb=Verb.PRIVILEGE,
        thing=ResourceType.CONTAINER,
        target=what,
        reach=Reach.SYSTEM,
        program=action.tool[:100],
        source=f"{action.tool[:100]}({what[:60]})",
        call=_words(what),
    )
