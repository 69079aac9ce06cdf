"""`signoff audit`: read and verify the record of decisions.

signoff audit tail -n 20
signoff audit show 12
signoff audit query --verdict deny --since 7d
signoff audit verify        exit status 1 if anything in the record fails verification
signoff audit checkpoint    sign the record as it stands
signoff audit prove 12      prove that entry 12 is in it
signoff audit export --format ocsf
signoff audit backup FOLDER
signoff audit restore FOLDER
signoff audit rotate --keep 365d -o 2025.jsonl
signoff audit stats
signoff audit rubber-stamps
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from importlib import import_module

import click

from signoff.actions.action import Json
from signoff.challenge.visible import visible
from signoff.effects.admin_acts import KIND as ADMIN
from signoff.effects.decoys import DECOY
from signoff.effects.store import RecordEntry
from signoff.frontends.cli.audit_log import open_all, read_all, waiting_outcomes
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, echo_json, json_option
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.frontends.hosts.canary import mark_of_entry
from signoff.settings import load_settings
from signoff.storage.commits.waiting_outcomes import outcomes_of, result_of
from signoff.values import count_of

COUNTED = ("verdict", "decided_by", "level", "tool")
# command: (module, what it is called there)
ELSEWHERE: Mapping[str, tuple[str, str]] = {
    **{name: ("audit_proof", name) for name in ("verify", "checkpoint", "prove")},
    **{name: ("audit_export", name) for name in ("show", "query", "export")},
    **{name: ("audit_backup", name) for name in ("backup", "restore", "rotate")},
    "rubber-stamps": ("rubber_stamps", "command"),
    "oversight": ("audit_oversight", "command"),
}
UNDER = 7  # behind the number of an entry
COLOURS = {"allow": "green", "ask": "yellow", "deny": "red"}


class AuditGroup(AnsweringGroup):
    """A group that loads a command of another module when it is used: `tail` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, in order."""
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def find_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Load a command."""
        if name not in ELSEWHERE:
            return super().find_command(ctx, name)
        module, called = ELSEWHERE[name]
        found: click.Command = getattr(import_module(f"signoff.frontends.cli.{module}"), called)
        return found


@click.group("audit", cls=AuditGroup)
def command() -> None:
    """Read, verify and export the audit log of decisions."""


@command.command("tail")
@click.option("-n", "count", type=click.IntRange(1, 10_000), default=10, show_default=True)
@click.option("--json", "is_json", is_flag=True, help="The entries as they are stored, one a line.")
def tail(*, count: int, is_json: bool) -> None:
    """Show the newest decisions, the newest last."""
    with errors_as_messages():
        settings = load_settings()
        record = open_all(settings)
        last = record.head().seq
        entries = list(record.entries(first=max(1, last - count + 1), last=last))
        contents = [_content(entry) for entry in entries]
        known = waiting_outcomes(settings) | outcomes_of(contents)
        for entry, content in zip(entries, contents, strict=True):
            if is_json:
                click.echo(entry.body)
            else:
                node = _text(content, "host") if settings.store else ""
                _show(content, result_of(content, known), node)


@command.command("stats")
@json_option
def stats(*, is_json: bool) -> None:
    """Count decisions by verdict, by who decided, and by tool."""
    counts: dict[str, Counter[str]] = {title: Counter() for title in COUNTED}
    with errors_as_messages():
        for entry in read_all():
            content = _content(entry)
            if content.get("kind") == DECOY:
                continue
            if content.get("kind") == ADMIN:
                continue
            for title in COUNTED:
                counts[title][_text(content, title)] += 1
    if is_json:
        echo_json({"decisions": counts["verdict"].total(), **counts})
        return
    say(f"{count_of(counts['verdict'].total(), 'decision')}")
    for title, found in counts.items():
        shown = ", ".join(f"{visible(name)} {count}" for name, count in found.most_common(10))
        say(f"{title.replace('_', ' '):<11} {shown}")


def _content(entry: RecordEntry) -> Mapping[str, Json]:
    content = json.loads(entry.body)
    return content if isinstance(content, dict) else {}


def _show(content: Mapping[str, Json], result: str, node: str) -> None:
    verdict = _text(content, "verdict")
    said = mark_of_entry(content)
    mark = click.style(f"({said})", dim=True) if said else ""
    echo_in_columns(
        " ".join(
            [
                f"{content.get('seq')!s:>6}",
                *filter(None, [visible(node)]),
                _text(content, "ts")[:19],
                click.style(f"{visible(verdict):<5}", fg=COLOURS.get(verdict)),
                visible(_text(content, "decided_by")),
                visible(_call(content)),
                *filter(None, [mark]),
            ]
        ),
        indent=UNDER,
    )
    ended = f" [{result}]" if result else ""
    reason = " " * UNDER + visible(_text(content, "reason"))
    echo_in_columns(f"{reason}{ended}", indent=UNDER)


def _call(content: Mapping[str, Json]) -> str:
    arguments = content.get("action_redacted")
    command_line = arguments.get("command") if isinstance(arguments, Mapping) else None
    if isinstance(command_line, str):
        return command_line
    return f"{_text(content, 'tool')} {json.dumps(arguments, ensure_ascii=False)}"


def _text(content: Mapping[str, Json], name: str) -> str:
    value = content.get(name)
    return value if isinstance(value, str) else ""
