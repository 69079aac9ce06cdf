"""Slack: an app in a conversation, over Socket Mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signoff.channels.manifest import ChannelManifest

if TYPE_CHECKING:  # loaded by the daemon only
    from signoff.channels.reloadable import ReloadableChannel


def _open(config_dir: str) -> ReloadableChannel:
    from signoff.channels.slack.opening import open_slack  # noqa: PLC0415 - see manifest.py

    return open_slack(config_dir)


MANIFEST = ChannelManifest(
    name="slack",
    title="Slack",
    file="slack.yaml",
    setup="write it beside signoff.yaml",
    identity="slack:U0123ABCD",
    is_identity=str.isalnum,
    open=_open,
)
