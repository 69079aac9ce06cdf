"""Slack: an app in a conversation, over Socket Mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from signoff.channels.manifest import ChannelManifest

if TYPE_CHECKING:  # loaded by the daemon and by setup commands only
    import click

    from signoff.channels.reloadable import ReloadableChannel


def _open(config_dir: str) -> ReloadableChannel:
    from signoff.channels.slack.channel import open_slack  # noqa: PLC0415 - see manifest.py

    return open_slack(config_dir)


def _commands() -> Mapping[str, click.Command]:
    from signoff.channels.slack.setup import COMMANDS  # noqa: PLC0415 - the same

    return COMMANDS


MANIFEST = ChannelManifest(
    name="slack",
    title="Slack",
    file="slack.yaml",
    setup="run `signoff slack setup`",
    identity="slack:U0123ABCD",
    is_identity=str.isalnum,
    open=_open,
    commands=_commands,
    help="Ask people in a Slack conversation.",
)
