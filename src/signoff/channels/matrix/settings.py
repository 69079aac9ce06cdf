"""`matrix.yaml` in the configuration folder: which room asks, on which homeserver, and whom.

    version: 1
    homeserver: https://matrix.example.org
    room: "!abcdef:example.org"
    users: ["@ada:example.org", "@bob:example.org"]   # listened to; who may answer, approvers say
    token_file: matrix.token                          # beside this file, for its owner only

The access token is in a file of its own that others may not read, or in the variable that
`token_env` names.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.channels.matrix.names import FILE, ROOM_ID, USER_ID
from signoff.channels.settings_file import (
    read_channel,
    read_private,
    write_channel,
    write_private,
)
from signoff.documents.convert import FormatVersion
from signoff.documents.node import FileForm
from signoff.errors import BadSettings

TOKEN_FILE = "matrix.token"  # noqa: S105 - the name of a file
FORM = FileForm(
    what="matrix",
    expected="`homeserver`, `room` and `users`",
    error=BadSettings,
    hint="; `signoff matrix setup`",
)
TOKEN_LIMIT = 1_000
# Names like `#ops:example.org` can change hands and are not taken.
RoomId = Annotated[
    str, Meta(max_length=255, pattern=ROOM_ID, description="an id like `!abc:example.org`")
]
UserId = Annotated[
    str, Meta(max_length=255, pattern=USER_ID, description="an id like `@ada:example.org`")
]
Name = Annotated[str, Meta(max_length=1_000)]


class MatrixFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `matrix.yaml`.

    Args:
        token_env: variable that holds the access token, "" if a file holds it.
    """

    version: FormatVersion = 1
    homeserver: OutboundEndpoint
    room: RoomId
    users: tuple[UserId, ...]
    token_file: Name = TOKEN_FILE
    token_env: Name = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixSettings:
    """The settings of the Matrix channel.

    Args:
        users: ids of the people who may answer, `@ada:example.org`.
        files: paths they were read from.
    """

    homeserver: OutboundEndpoint
    room: str
    users: tuple[str, ...]
    token: str = field(repr=False)
    files: tuple[str, ...] = ()


def read_matrix(config_dir: str) -> MatrixSettings | None:
    """Read the settings file; None if it does not exist.

    Raises:
        BadSettings: it, or the token, is not valid.
    """
    said = read_channel(config_dir, FILE, MatrixFile, FORM)
    if said is None:
        return None
    files = [os.path.join(config_dir, FILE)]
    if said.token_env:
        token = os.environ.get(said.token_env, "")
        if not token:
            raise BadSettings(f"`{files[0]}`: token_env: `{said.token_env}` is not set")
    else:
        files.append(os.path.join(config_dir, said.token_file))
        token = read_private(files[-1])
    return MatrixSettings(
        homeserver=said.homeserver,
        room=said.room,
        users=said.users,
        token=check_token(token),
        files=tuple(files),
    )


def write_matrix(
    config_dir: str, *, homeserver: str, room: str, users: tuple[str, ...], token: str
) -> str:
    """Write the token and the settings file, readable by their owner only; return its path.

    Raises:
        BadSettings: they cannot be written.
    """
    write_private(os.path.join(config_dir, TOKEN_FILE), f"{token}\n")
    said = {
        "version": 1,
        "homeserver": homeserver,
        "room": room,
        "users": list(users),
        "token_file": TOKEN_FILE,
    }
    return write_channel(config_dir, FILE, said)


def check_token(text: str) -> str:
    """Return an access token stripped of blanks.

    Raises:
        BadSettings: it does not have the form of one; the message does not show it.
    """
    token = text.strip()
    # It goes into a header: a line break in it would begin another one (CWE-113).
    if not token or len(token) > TOKEN_LIMIT or not token.isascii() or not token.isprintable():
        raise BadSettings("that is no access token: expected one line of plain characters")
    if " " in token:
        raise BadSettings("that is no access token: it holds a space")
    return token
