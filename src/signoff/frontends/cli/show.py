"""`signoff show ID`: one request with its whole card, and what was answered."""

from __future__ import annotations

import click

from signoff.frontends.cli.asked import approvals_here, find_request, page_of
from signoff.frontends.cli.exits import errors_as_messages


@click.command("show")
@click.argument("id")
def command(id: str) -> None:
    """Show one request with its whole card; the confirmation code is not on it."""
    with errors_as_messages():
        approvals = approvals_here()
        pending = find_request(approvals, id)
    click.echo(page_of(pending, approvals.requests.moment()))
