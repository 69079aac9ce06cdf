"""Learned rules as text of a rules file: written into it and taken out, all else as it was.

text = with_rule(text, rule)       comments, order and layout of the file stay
text = without_rule(text, name)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from signoff.assess.rules.load import FORM, load_rules
from signoff.assess.rules.rule import Rule, RuleLimits
from signoff.documents.node import Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadRules

PREFIX = "learned-"
EMPTY = "version: 1\nrules:\n"
INDENT = "  "


class LearnedRule(Struct, frozen=True, kw_only=True):
    """An allow rule learned from calls that people approved.

    Args:
        commands: command patterns; targets: (verb, thing, field, value) of operation patterns.
        quiet: programs that may stand beside the commands where they only print.
        expires: its last day, `2030-12-31`.
        origin: who approved what how often, and who accepted the rule.
    """

    name: str
    tool: str
    project: str
    limits: RuleLimits
    expires: str
    origin: str
    reason: str
    commands: tuple[str, ...] = ()
    targets: tuple[tuple[str, str, str, str], ...] = ()
    quiet: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The rule as lines of YAML, not indented."""
        limits = self.limits
        return (
            f"- name: {_text(self.name)}",
            "  action: allow",
            f"  tool: {_text(self.tool)}",
            "  match:",
            *self._match(),
            "  limits:",
            f"    level: {limits.level}",
            f"    findings: {_texts(sorted(limits.findings or ()))}",
            f"    effects: {_texts(sorted(limits.effects or ()))}",
            f"  project: {_text(self.project)}",
            f"  expires: {self.expires}",
            f"  origin: {_text(self.origin)}",
            f"  reason: {_text(self.reason)}",
        )

    def _match(self) -> Iterator[str]:
        """Yield the lines of the rule's `match`."""
        if self.commands:
            yield "    command:"
            yield from (f"      - {_text(one)}" for one in self.commands)
        if self.targets or self.quiet:
            yield "    operation:"
        for verb, thing, field, value in self.targets:
            said = f"verb: {verb}, thing: {thing}, {field}: {_text(value)}"
            yield f"      - {{{said}, understood: true}}"
        if self.quiet:
            yield f"      - {{verb: inert, program: {_texts(self.quiet)}, understood: true}}"

    @property
    def yaml(self) -> str:
        """The rule as YAML text, indented as in a rules file."""
        return "".join(f"{INDENT}{line}\n" for line in self.lines)

    def rule(self) -> Rule:
        """Return the rule parsed as from a rules file.

        Raises:
            BadRules: it cannot be written as a rule.
        """
        return load_rules(EMPTY + self.yaml, file="learned").rules[0]


class WrittenRule(Protocol):
    """Port: a rule as lines of YAML."""

    @property
    def name(self) -> str:
        """The rule's name."""

    @property
    def lines(self) -> tuple[str, ...]:
        """Its lines, not indented."""


def with_rule(text: str | None, rule: WrittenRule, *, file: str) -> str:
    """Return a rules file's text with a rule appended.

    Args:
        text: None = no file yet.
        file: its name, for messages.

    Raises:
        BadRules: the file is not valid, or its list of rules is in brackets.
    """
    text = EMPTY + f"{INDENT}[]\n" if text is None else text
    before = load_rules(text, file=file)
    node = _rules_node(text, file)
    items = node.items()
    lines, end = text.splitlines(), _newline(text)
    if not items:
        at, indent = _opened(lines, node), INDENT
    elif node.is_in_braces:
        raise node.refuse("rules in brackets cannot be added to; write each on a line with a dash")
    else:
        at = _end_of(lines, items[-1])
        indent = " " * _dash_column(lines, items[0])
    lines[at:at] = [f"{indent}{line}" for line in rule.lines]
    made = end.join(lines) + end
    after = load_rules(made, file=file)
    # All other rules must mean the same as before: else the file is of a form we do not know.
    if after.rules[:-1] != before.rules or after.rules[-1].name != rule.name:
        raise BadRules(f"{file}: the rule cannot be added to this file; add it by hand")
    return made


def without_rule(text: str, name: str, *, file: str) -> str:
    """Return a rules file without the rule of this name.

    Raises:
        BadRules: the file is refused, has no such rule, or its list is in brackets.
    """
    before = load_rules(text, file=file)
    at = next((at for at, rule in enumerate(before.rules) if rule.name == name), None)
    node = _rules_node(text, file)
    if at is None or node.is_in_braces:
        raise BadRules(f"{file}: there is no rule `{name}` that can be removed")
    items, lines, end = node.items(), text.splitlines(), _newline(text)
    start = items[at].line - 1
    del lines[start : _end_of(lines, items[at])]
    # A key without a value would be no list, and the file would be refused.
    if len(items) == 1:
        key = node.key.line - 1 if node.key else 0
        head, colon, rest = lines[key].partition(":")
        lines[key] = f"{head}{colon} []{rest}"
    made = end.join(lines) + end
    left = load_rules(made, file=file).rules
    # The text was cut by lines: what was meant is only known once the result is read.
    if [rule.name for rule in left] != [rule.name for rule in before.rules if rule.name != name]:
        raise BadRules(f"{file}: rule `{name}` cannot be removed; remove it by hand")
    return made


def _rules_node(text: str, file: str) -> Node:
    return read_yaml(text, file=file, form=FORM).fields()["rules"]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _opened(lines: list[str], node: Node) -> int:
    """Make room in `rules: []`; return the line the first rule goes to."""
    at = node.line - 1
    before, after = lines[at][: node.column - 1], lines[at][node.column - 1 :]
    comment = after.partition("]")[2].strip()
    if before.strip():
        lines[at] = f"{before.rstrip()}{f'  {comment}' if comment else ''}"
        return at + 1
    lines[at : at + 1] = [comment] if comment else []
    return at


def _end_of(lines: Sequence[str], item: Node) -> int:
    """Return the number of the line after an item; blank lines and comments below are not its."""
    end = min(item.end_line, len(lines))
    while end > item.line and (not lines[end - 1].strip() or _is_below(lines[end - 1], item)):
        end -= 1
    return end


def _is_below(line: str, item: Node) -> bool:
    """Tell whether a line near the end of an item is a comment, or belongs to what follows."""
    text = line.lstrip()
    return text.startswith("#") or len(line) - len(text) < item.column - 1


def _dash_column(lines: Sequence[str], item: Node) -> int:
    return lines[item.line - 1].index("-")


def _text(text: str) -> str:
    # A JSON string is a YAML string: nothing in a command can end it or begin a key.
    return json.dumps(text, ensure_ascii=False)


def _texts(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"
