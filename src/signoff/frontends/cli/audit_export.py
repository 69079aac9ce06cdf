"""`signoff audit show|query|export`: entries of the audit log, found and handed on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import click

from signoff.challenge.visible import visible_lines
from signoff.errors import BadSettings, StoreError
from signoff.frontends.auditing.bundle import write_bundle
from signoff.frontends.auditing.formats import FORMATS, call_of
from signoff.frontends.cli.audit_log import (
    open_all,
    open_keeper,
    open_log,
    read_all,
    waiting_outcomes,
)
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import echo_json, json_option
from signoff.frontends.cli.progress import progress, shown_each
from signoff.frontends.cli.wrapping import say
from signoff.frontends.replay.since import since
from signoff.storage.commits.waiting_outcomes import outcomes_of, result_of
from signoff.storage.reading import Content, Readable, content_of
from signoff.values import count_of

BUNDLE, PARQUET = "bundle", "parquet"
FIELD_MARK = b'"outcomes":'
BLOCK = 1_000  # entries read at once
LATER = 10_000  # entries after a decision in which its outcome is looked for


@click.command("show")
@click.argument("seq", type=click.IntRange(1))
@json_option
def show(*, seq: int, is_json: bool) -> None:
    """Show one entry in full, and how its call ended.

    A call that ran is one whose host reported its end, also where its own prompt had settled it.
    """
    with errors_as_messages():
        store = open_log()
        entry = next(store.entries(first=seq, last=seq), None)
        if entry is None:
            raise StoreError(f"there is no entry {seq} in the audit log")
        content = content_of(entry)
        later = (content_of(one) for one in store.entries(first=seq + 1, last=seq + LATER))
        result = result_of(content, waiting_outcomes() | outcomes_of(later))
    if is_json:
        echo_json({**content, "hash": entry.hash.hex(), "outcome": result})
        return
    for line in visible_lines(json.dumps(content, ensure_ascii=False, indent=2)):
        click.echo(line)
    say(f"hash {entry.hash.hex()}")
    if result:
        say(f"outcome: {result}")


@click.command("query")
@click.option("--verdict", type=click.Choice(["allow", "ask", "deny"]))
@click.option("--tool")
@click.option("--agent")
@click.option("--session")
@click.option("--decided-by", help="rule, score, llm, host, timeout, error, lock, or a channel.")
@click.option("--level", type=click.Choice(["low", "medium", "high", "critical"]))
@click.option("--approver")
@click.option("--rule")
@click.option("--text", help="Part of the call or of the reason.")
@click.option("--since", "since_text", default="all", help="30d, 12h, a date, or all.")
@click.option("-n", "count", type=click.IntRange(1), default=50, show_default=True)
@click.option("--format", "form", type=click.Choice([*FORMATS]), default="jsonl", show_default=True)
def query(
    *, text: str | None, since_text: str, count: int, form: str, **fields: str | None
) -> None:
    """Find entries by several fields, the newest last."""
    with errors_as_messages():
        begin = _begin(since_text)
        wanted = {name: value for name, value in fields.items() if value is not None}
        found: list[Content] = []
        known = waiting_outcomes()
        for content in shown_each("searching the audit log", newest_first(open_all())):
            if len(found) == count or str(content.get("ts", "")) < begin:
                break
            # The outcome of a call stands in a later entry, which comes earlier here.
            known |= outcomes_of((content,))
            if _has(content, wanted, text):
                found.append({**content, "outcome": result_of(content, known)})
    for line in FORMATS[form](reversed(found)):
        click.echo(line)


@click.command("export")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, PARQUET, BUNDLE]),
    default="jsonl",
    show_default=True,
)
@click.option(
    "--since", "since_text", default="all", show_default=True, help="30d, 12h, a date, or all."
)
@click.option("-o", "--output", type=click.Path(), help="A file; of a bundle a new folder.")
def export(*, form: str, since_text: str, output: str | None) -> None:
    """Write the audit log in a form that other programs read.

    A bundle is a folder with all entries, the checkpoints, the public key and `verify.py`, which
    checks them with nothing but Python. Parquet needs `pip install 'signoff[parquet]'`.
    """
    with errors_as_messages():
        begin = _begin(since_text)
        if form == BUNDLE:
            if not output or begin:
                raise click.UsageError("a bundle takes -o FOLDER, and the whole log")
            own = open_log()
            with progress("writing the bundle"):
                count = write_bundle(own, open_keeper(own), Path(output))
            entries = count_of(count, "entry", "entries")
            say(f"{entries} in {output}; check them: python {output}/verify.py {output}")
            return
        # Looked for as bytes: few entries hold an outcome, and reading all as JSON takes long.
        noted = outcomes_of(content_of(entry) for entry in read_all() if FIELD_MARK in entry.body)
        known = waiting_outcomes() | noted
        is_shown = bool(output) or not sys.stdout.isatty()
        contents = (content_of(entry) for entry in read_all(is_shown=is_shown))
        newer = (
            {**content, "outcome": result_of(content, known)}
            for content in contents
            if str(content.get("ts", "")) >= begin
        )
        if form == PARQUET:
            say(f"{count_of(_to_parquet(newer, output), 'entry', 'entries')} in {output}")
            return
        with _target(output) as target:
            for line in FORMATS[form](newer):
                target.write(f"{line}\n")


def _to_parquet(contents: Iterator[Content], output: str | None) -> int:
    """Write a Parquet file; return the number of entries."""
    if not output:
        raise click.UsageError("parquet takes -o FILE")
    try:
        from signoff.frontends.auditing.parquet import write_parquet  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise BadSettings("parquet needs `pip install 'signoff[parquet]'`") from error
    try:
        return write_parquet(contents, output)
    except OSError as error:
        raise StoreError(f"cannot write `{output}`: {error.strerror or error}") from error


def newest_first(store: Readable) -> Iterator[Content]:
    """Yield the entries from the newest to the oldest."""
    last = store.head().seq
    while last > 0:
        first = max(1, last - BLOCK + 1)
        yield from (content_of(entry) for entry in [*store.entries(first=first, last=last)][::-1])
        last = first - 1


def _has(content: Content, wanted: dict[str, str], text: str | None) -> bool:
    if any(str(content.get(name, "")) != value for name, value in wanted.items()):
        return False
    return not text or text in call_of(content) or text in str(content.get("reason", ""))


def _begin(text: str) -> str:
    """Return a start as entries write their times, "" for all."""
    moment = since(text, datetime.now(UTC))
    # Times of entries are ISO 8601 in UTC, so they can be compared as texts.
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S") if moment else ""


@contextmanager
def _target(output: str | None) -> Iterator[TextIO]:
    """Give the file to write to, standard output if none is named."""
    if output is None:
        yield sys.stdout
        return
    try:
        with open(output, "x", encoding="utf-8", newline="\n") as target:
            yield target
    except OSError as error:
        raise StoreError(f"cannot write `{output}`: {error.strerror or error}") from error
