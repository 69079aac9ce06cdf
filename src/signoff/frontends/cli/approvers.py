"""`signoff approvers`: who may answer, and as whom they are known on which channel.

signoff approvers list
signoff approvers add ada --name "Ada" --role approver --identity telegram:4711
signoff approvers remove ada
"""

from __future__ import annotations

import click

from signoff.challenge.terms.approver import Approver, Identity, Role
from signoff.challenge.visible import visible
from signoff.frontends.cli.asked import approvals_here
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.owner import confirmed_as_admin


@click.group("approvers", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Who may answer, and as whom they are known on which channel; alone it lists them."""
    if context.invoked_subcommand is None:
        context.invoke(list_)


@command.command("list")
def list_() -> None:
    """List everybody who may answer or look."""
    with errors_as_messages():
        for approver in approvals_here().directory.listed():
            click.echo(_line(approver))


@command.command("add", short_help="Add or change somebody; asks on your terminal.")
@click.argument("id")
@click.option("--name", default="")
@click.option("--role", type=click.Choice([role.value for role in Role]), default="approver")
@click.option("--group", "groups", multiple=True, help="Asked together; may be given again.")
@click.option(
    "--identity",
    "identities",
    multiple=True,
    required=True,
    metavar="CHANNEL:ID",
    help="telegram:4711, web:ada, terminal:uid:1000; may be given again.",
)
def add(
    *, id: str, name: str, role: str, groups: tuple[str, ...], identities: tuple[str, ...]
) -> None:
    """Add somebody, or change who is there. Asks on the terminal; there is no other way."""
    approver = Approver(
        id=id,
        name=name,
        role=Role(role),
        groups=groups,
        identities=tuple(map(_identity, identities)),
    )
    with errors_as_messages():
        approvals = approvals_here()
        confirmed_as_admin(approvals, f"may answer from now on:\n  {_line(approver)}", word="add")
        approvals.directory.add(approver)
    click.echo(_line(approver))


@command.command("remove", short_help="Remove somebody; asks on your terminal.")
@click.argument("id")
def remove(id: str) -> None:
    """Remove somebody. Asks on the terminal; there is no other way."""
    with errors_as_messages():
        approvals = approvals_here()
        confirmed_as_admin(approvals, f"may not answer any more: {id}", word="remove")
        if not approvals.directory.remove(id):
            raise Refusal(f"there is nobody `{id}`")
    click.echo("removed")


def _identity(text: str) -> Identity:
    channel, _, id = text.partition(":")
    if not channel or not id:
        raise click.BadParameter(f"`{text}` is no CHANNEL:ID", param_hint="--identity")
    return Identity(channel, id)


def _line(approver: Approver) -> str:
    known = ", ".join(map(str, approver.identities))
    groups = f" in {', '.join(approver.groups)}" if approver.groups else ""
    return visible(f"{approver.id} ({approver.name}) {approver.role.value}{groups}: {known}")
