"""`signoff allow-once ID`: approve one waiting request, by the id in the question or refusal.

ID names the request, and proves nothing: agents see it, too. What proves that a person approves
is the same as for `signoff approve`: a terminal, the confirmation code that is shown with the
request elsewhere, and the proof its level asks for. It is approved once; there is no option for
more.
"""

from __future__ import annotations

import click

from signoff.frontends.cli.approve import command as approve


@click.command("allow-once", short_help="Approve one request by its id; asks on your terminal.")
@click.argument("id")
@click.option("--because", "words", default="", help="Words for the agent.")
@click.pass_context
def command(ctx: click.Context, *, id: str, words: str) -> None:
    """Approve one request once. Asks on the terminal."""
    ctx.invoke(approve, id=id, words=words, is_session=False, minutes=0, policy="")
