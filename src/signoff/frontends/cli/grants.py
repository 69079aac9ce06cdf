"""`signoff grants`: approvals that hold for more than one call.

signoff grants list
signoff grants revoke gr_1
"""

from __future__ import annotations

import click

from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import (
    AnsweringGroup,
    answer_with,
    echo_json,
    is_alone,
    json_option,
)
from signoff.frontends.cli.request_lookup import approvals_here
from signoff.frontends.cli.typed import note_stricter
from signoff.frontends.cli.wrapping import say
from signoff.values import count_of


@click.group("grants", cls=AnsweringGroup, invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, *, is_json: bool) -> None:
    """List and revoke approvals that cover more than one call."""
    if is_alone(context, is_json=is_json):
        context.invoke(list_, is_json=is_json)


@command.command("list")
@json_option
def list_(*, is_json: bool = False) -> None:
    """List the grants in force, newest first."""
    with errors_as_messages():
        approvals = approvals_here()
        grants = approvals.grants.listed()
    now = approvals.requests.moment().wall_s
    if is_json:
        echo_json(
            [
                {
                    "id": grant.id,
                    "covers": grant.said,
                    "seconds_left": round(grant.expires_s - now),
                    "uses": grant.uses,
                    "by": grant.author,
                }
                for grant in grants
            ]
        )
        return
    for grant in grants:
        left = f"{(grant.expires_s - now) / 60:.0f} min left, used {count_of(grant.uses, 'time')}"
        say(f"{grant.id} {grant.said} ({left}; {grant.author})")
    if not grants:
        say("there are no grants")


@command.command("revoke")
@click.argument("id")
def revoke(id: str) -> None:
    """End a grant at once, without confirmation."""
    with errors_as_messages():
        # Without confirmation: it only takes away.
        if not approvals_here().grants.revoke(id):
            raise Refusal(f"there is no grant `{id}`")
        note_stricter("grant.revoke", id)
    answer_with(id=id)
    say("revoked")
