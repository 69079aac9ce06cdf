"""`signoff show ID`: one request with its whole card, and what was answered."""

from __future__ import annotations

import click

from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.request_lookup import approvals_here, find_request, page_of, request_json
from signoff.frontends.cli.wrapping import echo_in_columns


@click.command("show")
@click.argument("id")
@json_option
def command(*, id: str, is_json: bool) -> None:
    """Show one request with its whole card; the confirmation code is not on it."""
    with errors_as_messages():
        approvals = approvals_here()
        pending = find_request(approvals, id)
    if is_json:
        echo_json(request_json(pending))
        return
    echo_in_columns(page_of(pending, approvals.requests.moment()))
