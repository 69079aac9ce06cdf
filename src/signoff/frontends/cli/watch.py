"""`signoff watch`: a live view of what waits for an answer and what became of the rest."""

from __future__ import annotations

import contextlib
import sys
import time

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from signoff.build.approvals import Approvals
from signoff.challenge.channels.columns import in_columns
from signoff.challenge.channels.terminal import ID_SHOWN
from signoff.challenge.pending import RequestState
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.request_lookup import approvals_here, line_of, request_json
from signoff.frontends.cli.wrapping import width
from signoff.sync import run_now

LOOK_EVERY_S = 0.5
SETTLED_SHOWN = 10


@click.command("watch")
@click.option("--once", "is_once", is_flag=True, help="Show it once and end.")
@json_option
def command(*, is_once: bool, is_json: bool) -> None:
    """Show waiting requests, live. Control-C ends it."""
    with errors_as_messages():
        approvals = approvals_here()
        if is_json:
            listed = run_now(approvals.requests.listed())
            echo_json([request_json(one) for one in listed])
            return
        if is_once:
            click.echo(_view(approvals).plain)
            return
        console = Console(highlight=False)
        live = Live(_view(approvals), console=console, auto_refresh=False)
        with contextlib.suppress(KeyboardInterrupt), live:
            while True:
                time.sleep(LOOK_EVERY_S)
                live.update(_view(approvals), refresh=True)


def _view(approvals: Approvals) -> Text:
    """Draw what waits, then what was settled last."""
    now = approvals.requests.moment()
    waiting = run_now(approvals.requests.listed(RequestState.PENDING))
    settled = [one for one in run_now(approvals.requests.listed()) if not one.state.is_open]
    lines = [f"{len(waiting)} waiting", *(line_of(one, now) for one in waiting)]
    if settled:
        lines += ["", "settled", *(line_of(one, now) for one in settled[:SETTLED_SHOWN])]
    if sys.stdout.isatty():
        lines = [in_columns(line, width(), indent=ID_SHOWN + 1) for line in lines]
    # The lines are coloured already, by click.
    return Text.from_ansi("\n".join(lines))
