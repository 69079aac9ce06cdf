"""The test question at the end of `signoff init`: asked and answered for real, nothing is run."""

from __future__ import annotations

import time
from collections.abc import Collection

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import echo_wrapped
from signoff.frontends.client.places import Places
from signoff.frontends.doctor.asking import PLACES
from signoff.frontends.onboarding.test_question import COMMAND, TestAnswer, TestQuestion

WAIT_S = 300.0


def try_question(places: Places, channels: Collection[str]) -> None:
    """Ask a test question, wait for its answer, and print what arrived; Ctrl-C skips it.

    Raises:
        NotRunning: the daemon does not answer.
    """
    where = " and ".join(PLACES.get(name, name) for name in channels)
    question = TestQuestion(places)
    asked = question.ask()
    if not asked.is_settled:
        echo_wrapped(
            f"signoff now asks about `{COMMAND}`, in {where}. Approve it or deny it: nothing is"
            " run, whatever you answer. Control-C skips this.",
            indent=2,
        )
        try:
            with progress("waiting for your answer"):
                asked = _waited(question, asked)
        except KeyboardInterrupt:
            click.echo()
    _say(asked)


def _waited(question: TestQuestion, asked: TestAnswer) -> TestAnswer:
    deadline = time.monotonic() + WAIT_S
    while not asked.is_settled and time.monotonic() < deadline:
        asked = question.wait(asked)
    return asked


def _say(asked: TestAnswer) -> None:
    """Print the result of the question."""
    if not asked.is_settled:
        echo_wrapped("Not answered. The question expires by itself, which is a denial.", indent=2)
        return
    word, colour = ("Approved", "green") if asked.verdict == "allow" else ("Denied", "red")
    by = PLACES.get(asked.by, asked.by)
    click.secho(f"  {word}", fg=colour, bold=True, nl=False)
    click.echo(f" through {visible(by)}.")
    echo_wrapped("Your answer arrived; nothing was run.", indent=2)
    if asked.verdict != "allow" and asked.reason:
        echo_wrapped(f"An agent would be told: {visible(asked.reason)}", indent=2)
