"""`signoff shadow`: judge and record without enforcing, and say what enforcing would do.

signoff shadow on --days 14     an admin at a terminal, confirmed by a code shown there
signoff shadow off              anybody, at any time
signoff shadow report           what would have been denied or asked about
signoff shadow report --web F   what the middleware of a web application would have blocked
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

import click

from signoff.actions.action import Json
from signoff.challenge.visible import visible
from signoff.decide.decision import Enforcement
from signoff.frontends.cli.audit_log import read_all
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup
from signoff.frontends.cli.typed import CodedChange, words_of
from signoff.frontends.cli.web_alarms import report_lines
from signoff.frontends.cli.wrapping import say, wrapped
from signoff.frontends.client.found import daemon_places
from signoff.frontends.server.control import tell
from signoff.values import count_of

PATH = "/v1/enforcement"
MOST_DAYS = 90
EXAMPLES = 3  # of each finding
TEXT = (
    "For this time nothing is blocked and nobody is asked, for all agents. What would have been"
    " denied or asked about runs, and is recorded. Locks, and calls that touch signoff itself, are"
    " still denied."
)
START = CodedChange(
    path=PATH, text=f"{wrapped(TEXT)}\nto start it", unconfirmed="every decision is enforced"
)


@click.group("shadow", cls=AnsweringGroup)
def command() -> None:
    """Judge and record without enforcing, and say what enforcing would do."""


@command.command("on")
@click.option("--days", type=click.IntRange(1, MOST_DAYS), default=14, show_default=True)
@click.option("--audit-only", "is_audit", is_flag=True, help="Do not ask the model either.")
def on(*, days: int, is_audit: bool) -> None:
    """Enforce nothing for some days. Asks on the terminal."""
    mode = Enforcement.AUDIT_ONLY if is_audit else Enforcement.SHADOW
    with errors_as_messages():
        words = words_of(START.made(daemon_places(), {"mode": mode.value, "days": days}))
        if not words.startswith("NOT ENFORCED"):
            raise Refusal(words)
        click.echo(wrapped(visible(words)))


@command.command("off")
def off() -> None:
    """Enforce every decision from now on."""
    with errors_as_messages():
        said = tell(daemon_places(), PATH, {"mode": Enforcement.ENFORCE.value})
        say(words_of(said))


@command.command("report")
@click.option("--days", type=click.IntRange(1, 365), default=14, show_default=True)
@click.option("--json", "is_json", is_flag=True, help="The calls, one JSON object a line.")
@click.option("--web", metavar="FILE", default="", help="Of a web application's file of alarms.")
def report(*, days: int, is_json: bool, web: str) -> None:
    """Show what would have been denied or asked about."""
    since = datetime.now(UTC) - timedelta(days=days)
    if web:
        with errors_as_messages():
            for line in report_lines(web, since, is_json=is_json):
                click.echo(line)
        return
    with errors_as_messages():
        found = [one for entry in read_all() for one in _read(entry.body) if _is_since(one, since)]
    if is_json:
        for one in found:
            if "would_be" in one:
                click.echo(json.dumps(one))
        return
    for line in summary_of(found):
        say(line)


def summary_of(contents: Iterable[Mapping[str, Json]]) -> Iterator[str]:
    """Yield, as lines, what enforcing would have changed for these entries."""
    counts: Counter[str] = Counter()
    causes: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], list[str]] = {}
    for one in contents:
        would_be = str(one.get("would_be") or "")
        counts[would_be or "as recorded"] += 1
        if would_be:
            key = would_be, _cause(one)
            causes[key] += 1
            shown = examples.setdefault(key, [])
            if (example := _example(one)) not in shown and len(shown) < EXAMPLES:
                shown.append(example)
    denied, asked = counts["deny"], counts["ask"]
    if not denied and not asked:
        yield f"{count_of(counts.total(), 'decision')}; shadow mode let no call through"
        return
    yield (
        f"{count_of(counts.total(), 'decision')}."
        f" Enforcing would have denied {denied} and asked about {asked}."
    )
    for (would_be, cause), count in causes.most_common():
        yield f"{would_be:<5} {count:>5}  {cause}"
        for example in examples[would_be, cause]:
            yield f"               {example}"


def _cause(content: Mapping[str, Json]) -> str:
    """Return the rule or the finding that decided."""
    rule = content.get("rule")
    if rule:
        return f"rule {rule}"
    findings = content.get("findings")
    for one in findings if isinstance(findings, list) else ():
        if isinstance(one, dict) and one.get("category"):
            return str(one["category"])
    return "risk"


def _example(content: Mapping[str, Json]) -> str:
    """Return a call in one line."""
    called = json.dumps(content.get("action_redacted"))
    shown = called if len(called) <= 120 else f"{called[:120]}..."
    return f"{content.get('tool')} {shown}"


def _read(body: str | bytes) -> Iterator[Mapping[str, Json]]:
    content = json.loads(body)
    if isinstance(content, dict):
        yield content


def _is_since(content: Mapping[str, Json], since: datetime) -> bool:
    try:
        return datetime.fromisoformat(str(content.get("ts"))) >= since
    # A time without a zone cannot be compared with one that has a zone.
    except (ValueError, TypeError):
        return False
