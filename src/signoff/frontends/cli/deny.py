"""`signoff deny ID --because "..."`: refuses a request, with words for the agent."""

from __future__ import annotations

import click

from signoff.assess.verdict import Verdict
from signoff.challenge.channel import Response
from signoff.challenge.channels.terminal import here
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.request_lookup import approvals_here, find_request, page_of
from signoff.frontends.cli.typed import typed_out
from signoff.frontends.cli.wrapping import say
from signoff.sync import run_now


@click.command("deny", short_help="Deny a request; asks on your terminal.")
@click.argument("id")
@click.option("--because", "words", default="", help="Words for the agent: why, what to do.")
def command(*, id: str, words: str) -> None:
    """Deny a request. Asks on the terminal."""
    with errors_as_messages():
        approvals = approvals_here()
        pending = find_request(approvals, id)
    page = page_of(pending, approvals.requests.moment())
    if not typed_out(f"{page}\n\nto refuse it, type: deny", word="deny"):
        raise Refusal("not confirmed on a terminal: the request stays as it is")
    response = Response(
        request_id=pending.id,
        nonce=pending.nonce,
        identity=here(),
        verdict=Verdict.DENY,
        words=words,
    )
    with errors_as_messages():
        outcome = run_now(approvals.approval_service.answer(response))
    if not outcome.counted:
        raise Refusal(outcome.words)
    answer_with(id=pending.id, counted=True, words=outcome.words)
    say(outcome.words)
