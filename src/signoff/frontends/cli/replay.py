"""`signoff replay`: judge the past, without running, sending or recording anything.

signoff replay --transcripts                     what signoff would have said of the last 30 days
signoff replay --transcripts --save report.html  the same as one file to look at
signoff replay --rules new.yaml --since 30d      what other rules would change in the audit log
signoff replay                                   does this version judge the audit log as before

Of the audit log the exit status is 0 if no verdict changes, 1 if any does, 2 if a call that a
person refused would pass alone, or after an error.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from signoff.errors import StoreError
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import say
from signoff.frontends.hosts.registry import HOSTS
from signoff.frontends.replay.backtest import ReplayRules, ReplaySource, backtest
from signoff.frontends.replay.picture import ENDINGS, save_picture
from signoff.frontends.replay.since import since
from signoff.frontends.replay.summary import summarize
from signoff.frontends.replay.summary_text import changed_lines, summary_lines
from signoff.frontends.replay.transcripts import (
    Progress,
    ReplaySetup,
    find_sessions,
    judge_sessions,
)
from signoff.sections import PackName
from signoff.settings import CONFIG_DIR, Settings, load_settings
from signoff.values import count_of, replace

READABLE = tuple(host.name for host in HOSTS if host.transcripts is not None)
FILE = click.Path(exists=True, dir_okay=False)
FOLDER = click.Path(exists=True, file_okay=False)
CHANGED, OVERRULED = 1, 2  # exit status


@click.command("replay", short_help="Judge the past again.")
@click.option("--transcripts", "is_transcripts", is_flag=True, help="Agents' session files.")
@click.option("--rules", type=FILE, help="Other rules for the audit log.")
@click.option("--config", type=FOLDER, help="A folder with another signoff.yaml and rules.yaml.")
@click.option("--pack", type=click.Choice([pack.value for pack in PackName]), help="Another pack.")
@click.option("--since", default="30d", show_default=True, help="30d, 12h, a date, or all.")
@click.option("--host", multiple=True, type=click.Choice(READABLE), help="Only this agent's.")
@click.option("--home", type=FOLDER, help="Home folder of the session files (default: yours).")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes (default: one a core).")
@click.option("--save", type=click.Path(dir_okay=False), help="A picture: FILE.html or FILE.svg.")
@click.option("--most", type=click.IntRange(0), default=20, show_default=True, help="Calls listed.")
@click.option("--json", "is_json", is_flag=True, help="The whole result as one JSON object.")
def command(**options: object) -> None:
    """Judge past calls again. Nothing is run, sent or recorded, and secrets are masked.

    --transcripts reads the session files that Claude Code, Codex, Gemini CLI and Copilot CLI keep
    on this machine. It works before anything is installed.

    Otherwise the calls of the audit log are judged under --rules, --config or --pack, and compared
    with your rules and settings; without any of them, with the verdicts in the log.
    """
    wanted = msgspec.convert(options, ReplayOptions)
    with errors_as_messages():
        status = wanted.problem() or (
            _past_sessions(wanted) if wanted.transcripts else _audit_log(wanted)
        )
    sys.exit(status)


class ReplayOptions(
    msgspec.Struct, frozen=True, kw_only=True, rename={"transcripts": "is_transcripts"}
):
    """The options, named as on the command line."""

    transcripts: bool
    rules: str | None
    config: str | None
    pack: PackName | None
    since: str
    host: tuple[str, ...]
    home: str | None
    jobs: int | None
    save: str | None
    most: int
    is_json: bool

    @property
    def begin(self) -> datetime | None:
        """When the period begins, None for all."""
        return since(self.since, datetime.now(UTC))

    @property
    def processes(self) -> int:
        """How many processes judge."""
        return self.jobs or os.cpu_count() or 1

    def problem(self) -> int:
        """Refuse options that do not go together; return 0, or the exit status of the refusal.

        Raises:
            click.UsageError: they do not.
        """
        others = bool(self.rules or self.config or self.pack)
        if self.transcripts and others:
            raise click.UsageError("--rules, --config and --pack are for the audit log")
        if not self.transcripts and (self.host or self.home or self.save):
            raise click.UsageError("--host, --home and --save are for --transcripts")
        if self.save and not self.save.endswith(ENDINGS):
            raise click.UsageError(
                f"cannot save `{self.save}`: expected a name ending in .html or .svg"
            )
        return 0


def _past_sessions(wanted: ReplayOptions) -> int:
    """Judge session files, and tell what would have been said."""
    begin = wanted.begin
    folder = os.path.abspath(wanted.home or os.path.expanduser("~"))
    sessions = find_sessions(
        Path(folder),
        since_s=begin.timestamp() if begin else 0.0,
        hosts=[host for host in HOSTS if host.name in (wanted.host or READABLE)],
    )
    setup = ReplaySetup(home=folder, since=_written(begin))
    whole = sum(one.files.size for one in sessions)
    # Without a thread: processes are forked meanwhile.
    with progress(count_of(len(sessions), "session"), total=whole, has_thread=False) as shown:

        def tell(now: Progress) -> None:
            shown.at(
                now.read_bytes,
                f"of {count_of(now.sessions, 'session')}, {count_of(now.calls, 'call')}",
            )

        calls = judge_sessions(sessions, setup, jobs=wanted.processes, tell=tell)
    summary = summarize(calls)
    if wanted.save:
        save_picture(wanted.save, summary)
    if wanted.is_json:
        click.echo(msgspec.json.encode(summary))
        return 0
    for line in summary_lines(summary):
        click.echo(line)
    if not summary.calls:
        say(f"looked for sessions of {', '.join(READABLE)} below {folder}")
    if wanted.save:
        say(f"saved {wanted.save}", err=True)
    return 0


def _audit_log(wanted: ReplayOptions) -> int:
    """Judge the audit log again, and tell what would change."""
    settings = load_settings()
    if settings.store is not None:
        raise StoreError("the audit log is in PostgreSQL: it cannot be judged again yet")
    if not os.path.exists(settings.record_file):
        raise StoreError(f"there is no audit log at `{settings.record_file}` yet")
    is_changed = wanted.rules or wanted.config or wanted.pack
    with progress("judging the audit log again", has_thread=wanted.processes == 1) as shown:
        result = backtest(
            ReplaySource(
                record=settings.record_file, home=settings.home, since=_written(wanted.begin)
            ),
            ReplayRules(settings=settings) if is_changed else None,
            ReplayRules(settings=_changed(settings, wanted), rules_file=wanted.rules or ""),
            jobs=wanted.processes,
            tell=shown.draw,
        )
    if wanted.is_json:
        click.echo(msgspec.json.encode(result))
    else:
        for line in changed_lines(result, most=wanted.most):
            click.echo(line)
    if result.overruled:
        return OVERRULED
    return CHANGED if result.moved else 0


def _changed(settings: Settings, wanted: ReplayOptions) -> Settings:
    """Return the settings of the other side."""
    if wanted.config:
        variables = {**os.environ, CONFIG_DIR: os.path.abspath(wanted.config)}
        settings = load_settings(environment=variables)
    return replace(settings, pack=wanted.pack) if wanted.pack else settings


def _written(moment: datetime | None) -> str:
    """Return a time as hosts write it, for comparison."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S") if moment else ""
