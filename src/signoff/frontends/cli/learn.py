"""`signoff learn`: rules proposed from what people approved, and what became of them.

signoff learn                        proposals, learned rules with their uses, withdrawn ones
signoff learn show prop_1a2b3c4d     the rule as it would be written, with its backtest
signoff learn accept prop_1a2b3c4d   an admin at a terminal, confirmed by a code shown there
signoff learn dismiss prop_1a2b3c4d  never propose it again
signoff learn remove learned-NAME    take a learned rule out of rules.yaml
"""

from __future__ import annotations

import click

from signoff.actions.action import Json
from signoff.effects.learning.proposals import LONGEST_DAYS
from signoff.frontends.cli.audit_log import open_all
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, echo_json, is_alone, json_option
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.typed import UNMADE, CodedChange, words_of
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.learning.formatting import (
    learning_json,
    learning_lines,
    proposal_json,
    proposal_lines,
)
from signoff.frontends.learning.service import Learning, backtest_lines
from signoff.settings import Settings, load_settings

PATH = "/v1/learning"


@click.group("learn", cls=AnsweringGroup, invoke_without_command=True)
@json_option
@click.option("--policy", default="", help="Propose from what the model let through by it: pol_0.")
@click.pass_context
def command(context: click.Context, *, policy: str, is_json: bool) -> None:
    """Rules proposed from what people approved; alone it lists them and the learned ones."""
    if not is_alone(context, is_json=is_json):
        return
    with errors_as_messages(), progress("looking for proposals"):
        view = _learning(load_settings()).look(policy=policy)
    if is_json:
        echo_json(learning_json(view))
        return
    for line in learning_lines(view):
        echo_in_columns(line)


@command.command("show")
@click.argument("id")
@click.option("--quick", is_flag=True, help="Without judging the whole audit log again.")
@json_option
def show(*, id: str, quick: bool, is_json: bool) -> None:
    """Show a proposed rule and its backtest."""
    with errors_as_messages():
        settings = load_settings()
        with progress("looking for proposals"):
            proposal = _learning(settings).proposal(id)
        if is_json:
            echo_json(proposal_json(proposal))
            return
        for line in proposal_lines(proposal):
            echo_in_columns(line)
        if not quick:
            say("")
            # Without a thread: processes are forked meanwhile.
            with progress("judging the audit log again", has_thread=False) as shown:
                lines = list(backtest_lines(settings, proposal.rule, shown.draw))
            for line in lines:
                echo_in_columns(line)


@command.command("accept", short_help="Accept one; asks on your terminal.")
@click.argument("id")
@click.option("--days", type=click.IntRange(1, LONGEST_DAYS), default=LONGEST_DAYS)
def accept(*, id: str, days: int) -> None:
    """Write a proposed rule into rules.yaml. Asks on the terminal."""
    with errors_as_messages():
        with progress("looking for proposals"):
            proposal = _learning(load_settings()).proposal(id)
        for line in proposal_lines(proposal):
            echo_in_columns(line)
        _confirmed({"accept": id, "days": days}, "accept it")


@command.command("dismiss", short_help="Never propose one again; asks on your terminal.")
@click.argument("id")
def dismiss(*, id: str) -> None:
    """Keep that a proposal is not wanted. Asks on the terminal."""
    with errors_as_messages():
        _confirmed({"dismiss": id}, "dismiss it")


@command.command("remove", short_help="Remove a learned rule; asks on your terminal.")
@click.argument("name")
def remove(*, name: str) -> None:
    """Take a learned rule out of rules.yaml. Asks on the terminal."""
    with errors_as_messages():
        _confirmed({"remove": name}, "remove it")


def _learning(settings: Settings) -> Learning:
    """Return what reads the audit log for proposals.

    Raises:
        StoreError: there is no audit log yet.
    """
    return Learning(settings, open_all(settings))


def _confirmed(wanted: dict[str, Json], what: str) -> None:
    """Have the daemon do something once an admin has typed the code it writes to this terminal.

    Raises:
        Refusal: it was not confirmed, or the daemon refuses it.
        NotRunning: no daemon answers.
    """
    change = CodedChange(path=PATH, text=f"to {what}")
    said = change.made(daemon_places(), wanted)
    if said.get("done") is not True:
        raise Refusal(words_of(said) or UNMADE)
    say(words_of(said))
