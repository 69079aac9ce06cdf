"""`signoff mode local|remote`: where people are asked.

remote   on the configured channels
local    by the host's own prompt; the model still works
"""

from __future__ import annotations

import click

from signoff.challenge.terms.mode import Mode
from signoff.frontends.cli.confirm import take_over
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.request_lookup import approvals_here
from signoff.frontends.cli.typed import confirmed_as_admin
from signoff.frontends.cli.wrapping import say


@click.command("mode", short_help="Choose who asks: your channels or the agent's own prompt.")
@click.argument("mode", type=click.Choice([mode.value for mode in Mode]), required=False)
def command(*, mode: str | None) -> None:
    """Show or set where people are asked. Setting it asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        if mode is not None:
            text = f"people are asked: {approvals.switch.mode().value}, from now on: {mode}"
            confirmed_as_admin(approvals, text, word=mode, act="mode.set", said=mode)
            approvals.switch.set_mode(Mode(mode))
            take_over()
        said = approvals.switch.mode().value
    answer_with(mode=said)
    say(said)
