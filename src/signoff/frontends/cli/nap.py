"""`signoff nap 30m`: for a bounded time, small questions are let through unasked.

    signoff nap 30m      an admin at a terminal, confirmed by a code that is shown there
    signoff nap --end    anybody, at any time

Only what one tap could approve for the whole session is let through: at most MEDIUM, also if it
cannot be undone. What is denied stays denied. HIGH and CRITICAL are asked about as always.
"""

from __future__ import annotations

import re
import sys

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.typed import CodedChange, words_of
from signoff.frontends.cli.wrapping import say, wrapped
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import tell
from signoff.settings import own_folders

PATH = "/v1/naps"
TEXT = (
    "During the nap, questions up to MEDIUM that one tap could approve for the session are let"
    " through unasked, in all projects. Among them are acts that cannot be undone, such as deleting"
    " one deployment, or `git clean`. Still asked about: HIGH and CRITICAL calls, calls that read"
    " secrets or send data, calls that a rule asks about, and calls that are not understood."
    " Denials stay."
)
START = CodedChange(
    path=PATH,
    text=f"{wrapped(TEXT)}\nto start it",
    unmade="the daemon starts no nap",
    unconfirmed="signoff asks as always",
)
_PART = re.compile(r"(\d{1,4})([hm])")


def minutes_of(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Parse a duration such as `30m`, `2h` or `1h30m` into minutes; for click.

    Raises:
        BadParameter: it is none.
    """
    if value is None:
        return None
    text = value.strip().lower()
    parts = _PART.findall(text)
    # `findall` passes over what it does not know: of `30mx` nothing must count.
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise click.BadParameter(f"`{value}`: expected a length of time such as 30m, 2h or 1h30m")
    return sum(int(number) * (60 if unit == "h" else 1) for number, unit in parts)


@click.command("nap", short_help="Let small questions pass unasked for a while; --end ends it.")
@click.argument("time", callback=minutes_of, required=False)
@click.option("--end", "is_end", is_flag=True, help="End the nap now.")
def command(*, time: int | None, is_end: bool) -> None:
    """Approve small questions automatically, for 1 minute to 4 hours. Asks on the terminal."""
    if (time is None) != is_end:
        raise click.UsageError("give a length of time such as 30m, or --end")
    with errors_as_messages():
        places = Places(own_folders()[1])
        if is_end:
            say(words_of(tell(places, PATH, {"end": True})))
            return
        words = words_of(START.made(places, {"minutes": time}))
        click.echo(wrapped(visible(words)))
    sys.exit(0 if words.startswith("nap until") else 2)
