"""A rules file from text, and rules of several files joined.

    version: 1
    defaults: {unmatched: escalate}
    rules:
      - name: no-force-push
        action: deny
        match: {command: git push --force}
        reason: the history of others is not ours to rewrite
        expect: [{call: git push -f origin main, verdict: deny}]

Pure: text in, `RuleSet` out; who reads the file, and when again, is decided at the edge. A file
is read whole or refused whole; nothing of a bad one is ever in force.
"""

from __future__ import annotations

import dataclasses

import yaml

from signoff.actions.operation import Reach
from signoff.assess.rules.notation.document import (
    RuleFileErrors,
    compose,
    fields_of,
    kind_of,
    text_of,
)
from signoff.assess.rules.notation.schema import RuleReader
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.rule import Rule, RuleAction, RuleSet

VERSION = "1"
RULES_LIMIT = 5_000
FILE_FIELDS = ("version", "defaults", "rules")
STRICTNESS = (RuleAction.ALLOW, RuleAction.ESCALATE, RuleAction.DENY)


def load_rules(text: str, *, file: str) -> RuleSet:
    """Read a rules file.

    Raises:
        BadRules: anything in it is not as it must be; the message says what was expected.
    """
    place = RuleFileErrors(file)
    root = compose(text, place)
    fields = fields_of(root, place, what="a rules file", allowed=FILE_FIELDS)
    _check_version(root, fields.get("version"), place)
    if "rules" not in fields:
        raise place.refuse("`rules` is missing; write `rules: []` if there are none", root)
    node = fields["rules"][1]
    if not isinstance(node, yaml.SequenceNode):
        raise place.refuse(f"rules: expected a list, got {kind_of(node)}", node)
    if len(node.value) > RULES_LIMIT:
        raise place.refuse(f"rules: {len(node.value)} rules (at most {RULES_LIMIT})", node)
    reader = RuleReader(place)
    unmatched = _unmatched(fields.get("defaults"), reader)
    rules = tuple(reader.rule(item) for item in node.value)
    _check_names(rules, node, place)
    return RuleSet(rules=rules, unmatched=unmatched, sources=(file,))


def _check_version(
    root: yaml.Node, entry: tuple[yaml.ScalarNode, yaml.Node] | None, place: RuleFileErrors
) -> None:
    if entry is None:
        raise place.refuse(f"`version` is missing; write `version: {VERSION}`", root)
    version = text_of(entry[1], place, what="version", limit=100)
    if version != VERSION:
        raise place.refuse(f"version `{version}` is not supported (only {VERSION})", entry[1])


def _unmatched(entry: tuple[yaml.ScalarNode, yaml.Node] | None, reader: RuleReader) -> RuleAction:
    if entry is None:
        return RuleAction.ESCALATE
    fields = fields_of(entry[1], reader.place, what="defaults", allowed=("unmatched",))
    if "unmatched" not in fields:
        return RuleAction.ESCALATE
    words = tuple(map(str, RuleAction))
    return RuleAction(reader.word(fields["unmatched"][1], "unmatched", words))


def _check_names(rules: tuple[Rule, ...], node: yaml.SequenceNode, place: RuleFileErrors) -> None:
    first: dict[str, Rule] = {}
    for rule, item in zip(rules, node.value, strict=True):
        if rule.name in first:
            line = first[rule.name].line
            raise place.refuse(f"a second rule `{rule.name}`; the first is in line {line}", item)
        first[rule.name] = rule


def merge(user: RuleSet, project: RuleSet) -> RuleSet:
    """Join a project's rules to the user's; a project may only tighten.

    Its allow rules are left out, its escalate rules are weighed before allow rules, and its
    default counts only where it is stricter. `notes` of the result say what was left out.
    """
    kept = tuple(
        dataclasses.replace(rule, is_tightening=rule.action is RuleAction.ESCALATE)
        for rule in project.rules
        if rule.action is not RuleAction.ALLOW
    )
    notes = [
        f"{rule.where}: allow rule `{rule.name}` is left out: a project may only tighten"
        for rule in project.rules
        if rule.action is RuleAction.ALLOW
    ]
    if STRICTNESS.index(project.unmatched) < STRICTNESS.index(user.unmatched):
        notes.append(
            f"{', '.join(project.sources)}: unmatched `{project.unmatched}` is left out:"
            f" `{user.unmatched}` of the user's file is stricter"
        )
    return RuleSet(
        rules=user.rules + kept,
        unmatched=max(user.unmatched, project.unmatched, key=STRICTNESS.index),
        sources=user.sources + project.sources,
        notes=(*user.notes, *project.notes, *notes),
    )


def merge_pack(pack: RuleSet, user: RuleSet) -> RuleSet:
    """Join the user's rules to a pack's; a rule of the user replaces the pack's of the same name.

    The user's default holds. Deny rules of the pack about signoff itself cannot be replaced.
    """
    mine = {rule.name for rule in user.rules}
    kept = tuple(rule for rule in pack.rules if rule.name not in mine or guards_itself(rule))
    replaced = [rule for rule in pack.rules if rule not in kept]
    return RuleSet(
        rules=user.rules + kept,
        unmatched=user.unmatched,
        sources=user.sources + pack.sources,
        notes=(
            *pack.notes,
            *user.notes,
            *(f"{rule.where}: rule `{rule.name}` is replaced by the user's" for rule in replaced),
        ),
    )


def guards_itself(rule: Rule) -> bool:
    """Tell whether a deny rule is about signoff itself."""
    return rule.action is RuleAction.DENY and any(
        isinstance(pattern, OperationPattern) and Reach.GUARD in pattern.reaches
        for match in rule.match
        for pattern in match.patterns
    )
