"""`signoff cost`: what model calls cost today and this month, and the calls themselves as files.

signoff cost
signoff cost --month --json
signoff cost --export ~/costs       one file a day, costs-YYYY-MM-DD.jsonl
"""

from __future__ import annotations

import json

import click

from signoff.effects.costs import Costs, CostTotal
from signoff.frontends.cli.exits import errors_as_messages
from signoff.settings import load_settings
from signoff.storage.costs.cost_file import CostFile, export_days


@click.command("cost")
@click.option("--month", "is_month", is_flag=True, help="This month only.")
@click.option("--json", "is_json", is_flag=True, help="As JSON.")
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False),
    help="Write the calls to this folder, JSON lines, one file a day.",
)
def command(*, is_month: bool, is_json: bool, folder: str | None) -> None:
    """Show what model calls cost, in cents; days are those of UTC."""
    with errors_as_messages():
        book = CostFile(load_settings().costs_file)
        if folder is not None:
            for path in export_days(book, folder):
                click.echo(path)
            return
        costs = Costs(book)
        totals = {"month": costs.this_month()}
        if not is_month:
            totals = {"today": costs.today(), **totals}
    if is_json:
        click.echo(json.dumps({name: _json(total) for name, total in totals.items()}))
        return
    for name, total in totals.items():
        click.echo(f"{name:<6} {total.calls:>6} calls  {total.cents:>10.4f} cents")


def _json(total: CostTotal) -> dict[str, int | float]:
    return {"calls": total.calls, "cents": total.cents}
