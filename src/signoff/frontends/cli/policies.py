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
from msgspec.structs import asdict

from signoff.actions.action import Json
from signoff.build.approvals import Approvals
from signoff.challenge.terms.policy import NEVER, Policy, PolicyChange, changed, expiry
from signoff.challenge.visible import visible_lines
from signoff.frontends.cli.audit_log import open_all, read_all
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import (
    AnsweringGroup,
    answer_with,
    echo_json,
    is_alone,
    json_option,
)
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.request_lookup import approvals_here
from signoff.frontends.cli.typed import UNMADE, CodedChange, confirmed_as_admin, words_of
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.learning.asked_calls import policy_hits
from signoff.frontends.learning.formatting import proposal_lines
from signoff.frontends.learning.service import Learning
from signoff.frontends.server.control import NotRunning, ask
from signoff.settings import load_settings

PATH = "/v1/policies"
LATER = "no daemon runs: when it starts again, it asks an admin for a code before this holds"
ENDS = "When it ends: 30d, 12h, 2027-03-01 or never."


@click.group("policies", cls=AnsweringGroup, invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, *, is_json: bool) -> None:
    """List and change guidance for the model that is asked before people."""
    if is_alone(context, is_json=is_json):
        context.invoke(list_, tool="", is_json=is_json)


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
        try:
            new = Policy(id="new policy", text=text, tool=tool, expires_s=expiry(expires))
            shown = new.told(time.time())
            wanted: dict[str, Json] = {"add": text, "tool": tool, "expires_s": new.expires_s}
            id = _by_daemon(shown, wanted) or _added(new, shown)
        except ValueError as error:
            raise Refusal(str(error)) from error
    answer_with(id=id)
    say(f"kept as {id}")


def _by_daemon(shown: str, wanted: dict[str, Json]) -> str:
    """Have the daemon do it, with a code it writes to this terminal; "" where none runs.

    Raises:
        Refusal: it was not confirmed, or the daemon refuses it.
    """
    places = daemon_places()
    try:
        ask(places, "/v1/changes")
    except NotRunning:
        return ""
    text = "\n".join(visible_lines(f"{shown}\nto confirm it"))
    said = CodedChange(path=PATH, text=text).made(places, wanted)
    if said.get("done") is not True:
        raise Refusal(words_of(said) or UNMADE)
    return str(said.get("id"))


def _added(new: Policy, shown: str) -> str:
    """Add a policy without a daemon, which asks for a code at its next start."""
    of = new.tool or "every tool"
    approvals = approvals_here()
    author = confirmed_as_admin(approvals, shown, word="add", act="policy.add", said=f"for {of}")
    kept = approvals.policies.add(
        new.text, tool=new.tool, author=author.id, expires_s=new.expires_s
    )
    say(LATER, err=True)
    return kept.id


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
            wanted: dict[str, Json] = {"edit": id, **asdict(change)}
            if not _by_daemon(shown, wanted):
                author = confirmed_as_admin(
                    approvals, shown, word="edit", act="policy.edit", said=id
                )
                # Somebody may have removed it while the question stood on the terminal.
                if approvals.policies.edit(id, change, author=author.id) is None:
                    raise Refusal(f"there is no policy `{id}` any more")
                say(LATER, err=True)
        except ValueError as error:
            raise Refusal(str(error)) from error
    answer_with(id=id)
    say("changed")


@command.command("remove", short_help="Remove one; asks on your terminal.")
@click.argument("id")
def remove(id: str) -> None:
    """Remove a policy. Asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        found = _found(approvals, id)
        if not _by_daemon(str(found), {"remove": id}):
            confirmed_as_admin(approvals, str(found), word="remove", act="policy.remove", said=id)
            approvals.policies.remove(id)
            say(LATER, err=True)
    answer_with(id=id)
    say("removed")
