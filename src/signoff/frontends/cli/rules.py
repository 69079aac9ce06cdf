"""`signoff rules`: look at rules before they decide anything.

    signoff rules lint              what is probably not meant; exit status 1 if there is any
    signoff rules test              do the examples beside the rules hold; exit status 1 if not
    signoff rules explain -- rm x   which rule speaks on a call, and why the others do not

Without FILE it is the user's own rules file.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping

import click

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.explain import explain, run_examples
from signoff.assess.rules.lint import lint
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleAction, RuleSet
from signoff.errors import BadRules
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, echo_json, json_option
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.rules_import import command as import_command
from signoff.frontends.cli.wrapping import say
from signoff.frontends.payloads import read_call
from signoff.settings import load_settings
from signoff.storage.reloading.rules_in_force import RULES_LIMIT
from signoff.storage.text_file import read_text
from signoff.values import count_of, replace

# Where examples are set: they must say the same on every machine.
PROJECT = "/home/dev/project"
FACTS = Facts(home="/home/dev", project=PROJECT)

NOTED = ("file", "line", "kind", "rule", "message")
rules_file = click.argument("file", required=False, type=click.Path(dir_okay=False))


@click.group("rules", cls=AnsweringGroup)
def command() -> None:
    """Check, test and explain rules."""


command.add_command(import_command)


@command.command("lint")
@rules_file
@json_option
def lint_command(*, file: str | None, is_json: bool) -> None:
    """Find likely mistakes in rules."""
    with errors_as_messages():
        rules = _rules(file)
    notes = lint(rules)
    if is_json:
        echo_json([{name: getattr(note, name) for name in NOTED} for note in notes])
        sys.exit(1 if notes else 0)
    for note in notes:
        place = f"{note.file}:{note.line}"
        say(f"{place}: {note.kind}: rule `{note.rule}`: {note.message}")
    say(f"{count_of(len(rules.rules), 'rule')}, {count_of(len(notes), 'note')}")
    sys.exit(1 if notes else 0)


@command.command("test")
@rules_file
@json_option
def test_command(*, file: str | None, is_json: bool) -> None:
    """Judge the examples beside the rules, and say which do not hold."""
    with errors_as_messages():
        rules = _rules(file)
        with progress("judging the examples"):
            results = run_examples(rules, lambda payload: _says(rules, payload))
    wrong = [result for result in results if not result.is_right]
    if is_json:
        told = [
            {
                "where": str(one.where),
                "rule": one.rule,
                "expected": one.example.verdict,
                "actual": one.actual,
            }
            for one in wrong
        ]
        echo_json({"examples": len(results), "wrong": told})
        sys.exit(1 if wrong else 0)
    for result in wrong:
        expected, actual = result.example.verdict, result.actual
        said = f"{result.where}: rule `{result.rule}`: expected {expected}, the rules say {actual}"
        say(said)
    say(f"{count_of(len(results), 'example')}, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


@command.command("explain")
@click.option("--file", type=click.Path(dir_okay=False), help="Another rules file.")
@click.option("--tool", default="Bash", show_default=True, help="The tool that is called.")
@json_option
@click.argument("line", nargs=-1, required=True)
def explain_command(*, file: str | None, tool: str, line: tuple[str, ...], is_json: bool) -> None:
    """Show which rules match a call, and why not."""
    # As `signoff check` reads it: several words were split by a shell already.
    text = line[0] if len(line) == 1 else shlex.join(line)
    action = Action(tool=tool, arguments={"command": text}, cwd=PROJECT)
    with errors_as_messages():
        rules = _rules(file)
        understood = understand(action, FACTS)
        steps = explain(rules, action, understood.operations, understood.commands)
        match = evaluate(rules, action, understood.operations, understood.commands)
    if is_json:
        told = [
            {"rule": one.rule, "action": one.action.value, "matches": one.is_match, "why": one.why}
            for one in steps
        ]
        echo_json({"steps": told, "settled_by": match.rule.name if match is not None else None})
        return
    for step in steps:
        sign = "matches" if step.is_match else "does not match"
        say(f"{step.action.value:<8} {step.rule}: {sign}: {step.why}")
    if match is None:
        say(f"no rule settles it; unmatched calls: {rules.unmatched.value}")
    else:
        say(f"settled by `{match.rule.name}`: {match.action.value}")


def _rules(file: str | None) -> RuleSet:
    """Read a rules file, the user's own if none is named.

    Raises:
        BadRules: it is not there, or anything in it is not as it must be.
    """
    path = file or load_settings().rules_file
    text = read_text(path, limit=RULES_LIMIT)
    if text is None:
        raise BadRules(f"there is no rules file at `{path}`")
    return load_rules(text, file=path)


def _says(rules: RuleSet, payload: Mapping[str, Json]) -> RuleAction | None:
    """Return what rules say of the call in a payload."""
    action = replace(read_call(payload, source="rules").action, cwd=PROJECT)
    understood = understand(action, FACTS)
    match = evaluate(rules, action, understood.operations, understood.commands)
    return match.action if match is not None else None
