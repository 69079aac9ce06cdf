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
from signoff.frontends.cli.wrapping import say
from signoff.settings import load_settings
from signoff.storage.costs.cost_file import CostFile, export_days
from signoff.values import count_of


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
    """Show what model calls cost, in cents per UTC day."""
    with errors_as_messages():
        settings = load_settings()
        store = CostFile(settings.costs_file)
        if folder is not None:
            for path in export_days(store, folder):
                click.echo(path)
            return
        costs = Costs(store)
        totals = {"month": costs.this_month()}
        if not is_month:
            totals = {"today": costs.today(), **totals}
    if is_json:
        click.echo(json.dumps({name: _json(total) for name, total in totals.items()}))
        return
    for name, total in totals.items():
        say(f"{name:<6} {count_of(total.calls, 'call'):>12}  {total.cents:>10.4f} cents")
    if settings.evaluator is not None and not is_month:
        say(_budget(settings.evaluator.daily_budget_cents, totals["today"]))


def _budget(cents: float, today: CostTotal) -> str:
    """Say what may be spent on a day, and what it means that it is."""
    spent = " - spent: people are asked at once" if today.cents >= cents else ""
    return f"budget {cents:>27.4f} cents a day{spent}"


def _json(total: CostTotal) -> dict[str, int | float]:
    return {"calls": total.calls, "cents": total.cents}
