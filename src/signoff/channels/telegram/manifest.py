"""Telegram: a bot in a chat, by long polling or a webhook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from signoff.channels.manifest import ChannelManifest

if TYPE_CHECKING:  # loaded by the daemon and by setup commands only
    import click

    from signoff.channels.reloadable import ReloadableChannel


def _open(config_dir: str) -> ReloadableChannel:
    from signoff.channels.telegram.channel import open_telegram  # noqa: PLC0415 - see manifest.py

    return open_telegram(config_dir)


def _commands() -> Mapping[str, click.Command]:
    from signoff.channels.telegram.setup import COMMANDS  # noqa: PLC0415 - the same

    return COMMANDS


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


MANIFEST = ChannelManifest(
    name="telegram",
    title="Telegram",
    file="telegram.yaml",
    setup="run `signoff telegram setup`",
    identity="telegram:4711",
    is_identity=_is_number,
    open=_open,
    commands=_commands,
    help="Ask people on Telegram.",
)
