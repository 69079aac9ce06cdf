"""The file of one channel in the configuration folder, and the files of secrets beside it.

Names of people and chats can change hands, so ids alone are taken. A secret is in a file of
its own; one that others may read is refused.

    read_channel(config_dir, "slack.yaml", SlackFile, form)
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec
import yaml

from signoff.documents.convert import convert
from signoff.documents.node import FileForm
from signoff.documents.reading import read_yaml
from signoff.errors import BadSettings
from signoff.storage.text_file import make_folder, read_text, write_whole
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK, is_own, rights_of_others

# Ids and a few names: a larger file is some other file, and YAML can grow while it is read.
FILE_LIMIT = 65_536
SECRET_LIMIT = 10_000

T = TypeVar("T", bound=msgspec.Struct)


def read_channel(config_dir: str, file: str, struct: type[T], form: FileForm) -> T | None:
    """Read a channel's settings file as `struct`, None if it does not exist.

    Raises:
        BadSettings: it is not valid.
    """
    path = os.path.join(config_dir, file)
    text = read_text(path, limit=FILE_LIMIT)
    return None if text is None else convert(read_yaml(text, file=path, form=form), struct)


def read_private(path: str) -> str:
    """Return the text of a file that only its owner may read.

    Raises:
        BadSettings: it does not exist, is too long, or others may read it.
    """
    try:
        # Without waiting: a pipe put in its place would block the daemon until somebody writes.
        handle = os.open(path, os.O_RDONLY | NOFOLLOW | NONBLOCK | CLOEXEC)
        with open(handle, encoding="ascii") as source:
            # Of the open file, not of its name: the name could lead elsewhere by now.
            found = os.fstat(handle)
            text = source.read(SECRET_LIMIT + 1)
    except (OSError, UnicodeError) as error:
        # Only the kind: the text of a decoding error shows bytes of the secret.
        raise BadSettings(f"`{path}` cannot be read: {type(error).__name__}") from error
    # A file of another user's could be read, and exchanged, by that user at any time.
    is_private = not rights_of_others(found) and is_own(found)
    if not stat.S_ISREG(found.st_mode) or not is_private:
        raise BadSettings(f"`{path}` must be a file of its owner's alone: chmod 600 it")
    # Cut, it would be another secret, which fails elsewhere and says nothing of this.
    if len(text) > SECRET_LIMIT:
        raise BadSettings(f"`{path}` is longer than {SECRET_LIMIT} characters")
    return text.strip()


def write_private(path: str, text: str) -> None:
    """Write a file atomically, readable by its owner only.

    Raises:
        BadSettings: it cannot be written.
    """
    folder = os.path.dirname(path)
    try:
        make_folder(folder)
        write_whole(path, text.encode("ascii"))
    except OSError as error:
        raise BadSettings(f"`{folder}` cannot be written: {error.strerror}") from error


def write_channel(config_dir: str, file: str, said: Mapping[str, object]) -> str:
    """Write a channel's settings file, readable by its owner only; return its path.

    Raises:
        BadSettings: it cannot be written.
    """
    path = os.path.join(config_dir, file)
    write_private(path, yaml.safe_dump(dict(said), sort_keys=False))
    return path


def replace_users(config_dir: str, file: str, users: Sequence[object]) -> None:
    """Replace the users in a channel's settings file; the rest stays as it is.

    Raises:
        BadSettings: there is no such file, or it cannot be written.
    """
    text = read_text(os.path.join(config_dir, file), limit=FILE_LIMIT)
    if text is None:
        raise BadSettings(f"there is no {file} yet")
    write_channel(config_dir, file, {**yaml.safe_load(text), "users": list(users)})
