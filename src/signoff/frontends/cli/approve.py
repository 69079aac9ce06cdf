"""`signoff approve ID`: a person at a terminal shows that they understand, and says yes.

It takes a real terminal in the foreground, the code that is shown with the request elsewhere (in
the inbox, on a chat's card, on the terminal of `signoff serve`), and the proof the request asks
for. The answer is sealed with the code, so that the process that asks knows it. No option and no
pipe replaces any of them.
"""

from __future__ import annotations

import os
import sys

import click

from signoff.assess.verdict import Verdict
from signoff.build.approvals import EDITS_HERE, Approvals, build_approvals
from signoff.challenge.channel import AnswerOutcome, ApprovalScope, Response
from signoff.challenge.channels.scopes import session_scope, why_once
from signoff.challenge.channels.terminal import CHANNEL as TERMINAL
from signoff.challenge.channels.terminal import (
    Conversation,
    TakeAnswer,
    here,
)
from signoff.challenge.pending import PendingRequest
from signoff.challenge.proofs.seal import Seal
from signoff.channels.registry import titles
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.first_lines import told_channels
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.request_lookup import find_request
from signoff.frontends.server.people.channel_order import set_up
from signoff.settings import Settings, load_settings
from signoff.storage.approvals.daemon_seal import asking_daemon
from signoff.sync import run_now
from signoff.system.terminals import TERMINAL_ERRORS, open_terminal
from signoff.values import replace

ANSWER_S = 600.0
NOTHING_ALIKE = "no other call can be taken to be like it"

INBOX = "page in the inbox (`signoff open`)"


@click.command("approve", short_help="Approve a request; asks on your terminal.")
@click.argument("id")
@click.option("--because", "words", default="", help="Words for the agent.")
@click.option("--session", "is_session", is_flag=True, help="For this session, not only once.")
@click.option(
    "--minutes",
    type=click.IntRange(0, 43_200),
    default=0,
    help="Also approve exactly this call for so long.",
)
@click.option("--policy", default="", help="Guidance for the model to keep.")
def command(*, id: str, words: str, is_session: bool, minutes: int, policy: str) -> None:
    """Approve a request. Asks on the terminal."""
    if is_session and minutes:
        raise click.UsageError("give --session or --minutes, not both")
    scope = (
        ApprovalScope.SESSION
        if is_session
        else ApprovalScope.EXACT
        if minutes
        else ApprovalScope.ONCE
    )
    with errors_as_messages():
        settings = load_settings()
        approvals = build_approvals(
            settings, seal=Seal.fresh(asking_daemon(settings.state_dir), is_coded=True)
        )
        pending = find_request(approvals, id)
        if is_session and not session_scope(pending):
            raise Refusal(f"this is approved once only: {why_once(pending) or NOTHING_ALIKE}")
        place = code_place(pending, settings)

        def answer(response: Response) -> AnswerOutcome:
            # Only a yes has a scope; a no is to this one call.
            if response.verdict is Verdict.ALLOW:
                response = replace(
                    response, words=words, scope=scope, minutes=minutes, policy=policy
                )
            return run_now(approvals.approval_service.answer(response))

        outcome = _talk(approvals, pending, answer, place)
    if outcome is None:
        raise Refusal("nothing was answered: the request stays as it is")
    answer_with(id=pending.id, counted=outcome.counted, words=outcome.words)
    sys.exit(0 if outcome.counted else 1)


def _talk(
    approvals: Approvals, pending: PendingRequest, answer: TakeAnswer, place: str
) -> AnswerOutcome | None:
    """Talk on the controlling terminal.

    Raises:
        Refusal: nobody can be there.
    """
    opened = run_now(approvals.approval_service.open(pending.id, here()))
    if opened.step is None:
        raise Refusal(opened.words)
    terminal = open_terminal()
    if terminal is None:
        raise Refusal("an approval takes a person at a terminal: nothing was answered")
    try:
        talk = Conversation(terminal=terminal, identity=here(), code_is_on=place)
        return talk.hold(pending, answer, timeout_s=ANSWER_S)
    except TERMINAL_ERRORS as error:
        raise Refusal(f"the terminal went away: {error}") from error
    finally:
        os.close(terminal)


def code_place(pending: PendingRequest, settings: Settings) -> str:
    """Return where a person finds the confirmation code, as the end of a sentence."""
    if pending.context.host in EDITS_HERE:
        return "the terminal of the program that asks"
    told = told_channels(settings)
    names = set_up(settings) if told is None else told
    if TERMINAL in names:
        return f"the terminal `signoff serve` runs on, or on this request's {INBOX}"
    chats = " or ".join(title for name, title in titles().items() if name in names)
    return f"this request's {chats} card, or on its {INBOX}" if chats else f"this request's {INBOX}"
