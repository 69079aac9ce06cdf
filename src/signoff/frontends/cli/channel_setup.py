"""`signoff telegram` and its like: the setup commands of a messenger, from its folder.

They are given the place they run in: the configuration folder, the terminal, and whether a daemon
runs. Their errors end the command as everywhere.
"""

from __future__ import annotations

import click

from signoff.build.acts import record_own_act
from signoff.channels.manifest import ChannelManifest
from signoff.channels.setting_up import SetupPlace
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup
from signoff.frontends.cli.typed import typed_out
from signoff.frontends.client.places import Places
from signoff.frontends.server.instance import running_process
from signoff.settings import load_settings


class SetupGroup(AnsweringGroup):
    """The group of commands of one messenger, `signoff NAME`."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command, as the service's user if the service holds the settings."""
        with errors_as_messages():
            settings = load_settings()
            ctx.obj = SetupPlace(
                config_dir=settings.config_dir,
                is_daemon_running=lambda: bool(running_process(Places(settings.state_dir))),
                typed_out=lambda text, word: typed_out(text, word=word),
                record=lambda act: record_own_act(settings, act),
            )
            return super().invoke(ctx)


def command_of(channel: ChannelManifest) -> click.Command:
    """Return the command group `signoff NAME` of a messenger."""
    return SetupGroup(
        channel.name,
        commands=dict(channel.commands()),
        short_help=channel.help,
        help=f"{channel.help} The daemon must not run meanwhile: `signoff down`.",
    )
