"""What a messenger is to the rest of signoff: its names, its file, and how it is opened.

Settings, commands and the doctor read manifests in every process, so a manifest loads nothing of
its channel: `open` and `commands` import that when they are called.

    MANIFEST = ChannelManifest(name="telegram", title="Telegram", file="telegram.yaml", ...)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # loaded by the daemon and by setup commands only
    import click

    from signoff.channels.reloadable import ReloadableChannel


def _no_commands() -> Mapping[str, click.Command]:
    return {}


class ChannelManifest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything signoff knows about one messenger before it is used.

    Args:
        name: its name in settings, identities (`telegram:4711`), the audit log, and of its
            folder.
        title: its name for people.
        file: its settings file in the configuration folder.
        setup: how to create that file, as the end of a sentence.
        identity: an example of an identity, for messages: `telegram:4711`.
        is_identity: tells whether the part after the colon is a possible id.
        open: opens the channel for a configuration folder; sends nothing before it runs.
        commands: returns the subcommands of `signoff NAME`; none = no such command.
        help: one sentence about these commands, "" if there are none.
    """

    name: str
    title: str
    file: str
    setup: str
    identity: str
    is_identity: Callable[[str], bool]
    open: Callable[[str], ReloadableChannel]
    commands: Callable[[], Mapping[str, click.Command]] = _no_commands
    help: str = ""
