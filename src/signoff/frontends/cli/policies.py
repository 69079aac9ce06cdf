"""`signoff policies`: guidance in words for the model that is asked before people.

signoff policies list
signoff policies add "pushing is fine unless forced" --tool Bash --expires 30d
signoff policies edit pol_0 --tool "Bash|PowerShell" --expires 2027-03-01
signoff policies remove pol_0
signoff policies promote pol_0      rules proposed from what the model let through by it
"""

from __future__ import annotations

import os
import time

import click

from signoff.build.approvals import Approvals
from signoff.challenge.terms.policy import NEVER, Policy, PolicyChange, changed, expiry
from signoff.frontends.cli.asked import approvals_here
from signoff.frontends.cli.audit_log import open_all, read_all
from signoff.frontends.cli.confirm import take_over
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, answer_with, echo_json, json_option
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.typed import confirmed_as_admin
from signoff.frontends.cli.wrapping import say
from signoff.frontends.learning.asked_calls import policy_hits
from signoff.frontends.learning.service import Learning
from signoff.frontends.learning.told import proposal_lines
from signoff.settings import load_settings

ENDS = "When it ends: 30d, 12h, 2027-03-01 or never."


@click.group("policies", cls=AnsweringGroup, invoke_without_command=True)
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
        # Counting reads the whole audit log.
        hits, now_s = _hits() if found else {}, time.time()
    if is_json:
        echo_json(
            [
                {
                    **{"id": p.id, "text": p.text, "tool": p.tool, "by": p.author},
                    **{"hits": hits.get(p.id, 0), "ends": p.ends, "is_over": p.is_over(now_s)},
                }
                for p in found
            ]
        )
        return
    for policy in found:
        say(policy.told(now_s, hits=hits.get(policy.id, 0)))
    if not found:
        say("there are no policies")


@command.command("promote")
@click.argument("id")
def promote(id: str) -> None:
    """Propose rules from what the model let through by a policy."""
    with errors_as_messages():
        if id not in {one.id for one in approvals_here().policies.listed()}:
            raise Refusal(f"there is no policy `{id}`")
        settings = load_settings()
        with progress("looking for proposals"):
            view = Learning(settings, open_all(settings)).look(policy=id)
    for proposal in view.proposals:
        for line in proposal_lines(proposal):
            click.echo(line)
    if not view.proposals:
        say(f"the model has let nothing through by `{id}` that a rule could cover")


def _found(approvals: Approvals, id: str) -> Policy:
    """Return a policy by its id.

    Raises:
        Refusal: there is none.
    """
    for one in approvals.policies.listed():
        if one.id == id:
            return one
    raise Refusal(f"there is no policy `{id}`; `signoff policies list` shows them")


def _hits() -> dict[str, int]:
    """Return how often the model let a call through by each policy."""
    settings = load_settings()
    if settings.store is None and not os.path.exists(settings.record_file):
        return {}
    return policy_hits(read_all(settings))


@command.command("add", short_help="Add one; asks on your terminal.")
@click.argument("text")
@click.option("--tool", default="", help="For these tools only: Write|Edit.")
@click.option("--expires", default=NEVER, metavar="WHEN", help=ENDS)
def add(*, text: str, tool: str, expires: str) -> None:
    """Add a policy. Asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        try:
            new = Policy(id="new policy", text=text, tool=tool, expires_s=expiry(expires))
            shown, of = new.told(time.time()), tool or "every tool"
            author = confirmed_as_admin(
                approvals, shown, word="add", act="policy.add", said=f"for {of}"
            )
            policy = approvals.policies.add(
                text, tool=tool, author=author.id, expires_s=new.expires_s
            )
        except ValueError as error:
            raise Refusal(str(error)) from error
    answer_with(id=policy.id)
    say(f"kept as {policy.id}")
    take_over()


@command.command("edit", short_help="Change one; asks on your terminal.")
@click.argument("id")
@click.argument("text", required=False)
@click.option("--tool", help="For these tools only: Write|Edit; '' for every tool.")
@click.option("--expires", metavar="WHEN", help=ENDS)
def edit(*, id: str, text: str | None, tool: str | None, expires: str | None) -> None:
    """Change text, tools or end of a policy. Asks on the terminal.

    The policy keeps its id and its uses; you become its author.
    """
    with errors_as_messages():
        approvals = approvals_here()
        found = _found(approvals, id)
        if (text, tool, expires) == (None, None, None):
            raise Refusal("nothing to change: give a new text, --tool or --expires")
        try:
            ends = None if expires is None else expiry(expires)
            change = PolicyChange(text=text, tool=tool, expires_s=ends)
            now_s = time.time()
            shown = f"from  {found.told(now_s)}\nto    {changed(found, change).told(now_s)}"
            author = confirmed_as_admin(approvals, shown, word="edit", act="policy.edit", said=id)
            # Somebody may have removed it while the question stood on the terminal.
            if approvals.policies.edit(id, change, author=author.id) is None:
                raise Refusal(f"there is no policy `{id}` any more")
        except ValueError as error:
            raise Refusal(str(error)) from error
    answer_with(id=id)
    say("changed")
    take_over()


@command.command("remove", short_help="Remove one; asks on your terminal.")
@click.argument("id")
def remove(id: str) -> None:
    """Remove a policy. Asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        found = _found(approvals, id)
        confirmed_as_admin(approvals, str(found), word="remove", act="policy.remove", said=id)
        approvals.policies.remove(id)
        take_over()
    answer_with(id=id)
    say("removed")
