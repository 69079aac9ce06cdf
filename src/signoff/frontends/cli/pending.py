"""`signoff pending`: what waits for an answer."""

from __future__ import annotations

import click

from signoff.challenge.channels.terminal import ID_SHOWN
from signoff.challenge.pending import RequestState
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.request_lookup import approvals_here, line_of, request_json
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.sync import run_now


@click.command("pending")
@click.option("--all", "is_all", is_flag=True, help="Include answered and expired requests.")
@json_option
def command(*, is_all: bool, is_json: bool) -> None:
    """List the requests that wait for an answer, newest first."""
    with errors_as_messages():
        approvals = approvals_here()
        states = () if is_all else (RequestState.PENDING,)
        listed = run_now(approvals.requests.listed(*states))
    if is_json:
        echo_json([request_json(one) for one in listed])
        return
    for pending in listed:
        echo_in_columns(line_of(pending, approvals.requests.moment()), indent=ID_SHOWN + 1)
    if not listed:
        say("nothing waits for an answer")
