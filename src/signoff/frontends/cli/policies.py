"""`signoff policies`: guidance in words for the model that is asked before people.

signoff policies list
signoff policies add "pushing is fine unless forced" --tool Bash
signoff policies remove pol_0
signoff policies promote pol_0      rules proposed from what the model let through by it
"""

from __future__ import annotations

import os

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.asked import approvals_here
from signoff.frontends.cli.confirm import take_over
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.owner import confirmed_as_admin
from signoff.frontends.learning.asked_calls import policy_hits
from signoff.frontends.learning.service import Learning
from signoff.frontends.learning.told import proposal_lines
from signoff.settings import load_settings
from signoff.storage.sqlite import SqliteStore


@click.group("policies", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List and change guidance for the model that is asked before people."""
    if context.invoked_subcommand is None:
        context.invoke(list_)


@command.command("list")
@click.option("--tool", default="", help="Only what holds for this tool.")
@json_option
def list_(*, tool: str, is_json: bool = False) -> None:
    """List the policies."""
    with errors_as_messages():
        policies = approvals_here().policies
        found = policies.get_for_tool(tool) if tool else policies.listed()
        hits = _hits() if found else {}
    if is_json:
        echo_json(
            [
                {
                    **{"id": p.id, "text": p.text, "tool": p.tool, "by": p.author},
                    "hits": hits.get(p.id, 0),
                }
                for p in found
            ]
        )
        return
    for policy in found:
        by = f" - {policy.author}" if policy.author else ""
        used = f", followed {hits.get(policy.id, 0)} times"
        click.echo(visible(f"{str(policy).removeprefix('- ')}{by}{used}"))
    if not found:
        click.echo("there are no policies")


@command.command("promote")
@click.argument("id")
def promote(id: str) -> None:
    """Propose rules from what the model let through by a policy."""
    with errors_as_messages():
        if id not in {one.id for one in approvals_here().policies.listed()}:
            raise Refusal(f"there is no policy `{id}`")
        settings = load_settings()
        if not os.path.exists(settings.record_file):
            raise Refusal("there is no record yet")
        view = Learning(settings, SqliteStore(settings.record_file)).look(policy=id)
    for proposal in view.proposals:
        for line in proposal_lines(proposal):
            click.echo(line)
    if not view.proposals:
        click.echo(f"the model has let nothing through by `{id}` that a rule could cover")


def _hits() -> dict[str, int]:
    """Return how often the model let a call through by each policy."""
    path = load_settings().record_file
    return policy_hits(SqliteStore(path).entries()) if os.path.exists(path) else {}


@command.command("add", short_help="Add one; asks on your terminal.")
@click.argument("text")
@click.option("--tool", default="", help="For these tools only: Write|Edit.")
def add(*, text: str, tool: str) -> None:
    """Add a policy. Asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        author = confirmed_as_admin(
            approvals, f"new policy for {tool or 'every tool'}:\n  {text}", word="add"
        )
        try:
            policy = approvals.policies.add(text, tool=tool, author=author.id)
        except ValueError as error:
            raise Refusal(str(error)) from error
    click.echo(f"kept as {policy.id}")
    take_over()


@command.command("remove", short_help="Remove one; asks on your terminal.")
@click.argument("id")
def remove(id: str) -> None:
    """Remove a policy. Asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        found = next((one for one in approvals.policies.listed() if one.id == id), None)
        if found is None:
            raise Refusal(f"there is no policy `{id}`")
        confirmed_as_admin(approvals, str(found), word="remove")
        approvals.policies.remove(id)
        take_over()
    click.echo("removed")
