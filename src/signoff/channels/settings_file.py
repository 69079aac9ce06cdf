"""The file of one channel in the configuration folder, and the files of secrets beside it.

Names of people and chats can change hands, so ids alone are taken. A secret stands in a file of
its own; one that others may read is refused.

    read_channel(config_dir, Form(file="slack.yaml", what="slack", ...), parse)
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import yaml

from signoff.assess.rules.notation.document import (
    RuleFileErrors,
    compose,
    fields_of,
    items_of,
    text_of,
)
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.errors import BadRules, BadSettings
from signoff.storage.text_file import read_text

FILE_LIMIT = 65_536
SECRET_LIMIT = 1_000
USERS_LIMIT = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFileSchema:
    """What a file may and must say.

    Args:
        hint: what to do where something is missing.
    """

    file: str
    what: str
    keys: tuple[str, ...]
    needed: tuple[str, ...]
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """What a file, or a part of one, says.

    Args:
        files: those that were read for it; the list grows while it is read.
    """

    folder: str
    place: RuleFileErrors
    root: yaml.Node
    nodes: Mapping[str, yaml.Node]
    files: list[str] = field(default_factory=list)

    def text(self, name: str, *, limit: int, default: str = "") -> str:
        """Return a text, or the default where nothing is said."""
        node = self.nodes.get(name)
        return default if node is None else text_of(node, self.place, what=name, limit=limit)

    def items(self, name: str) -> tuple[yaml.Node, ...]:
        """Return the items of a list."""
        return tuple(items_of(self.nodes[name], self.place, what=name, limit=USERS_LIMIT))

    def address(self, name: str, default: str) -> OutboundEndpoint:
        """Return an address that is checked."""
        return OutboundEndpoint.parse(self.text(name, limit=500, default=default))

    def secret(self, name: str, default: str = "") -> str:
        """Return what stands in the file of a secret."""
        path = os.path.join(self.folder, self.text(name, limit=1_000, default=default))
        self.files.append(path)
        return read_private(path)

    def part(self, name: str, keys: tuple[str, ...]) -> Section | None:
        """Return a part that says something itself, all of it needed; None where there is none."""
        node = self.nodes.get(name)
        if node is None:
            return None
        nodes = _nodes(node, self.place, keys, what=name)
        for key in keys:
            if key not in nodes:
                raise self.place.refuse(f"{name}: `{key}` is missing: it needs every key", node)
        return Section(
            folder=self.folder, place=self.place, root=node, nodes=nodes, files=self.files
        )


def read_channel(
    config_dir: str, form: ChannelFileSchema, parse: Callable[[Section], T]
) -> T | None:
    """Read a channel's file, None if there is none.

    Raises:
        BadSettings: it, or a file it names, is refused.
    """
    path = os.path.join(config_dir, form.file)
    text = read_text(path, limit=FILE_LIMIT)
    if text is None:
        return None
    place = RuleFileErrors(path)
    try:
        root = compose(text, place)
        nodes = _nodes(root, place, form.keys, what=form.what)
        for name in form.needed:
            if name not in nodes:
                raise place.refuse(f"{form.what}: `{name}` is missing{form.hint}", root)
        section = Section(folder=config_dir, place=place, root=root, nodes=nodes, files=[path])
        if section.text("version", limit=10, default="1") != "1":
            raise place.refuse("version: expected 1", nodes["version"])
        return parse(section)
    except BadRules as error:
        raise BadSettings(str(error)) from error


def read_private(path: str) -> str:
    """Return the text of a file that only its owner may read.

    Raises:
        BadSettings: there is none, or others may read it.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, encoding="ascii") as source:
            found = os.fstat(handle)
            text = source.read(SECRET_LIMIT).strip()
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"`{path}` cannot be read: {type(error).__name__}") from error
    is_private = not stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.getuid()
    if not stat.S_ISREG(found.st_mode) or not is_private:
        raise BadSettings(f"`{path}` must be a file of its owner's alone: chmod 600 it")
    return text


def write_private(path: str, text: str) -> None:
    """Write a file whole or not at all, for its owner only.

    Raises:
        BadSettings: it cannot be written.
    """
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=folder, prefix=".channel.")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, path)
        except BaseException:
            os.unlink(aside)
            raise
    except OSError as error:
        raise BadSettings(f"`{folder}` cannot be written: {error.strerror}") from error


def _nodes(
    node: yaml.Node, place: RuleFileErrors, allowed: tuple[str, ...], *, what: str
) -> Mapping[str, yaml.Node]:
    found = fields_of(node, place, what=what, allowed=allowed)
    return {key: value for key, (_, value) in found.items()}
