"""Images of containers that a session built with a secret in them.

A secret is in an image if its build file copies one, if a copy of one lies in the folder that is
built, if the ignore list no longer leaves it out, or if it was put into the container it is made
of. A build without one makes the image clean.

    images_made(operations, call, held)      ("in", "image:ghcr.io/a/b:1")
    builds_secret(words, call, held)         a build with `--push` takes a secret along
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence

from signoff.actions.operation import Operations
from signoff.actions.paths import is_inside, locate
from signoff.actions.shell.secret_copies.held_secrets import CONTAINER, IMAGE, LOST, RECIPE
from signoff.actions.understand import place_of
from signoff.actions.vocabulary import words
from signoff.assess.combined.call import Call

BUILDERS = words("docker podman nerdctl buildah kaniko buildctl")
COMPOSE = f"{IMAGE}compose:latest"
_FILES = ("Dockerfile", "Containerfile")


def images_made(
    operations: Operations, call: Call, held: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield ("in" or "out", name) for each image or container that a call makes or fills."""
    lines = {op.source for op in operations if op.source.split(" ", 1)[0] in BUILDERS}
    if not held and not any(" cp " in line for line in lines):
        return
    for line in lines:
        yield from _made([text.strip("'\"") for text in line.split()], call, held)


def _made(given: Sequence[str], call: Call, held: Collection[str]) -> Iterator[tuple[str, str]]:
    if "build" in given[1:4]:
        state = "in" if builds_secret(given, call, held) else "out"
        yield from [(state, named_image(ref)) for ref in _values(given, ("-t", "--tag"))]
        if "compose" in given[1:4]:
            yield state, COMPOSE
        return
    plain = [text for text in given[2:] if text[:1] != "-"]
    act = given[1] if len(given) > 1 else ""
    if act in {"save", "export"}:
        is_held = any([named_image(one) in held or f"{CONTAINER}{one}" in held for one in plain])
        for path in _values(given, ("-o", "--output")) if is_held else ():
            yield "in", _absolute(path, call)
    elif len(plain) > 1 and (to := _passed_on(act, plain[-2], plain[-1], call, held)):
        yield "in", to


def _passed_on(act: str, old: str, new: str, call: Call, held: Collection[str]) -> str:
    """Return the container or image that a secret comes into, "" if none does."""
    if act == "cp" and ":" in new and _holds(old, call, held):
        return f"{CONTAINER}{new.partition(':')[0]}"
    if act == "commit" and f"{CONTAINER}{old}" in held:
        return named_image(new)
    return named_image(new) if act == "tag" and named_image(old) in held else ""


def named_image(ref: str) -> str:
    """Return the name of an image by which it is remembered: without the usual registry."""
    ref = ref.removeprefix("docker.io/").removeprefix("library/")
    return f"{IMAGE}{ref if ':' in ref.rpartition('/')[2] else f'{ref}:latest'}"


def builds_secret(given: Sequence[str], call: Call, held: Collection[str]) -> bool:
    """Return whether a build of an image takes a secret along.

    Args:
        given: the words of the command.
    """
    last = given[-1] if given else ""
    folder = _absolute("." if last[:1] == "-" or "compose" in given[1:3] else last, call)
    files = [_absolute(path, call) for path in _values(given, ("-f", "--file"))]
    files += [posixpath.join(folder, name) for name in _FILES]
    if any([f"{RECIPE}{path}" in held for path in files]):
        return True
    if f"{LOST}{folder}/.dockerignore" in held:
        return True
    return any([name[:1] == "/" and is_inside(name, folder) for name in held])


def _holds(text: str, call: Call, held: Collection[str]) -> bool:
    at = locate(text, place_of(call.action, call.facts), has_glob=False)
    return at.read_kind.value in {"credentials", "env"} or at.path in held


def _values(given: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    for at, text in enumerate(given):
        option, equals, value = text.partition("=")
        if option in options:
            yield from [value] if equals else given[at + 1 : at + 2]


def _absolute(path: str, call: Call) -> str:
    return posixpath.normpath(posixpath.join(call.action.cwd or "/", path))
