"""`signoff audit oversight`: how people answer, and what they are asked about most."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import click
import msgspec

from signoff.challenge.pending import RequestState
from signoff.frontends.auditing.oversight import OversightFigures, oversight
from signoff.frontends.cli.audit_log import read_all
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import json_option
from signoff.frontends.cli.request_lookup import approvals_here
from signoff.frontends.cli.wrapping import echo_in_columns
from signoff.sync import run_now
from signoff.values import count_of

WAITING_READ = 1_000  # requests


@click.command("oversight")
@click.option("--days", type=click.IntRange(1, 3_650), default=30, show_default=True)
@json_option
def command(*, days: int, is_json: bool) -> None:
    """Show how people answer, and what they are asked about most."""
    since = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    with errors_as_messages():
        # Listing them expires those whose time is over.
        listed = approvals_here().requests.listed(RequestState.PENDING, limit=WAITING_READ)
        waiting = {one.id for one in run_now(listed)}
        figures = oversight(read_all(), since=since, waiting=waiting)
    if is_json:
        click.echo(msgspec.json.encode(figures))
        return
    for line in oversight_lines(figures):
        echo_in_columns(line)


def oversight_lines(figures: OversightFigures) -> Iterator[str]:
    """Yield the statistics as lines for a terminal."""
    share = 100 * figures.asked / figures.calls if figures.calls else 0.0
    yield (
        f"{count_of(figures.calls, 'call')}, {figures.asked:,} asked about ({share:.1f} per 100),"
        f" {figures.by_model:,} settled by the model, {figures.expired:,} expired"
        f"{f', {figures.open:,} still open' if figures.open else ''}"
    )
    for one in figures.approvers:
        overruled = f", model overruled {one.overruled} of {one.overruled + one.agreed}"
        decoys = one.decoys_refused + one.decoys_approved
        refused = (
            f", denied {one.decoys_refused} of {count_of(decoys, 'test request')}" if decoys else ""
        )
        yield (
            f"{one.name}: approved {one.approved}, denied {one.denied},"
            f" reading time median {one.median_s:.1f} s, 10th percentile {one.p10_s:.1f} s,"
            f" {one.fast} too fast, {count_of(one.quiz_errors, 'quiz error')},"
            f" {count_of(one.explanation_errors, 'wrong explanation')}"
            f"{overruled if one.overruled + one.agreed else ''}{refused}"
        )
    for title, kinds in (
        ("agent", figures.agents),
        ("tool", figures.tools),
        ("rule", figures.rules),
    ):
        for kind in kinds[:5]:
            yield (
                f"{title} {kind.name or 'unknown'}: {count_of(kind.calls, 'call')},"
                f" {kind.asks_per_100:g} asked about per 100"
            )
