"""Matrix: a bot in a room of any homeserver, by long polling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from signoff.channels.manifest import ChannelManifest
from signoff.channels.matrix.names import CHANNEL, FILE, is_user_id

if TYPE_CHECKING:  # loaded by the daemon and by setup commands only
    import click

    from signoff.channels.reloadable import ReloadableChannel


def _open(config_dir: str) -> ReloadableChannel:
    from signoff.channels.matrix.line import open_matrix  # noqa: PLC0415 - see manifest.py

    return open_matrix(config_dir)


def _commands() -> Mapping[str, click.Command]:
    from signoff.channels.matrix.setup import COMMANDS  # noqa: PLC0415 - the same

    return COMMANDS


MANIFEST = ChannelManifest(
    name=CHANNEL,
    title="Matrix",
    file=FILE,
    setup="run `signoff matrix setup`",
    identity="matrix:@ada:example.org",
    is_identity=is_user_id,
    open=_open,
    commands=_commands,
    help="Ask people in a Matrix room.",
)
