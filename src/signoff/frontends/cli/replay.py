"""`signoff replay`: judge the past, without running, sending or recording anything.

signoff replay --transcripts                     what signoff would have said of the last 30 days
signoff replay --transcripts --save report.html  the same as one file to look at
"""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from signoff.errors import BadSettings
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.hosts.registry import HOSTS
from signoff.frontends.replay.picture import save_picture
from signoff.frontends.replay.since import since
from signoff.frontends.replay.summary import summarize
from signoff.frontends.replay.summary_text import summary_lines
from signoff.frontends.replay.transcripts import (
    Progress,
    ReplaySetup,
    find_sessions,
    judge_sessions,
)

READABLE = tuple(host.name for host in HOSTS if host.transcripts is not None)
TELL_EVERY_S = 1.0  # on a terminal
TELL_LOGS_EVERY_S = 5.0


@click.command("replay", short_help="Judge the past again.")
@click.option("--transcripts", "is_transcripts", is_flag=True, help="Agents' session files.")
@click.option(
    "--since", "since_text", default="30d", show_default=True, help="30d, 12h, a date, all."
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    type=click.Choice(READABLE),
    help="Only this agent's sessions.",
)
@click.option(
    "--home",
    type=click.Path(file_okay=False, exists=True),
    help="Whose session files (default: yours).",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes (default: one a core).")
@click.option(
    "--save", type=click.Path(dir_okay=False), help="Write a picture: FILE.html or FILE.svg."
)
@click.option("--json", "is_json", is_flag=True, help="The whole summary as one JSON object.")
def command(  # noqa: PLR0913 - one parameter an option, as click calls it
    *,
    is_transcripts: bool,
    since_text: str,
    hosts: tuple[str, ...],
    home: str | None,
    jobs: int | None,
    save: str | None,
    is_json: bool,
) -> None:
    """Judge past calls again. Nothing is run, sent or recorded, and secrets are masked.

    --transcripts reads the session files that Claude Code, Codex, Gemini CLI and Copilot CLI keep
    on this machine. It works before anything is installed.
    """
    if not is_transcripts:
        raise click.UsageError("say what to judge: --transcripts")
    with errors_as_messages():
        begin = since(since_text, datetime.now(UTC))
        folder = os.path.abspath(home or os.path.expanduser("~"))
        sessions = find_sessions(
            Path(folder),
            since_s=begin.timestamp() if begin else 0.0,
            hosts=[host for host in HOSTS if host.name in (hosts or READABLE)],
        )
        if save and not save.endswith((".html", ".svg")):
            raise BadSettings(f"cannot save `{save}`: expected a name ending in .html or .svg")
        setup = ReplaySetup(home=folder, since=_written(begin))
        calls = judge_sessions(
            sessions, setup, jobs=jobs or os.cpu_count() or 1, tell=ProgressLine().tell
        )
        summary = summarize(calls)
        if save:
            save_picture(save, summary)
    if is_json:
        click.echo(msgspec.json.encode(summary))
    else:
        for line in summary_lines(summary):
            click.echo(line)
        if not summary.calls:
            click.echo(f"looked for sessions of {', '.join(READABLE)} below {folder}")
    if save:
        click.echo(f"saved {save}", err=True)


def _written(moment: datetime | None) -> str:
    """Return a time as hosts write it, for comparison."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S") if moment else ""


class ProgressLine:
    """Tells on standard error how far a replay is: a line that changes, or a few lines."""

    def __init__(self) -> None:
        self._told_s = time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._every_s = TELL_EVERY_S if self._is_terminal else TELL_LOGS_EVERY_S

    def tell(self, progress: Progress) -> None:
        """Take the newest state."""
        now_s = time.monotonic()
        is_done = progress.done == progress.sessions
        if now_s - self._told_s < self._every_s and not (is_done and self._is_terminal):
            return
        self._told_s = now_s
        part = 100 * progress.read_bytes // max(1, progress.all_bytes)
        line = f"{progress.calls:,} calls, {part} % of {progress.sessions:,} sessions"
        if self._is_terminal:
            click.echo(f"\r\x1b[K{'' if is_done else line}", nl=False, err=True)
        else:
            click.echo(line, err=True)
